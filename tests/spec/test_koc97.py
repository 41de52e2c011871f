"""The spec of [koc97] against plain arithmetic on polynomials, its errata one by one, and its counts."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monpro.spec import koc97, reference
from monpro.spec.counting import BIT, RCL, SHL, SHR, Event, Machine, Value, averages
from monpro.spec.koc97 import Method, MulGF2, Polynomial, Processor, run

WIDTHS_BITS = (8, 16, 32)
SIZES = range(1, 7)
MISSING_BITS = (0, 1, 3)  # k = sw, sw − 1, sw − 3

PRODUCTS: list[Method] = [koc97.montgomery_multiplication, koc97.standard_multiplication]
SQUARES: list[Method] = [koc97.montgomery_squaring, koc97.standard_squaring]
EXPONENTIATIONS: list[Method] = [koc97.montgomery_exponentiation, koc97.standard_exponentiation]
MULGF2: list[tuple[MulGF2, int]] = [
    (koc97.tables, 8),
    (koc97.hybrid_16, 16),
    (koc97.hybrid_32, 32),
    *((koc97.emulation, w) for w in WIDTHS_BITS),
    *((koc97.instruction, w) for w in WIDTHS_BITS),
]


def name(value: object) -> str:
    return getattr(value, "__name__", str(value))


@cache
def power_of_inverse_x(j: int, n: int) -> int:
    """Return x^(−j) mod n. Because n(0) = 1, x⁻¹ = (n − 1)/x."""
    return reference.power(n >> 1, j, n)


def oracle(x: int, y: int, n: int, shift: int = 0) -> int:
    """Return x·y·x^(−shift) mod n."""
    product = reference.remainder(reference.product(x, y), n)
    return reference.remainder(reference.product(product, power_of_inverse_x(shift, n)), n)


def shift_of(method: Method, n: int, w: int) -> int:
    """Return the j for which the method divides by x^j."""
    k = n.bit_length() - 1
    if method is koc97.bit_level_multiplication:
        return k
    return -(-k // w) * w if method.__name__.startswith("montgomery") else 0


def moduli(k: int) -> list[int]:
    """Return moduli of degree k with two terms, three terms, all terms, and many terms."""
    full = (1 << k + 1) - 1
    return sorted({1 << k | 1, 1 << k | 2 | 1 if k > 1 else 3, full, 1 << k | full // 7 | 1})


def edges(k: int) -> list[int]:
    """Return operands of degrees below k: 0, 1, the highest power, all ones, every third coefficient."""
    return sorted({0, 1, 1 << k - 1, (1 << k) - 1, (1 << k) // 7})


# --- Products, squares and exponentiations ------------------------------------------------------------------


def sizes(w: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield moduli and operands for each k; from three words on, a sparse and a dense n and two operands."""
    for s in SIZES:
        for k in (s * w - missing for missing in MISSING_BITS):
            yield (moduli(k), edges(k)) if s < 3 else (moduli(k)[1:3], edges(k)[-2:])


@pytest.mark.parametrize("w", WIDTHS_BITS)
@pytest.mark.parametrize("method", PRODUCTS, ids=name)
def test_product_of_edge_operands(method: Method, w: int) -> None:
    for several, operands in sizes(w):
        for n in several:
            for x, y in pairwise(operands):
                assert run(method, x, y, n=n, w=w).result == oracle(x, y, n, shift_of(method, n, w)), (
                    n,
                    x,
                    y,
                )


@pytest.mark.parametrize("w", WIDTHS_BITS)
@pytest.mark.parametrize("square", SQUARES, ids=name)
def test_square_of_edge_operands(square: Method, w: int) -> None:
    for several, operands in sizes(w):
        for n in several:
            x = operands[-1]
            assert run(square, x, n=n, w=w).result == oracle(x, x, n, shift_of(square, n, w)), (n, x)


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Return w, a modulus of any degree up to 3w, and two operands."""
    w = draw(st.sampled_from(WIDTHS_BITS))
    k = draw(st.integers(1, 3 * w))
    n = 1 << k | draw(st.integers(0, (1 << k - 1) - 1)) << 1 | 1
    return w, n, draw(st.integers(0, (1 << k) - 1)), draw(st.integers(0, (1 << k) - 1))


@given(problems())
def test_every_algorithm_computes_what_it_says(problem: tuple[int, int, int, int]) -> None:
    w, n, x, y = problem
    for method in (*PRODUCTS, koc97.bit_level_multiplication):
        assert run(method, x, y, n=n, w=w).result == oracle(x, y, n, shift_of(method, n, w)), method
    for square in SQUARES:
        assert run(square, x, n=n, w=w).result == oracle(x, x, n, shift_of(square, n, w)), square
    k = n.bit_length() - 1
    in_three_steps = koc97.montgomery_product(*map(Polynomial, (x, y, n, 1 << k)))
    assert in_three_steps == oracle(x, y, n, k)


@settings(max_examples=20)
@given(problems(), st.integers(0, 20))
def test_exponentiation(problem: tuple[int, int, int, int], e: int) -> None:
    w, n, x, _ = problem
    for method in EXPONENTIATIONS:
        assert run(method, x, n=n, w=w, e=e).result == reference.power(x, e, n), method


@pytest.mark.parametrize("w", WIDTHS_BITS)
@pytest.mark.parametrize("k", [8, 31, 32])
def test_exponents_with_runs_of_zeros_and_ones(k: int, w: int) -> None:
    n = moduli(k)[-1]
    for e in (0, 1, 2, 0b1000_0001, 0b1111_1110):
        for method in EXPONENTIATIONS:
            assert run(method, 0b10, n=n, w=w, e=e).result == reference.power(0b10, e, n), (method, e)


@pytest.mark.parametrize(
    ("n", "w"),
    [(0x11B, 8), (0x11B, 16), (1 << 15 | 3, 8), (1 << 16 | 0x2B, 8), (1 << 20 | 9, 16)],
)
def test_inverse_in_a_field(n: int, w: int) -> None:
    k = n.bit_length() - 1
    for x in (1, 2, 3, (1 << k) - 1, 1 << k - 1):
        inverse = run(koc97.field_inverse, x, n=n, w=w).result
        assert oracle(x, inverse, n) == 1
        assert inverse == koc97.inverse(Polynomial(x), Polynomial(n))


def test_squares_and_products_agree() -> None:
    n, w = 1 << 40 | 0x39, 8
    for x in (0x12_3456_789A, 0xFF_FFFF_FFFF):
        for square, product in zip(SQUARES, PRODUCTS, strict=True):
            assert run(square, x, n=n, w=w).result == run(product, x, x, n=n, w=w).result


# Words of temporary space for an n(x) of degree s·w. The standard methods take 2s words for t, the multiples
# of n(x), and s + 1 words to clear what is above its degree.
SPACE: list[tuple[Method, int, Callable[[int], int]]] = [
    (koc97.bit_level_multiplication, 2, lambda s: s + 1),
    (koc97.montgomery_multiplication, 2, lambda s: s + 1),
    (koc97.montgomery_squaring, 1, lambda s: 2 * s),
    (koc97.standard_multiplication, 2, lambda s: 2 * s + s * (s + 1) + s + 1),
    (koc97.standard_squaring, 1, lambda s: 2 * s + (2 * s + 1) + s + 1),
]


@pytest.mark.parametrize(("method", "operands", "words"), SPACE, ids=name)
def test_the_temporary_space_of_a_method(method: Method, operands: int, words: Callable[[int], int]) -> None:
    for s in (1, 2, 3, 4):
        machine = run(method, *[5] * operands, n=1 << 8 * s | 3, w=8).machine
        assert machine.temporary_words == words(s)


# --- MULGF2 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mulgf2", "w"), MULGF2, ids=name)
def test_mulgf2_gives_the_product_of_two_words(mulgf2: MulGF2, w: int) -> None:
    machine = Processor(w, 1)
    state = 1
    top = (1 << w) - 1
    for step in range(200):
        state = state * 0xD134_2543_DE82_EF95 + 1 & 2**64 - 1
        a = top if step % 7 == 0 else state >> step % 40 & top
        b = top if step % 11 == 0 else state >> 64 - w
        H, L = mulgf2(Value(a, machine), Value(b, machine))  # noqa: N806  # the paper's letters
        assert H << w | L == reference.product(a, b), (a, b)


def test_mulgf2_of_the_example_in_the_paper() -> None:
    machine = Processor(4, 1)
    for mulgf2 in (koc97.instruction, koc97.emulation):
        assert mulgf2(Value(0b1101, machine), Value(0b1010, machine)) == (0b0111, 0b0010)


@pytest.mark.parametrize(("mulgf2", "w"), MULGF2, ids=name)
def test_products_with_every_mulgf2(mulgf2: MulGF2, w: int) -> None:
    k = 2 * w
    for n in moduli(k):
        x, y = edges(k)[-2:]
        result = run(koc97.montgomery_multiplication, x, y, n=n, w=w, mulgf2=mulgf2).result
        assert result == oracle(x, y, n, k)


def test_the_tables_have_64_kilobytes_each() -> None:
    for table in (koc97.TableH, koc97.TableL):
        assert sum(len(row.entries) for row in table) == 2**8 * 2**8 * 8 // 8 == 64 * 1024


# --- Inversion of N0 ----------------------------------------------------------------------------------------


def inverse_of(n0: int, w: int) -> int:
    machine = Processor(w, 1)
    return int(koc97.inverse_of_N0(machine, Value(n0, machine)))


@pytest.mark.parametrize("w", [2, 4, 8])
def test_inverse_of_every_n0(w: int) -> None:
    for n0 in range(1, 1 << w, 2):
        assert reference.product(n0, inverse_of(n0, w)) % (1 << w) == 1


@given(st.sampled_from((16, 32, 64)), st.integers(0, 2**63 - 1))
def test_inverse_of_n0_of_long_words(w: int, half: int) -> None:
    n0 = (2 * half + 1) % 2**w
    assert reference.product(n0, inverse_of(n0, w)) % 2**w == 1


# --- Bounds -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operands", "n", "w", "e"),
    [
        ((1, 1), 0b1010, 8, None),
        ((1, 1), 1, 8, None),
        ((1, 1), 0, 8, None),
        ((1, 1), -5, 8, None),
        ((8, 1), 0b1011, 8, None),
        ((-1, 1), 0b1011, 8, None),
        ((1, 1), 0b1011, 7, None),
        ((1, 1), 0b1011, 0, None),
        ((1,), 0b1011, 8, -1),
    ],
)
def test_what_is_outside_the_bounds_is_refused(
    operands: tuple[int, ...], n: int, w: int, e: int | None
) -> None:
    method = koc97.montgomery_multiplication if e is None else koc97.montgomery_exponentiation
    with pytest.raises(ValueError, match="must") as refusal:
        run(method, *operands, n=n, w=w, e=e)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("method", "operands", "takes"),
    [
        (koc97.montgomery_multiplication, (3,), 2),
        (koc97.montgomery_multiplication, (3, 5, 6), 2),
        (koc97.montgomery_squaring, (3, 5), 1),
        (koc97.one_times_r, (3,), 0),
    ],
)
def test_a_wrong_number_of_operands_is_refused(
    method: koc97.Method, operands: tuple[int, ...], takes: int
) -> None:
    with pytest.raises(ValueError, match=f"takes {takes} operands, not {len(operands)}"):
        run(method, *operands, n=0b1011, w=8)


def test_an_exponent_that_is_wanting_or_one_too_many_is_refused() -> None:
    with pytest.raises(ValueError, match="takes an exponent"):
        run(koc97.montgomery_exponentiation, 3, n=0b1011, w=8)
    with pytest.raises(ValueError, match="takes no exponent"):
        run(koc97.montgomery_squaring, 3, n=0b1011, w=8, e=2)


def test_a_mulgf2_for_another_word_is_refused() -> None:
    with pytest.raises(ValueError, match="tables not 16"):
        run(koc97.montgomery_multiplication, 1, 1, n=0b1011, w=16, mulgf2=koc97.tables)


# --- Errata -------------------------------------------------------------------------------------------------


def edited(function: Callable[..., object], old: str, new: str) -> Callable[..., object]:
    """Return `function` with one line of its source replaced."""
    source = inspect.getsource(function)
    assert source.count(old) == 1, f"{old!r} is not in {function.__name__} once"
    scope: dict[str, Callable[..., object]] = {}
    exec(source.replace(old, new), vars(koc97), scope)  # noqa: S102  # the source is the spec's own
    return scope[function.__name__]


def test_e1_the_hybrid_as_printed_shifts_the_wrong_way() -> None:
    machine = Processor(16, 1)
    a, b = Value(0x0001, machine), Value(0x0100, machine)
    assert koc97.hybrid_16(a, b) == (0x0000, 0x0100)
    assert koc97.hybrid_16_as_printed(a, b) == (0x0000, 0x0000)
    n, x = 1 << 32 | 0x8D, 0xFFFF_FFFF
    good, bad = (
        run(koc97.montgomery_multiplication, x, x, n=n, w=16, mulgf2=mulgf2).result
        for mulgf2 in (koc97.hybrid_16, koc97.hybrid_16_as_printed)
    )
    assert good == oracle(x, x, n, 32) != bad


@pytest.mark.parametrize("w", [4, 8])
def test_e2_emulation_takes_half_as_many_xor_on_average_as_in_the_worst_case(w: int) -> None:
    machine = Processor(w, 1)
    koc97.emulation(Value(1, machine), Value(0, machine))
    assert averages(machine.events) == {"shift": 2 * w, "xor": w, "read": 3 * w, "write": 3 * w}
    executed = sum(b.bit_count() for b in range(1 << w))
    assert Fraction(executed, 1 << w) == Fraction(w, 2)


def test_e3_the_leading_term_of_n_is_needed_if_k_is_sw() -> None:
    without = edited(koc97.add_multiple, "degree(n) == machine.s * machine.w", "False")
    n, x = 1 << 16 | 0x2B, 0xFFFF
    k, w = 16, 8
    expected = oracle(x, x, n, k)
    assert run(koc97.montgomery_multiplication, x, x, n=n, w=w).result == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(koc97, "add_multiple", without)
        assert run(koc97.montgomery_multiplication, x, x, n=n, w=w).result != expected
        assert run(koc97.montgomery_multiplication, 1, 1, n=1 << 15 | 3, w=w).result == oracle(
            1, 1, 1 << 15 | 3, 16
        )


def test_e4_r_modulo_n_needs_work_unless_k_is_sw() -> None:
    for k in range(9, 17):
        n = moduli(k)[-1]
        machine = Processor(8, 2)
        r = int(koc97.one_times_r(machine, machine.array("n", 3, n)))
        assert r == reference.remainder(1 << 16, n)
        assert (averages(machine.events).get("shift", 0) == 0) == (k == 16)


def test_e5_the_least_significant_coefficient_of_t_is_always_1() -> None:
    """The condition of Step 4 holds for half of all N0 at each i, as the paper counts."""
    w = 6
    taken = dict.fromkeys(range(2, w + 1), 0)
    for n0 in range(1, 1 << w, 2):
        for i in taken:
            t = reference.product(n0, inverse_of(n0 % (1 << w), w) % (1 << i - 1)) % (1 << i)
            assert t & 1 == 1
            taken[i] += t != 1
    assert set(taken.values()) == {1 << w - 2}


# --- Counts -------------------------------------------------------------------------------------------------


HALF = Fraction(1, 2)
OPERATIONS = ("mulgf2", "xor", "and", "or", "shift")
Counts = tuple[Fraction | int, ...]  # of OPERATIONS

# Table 1 with XOR/AND taken apart, and with errata E3 (s XOR more in Montgomery's products) and E6. A square
# is spread by w + 1 AND and w OR for each word. The bit-level product adds b(x), of s words, and n(x), of
# s + 1.
TABLE_1: dict[Method, Callable[[int, int], Counts]] = {
    koc97.bit_level_multiplication: lambda w, s: (
        0,
        w * s * (2 * s + 1) // 2,
        0,
        w * s**2,
        w * s * (2 * s + 1),
    ),
    koc97.montgomery_multiplication: lambda _, s: (2 * s**2 + s, 4 * s**2 + s, 0, 0, 0),
    koc97.montgomery_squaring: lambda w, s: (s**2 + s, 2 * s**2 + s, (w + 1) * s, w * s, (2 * w + 1) * s),
    koc97.standard_multiplication: lambda w, s: (
        s**2,
        2 * s**2 + w * s * (s + 1) // 2,
        0,
        (w + 1) * s**2,
        (w + 1) * (2 * s**2 + s),
    ),
    koc97.standard_squaring: lambda w, s: (
        0,
        w * s * (3 * s + 1) // 4,
        (w + 1) * s,
        3 * w * s * (s + 1) // 2,
        3 * w * s**2 + (3 * w + 1) * s,
    ),
}


def counts(events: Iterable[Event]) -> Counts:
    average = averages(events)
    return tuple(average.get(operation, 0) for operation in OPERATIONS)


def counts_of(method: Method, w: int, k: int, e: int | None = None) -> Counts:
    operands = (1,) if method in (*SQUARES, *EXPONENTIATIONS) else (1, 1)
    return counts(run(method, *operands, n=1 << k | 1, w=w, e=e).machine.events)


def sum_of(*parts: tuple[Fraction | int, Counts]) -> Counts:
    """Return the sum of counts, each so many times."""
    return tuple(map(sum, zip(*([times * count for count in part] for times, part in parts), strict=True)))


@pytest.mark.parametrize("w", [2, 4, 8])
@pytest.mark.parametrize("method", TABLE_1, ids=name)
def test_products_and_squares_take_the_operations_of_table_1(method: Method, w: int) -> None:
    for s in (1, 2, 3):
        assert counts_of(method, w, k=w * s) == TABLE_1[method](w, s)


@pytest.mark.parametrize("missing", [1, 3])
def test_e4_a_degree_below_sw_takes_operations_that_the_paper_does_not_count(missing: int) -> None:
    """n(x) is shifted up once, then down by each missing place, half the time with an addition."""
    w, s = 4, 3
    shift_of_n = (0, 0, 0, s, 2 * s + 1)
    addition = (0, s, 0, 0, 0)
    for method in (koc97.standard_multiplication, koc97.standard_squaring):
        assert counts_of(method, w, k=w * s - missing) == sum_of(
            (1, TABLE_1[method](w, s)), (1 + missing, shift_of_n), (HALF * missing, addition)
        )


@pytest.mark.parametrize("w", [2, 4, 8])
def test_the_inverse_of_n0_takes_the_operations_of_section_6(w: int) -> None:
    machine = Processor(w, 1)
    koc97.inverse_of_N0(machine, Value(1, machine))
    assert counts(machine.events) == (w - 1, HALF * (w - 1), w - 1, 0, 3 * HALF * (w - 1))


@pytest.mark.parametrize("e", [0, 1, 0b10, 0b111])
def test_an_exponentiation_takes_a_square_and_half_a_product_for_each_bit_of_the_exponent(e: int) -> None:
    """Table 2: Montgomery's has an inversion, a standard product and a product more."""
    w, s, m = 4, 2, e.bit_length()
    in_table_1 = {method: of(w, s) for method, of in TABLE_1.items()}
    montgomery, standard = (
        ((m, in_table_1[square]), (HALF * m, in_table_1[product]))
        for square, product in zip(SQUARES, PRODUCTS, strict=True)
    )
    assert counts_of(koc97.standard_exponentiation, w, w * s, e) == sum_of(*standard)
    assert counts_of(koc97.montgomery_exponentiation, w, w * s, e) == sum_of(
        (w - 1, (1, HALF, 1, 0, 3 * HALF)),
        (1, in_table_1[koc97.standard_multiplication]),
        *montgomery,
        (1, in_table_1[koc97.montgomery_multiplication]),
    )


@pytest.mark.parametrize(
    ("mulgf2", "w", "look_ups", "expected"),
    [
        (koc97.instruction, 8, 0, (1, 0, 0, 0, 0)),
        (koc97.tables, 8, 2, (0, 0, 0, 0, 0)),
        (koc97.hybrid_16, 16, 8, (0, 6, 2, 0, 4)),
        (koc97.hybrid_16_as_printed, 16, 8, (0, 6, 2, 0, 4)),
        (koc97.hybrid_32, 32, 4 * 8, (0, 4 * 6 + 6, 4 * 2 + 2, 0, 4 * 4 + 4)),
    ],
    ids=name,
)
def test_mulgf2_takes_the_look_ups_and_operations_of_its_lines(
    mulgf2: MulGF2, w: int, look_ups: int, expected: Counts
) -> None:
    machine = Processor(w, 1)
    mulgf2(Value(1, machine), Value(1, machine))
    machine.end_statement()
    assert counts(machine.events) == expected
    assert averages(machine.events).get("look-up", 0) == look_ups


@pytest.mark.parametrize("method", [*PRODUCTS, *SQUARES, *EXPONENTIATIONS], ids=name)
def test_counts_do_not_depend_on_the_operands(method: Method) -> None:
    n = 1 << 16 | 1
    operands = 2 if method in PRODUCTS else 1
    exponents = (0b100, 0b111) if method in EXPONENTIATIONS else (None, None)
    light, heavy = (
        averages(run(method, *[x] * operands, n=n, w=8, e=e).machine.events)
        for x, e in zip((0, 0xFFFF), exponents, strict=True)
    )
    assert light == heavy


@pytest.mark.parametrize("method", [*PRODUCTS[1:], *SQUARES[1:]], ids=name)
def test_averages_are_those_over_all_that_can_be_reduced(method: Method) -> None:
    """The XORs of the standard reductions are counted here over every polynomial of 2s words."""
    n, w, k = 0b10011, 2, 4
    counted = 0
    for polynomial in range(1 << 2 * k):
        t = polynomial
        for p in range(2 * k - 1, k - 1, -1):
            if t >> p & 1:
                t ^= n << p - k
                counted += p // w + 1 if method in SQUARES else k // w + 1
    operands = (1,) if method in SQUARES else (1, 1)
    reduction = [
        event for event in run(method, *operands, n=n, w=w).machine.events if event.function == "add_if"
    ]
    assert averages(reduction)["xor"] == Fraction(counted, 1 << 2 * k)


def test_a_branch_that_is_not_taken_stores_nothing_and_counts_half() -> None:
    machine = Machine(w=8, s=1)
    t = machine.array("t", 1, 5)
    for condition in (False, True):
        with machine.when(condition):
            t[0] = t[0] ^ 1
            with machine.when(not condition):
                t[0] = t[0] ^ 2
        assert int(t) == (4 if condition else 5)
    assert averages(machine.events)["xor"] == 2 * (Fraction(1, 2) + Fraction(1, 4))


def test_an_event_knows_its_callers() -> None:
    events = run(koc97.montgomery_exponentiation, 1, n=0x11B, w=8, e=1).machine.events
    inner = next(event for event in events if event.function == "add_product")
    assert [function for function, _ in inner.callers] == [
        "add_product",
        "standard_multiplication",
        "montgomery_exponentiation",
        "run",
    ]


def test_shifts_and_the_carry() -> None:
    machine = Machine(w=4, s=1)
    x = Value(0b1010, machine)
    assert (SHL(x, 1), machine.carry) == (0b0100, 1)
    assert (RCL(x, 1), machine.carry) == (0b0101, 1)
    assert (RCL(Value(0b0010, machine), 1), machine.carry) == (0b0101, 0)
    assert (SHR(x, 3), BIT(x, 1), BIT(x, 0)) == (1, 1, 0)
    assert (x | 1, x & 2, x ^ 3) == (0b1011, 2, 0b1001)
    machine.end_statement()
    assert averages(machine.events) == {"shift": 4, "or": 1, "and": 1, "xor": 1}
    with pytest.raises(ValueError, match="one place"):
        RCL(x, 2)

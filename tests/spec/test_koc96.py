"""The spec of [koc96] against plain arithmetic, against the print, and its errata one by one."""

import inspect
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monpro.spec import koc96
from monpro.spec.counting import Machine, WordOverflowError, totals, words
from monpro.spec.koc96 import METHODS, Method, run

PRODUCTS = [*METHODS.values(), koc96.cios_unimproved]
SQUARES = [koc96.sos_square_wide_carry, koc96.sos_square_doubling]
WIDTHS_BITS = (4, 8, 16, 32)
SIZES = range(1, 9)


def name(method: Method) -> str:
    return method.__name__


def oracle(x: int, y: int, n: int, r: int) -> int:
    """Return x·y·r⁻¹ mod n from Python's own arithmetic."""
    return x * y * pow(r, -1, n) % n


def moduli(r: int) -> list[int]:
    """Return odd moduli below r: all ones, both end bits only, top bit clear, a small one, a mixed one."""
    return sorted({r - 1, (r >> 1) + 1, (r >> 1) - 1, 3, r * 5 // 7 | 1})


def edges(n: int) -> list[int]:
    """Return operands below n: 0, 1, n − 1, the longest run of ones, one with its top bit clear."""
    return sorted({0, 1 % n, n - 1, (1 << n.bit_length() - 1) - 1, n >> 1})


@pytest.mark.parametrize("w", WIDTHS_BITS)
@pytest.mark.parametrize("method", PRODUCTS, ids=name)
def test_product_of_edge_operands(method: Method, w: int) -> None:
    for s in SIZES:
        r = 1 << w * s
        for n in moduli(r):
            operands = edges(n)
            for x, y in [*pairwise(operands), (n - 1, n - 1), (0, n - 1)]:
                assert run(method, x, y, n=n, w=w, s=s).result == oracle(x, y, n, r), (s, n, x, y)


@pytest.mark.parametrize("w", WIDTHS_BITS)
@pytest.mark.parametrize("square", SQUARES, ids=name)
def test_square_of_edge_operands(square: Method, w: int) -> None:
    for s in SIZES:
        r = 1 << w * s
        for n in moduli(r):
            for x in edges(n):
                assert run(square, x, n=n, w=w, s=s).result == oracle(x, x, n, r), (s, n, x)


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, int, int, int]:
    """Return w, s, an odd n below 2^(w·s) of any length, and two operands below n."""
    w, s = draw(st.sampled_from(WIDTHS_BITS)), draw(st.sampled_from(SIZES))
    bits = draw(st.integers(1, w * s))
    n = draw(st.integers(0, (1 << bits - 1) - 1)) * 2 + 1
    return w, s, n, draw(st.integers(0, n - 1)), draw(st.integers(0, n - 1))


@given(problems())
def test_every_method_computes_the_montgomery_product(problem: tuple[int, int, int, int, int]) -> None:
    w, s, n, x, y = problem
    r = 1 << w * s
    expected = oracle(x, y, n, r)
    assert koc96.monpro(x, y, n, r) == expected
    for method in PRODUCTS:
        assert run(method, x, y, n=n, w=w, s=s).result == expected, method
    for square in SQUARES:
        assert run(square, x, n=n, w=w, s=s).result == oracle(x, x, n, r), square


@given(problems(), st.integers(0, 40))
def test_mod_exp(problem: tuple[int, int, int, int, int], e: int) -> None:
    w, s, n, x, _ = problem
    r = 1 << w * s
    assert koc96.mod_exp(x, e, n, r, lambda a, b: koc96.monpro(a, b, n, r)) == pow(x, e, n)


@pytest.mark.parametrize("method", PRODUCTS, ids=name)
def test_mod_exp_with_each_method(method: Method) -> None:
    n, w, s = 0xF5C3_9D17_2B61, 16, 3
    for a, e in ((2, 65537), (n - 1, 3), (0x1234_5678, 0), (0, 5)):
        got = koc96.mod_exp(a, e, n, 1 << w * s, lambda x, y: run(method, x, y, n=n, w=w, s=s).result)
        assert got == pow(a, e, n)


def test_n0_prime_is_the_negative_inverse() -> None:
    for w in (1, 2, 3, 4, 8):
        for n0 in range(1, 1 << w, 2):
            assert (n0 * koc96.n0_prime(n0, w) + 1) % (1 << w) == 0


@given(st.sampled_from((16, 32, 52, 64)), st.integers(0, 2**64))
def test_n0_prime_of_long_words(w: int, half: int) -> None:
    n0 = (2 * half + 1) % 2**w
    assert koc96.n0_prime(n0, w) == -pow(n0, -1, 2**w) % 2**w


@pytest.mark.parametrize(
    ("operands", "n"),
    [((1, 1), 8), ((1, 1), -5), ((1, 1), 2**12 + 1), ((-1, 1), 7), ((2**12, 0), 7), ((4095, 4095), 7)],
)
def test_operands_outside_the_bounds_are_refused(operands: tuple[int, int], n: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        run(koc96.cios, *operands, n=n, w=4, s=3)


def test_operands_above_n_are_reduced_within_the_stated_bound() -> None:
    n, w, s = 0x9A7, 4, 3
    for x in range(n, 2 ** (w * s), 37):
        assert run(koc96.cios, x, n - 1, n=n, w=w, s=s).result == oracle(x, n - 1, n, 1 << w * s)


# --- Errata -----------------------------------------------------------------------------------------------


def edited(method: Method, old: str, new: str, occurrence: int = 0) -> Method:
    """Return `method` with one occurrence of a line of its source replaced."""
    source = inspect.getsource(method)
    parts = source.split(old)
    assert len(parts) > occurrence + 1, f"{old!r} is not in {method.__name__}"
    source = old.join(parts[: occurrence + 1]) + new + old.join(parts[occurrence + 1 :])
    scope: dict[str, Method] = {}
    exec(source, vars(koc96), scope)  # noqa: S102  # the source is the spec's own
    return scope[method.__name__]


def wrong(method: Method, w: int, s: int, n: int, operands: list[int]) -> int:
    """Return the number of products of `operands` that the method gets wrong."""
    r = 1 << w * s
    return sum(
        run(method, x, y, n=n, w=w, s=s).result != oracle(x, y, n, r) for x in operands for y in operands
    )


def test_cihs_as_printed_fails_and_the_corrected_one_does_not() -> None:
    w, s, n, x = 4, 3, 0xFFF, 0xFFE
    assert run(koc96.cihs_as_printed, x, x, n=n, w=w, s=s).result != oracle(x, x, n, 1 << w * s)
    assert run(koc96.cihs, x, x, n=n, w=w, s=s).result == oracle(x, x, n, 1 << w * s)


def test_cihs_needs_both_corrections() -> None:
    keep, lose = "t[s + 1] = t[s + 1] + C", "t[s + 1] = C"
    only_second, only_first = edited(koc96.cihs, keep, lose, 0), edited(koc96.cihs, keep, lose, 1)
    n, operands = 0xFFF, [0xF86, 0xF8F, 0xFF5, 0xFFE]
    assert wrong(only_first, 4, 3, n, operands) > 0
    assert wrong(only_second, 4, 3, n, operands) > 0
    assert wrong(koc96.cihs_as_printed, 4, 3, n, operands) > 0
    assert wrong(koc96.cihs, 4, 3, n, operands) == 0


def test_squaring_needs_the_store_that_is_not_printed() -> None:
    without = edited(koc96.sos_square_wide_carry, "t[i + i] = S", "pass")
    n, x = 0xFFF, 0xABC
    assert run(without, x, n=n, w=4, s=3).result != oracle(x, x, n, 1 << 12)


def test_squaring_needs_a_carry_longer_than_a_word() -> None:
    """With C in one word, squares are wrong; C stored as printed does not even fit t[i+s]."""
    x, n = 0xFFE, 0xFFF
    narrow = edited(koc96.sos_square_wide_carry, ", extra_bits=1)", ")")
    with pytest.raises(WordOverflowError, match="carry"):
        run(narrow, x, n=n, w=4, s=3)
    stored_as_printed = edited(koc96.sos_square_wide_carry, "X, S = words(C + X)", "S = C")
    with pytest.raises(WordOverflowError, match="does not fit a word"):
        run(stored_as_printed, x, n=n, w=4, s=3)
    truncated = edited(
        koc96.sos_square_wide_carry, "+ C, extra_bits=1)", "+ C, extra_bits=1); C = C % (1 << machine.w)"
    )
    squares = [(value, run(truncated, value, n=n, w=4, s=3).result) for value in range(0x800, n, 7)]
    assert any(got != oracle(value, value, n, 1 << 12) for value, got in squares)


# --- Counts -----------------------------------------------------------------------------------------------


def test_counts_do_not_depend_on_the_operands() -> None:
    for method in PRODUCTS:
        light = run(method, 0, 1, n=3, w=8, s=4).machine
        heavy = run(method, 2**32 - 2, 2**32 - 2, n=2**32 - 1, w=8, s=4).machine
        assert totals(light.events) == totals(heavy.events), method


@pytest.mark.parametrize("square", SQUARES, ids=name)
@pytest.mark.parametrize("s", [1, 2, 5])
def test_squaring_saves_almost_half_of_the_product_phase(square: Method, s: int) -> None:
    machine = run(square, 5, n=7, w=8, s=s).machine
    in_product = [event for event in machine.events if event.function == square.__name__]
    assert totals(in_product)["mult"] == s * (s + 1) // 2
    assert totals(machine.events)["mult"] == s * (s + 1) // 2 + s * s + s


def test_step_3_costs_one_more_addition_and_read_in_the_paper_than_in_its_statements() -> None:
    events = run(koc96.cios, 1, 1, n=3, w=8, s=4).machine.events
    step_3 = [event for event in events if event.function == "step_3"]
    assert totals(step_3) == {"add": 10, "read": 10, "write": 5}
    assert totals(e for e in step_3 if e.printed) == {"add": 9, "read": 9, "write": 5}


def test_a_trace_names_the_words_a_statement_touches() -> None:
    events = run(koc96.sos, 0x21, 0x43, n=0x8F, w=4, s=2).machine.events
    first = next(event for event in events if event.products)
    assert first.products == [("a[0]", "b[0]")]
    assert first.reads == ["t[0]", "a[0]", "b[0]"]
    assert events[events.index(first) + 1].writes == [("t[0]", 1 * 3)]


def test_the_machine_refuses_what_a_processor_could_not_do() -> None:
    machine = Machine(w=4, s=2)
    t = machine.temporary("t", 2)
    with pytest.raises(WordOverflowError):
        t[0] = 16
    with pytest.raises(IndexError):
        t[-1] = 0
    with pytest.raises(ValueError, match="doubled"):
        3 * t[0]
    with pytest.raises(WordOverflowError):
        words(machine.register(256))
    with pytest.raises(WordOverflowError):
        machine.array("a", 2, 256)

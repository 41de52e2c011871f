"""The spec of [koc96] against plain arithmetic, against the print, and its errata one by one."""

import inspect
import operator
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monpro.spec import koc96
from monpro.spec.counting import RCL, Machine, Value, WordOverflowError, totals, words
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
                assert koc96.monpro(x, y, n, r) == oracle(x, y, n, r), (s, n, x, y)


def test_a_product_that_the_modulus_divides_is_zero() -> None:
    assert koc96.monpro(5, 7, 35, 64) == 0
    for method in PRODUCTS:
        assert run(method, 5, 7, n=35, w=4, s=2).result == 0, method


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


def test_mod_exp_squares_for_every_bit_and_multiplies_for_every_bit_that_is_1() -> None:
    """And it multiplies by 1 at the end. The modulus is 1 less than r, so that r mod n = 1."""
    calls: list[tuple[int, int]] = []

    def product(x: int, y: int) -> int:
        calls.append((x, y))
        return x * y % 255

    assert koc96.mod_exp(2, 0b1011, 255, 256, product) == 2**0b1011 % 255
    assert calls == [(1, 1), (1, 2), (2, 2), (4, 4), (16, 2), (32, 32), (4, 2), (8, 1)]


def test_n0_prime_is_the_negative_inverse() -> None:
    for w in (1, 2, 3, 4, 8):
        for n0 in range(1, 1 << w, 2):
            assert (n0 * koc96.n0_prime(n0, w) + 1) % (1 << w) == 0


@given(st.sampled_from((16, 32, 52, 64)), st.integers(0, 2**64))
def test_n0_prime_of_long_words(w: int, half: int) -> None:
    n0 = (2 * half + 1) % 2**w
    assert koc96.n0_prime(n0, w) == -pow(n0, -1, 2**w) % 2**w


@pytest.mark.parametrize("n", [8, -5, 0, 2**12 + 1])
def test_a_modulus_outside_the_bounds_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match=rf"must be odd and from 1 to 2\^12 - 1, not {n}$"):
        run(koc96.cios, 1, 1, n=n, w=4, s=3)


@pytest.mark.parametrize(
    "operands", [(-1, 1), (2**12, 0), (0, 2**12), (4095, 4095), (7 * 64, 64), (64, 7 * 64)]
)
def test_operands_outside_the_bounds_are_refused(operands: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"from 0 to 2\^12 - 1, and their product below n \* 2\^12$"):
        run(koc96.cios, *operands, n=7, w=4, s=3)


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


def test_cihs_as_printed_is_right_where_no_carry_is_lost() -> None:
    """With operands of small words, no sum goes beyond s + 1 words."""
    for n in (0xF5C3_9D17, 0xFFFF_FFFF, 0x8000_0001, 3):
        for x, y in [(0x0102_0304, 0x7F60_1122), (0x7F7F_7F7F, 0x7F7F_7F7F), (0x3311_0755, 0x0000_0001)]:
            got = run(koc96.cihs_as_printed, x % n, y % n, n=n, w=8, s=4).result
            assert got == oracle(x, y, n, 1 << 32)


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


TABLE_1 = {  # additions, reads, writes and words of space for s words; CIHS with errata E1 and E2 corrected
    "sos": lambda s: (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 3, 2 * s * s + 6 * s + 2, 2 * s + 2),
    "cios": lambda s: (4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 2, 2 * s * s + 5 * s + 1, s + 3),
    "fios": lambda s: (5 * s * s + 3 * s + 2, 7 * s * s + 5 * s + 2, 3 * s * s + 4 * s + 1, s + 3),
    "fips": lambda s: (6 * s * s + 2 * s + 2, 9 * s * s + 8 * s + 2, 5 * s * s + 8 * s + 1, s + 3),
    "cihs": lambda s: (9 * s * (s + 1) // 2 + 2, 7 * s * s + 7 * s + 2, 3 * s * s + 5 * s + 1, s + 3),
    "cihs_as_printed": lambda s: (
        *(4 * s * s + 4 * s + 2, 13 * s * (s + 1) // 2 + 2),
        *(3 * s * s + 5 * s + 1, s + 3),
    ),
}


@pytest.mark.parametrize("method", TABLE_1)
@pytest.mark.parametrize("s", [1, 2, 3, 6])
def test_costs_are_those_of_table_1(method: str, s: int) -> None:
    machine = run(getattr(koc96, method), 1, 2, n=5, w=8, s=s).machine
    counts = totals(machine.events)
    assert counts["mult"] == 2 * s * s + s
    assert (counts["add"], counts["read"], counts["write"], machine.temporary_words) == TABLE_1[method](s)


def test_the_unimproved_cios_takes_no_more_space_than_the_improved_one() -> None:
    assert run(koc96.cios_unimproved, 1, 2, n=5, w=8, s=4).machine.temporary_words == 4 + 3


@pytest.mark.parametrize("square", SQUARES, ids=name)
@pytest.mark.parametrize("s", [1, 2, 5])
def test_squaring_saves_almost_half_of_the_product_phase(square: Method, s: int) -> None:
    machine = run(square, 5, n=7, w=8, s=s).machine
    in_product = [event for event in machine.events if event.function == square.__name__]
    assert totals(in_product)["mult"] == s * (s + 1) // 2
    assert totals(machine.events)["mult"] == s * (s + 1) // 2 + s * s + s
    assert machine.temporary_words == 2 * s + 2, "as many as for any SOS"


@pytest.mark.parametrize("s", [1, 2, 5])
def test_doubling_after_the_products_does_what_the_remark_says_and_no_more(s: int) -> None:
    """Products of different words, all 2s words doubled, squares with their carries: each in its turn."""
    events = run(koc96.sos_square_doubling, 5, n=7, w=8, s=s).machine.events
    counts = totals(event for event in events if event.function == "sos_square_doubling")
    different = s * (s - 1) // 2
    assert counts["add"] == 2 * different + 2 * 2 * s + (2 + 1) * s
    assert counts["read"] == 3 * different + 2 * s + (3 + 1) * s
    assert counts["write"] == different + s + 2 * s + 2 * s


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
    for number in (-1, 16):
        with pytest.raises(WordOverflowError, match=rf"t\[0\] := {number} does not fit a word of 4 bits"):
            t[0] = number
    with pytest.raises(IndexError):
        t[-1] = 0
    with pytest.raises(ValueError, match="doubled"):
        3 * t[0]
    with pytest.raises(WordOverflowError, match="the carry 16 of 256 does not fit 4 bits"):
        words(machine.register(256))
    with pytest.raises(WordOverflowError, match="the carry 32 of 512 does not fit 5 bits"):
        words(machine.register(512), extra_bits=1)
    for number in (-1, 256):
        with pytest.raises(WordOverflowError, match=f"a = {number} does not fit 2 words of 4 bits"):
            machine.array("a", 2, number)


@pytest.mark.parametrize(
    ("operation", "kind", "expected"),
    [
        (operator.add, "add", 0b1100 + 0b1010),
        (operator.sub, "add", 0b1100 - 0b1010),
        (lambda x, _: 2 * x, "add", 0b11000),
        (operator.mul, "mult", 0b1100 * 0b1010),
        (operator.xor, "xor", 0b0110),
        (operator.and_, "and", 0b1000),
        (operator.or_, "or", 0b1110),
    ],
)
def test_an_operation_on_words_gives_its_number_and_counts_once(
    operation: Callable[[Value, Value], Value], kind: str, expected: int
) -> None:
    machine = Machine(w=4, s=1)
    assert operation(machine.register(0b1100), machine.register(0b1010)) == expected
    assert machine.running.counts == {kind: 1}


def test_a_new_machine_has_used_no_space_and_its_carry_is_clear() -> None:
    machine = Machine(w=4, s=2)
    assert RCL(machine.register(1), 1) == 2
    machine.array("u", 3)
    assert machine.temporary_words == 0
    machine.temporary("t", 3)
    assert machine.temporary_words == 3


def test_a_counted_routine_keeps_its_name() -> None:
    assert koc96.ADD.__name__ == "ADD"

# ruff: noqa: N803, N806, SIM300  (the letters of the paper)
"""The scalable products of amberg08 against plain arithmetic, their bounds, and the errata."""

import random
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from monpro.spec import amberg08
from monpro.spec.amberg08 import Carry, CarryOverflowError, Lengths, m_hat, m_tilde

Algorithm = Callable[[int, int, int, Lengths, Carry | None], int]
ALGORITHMS: dict[str, Algorithm] = {"non-Booth": amberg08.non_booth, "Booth": amberg08.booth_encoded}
SHAPES = [(v, w) for v in range(1, 5) for w in range(4, 33)]
CHAIN = 200
WIDE = 64  # bits of a carry that never overflows


def moduli(n: int, chance: random.Random) -> Iterator[int]:
    """Yield odd moduli of n bits: the extremes of the size, and random ones."""
    yield from {2**n - 1, 2**n - 3, 2 ** (n - 1) + 1, 2 ** (n - 1) + 3}
    for _ in range(3):
        yield chance.getrandbits(n) | 1 << n - 1 | 1


def is_right(Z: int, X: int, Y: int, M: int, r_log2: int) -> bool:
    return (Z << r_log2) % M == X * Y % M


def check(name: str, X: int, Y: int, M: int, lengths: Lengths) -> None:
    Z = ALGORITHMS[name](X, Y, M, lengths, None)
    assert is_right(Z, X, Y, M, lengths.r_log2), f"{name}: {X} * {Y} modulo {M}, {lengths}"
    assert Z < 2 * m_tilde(M, lengths.v), f"{name}: {Z} for {X} * {Y} modulo {M}, {lengths}"


@pytest.mark.parametrize("v", range(1, 5))
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_product_of_small_moduli_is_right_and_bounded(name: str, v: int) -> None:
    for M in range(3, 8, 2):
        lengths = Lengths.corrected(v, v if v > 1 else 2, M.bit_length())
        for X, Y in product(range(2 * m_tilde(M, v)), repeat=2):
            check(name, X, Y, M, lengths)


@pytest.mark.parametrize(("v", "w"), SHAPES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_products_are_right_and_bounded(name: str, v: int, w: int) -> None:
    chance = random.Random(32 * v + w)
    # Sizes at which n_1 + v + 1 bits fill their words exactly, or miss this by one.
    for n in (8, 6 * w - 2 * v - 3, 6 * w - 2 * v - 2, 6 * w - 2 * v - 1):
        lengths = Lengths.corrected(v, w, n)
        for M in moduli(n, chance):
            top = 2 * m_tilde(M, v) - 1
            for X, Y in [(top, top), (0, top), (top, 1), (chance.randint(0, top), chance.randint(0, top))]:
                check(name, X, Y, M, lengths)


def squarings(name: str, M: int, lengths: Lengths) -> Iterator[int]:
    """Yield the results of a chain of squarings, from the largest operand on; carries never overflow."""
    Z = 2 * m_tilde(M, lengths.v) - 1
    for _ in range(CHAIN):
        Z = ALGORITHMS[name](Z, Z, M, lengths, Carry(WIDE, signed=True))
        yield Z


@pytest.mark.parametrize("v", range(1, 5))
@pytest.mark.parametrize("name", ALGORITHMS)
def test_chained_squarings_stay_bounded(name: str, v: int) -> None:
    for n in (32, 97):
        lengths = Lengths.corrected(v, 12 if v == 3 else 8, n)
        for M in moduli(n, random.Random(n)):
            assert max(squarings(name, M, lengths)) < 2 * m_tilde(M, v)


@pytest.mark.parametrize("v", range(1, 5))
def test_lengths_of_1024_bits(v: int) -> None:
    """An exponentiation's size, an end of the range of lengths."""
    chance = random.Random(v)
    lengths = Lengths.corrected(v, 12 if v == 3 else 16, 1024)
    M = chance.getrandbits(1024) | 1 << 1023 | 1
    top = 2 * m_tilde(M, v) - 1
    for name in ALGORITHMS:
        check(name, top, chance.randint(0, top), M, lengths)


@pytest.mark.parametrize("w", [2, 4, 7, 16])
def test_the_improved_radix_2_products_are_right_and_bounded(w: int) -> None:
    """Every product of small moduli, and a chain of squarings. All shifts count, and M̃ is M."""
    for M in (3, 5, 7):
        lengths = Lengths.corrected(1, w, M.bit_length())
        for X, Y in product(range(2 * M), repeat=2):
            Z = amberg08.improved_radix_2(X, Y, M, lengths)
            assert is_right(Z, X, Y, M, lengths.f)
            assert Z < 2 * M
    for M in moduli(61, random.Random(w)):
        lengths, Z = Lengths.corrected(1, w, 61), 2 * M - 1
        for _ in range(CHAIN):
            X, Z = Z, amberg08.improved_radix_2(Z, Z, M, lengths)
            assert is_right(Z, X, X, M, lengths.f)
            assert Z < 2 * M


def test_figure_1_is_the_definition() -> None:
    chance = random.Random(1)
    for M in moduli(64, chance):
        for X, Y in product((0, 1, M - 1, chance.randrange(M)), repeat=2):
            assert amberg08.montgomery(X, Y, M, 2**64) == X * Y * pow(2**64, -1, M) % M
    assert amberg08.montgomery(5, 7, 35, 64) == 0, "M itself is normalized"


@pytest.mark.parametrize("v", range(1, 5))
def test_m_hat_is_the_inverse_of_2_to_v_and_no_longer_than_m(v: int) -> None:
    for M in range(1, 512, 2):
        assert 2**v * m_hat(M, v) % M == 1 % M
        assert m_hat(M, v).bit_length() <= M.bit_length()


@pytest.mark.parametrize("v", range(1, 5))
def test_booth_keeps_the_number_and_the_range_of_digits(v: int) -> None:
    count = 8 // v + 1
    for X in range(2 ** (v * count - 1)):
        digits = amberg08.words(X, v, count)
        recoded = [amberg08.booth(d, before, v) for d, before in zip(digits, [0, *digits], strict=False)]
        assert amberg08.number(recoded, v) == X, "the top bit of the last digit is 0"
        assert all(-(2 ** (v - 1)) <= digit <= 2 ** (v - 1) for digit in recoded)


@pytest.mark.parametrize("v", range(2, 5))
def test_erratum_a1_r_is_neither_2_to_n_nor_2_to_n_2(v: int) -> None:
    chance = random.Random(v)
    lengths = Lengths.printed(v, 12, 45)
    M = chance.getrandbits(45) | 1 << 44 | 1
    X, Y = chance.randrange(M), chance.randrange(M)
    Z = amberg08.non_booth(X, Y, M, Lengths(v, 12, 45, lengths.f, lengths.e + 1, v + 1, v + 2))
    assert is_right(Z, X, Y, M, lengths.r_log2)
    assert not any(is_right(Z, X, Y, M, r_log2) for r_log2 in (45, 45 + v + 2, v * lengths.f))


@pytest.mark.parametrize("v", range(2, 5))
def test_erratum_a2_operands_outgrow_their_bound_without_the_extra_iteration(v: int) -> None:
    enough = Lengths.corrected(v, 12, 32)
    short = Lengths(v, 12, 32, Lengths.printed(v, 12, 32).f, 2 * enough.e, enough.carry_bits, 0)
    chance = random.Random(v)
    chains = [squarings("non-Booth", chance.getrandbits(32) | 1 << 31 | 1, short) for _ in range(50)]
    assert any(max(chain).bit_length() > 32 + v + 1 for chain in chains)


def test_erratum_a2_for_v_1_the_printed_iterations_are_enough() -> None:
    chance = random.Random(1)
    printed = Lengths.printed(1, 12, 32)
    assert printed.r_log2 == 32 + 2
    for M in moduli(32, chance):
        wide = Lengths(1, 12, 32, printed.f, printed.e + 1, 2, 3)
        assert max(squarings("non-Booth", M, wide)) < 2 * m_tilde(M, 1)


@pytest.mark.parametrize(("v", "w", "n"), [(2, 16, 45), (3, 9, 23), (4, 8, 27)])
def test_erratum_a4_carries_fall_off_the_printed_words(v: int, w: int, n: int) -> None:
    enough, printed = Lengths.corrected(v, w, n), Lengths.printed(v, w, n)
    assert enough.e > printed.e
    short = Lengths(v, w, n, enough.f, printed.e, enough.carry_bits, enough.signed_carry_bits)
    chance = random.Random(n)
    wrong = 0
    for _ in range(100):
        M = chance.getrandbits(n) | 1 << n - 1 | 1
        X, Y = (chance.randrange(2 * m_tilde(M, v)) for _ in range(2))
        check("non-Booth", X, Y, M, enough)
        wrong += not is_right(amberg08.non_booth(X, Y, M, short), X, Y, M, short.r_log2)
    assert wrong


@pytest.mark.parametrize("v", range(1, 5))
def test_erratum_a5_the_carries_that_there_are(v: int) -> None:
    """2 bits are enough for v = 1 only."""
    chance = random.Random(v)
    lengths = Lengths.corrected(v, 12, 40)
    plain, signed = Carry(lengths.carry_bits), Carry(lengths.signed_carry_bits, signed=True)
    for M in [2**40 - 1, *(chance.getrandbits(40) | 1 << 39 | 1 for _ in range(60))]:
        top = 2 * m_tilde(M, v) - 1
        for X, Y in [(top, top), (chance.randint(0, top), chance.randint(0, top))]:
            amberg08.non_booth(X, Y, M, lengths, plain)
            amberg08.booth_encoded(X, Y, M, lengths, signed)
    assert max(plain.seen) <= 2 * (2**v - 1)
    assert -(2**v) <= min(signed.seen)
    assert max(signed.seen) <= 2**v
    assert (max(plain.seen) < 4) == (v == 1)


@pytest.mark.parametrize(("bits", "signed", "fitting"), [(2, False, range(4)), (3, True, range(-4, 4))])
def test_a_carry_that_does_not_fit_is_an_error(bits: int, signed: bool, fitting: range) -> None:
    carry = Carry(bits, signed)
    for value in fitting:
        assert carry.split((value << 8) + 0xA5, 8) == 0xA5
        assert carry.value == value
    assert carry.seen == set(fitting)
    for value in (fitting.start - 1, fitting.stop):
        with pytest.raises(CarryOverflowError, match=f"a carry of {value} does not fit {bits} bits"):
            carry.split(value << 8, 8)


@pytest.mark.parametrize("v", range(2, 5))
def test_erratum_a6_the_product_with_1_may_exceed_m(v: int) -> None:
    chance = random.Random(v)
    lengths = Lengths.corrected(v, 12, 16)
    results = []
    for M in [2**16 - 1, *(chance.getrandbits(16) | 1 << 15 | 1 for _ in range(200))]:
        X = chance.randrange(2 * m_tilde(M, v))
        Z = amberg08.non_booth(X, 1, M, lengths)
        assert Z <= m_tilde(M, v)
        results.append(Z >= M)
    assert any(results)


def test_erratum_a7_hard_multiples() -> None:
    assert [list(amberg08.hard_multiples(v, booth=False)) for v in range(1, 4)] == [[], [3], [3, 5, 7]]
    assert [list(amberg08.hard_multiples(v, booth=True)) for v in range(1, 5)] == [[], [], [3], [3, 5, 7]]


def test_figure_2_gives_what_figure_3_gives_and_needs_its_last_lines() -> None:
    """Without these lines about half of the products are smaller by 2^v·M̂, and some of these are negative."""
    chance = random.Random(9)
    lengths = Lengths.corrected(2, 8, 40)
    taken, negative = 0, 0
    for _ in range(200):
        M = chance.getrandbits(40) | 1 << 39 | 1
        X, Y = (chance.randrange(2 * m_tilde(M, 2)) for _ in range(2))
        Z = amberg08.non_booth(X, Y, M, lengths)
        assert amberg08.booth_encoded(X, Y, M, lengths) == Z
        uncorrected = amberg08.booth_encoded(X, Y, M, lengths, corrects=False)
        if uncorrected != Z:
            assert (uncorrected - Z + 4 * m_hat(M, 2)) % 2 ** (lengths.e * lengths.w) == 0
            taken, negative = taken + 1, negative + (Z < 4 * m_hat(M, 2))
    assert 50 < taken < 150
    assert negative


def test_lengths_are_those_of_the_print_and_of_the_bounds() -> None:
    """Of n + v + 1 and n + v + 2 bits in the print; Z takes n + 2v + 2 bits on the way. n = 10, v = 2."""
    for w, words_printed, words_corrected in [(12, 2, 2), (13, 1, 2), (15, 1, 2), (16, 1, 1)]:
        printed, corrected = Lengths.printed(2, w, 10), Lengths.corrected(2, w, 10)
        assert printed == Lengths(2, w, 10, 7, words_printed, carry_bits=2, signed_carry_bits=2)
        assert corrected == Lengths(2, w, 10, 7 + 1, words_corrected, carry_bits=3, signed_carry_bits=4)


def test_a_digit_that_is_longer_than_a_word_or_has_no_bits_is_refused() -> None:
    for v in (0, 3):
        with pytest.raises(
            ValueError, match=f"a digit of {v} bits does not fit a word of 2: choose 1 ≤ v ≤ w"
        ):
            Lengths(v, 2, 32, 1, 1, 1, 1)


def test_cycles_of_the_paper_at_1024_bits() -> None:
    """[amberg08, §V]: 2n + 2 products in 9.4 ms at 248 MHz, 32 elements; its lengths give 9.3."""
    printed = Lengths.printed(2, 16, 1024)
    assert (printed.f, printed.e, amberg08.passes(printed, 32)) == (514, 65, 17)
    cycles = amberg08.left_shifting_cycles(printed, 32, b=1)
    assert cycles == 17 * 66
    assert round(2050 * cycles / 248e3, 2) == 9.27
    assert amberg08.right_shifting_cycles(printed, 32, b=1) == 17 * 65
    assert amberg08.right_shifting_cycles(printed, 64, b=1) == 9 * 129
    assert amberg08.left_shifting_cycles(printed, 64, b=1) == 9 * (64 + 8 + 1), "p + vp/w + b exceeds e + 1"


def test_left_shifts_end_at_a_word() -> None:
    with pytest.raises(ValueError, match="cross the words of 16: choose v so that"):
        amberg08.left_shifting_cycles(Lengths.printed(3, 16, 64), 16, b=1)
    with pytest.raises(ValueError, match="v·p = 8 bits end inside a word: choose p so that w"):
        amberg08.left_shifting_cycles(Lengths.printed(2, 16, 64), 4, b=1)
    assert amberg08.left_shifting_cycles(Lengths.printed(3, 12, 64), 4, b=1) == 6 * 7

# ruff: noqa: N806, SIM300  (A, B, M, S are the paper's letters, and no constants)
"""Orup's product with quotient pipelining against plain arithmetic: values, bounds, late digits."""

import random
from itertools import product as pairs

import pytest

from monpro.spec.amberg08 import number, words
from monpro.spec.orup95 import Constants, iterations, product, product_in_words, reduced

RADICES_LOG2 = range(3, 7)
DELAYS = range(6)


def digits(constants: Constants) -> int:
    """Return the least n with 4·M̃ < 2^(kn)."""
    return -(-(4 * constants.M_tilde).bit_length() // constants.k)


def moduli(bits: int, chance: random.Random) -> list[int]:
    """Return odd moduli: the extremes of the size, 3, random ones."""
    top = 1 << bits - 1
    return [2 * top - 1, top + 1, 3, *(chance.getrandbits(bits) | top | 1 for _ in range(3))]


@pytest.mark.parametrize("k", RADICES_LOG2)
@pytest.mark.parametrize("d", DELAYS)
def test_the_constants_are_those_of_the_modulus(k: int, d: int) -> None:
    for M in range(3, 200, 2):
        constants = Constants.of(M, k, d)
        assert constants.M_tilde % M == 0
        assert constants.M_tilde % 2 ** (k * (d + 1)) == 2 ** (k * (d + 1)) - 1
        assert constants.M_hat << k * (d + 1) == constants.M_tilde + 1
        assert constants.M_hat <= M


@pytest.mark.parametrize("k", RADICES_LOG2)
@pytest.mark.parametrize("d", DELAYS)
@pytest.mark.parametrize("bits", [3, 16, 97])
def test_products_are_montgomery_products(k: int, d: int, bits: int) -> None:
    chance = random.Random(bits)
    for M in moduli(bits, chance):
        constants = Constants.of(M, k, d)
        n, bound = digits(constants), 2 * constants.M_tilde
        inverse = pow(1 << k * n, -1, M)
        for A, B in pairs((0, 1, M - 1, bound - 1, chance.randrange(bound)), repeat=2):
            S = product(A, B, constants, n)
            assert S % M == A * B * inverse % M
            assert S < bound


@pytest.mark.parametrize("k", RADICES_LOG2)
def test_every_product_of_small_operands(k: int) -> None:
    for M in (3, 5, 7, 15):
        constants = Constants.of(M, k, 1)
        n = digits(constants)
        inverse = pow(1 << k * n, -1, M)
        for A, B in pairs(range(2 * M), repeat=2):
            assert product(A, B, constants, n) % M == A * B * inverse % M


@pytest.mark.parametrize("k", RADICES_LOG2)
def test_chained_products_stay_bounded(k: int) -> None:
    chance = random.Random(k)
    for M in moduli(64, chance):
        constants = Constants.of(M, k, 4)
        n, S = digits(constants), 2 * constants.M_tilde - 1
        for _ in range(100):
            before = S
            S = product(S, S, constants, n)
            assert (S << k * n) % M == before * before % M


def test_sums_come_close_to_their_bound() -> None:
    """The bound of S holds for every iteration, and no smaller power of two would do."""
    constants = Constants.of(2**16 - 1, 4, 4)
    A = 2 * constants.M_tilde - 1
    n = digits(constants)
    sums = [S for S, _ in iterations(A, (1 << 4 * n) - 1, constants, n)]
    assert 2**3 * (constants.M_hat + A) < max(sums) < 2**4 * (constants.M_hat + A)


def test_a_digit_is_used_d_iterations_late() -> None:
    """With A = 0 after the first iteration, S changes by q·M̂ exactly d iterations after q appeared."""
    constants = Constants.of(2**16 - 17, 4, 3)
    steps = list(iterations(5, 1, constants, 8))  # b_0 = 1, all other digits are 0
    assert [q for _, q in steps[:3]] == [0, 5, 0]
    assert all(q == S % 16 for S, q in steps)
    assert len(steps) == 8 + 3 + 2, "from S_0 to S_(n+d+1)"
    for i in range(1, len(steps) - 1):
        late = steps[i - 3][1] if i >= 3 else 0
        assert steps[i + 1][0] == steps[i][0] // 16 + late * constants.M_hat


@pytest.mark.parametrize("k", RADICES_LOG2)
@pytest.mark.parametrize("d", [0, 1, 4])
def test_words_without_carries_give_the_product(k: int, d: int) -> None:
    """Words of results are operands as they are, and some are longer than k bits."""
    chance = random.Random(d)
    largest = 0
    for M in moduli(64, chance):
        constants = Constants.of(M, k, d)
        n, bound = digits(constants), 2 * constants.M_tilde
        A = words(bound - 1, k, n)
        for B in (bound - 1, 1, *(chance.randrange(bound) for _ in range(30))):
            S = product_in_words(A, B, constants)
            assert len(S) == n
            assert number(S, k) == product(number(A, k), B, constants, n)
            A, largest = S, max(largest, *S)
    assert 2**k <= largest <= 2**k + 2


@pytest.mark.parametrize("k", RADICES_LOG2)
def test_a_word_of_a_sum_may_reach_its_bound_and_not_exceed_it(k: int) -> None:
    """With b_0 = 1 the first sums are the words of A."""
    constants, most = Constants.of(3, k, 1), 2 ** (2 * k + 1) + 2 ** (k + 1)
    A = [0, most, 0, 0, 0]
    S = product_in_words(A, 1, constants)
    assert number(S, k) == product(number(A, k), 1, constants, len(A))
    with pytest.raises(ArithmeticError, match="a word of S is too large"):
        product_in_words([0, most + 1, 0, 0, 0], 1, constants)


@pytest.mark.parametrize("d", [0, 1, 4])
def test_a_result_that_is_longer_than_its_operand_is_noticed(d: int) -> None:
    """A and B are the largest numbers of 3 words, and 4·M̃ is larger than R."""
    constants = Constants.of(2**12 - 1, 4, d)
    with pytest.raises(ArithmeticError, match="a word of the result is too large"):
        product_in_words([2**4 + 2] * 3, 2**12 - 1, constants)


@pytest.mark.parametrize("k", RADICES_LOG2)
@pytest.mark.parametrize("d", [0, 1, 4])
def test_reduced_leaves_the_multiple_of_the_modulus(k: int, d: int) -> None:
    chance = random.Random(d)
    for M in moduli(32, chance):
        constants = Constants.of(M, k, d)
        bound = 2 * constants.M_tilde
        for S in (0, 1, M, constants.M_tilde, bound - 1, chance.randrange(bound)):
            z = reduced(S, constants)
            assert z < M
            assert (z << k * (d + 2)) % M == S % M


def test_m_hat_is_1_divided_modulo_m() -> None:
    """(1 + m·M)/2^e with m = −M⁻¹ mod 2^e: the core derives M̂ from M in this way."""
    constants = Constants.of(2**31 - 1, 4, 4)
    value, M = 1, constants.M
    for _ in range(5):
        value = (value + value * -pow(M, -1, 16) % 16 * M) >> 4
    assert value == constants.M_hat

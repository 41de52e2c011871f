# ruff: noqa: N806, SIM300  (the letters of the paper)
"""blum01's products and exponentiations against plain arithmetic, their bounds, and the errata."""

import random

import pytest

from monpro.spec import blum01

RADICES = (1, 2, 4)


def moduli(bits: int, chance: random.Random) -> list[int]:
    """Return odd moduli: the extremes of the size, short ones, random ones."""
    top = 1 << bits - 1
    noise = chance.getrandbits(bits)
    return [
        2 * top - 1,
        2 * top - 3,
        top + 1,
        top + 3,
        3,
        noise | 1,
        noise | top | 1,
        (noise >> bits // 2) | 1,
    ]


@pytest.mark.parametrize("k", RADICES)
def test_every_product_of_a_small_modulus(k: int) -> None:
    for M in range(3, 32, 2):
        for m in (-(-5 // k), -(-5 // k) + 1):
            M_tilde, inverse = blum01.m_tilde(M, k), pow(2, -blum01.r_log2(m, k), M)
            assert M_tilde % M == 0
            assert M_tilde % 2**k == 2**k - 1
            bound = 2 * M_tilde
            for A in range(0, bound, max(1, bound // 40)):
                for B in range(0, bound, max(1, bound // 40)):
                    S = blum01.mont(A, B, M_tilde, m, k)
                    assert S < bound
                    assert S % M == A * B * inverse % M


@pytest.mark.parametrize("k", RADICES)
@pytest.mark.parametrize("bits", [16, 64, 160, 256])
def test_chained_products_stay_below_the_bound(bits: int, k: int) -> None:
    chance = random.Random(bits)
    m = -(-bits // k)
    for M in moduli(bits, chance):
        M_tilde = blum01.m_tilde(M, k)
        assert 4 * M_tilde < 1 << blum01.r_log2(m, k)
        S, value = 2 * M_tilde - 1, (2 * M_tilde - 1) % M
        for _ in range(60):
            S = blum01.mont(S, S, M_tilde, m, k)
            value = value * value * pow(2, -blum01.r_log2(m, k), M) % M
            assert S < 2 * M_tilde
            assert S % M == value


@pytest.mark.parametrize("k", RADICES)
@pytest.mark.parametrize("bits", [16, 61, 64])
def test_powers_are_right(bits: int, k: int) -> None:
    chance = random.Random(bits + k)
    m = -(-bits // k)
    for M in moduli(bits, chance):
        for E in (
            0,
            1,
            2,
            3,
            1 << bits - 1,
            (1 << bits) - 1,
            chance.getrandbits(bits),
            chance.getrandbits(9),
        ):
            for X in (0, 1, M - 1, chance.randrange(M)):
                assert blum01.square_and_multiply(X, E, M) == pow(X, E, M)
                assert blum01.power(X, E, M, m, k) == pow(X, E, M)


def test_decryption_by_remainders() -> None:
    p, q, e = (1 << 61) - 1, (1 << 31) - 1, 65537
    d = pow(e, -1, (p - 1) * (q - 1))
    for message in (0, 1, p, q, p * q - 1, 123456789012345):
        assert blum01.crt(pow(message, e, p * q), p, q, d) == message


def test_the_digits_of_a_modulus_are_as_many_as_cover_it() -> None:
    """485 bits, half of 970, have 122 digits of 4 bits: erratum E5."""
    for bits, k, m in [(1, 4, 1), (4, 4, 1), (5, 4, 2), (485, 4, 122), (1024, 4, 256), (1024, 1, 1024)]:
        assert blum01.digits((1 << bits) - 1, k) == m
        assert blum01.digits((1 << bits - 1) + 1, k) == m


def test_clock_cycles_as_printed() -> None:
    """[blum01, §4.3, §5.1, §5.2]: 2m + 20, 2(n + 2)(m + 10) and 2·19(m + 4)."""
    for m in (40, 128, 256):
        assert blum01.product_cycles(m, 4) == 2 * m + 20
        assert blum01.power_cycles(1024, m, 4) == 2 * 1026 * (m + 10)
        assert blum01.power_cycles(17, m, 1) == 2 * 19 * (m + 4)


# ---- the errata: the print, and what it does


def test_the_printed_bound_is_met_by_no_modulus_of_full_length() -> None:
    for k in RADICES:
        for M in range((1 << 4 * k - 1) + 1, 1 << 4 * k, 2):
            assert 4 * blum01.m_tilde(M, k) >= 2 ** (4 * k)
            assert 4 * blum01.m_tilde(M, k) < 2 ** (k * (4 + 2))


def test_a_product_with_one_leaves_more_than_the_modulus() -> None:
    chance = random.Random(1)
    results = []
    for _ in range(200):
        M = chance.getrandbits(64) | 1
        X, E = chance.randrange(M), chance.getrandbits(16)
        S = blum01.before_reduction(X, E, M, 16, 4)
        assert S <= blum01.m_tilde(M, 4)
        assert S % M == pow(X, E, M)
        results.append(S / M)
    assert sum(ratio >= 1 for ratio in results) > 40
    assert max(results) > 8


def test_zero_may_come_out_as_the_multiple_of_the_modulus() -> None:
    M = 0xFFF1
    assert blum01.before_reduction(M, 1, M, 4, 4) == blum01.m_tilde(M, 4) != 0
    assert blum01.power(M, 1, M, 4, 4) == 0


def test_one_must_enter_the_montgomery_form_too() -> None:
    M, m, k = 0xFFFB, 4, 4
    M_tilde, factor = blum01.m_tilde(M, k), (1 << 2 * blum01.r_log2(m, k)) % M
    Z = blum01.mont(7, factor, M_tilde, m, k)
    P = blum01.mont(1, Z, M_tilde, m, k)
    assert blum01.mont(P, 1, M_tilde, m, k) % M != 7
    assert blum01.mont(P, 1, M_tilde, m, k) % M == 7 * pow(2, -blum01.r_log2(m, k), M) % M

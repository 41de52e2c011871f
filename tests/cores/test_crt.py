"""The private power by the Chinese remainder theorem: plain numbers, and the products of the core."""

import random
from dataclasses import replace
from math import gcd

import pytest

from monpro.cores.crt import CrtKey, Modulus, crt_power, crt_power_by_products, long_product
from monpro.cores.quotient_pipelined import DELAY, QuotientPipelined
from monpro.flow.operands import sample_modulus


def test_the_power_is_that_modulo_the_product_of_primes() -> None:
    for p, q, d in ((5, 7, 5), (7, 5, 11), (11, 13, 7), (13, 11, 17), (251, 241, 12347)):
        key = CrtKey.of(p, q, d)
        assert key.n == p * q
        assert [crt_power(x, key) for x in range(key.n)] == [pow(x, d, key.n) for x in range(key.n)]


def test_a_key_and_a_modulus_cannot_be_changed() -> None:
    for value in (CrtKey.of(5, 7, 5), Modulus.of(5, 4, DELAY, 64)):
        assert len({value, replace(value)}) == 1


def pair(width_bits: int, chance: random.Random) -> tuple[int, int]:
    """Return two odd numbers of exactly so many bits without a common factor."""
    p = q = 0
    while gcd(p, q) != 1 or {p.bit_length(), q.bit_length()} != {width_bits}:
        p, q = sample_modulus(width_bits, chance), sample_modulus(width_bits, chance)
    return p, q


@pytest.mark.parametrize("shape", [(3, 15), (3, 24), (4, 20), (4, 32), (5, 25), (5, 30)])
def test_the_products_of_the_core_give_it_within_their_bounds(shape: tuple[int, int]) -> None:
    """At the ends of all ranges, too. The length of R is the least for its modulus, or longer."""
    k, chance = shape[0], random.Random(sum(shape))
    for width_bits in (3, 4, 7, 13, 14, 40, 71, 128):
        for _ in range(6):
            p, q = pair(width_bits, chance)
            core = QuotientPipelined(width_bits, *shape)
            r_log2 = max(core.r(p), core.r(q)).bit_length() - 1 + shape[1] * chance.randrange(2)
            dp, dq = (chance.choice((0, 1, n - 2, chance.randrange(n))) for n in (p, q))
            key = CrtKey(p, q, dp, dq, pow(q, -1, p))
            for x in (0, 1, p, q, key.n - 1, chance.randrange(key.n)):
                y = crt_power_by_products(x, key, k, DELAY, r_log2)
                assert (y % p, y % q) == (pow(x, dp, p), pow(x, dq, q))
                assert y == crt_power(x, key)
                assert 0 <= y < key.n


def test_the_base_is_the_number_divided_by_r() -> None:
    for n in (3, 5, 127, 129, (1 << 39) - 7):
        r_log2 = QuotientPipelined(max(2, n.bit_length())).r(n).bit_length() - 1
        modulus = Modulus.of(n, 4, DELAY, r_log2)
        for x in (0, 1, n, n * n - 1, (1 << 2 * n.bit_length()) - 1):
            assert modulus.base(x) * (1 << r_log2) % n == x % n


def test_the_long_product_of_the_largest_numbers() -> None:
    for k, bits in ((3, 15), (4, 20), (5, 30)):
        most = (1 << bits) - 1
        assert long_product(most, most, most, k, bits) == most * most + most
        assert long_product(5, 3, 0, k, bits) == 15


def test_numbers_beyond_their_bounds_are_found() -> None:
    modulus = Modulus.of(5, 4, DELAY, 64)
    with pytest.raises(ArithmeticError, match="an operand modulo 5 is too large"):
        modulus.product(1 << 63, 2)
    with pytest.raises(ArithmeticError, match="an operand modulo 5 is too large"):
        modulus.product(2, 2 * modulus.constants.M_tilde)
    with pytest.raises(ArithmeticError, match="a sum of the long product is too large"):
        long_product(1, 0, 1 << 12, 4, 20)

"""Operands for the multipliers: all operands at a small width, random and extreme ones at other widths."""

import random
from collections.abc import Iterator
from itertools import count, product
from math import gcd, lcm, prod

from monpro.cores import Core
from monpro.cores.blinding import Key
from monpro.cores.crt import CrtKey
from monpro.flow.simulate import Operands


def every_product(core: Core) -> Iterator[Operands]:
    """Yield all x, y below the bound for all odd moduli; if ports carry pairs, one pair for each number."""
    for n in range(3, 1 << core.width_bits, 2):
        yield from ((x, y, n) for x, y in product(range(core.operand_bound(n)), repeat=2))


def count_of_products(core: Core) -> int:
    """Return the number of products that `every_product` yields."""
    return sum(core.operand_bound(n) ** 2 for n in range(3, 1 << core.width_bits, 2))


def random_products(core: Core, count: int, seed: int = 1) -> list[Operands]:
    """Return products with moduli of both classes modulo 4, some extreme or short, and random operands."""
    rng = random.Random(seed)  # noqa: S311  # test vectors, no secret
    return [_random_product(core, rng) for _ in range(count)]


def sample_modulus(width_bits: int, rng: random.Random) -> int:
    """Return an odd modulus 3 ≤ n < 2^width_bits: random, shorter, or next to a power of two."""
    if width_bits == 2:
        return 3
    top = 1 << (width_bits - 1)
    choice = rng.randrange(6)
    if choice == 0:
        return 2 * top - 1 - 2 * rng.randrange(2)
    if choice == 1:
        return max(3, top + 1 + 2 * rng.randrange(2))
    if choice == 2:
        return max(3, rng.getrandbits(width_bits) >> rng.randrange(width_bits) | 1)
    return max(3, rng.getrandbits(width_bits) | top | 1)


FACTOR_BITS = 64  # of the primes of a key, which are found at once
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)  # proof up to 2^64, overwhelming evidence beyond


def sample_key(width_bits: int, word_bits: int, rng: random.Random) -> Key:
    """Return a key whose modulus has so many bits, for tests: its primes are too short to keep a secret.

    Up to FACTOR_BITS bits the modulus is a prime, so that each mask but 0 is a unit. v has at most word_bits.
    """
    primes: set[int] = set()
    while width_bits - prod(primes).bit_length() >= 2 * FACTOR_BITS:
        primes.add(_prime(1 << FACTOR_BITS - 1, 1 << FACTOR_BITS, rng))
    low, high = (1 << width_bits - 1, (1 << width_bits) - 1)
    while True:
        last = _prime(-(-low // prod(primes)), high // prod(primes) + 1, rng)
        order = lcm(*(p - 1 for p in (*primes, last)))
        v = next(v for v in count(min(65537, (1 << word_bits - 1) + 1), 2) if gcd(v, order) == 1)
        if last not in primes and v >> word_bits == 0 and last > v.bit_length():
            return Key(prod((*primes, last)), pow(v, -1, order), order, v)


def sample_crt_key(half_bits: int, exponent_bits: int, rng: random.Random) -> CrtKey:
    """Return a key for tests: p and q have exactly so many bits, at least 3, and are seldom primes.

    They have no common factor. The exponents have up to exponent_bits bits, and need not belong together.
    """
    while True:
        p, q = (sample_modulus(half_bits, rng) | 1 << half_bits - 1 for _ in range(2))
        if gcd(p, q) == 1:
            dp, dq = rng.getrandbits(exponent_bits), rng.getrandbits(exponent_bits)
            return CrtKey(p, q, dp, dq, pow(q, -1, p))


def _prime(low: int, high: int, rng: random.Random) -> int:
    """Return a random odd prime from low to high - 1."""
    while True:
        number = rng.randrange(low, high) | 1
        if low <= number < high and _is_prime(number):
            return number


def _is_prime(number: int) -> bool:
    """Return whether an odd number from 3 passes the test of Miller and Rabin."""
    twos = (number - 1 & 1 - number).bit_length() - 1
    for witness in _WITNESSES:
        if number == witness:
            return True
        powers = [pow(witness, number - 1 >> i, number) for i in range(twos, 0, -1)]
        if powers[0] != 1 and number - 1 not in powers:
            return False
    return True


def _random_product(core: Core, rng: random.Random) -> Operands:
    n = sample_modulus(core.width_bits, rng)
    bound = core.operand_bound(n)
    x, y = (
        rng.choice((0, 1, bound - 1, n % bound)) if rng.randrange(8) == 0 else rng.randrange(bound)
        for _ in range(2)
    )
    return as_operand(core, x, rng), as_operand(core, y, rng), n


def as_operand(core: Core, value: int, rng: random.Random) -> int:
    """Return the port value of a number: itself, or a random pair that sums to it if ports carry pairs."""
    if core.operand_bits == core.value_bits:
        return value
    carry = rng.randrange(value + 1)
    return value - carry | carry << core.value_bits

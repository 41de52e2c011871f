"""Operands for the multipliers: all operands at a small width, random and extreme ones at other widths."""

import random
from collections.abc import Iterator
from itertools import product

from monpro.cores import Core
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
    """Return an odd modulus: random with the top bit set, shorter, or next to a power of two."""
    top = 1 << (width_bits - 1)
    choice = rng.randrange(6)
    if choice == 0:
        return 2 * top - 1 - 2 * rng.randrange(2)
    if choice == 1:
        return max(3, top + 1 + 2 * rng.randrange(2))
    if choice == 2:
        return max(3, rng.getrandbits(width_bits) >> rng.randrange(width_bits) | 1)
    return max(3, rng.getrandbits(width_bits) | top | 1)


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

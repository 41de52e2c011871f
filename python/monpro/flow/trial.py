"""Try a core on random operands, in its model or its RTL, every product checked against plain arithmetic."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from monpro.cores import Core, Product
from monpro.flow.simulate import PLAIN, Driving, Operands, simulate

CHAINS = 8  # that a chained trial is divided into, each with a modulus of its own
Progress = Callable[[int], None]  # called with the number of products done


@dataclass(frozen=True)
class Trial:
    """How many products of a core were wrong, and the clock cycles they took."""

    mismatches: int
    cycles: Sequence[int]

    @property
    def cycles_mean(self) -> float:
        """Return the average cycles of a product."""
        return mean(self.cycles)


def try_core(  # noqa: PLR0913  (options are keywords)
    core: Core, count: int, seed: int, progress: Progress, *, rtl: bool, chained: bool
) -> Trial:
    """Run `count` ≥ 1 products of the RTL of a core, or of its model, and check each.

    Moduli have exactly width_bits bits and are 1 and 3 modulo 4 in turn. Independent products have operands
    evenly below the bound. Chained ones are the squares, and the products with the base, of exponentiations
    with random exponents, each operand a result of the product before it, never reduced in between.
    ToolError as by `simulate`.
    """
    rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
    wrong, cycles = 0, list[int]()
    for operands in _chains(core, count, rng) if chained else [_independent(core, count, rng)]:
        done = len(cycles)

        def advance(products: int, done: int = done) -> None:
            progress(done + products)

        if rtl:
            driving = Driving(chained=True) if chained else PLAIN
            products = simulate(core, operands, driving=driving, progress=advance)
            if chained:
                operands = _as_chained(operands, products)  # noqa: PLW2901
        else:
            products = [core.run(*given) for given in _counted(operands, advance)]
        wrong += sum(not is_right(core, *pair) for pair in zip(operands, products, strict=True))
        cycles += [product.cycles for product in products]
    return Trial(wrong, cycles)


def is_right(core: Core, operands: Operands, product: Product) -> bool:
    """Return whether z·R ≡ x·y (mod n), with z below its bound."""
    x, y, n = operands
    z = core.value(product.z)
    return z < core.result_bound(n) and (z << core.r_log2) % n == core.value(x) * core.value(y) % n


def random_modulus(width_bits: int, residue: int, rng: random.Random) -> int:
    """Return a number of exactly width_bits ≥ 3 bits that is `residue`, 1 or 3, modulo 4."""
    return 1 << width_bits - 1 | rng.getrandbits(width_bits - 1) >> 2 << 2 | residue


def _independent(core: Core, count: int, rng: random.Random) -> list[Operands]:
    moduli = (random_modulus(core.width_bits, 3 - i % 2 * 2, rng) for i in range(count))
    return [(_operand(core, n, rng), _operand(core, n, rng), n) for n in moduli]


def _chains(core: Core, count: int, rng: random.Random) -> Iterator[list[Operands]]:
    """Yield the operands of a few exponentiations; which they are is known from the model's results."""
    for i in range(CHAINS):
        if length := count * (i + 1) // CHAINS - count * i // CHAINS:
            n = random_modulus(core.width_bits, 3 - i % 2 * 2, rng)
            yield list(_chain(core, n, length, rng))


def _chain(core: Core, n: int, length: int, rng: random.Random) -> Iterator[Operands]:
    x = base = _operand(core, n, rng)
    is_square = True
    for _ in range(length):
        y = x if is_square else base
        yield x, y, n
        x = core.run(x, y, n).z
        is_square = not is_square or rng.random() < 0.5


def _as_chained(operands: Sequence[Operands], products: Sequence[Product]) -> list[Operands]:
    """Return the operands with x as the bench had it: the z before."""
    return [
        operands[0],
        *((before.z, y, n) for before, (_, y, n) in zip(products, operands[1:], strict=False)),
    ]


def _operand(core: Core, n: int, rng: random.Random) -> int:
    """Return a random operand below the bound, split at random where the ports carry pairs."""
    value = rng.randrange(core.operand_bound(n))
    if core.operand_bits == core.value_bits:
        return value
    carry = rng.randrange(value + 1)
    return value - carry | carry << core.value_bits


def _counted(operands: Sequence[Operands], progress: Progress) -> Iterator[Operands]:
    for done, given in enumerate(operands):
        yield given
        progress(done + 1)

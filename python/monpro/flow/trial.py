"""Try a core on random operands, by its model or its RTL; plain arithmetic checks every result."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, singledispatch
from statistics import mean

from monpro.cores import Core, Exponentiator, Result, WordMultiplier, WordSerial
from monpro.cores.window_exponentiator import CrtWindowExponentiator
from monpro.cores.word_multiplier import Command
from monpro.flow.exponentiate import powers_on, word_ports
from monpro.flow.operands import as_operand, sample_crt_key
from monpro.flow.simulate import Linked, Netlist, Operands, build, simulate
from monpro.flow.word_products import WordProduct, by_model, by_rtl, linked

CHAINS = 8  # of a chained trial, each with its own modulus
Progress = Callable[[int], None]  # called with the number of results so far; with 0 after the compilation


@dataclass(frozen=True)
class Trial:
    """The number of wrong products or powers of a core, and the clock cycles of each one.

    seconds: the time for all of them, without the compilation. values: what the ports gave.
    """

    mismatches: int
    cycles: Sequence[int]
    seconds: float = field(default=0.0, compare=False)
    values: Sequence[int] = field(default=(), compare=False, repr=False)

    @property
    def cycles_mean(self) -> float:
        """Return the mean clock cycles of a product or power."""
        return mean(self.cycles)


@singledispatch
def try_design(  # noqa: PLR0913  (options are keywords)
    design: Core | WordSerial,
    count: int,  # noqa: ARG001  (here and below: for those that are registered)
    seed: int,  # noqa: ARG001
    progress: Progress,  # noqa: ARG001
    *,
    rtl: bool,  # noqa: ARG001
    chained: bool,  # noqa: ARG001
    netlist: Netlist | None = None,  # noqa: ARG001
) -> Trial:
    """Run `count` ≥ 1 products or powers of the RTL of a design, or of its model, and check each.

    If `rtl` is set, a netlist of the design may take the place of the RTL. See `try_core`,
    `try_word_multiplier` and `try_exponentiator`.
    """
    raise TypeError(f"{design!r} is neither a multiplier nor an exponentiator")


@try_design.register
def try_core(  # noqa: PLR0913  (options are keywords)
    core: Core,
    count: int,
    seed: int,
    progress: Progress,
    *,
    rtl: bool,
    chained: bool,
    netlist: Netlist | None = None,
) -> Trial:
    """Run `count` ≥ 1 products of the RTL of a core, or of its model, and check each.

    Moduli have exactly width_bits bits and are 3 and 1 modulo 4 in turn. Operands of independent products are
    uniform below the bound. Chained products are the squares, and the products with the base, of
    exponentiations with random exponents: the result of a product is an operand of the next and is never
    reduced in between. Raises ToolError as `simulate`.
    """
    rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
    given = list(_chains(core, count, rng) if chained else _independent(core, count, rng))
    if rtl:
        build(core, netlist)
    progress(0)
    started = time.perf_counter()
    run = partial(simulate, netlist=netlist) if rtl else _by_model
    products = run(core, given, progress=progress)
    wrong = sum(not is_right(core, *pair) for pair in zip(resolved(given, products), products, strict=True))
    cycles, values = [product.cycles for product in products], [product.z for product in products]
    return Trial(wrong, cycles, time.perf_counter() - started, values)


@try_design.register
def try_word_multiplier(  # noqa: PLR0913  (options are keywords)
    core: WordMultiplier,
    count: int,
    seed: int,
    progress: Progress,
    *,
    rtl: bool,
    chained: bool,
    netlist: Netlist | None = None,
) -> Trial:
    """Run `count` ≥ 1 products of the RTL of a multiplier with word ports, or of its model, and check each.

    Independent products are reduced if the core can, chained ones are not; else as `try_core`. Raises
    ToolError as `simulate`.
    """
    rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
    given = linked(list(_chains(core, count, rng))) if chained else _reduced_products(core, count, rng)
    if rtl:
        word_ports(core, netlist).compile()
    progress(0)
    started = time.perf_counter()
    wrong, cycles, values, z = 0, list[int](), list[int](), 0
    run = partial(by_rtl, netlist=netlist) if rtl else by_model
    for product, result in zip(given, run(core, given), strict=True):
        x, y = (z if number is None else number for number in (product.x, product.y))
        wrong += not is_right_word_product(core, WordProduct(x, y, product.n, product.reduce), result.z)
        z = result.z
        values.append(z)
        cycles.append(result.cycles)
        progress(len(cycles))
    return Trial(wrong, cycles, time.perf_counter() - started, values)


@try_design.register
def try_exponentiator(  # noqa: PLR0913  (options are keywords)
    core: Exponentiator,
    count: int,
    seed: int,
    progress: Progress,
    *,
    rtl: bool,
    chained: bool,
    netlist: Netlist | None = None,
) -> Trial:
    """Run `count` ≥ 1 powers of the RTL of an exponentiator, or of its model, and check each.

    Moduli have exactly width_bits bits, bases are uniform below their bound, and exponents have up to
    width_bits bits. ValueError if `chained` is set. Raises ToolError as `exponentiate`.
    """
    if chained:
        raise ValueError(f"{core.name} computes powers, which are chains of products already")
    rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
    powers = [_random_power(core, i, rng) for i in range(count)]
    ports = word_ports(core, netlist)
    if rtl:
        ports.compile()
    progress(0)
    started = time.perf_counter()
    results = powers_on(ports, core, powers) if rtl else (core.run(*power) for power in powers)
    wrong, cycles, values = 0, list[int](), list[int]()
    for (x, e, n, *_), result in zip(powers, results, strict=True):
        wrong += result.z >= core.result_bound(n) or result.z % n != pow(x, e, n)
        values.append(result.z)
        cycles.append(result.cycles)
        progress(len(cycles))
    return Trial(wrong, cycles, time.perf_counter() - started, values)


def resolved(given: Sequence[Linked], products: Iterable[Result]) -> Iterator[Operands]:
    """Yield the operands with every None replaced by the z before; `products` may grow meanwhile."""
    results = iter(products)
    before = 0
    for x, y, n in given:
        yield before if x is None else x, before if y is None else y, n
        before = next(results).z


def is_right(core: Core, operands: Operands, product: Result) -> bool:
    """Return whether z·R ≡ x·y (mod n), with z below its bound."""
    x, y, n = operands
    z = core.value(product.z)
    return z < core.result_bound(n) and (z << core.r_log2) % n == core.value(x) * core.value(y) % n


def is_right_word_product(core: WordMultiplier, product: WordProduct, z: int) -> bool:
    """Return whether z·R ≡ x·y (mod n), with z below its bound. The operands are given."""
    n = product.n
    bound = n if product.reduce else core.operand_bound(n)
    return 0 <= z < bound and z * core.r(n) % n == (product.x or 0) * (product.y or 0) % n


def random_modulus(width_bits: int, residue: int, rng: random.Random) -> int:
    """Return a number of exactly width_bits ≥ 3 bits that is `residue`, 1 or 3, modulo 4."""
    return 1 << width_bits - 1 | rng.getrandbits(width_bits - 1) >> 2 << 2 | residue


@singledispatch
def _random_power(core: Exponentiator, i: int, rng: random.Random) -> tuple[int, ...]:
    """Return x, e, n, and what more a core takes."""
    n = random_modulus(core.width_bits, 3 - i % 2 * 2, rng)
    return rng.randrange(core.operand_bound(n)), rng.getrandbits(core.width_bits), n


@_random_power.register
def _of_crt(core: CrtWindowExponentiator, _i: int, rng: random.Random) -> tuple[int, ...]:
    """Return x, e, p·q and p; both powers have the exponent e."""
    key = sample_crt_key(core.half_bits, core.half_bits, rng)
    return rng.randrange(key.n), key.dp, key.n, key.p


def _independent(core: Core, count: int, rng: random.Random) -> Iterator[Linked]:
    for i in range(count):
        n = random_modulus(core.width_bits, 3 - i % 2 * 2, rng)
        yield _operand(core, n, rng), _operand(core, n, rng), n


def _reduced_products(core: WordMultiplier, count: int, rng: random.Random) -> list[WordProduct]:
    moduli = (random_modulus(core.width_bits, 3 - i % 2 * 2, rng) for i in range(count))
    reduces = Command.REDUCE in core.offered
    return [
        WordProduct(rng.randrange(n), rng.randrange(core.operand_bound(n)), n, reduce=reduces) for n in moduli
    ]


def _chains(core: Core | WordMultiplier, count: int, rng: random.Random) -> Iterator[Linked]:
    """Yield the operands of `CHAINS` exponentiations."""
    for i in range(CHAINS):
        n = random_modulus(core.width_bits, 3 - i % 2 * 2, rng)
        yield from _chain(core, n, count * (i + 1) // CHAINS - count * i // CHAINS, rng)


def _chain(core: Core | WordMultiplier, n: int, length: int, rng: random.Random) -> Iterator[Linked]:
    base = _operand(core, n, rng)
    is_square = False
    for i in range(length):
        yield (base, base, n) if i == 0 else (None, None if is_square else base, n)
        is_square = not is_square or rng.random() < 0.5


def _operand(core: Core | WordMultiplier, n: int, rng: random.Random) -> int:
    """Return the port value of a random operand below the bound."""
    value = rng.randrange(core.operand_bound(n))
    return as_operand(core, value, rng) if isinstance(core, Core) else value


def _by_model(core: Core, given: Sequence[Linked], *, progress: Progress) -> list[Result]:
    products: list[Result] = []
    for operands in resolved(given, products):
        products.append(core.run(*operands))
        progress(len(products))
    return products

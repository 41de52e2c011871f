"""Products on the multipliers whose ports carry words: by the model, or by the RTL in Verilator."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from monpro.cores import Result, WordMultiplier
from monpro.cores.word_multiplier import Command, squares
from monpro.flow.exponentiate import Job, word_ports
from monpro.flow.simulate import Linked, Netlist

_LIMIT_MARGIN_CYCLES = 10_000  # for the input of the numbers and the length of a new modulus


@dataclass(frozen=True)
class WordProduct:
    """A product: its operands, where None stands for the result before, and whether it is reduced."""

    x: int | None
    y: int | None
    n: int
    reduce: bool = False
    wipe: bool = False  # before it, all memories are wiped
    squares: int = 0  # of the product, that follow


def commands(given: Sequence[WordProduct], *, self_contained: bool = False) -> Iterator[Command]:
    """Yield the command of each product; a modulus is sent if it is new, or with every product."""
    before: int | None = None
    for product in given:
        is_new = self_contained or product.wipe or product.n != before
        command = Command.MODULUS if is_new else Command(0)
        command |= Command.REDUCE if product.reduce else Command(0)
        command |= Command(0) if product.x is None else Command.X
        command |= Command(0) if product.y is None else Command.Y
        yield command | squares(product.squares)
        before = product.n


def by_model(core: WordMultiplier, given: Sequence[WordProduct]) -> Iterator[Result]:
    """Yield the products by the model, and their cycles."""
    z = 0
    for product, command in zip(given, commands(given), strict=True):
        x, y = (z if number is None else number for number in (product.x, product.y))
        result = core.run(x, y, product.n, command)
        yield result
        z = result.z


def by_rtl(
    core: WordMultiplier,
    given: Sequence[WordProduct],
    *,
    stall_seed: int = 0,
    reset_seed: int = 0,
    netlist: Netlist | None = None,
) -> Iterator[Result]:
    """Yield the products by the RTL, or by a netlist, and their cycles; ToolError as `exponentiate`.

    stall_seed: the ports pause at random. reset_seed: some products follow a product that a reset interrupts;
    each must give both operands, and is then sent with its modulus.
    """
    jobs = []
    for product, command in zip(given, commands(given, self_contained=bool(reset_seed)), strict=True):
        wipe = [int(Command.WIPE)] if product.wipe else []
        words = core.words_in(product.x or 0, product.y or 0, product.n, command)
        jobs.append(Job([*wipe, *words], core.words_out(product.n)))
    limit = core.max_cycles * (1 + max(product.squares for product in given)) + _LIMIT_MARGIN_CYCLES
    return word_ports(core, netlist).run(jobs, limit, stall_seed=stall_seed, reset_seed=reset_seed)


Run = Callable[[WordMultiplier, Sequence[WordProduct]], Iterator[Result]]


def power(core: WordMultiplier, x: int, e: int, n: int, run: Run) -> Result:
    """Return x^e mod n by left-to-right products, and their total cycles. x < n, e ≥ 0."""
    r2 = core.constants(n)["r2"]
    base = next(iter(run(core, [WordProduct(x, r2, n)])))
    steps = [WordProduct(1, r2, n)]
    for digit in f"{e:b}":
        steps.append(WordProduct(None, None, n))
        steps += [WordProduct(None, base.z, n)] if digit == "1" else []
    reduces = Command.REDUCE in core.offered
    products = list(run(core, [*steps, WordProduct(1, None, n, reduce=reduces)]))
    return Result(products[-1].z % n, base.cycles + sum(product.cycles for product in products))


def linked(given: Sequence[Linked]) -> list[WordProduct]:
    """Return products that are not reduced from operands in the form of the other multipliers."""
    return [WordProduct(x, y, n) for x, y, n in given]

"""The speed of the kernels here: single products, and whole exponentiations beside other libraries."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal

import monpro
from monpro._native import time_products
from monpro.bench.competitors import Competitor, competitors
from monpro.bench.timing import Advance, Timing, interleave, stopwatch
from monpro.engines import Engine, Ring, available_kernels, by_modulus, describe_modulus
from monpro.results import machine

BATCH_SECONDS = 0.01
SHORT_BITS = 16
# Left out is what needs longer than this for a power, and than so many times the fastest.
SLOW_SECONDS, SLOW_RATIO = 1.0, 20.0
OPERATIONS: tuple[Literal["mul", "sqr"], ...] = ("mul", "sqr")


@dataclass(frozen=True)
class ProductTime:
    """The time of one Montgomery product or square of a kernel, in a dependent chain."""

    kernel: str
    ring: str
    bits: int
    operation: str
    time_ns: float
    spread: float


@dataclass(frozen=True)
class PowerTime:
    """The time of one xᵉ mod n with e and n of `bits` bits, set-up for the modulus included.

    No time if it would be long: see `SLOW_SECONDS`.
    """

    engine: str
    version: str
    bits: int
    form: str  # what distinguishes the modulus among those of its size
    constant_time: bool
    seconds: float | None
    spread: float | None
    ratio: float | None  # to the fastest with this modulus


@dataclass(frozen=True)
class Report:
    """Everything `monpro bench` measures."""

    machine: dict[str, str]
    products: list[ProductTime]
    powers: list[PowerTime]

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data, for JSON."""
        return asdict(self)


def count_measurements(ring: Ring, sizes: list[int], rounds: int) -> int:
    """Return the number of calls of `advance` in a `bench` of these sizes and rounds."""
    kernels = sum(len(available_kernels(ring, bits)) for bits in sizes)
    return (kernels * (len(OPERATIONS) + 1) + len(competitors(ring)) * len(sizes)) * rounds


def bench(ring: Ring, sizes: list[int], rounds: int, advance: Advance) -> Report:
    """Time every available kernel of the ring at each of the sizes, in bits."""
    products = [row for bits in sizes for row in time_all_products(ring, bits, rounds, advance)]
    powers = [row for bits in sizes for row in time_all_powers(ring, bits, rounds, advance)]
    return Report(machine.describe(), products, powers)


def time_all_products(ring: Ring, bits: int, rounds: int, advance: Advance) -> list[ProductTime]:
    """Time products and squares of all kernels that take a modulus of `bits` bits, interleaved."""
    rows = []
    for operation in OPERATIONS:
        names = [engine.name for engine in available_kernels(ring, bits)]
        tasks = {name: partial(_product_seconds, name, bits, operation) for name in names}
        for name, timing in interleave(tasks, rounds, advance).items():
            rows.append(ProductTime(name, ring, bits, operation, timing.seconds * 1e9, timing.spread))
    return rows


def time_all_powers(ring: Ring, bits: int, rounds: int, advance: Advance) -> list[PowerTime]:
    """Time whole exponentiations by all kernels of the ring and competitors, on moduli that they take.

    Competitors run beside the kernels that take a random modulus. ArithmeticError if any result is wrong.
    """
    rows, others = [], competitors(ring)
    for n, takers in by_modulus(bits, available_kernels(ring, bits)):
        contestants: dict[str, Engine | Competitor] = {engine.name: engine for engine in takers}
        contestants |= {competitor.name: competitor for competitor in others}
        rows += _race(ring, n, contestants, rounds, advance)
        others = []
    return rows


def _race(
    ring: Ring, n: int, contestants: dict[str, Engine | Competitor], rounds: int, advance: Advance
) -> list[PowerTime]:
    """Time all but the slow ones on one random power modulo n; all must agree, over Z with Python's pow."""
    bits = n.bit_length()
    x, e = secrets.randbits(bits - 1), secrets.randbits(bits) | 1 << (bits - 1)
    slow = _slow(contestants, x, n)
    for _ in range(len(slow) * rounds):
        advance()
    tasks = {
        name: partial(contestant.power, x, e, n)
        for name, contestant in contestants.items()
        if name not in slow
    }
    judge, expected = ("Python's pow", pow(x, e, n)) if ring == "integers" else _first_result(tasks)
    for name, task in tasks.items():
        if task() != expected:
            raise ArithmeticError(f"{name} computes another power than {judge} at {bits} bits")
    timings = interleave({name: stopwatch(task) for name, task in tasks.items()}, rounds, advance)
    best = min(timing.seconds for timing in timings.values())
    form = describe_modulus(ring, n)
    rows = [_power_time(contestants[name], bits, form, timing, best) for name, timing in timings.items()]
    return rows + [_power_time(contestants[name], bits, form, None, best) for name in slow]


def _slow(contestants: Mapping[str, Engine | Competitor], x: int, n: int) -> set[str]:
    """Return those that need seconds for a power and much longer than the fastest, by a short exponent."""
    short, bits = (1 << SHORT_BITS) - 1, n.bit_length()
    seconds = {
        name: stopwatch(partial(contestant.power, x, short, n))() * bits / SHORT_BITS
        for name, contestant in contestants.items()
    }
    limit = max(SLOW_SECONDS, SLOW_RATIO * min(seconds.values()))
    return {name for name, needed in seconds.items() if needed > limit}


def _first_result(tasks: Mapping[str, Callable[[], int]]) -> tuple[str, int]:
    name, task = next(iter(tasks.items()))
    return name, task()


def _product_seconds(kernel: str, bits: int, operation: Literal["mul", "sqr"]) -> float:
    return time_products(kernel, bits, operation, 1, BATCH_SECONDS)[0] * 1e-9


def _power_time(
    contestant: Engine | Competitor, bits: int, form: str, timing: Timing | None, best: float
) -> PowerTime:
    if isinstance(contestant, Engine):
        version, constant_time = f"monpro {monpro.__version__}", not contestant.name.endswith("_vartime")
    else:
        version, constant_time = contestant.version, contestant.constant_time
    seconds, spread, ratio = (timing.seconds, timing.spread, timing.seconds / best) if timing else (None,) * 3
    return PowerTime(contestant.name, version, bits, form, constant_time, seconds, spread, ratio)

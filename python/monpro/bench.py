"""How fast the kernels are here: single products, and whole exponentiations beside other libraries."""

import secrets
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal

import monpro
from monpro import machine
from monpro._native import time_products
from monpro.competitors import Competitor, competitors
from monpro.engines import Engine, available_kernels, kernel_engines
from monpro.timing import Advance, Timing, interleave, stopwatch

BATCH_SECONDS = 0.01
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
    """The time of one xᵉ mod n with x, e and n of `bits` bits, set-up for the modulus included."""

    engine: str
    version: str
    bits: int
    constant_time: bool
    seconds: float
    spread: float
    ratio: float  # to the fastest of this size


@dataclass(frozen=True)
class Report:
    """Everything `monpro bench` measures."""

    machine: dict[str, str]
    products: list[ProductTime]
    powers: list[PowerTime]

    def as_dict(self) -> dict[str, object]:
        """Return the report as plain data, for JSON."""
        return asdict(self)


def count_measurements(sizes: list[int], rounds: int) -> int:
    """Return how often `advance` is called by a `bench` of these sizes and rounds."""
    products = (
        sum(engine.available and engine.supports(bits) for bits in sizes for engine in kernel_engines()) * 2
    )
    powers = sum(len(available_kernels("integers", bits)) + len(competitors()) for bits in sizes)
    return (products + powers) * rounds


def bench(sizes: list[int], rounds: int, advance: Advance) -> Report:
    """Time every available kernel at each of the sizes, in bits."""
    products = [row for bits in sizes for row in time_all_products(bits, rounds, advance)]
    powers = [row for bits in sizes for row in time_all_powers(bits, rounds, advance)]
    return Report(machine.describe(), products, powers)


def time_all_products(bits: int, rounds: int, advance: Advance) -> list[ProductTime]:
    """Time products and squares of all kernels that take a modulus of so many bits, interleaved."""
    rows = []
    for operation in OPERATIONS:
        chosen = {
            engine.name: engine for engine in kernel_engines() if engine.available and engine.supports(bits)
        }
        tasks = {name: partial(_product_seconds, name, bits, operation) for name in chosen}
        for name, timing in interleave(tasks, rounds, advance).items():
            rows.append(
                ProductTime(name, chosen[name].ring, bits, operation, timing.seconds * 1e9, timing.spread)
            )
    return rows


def time_all_powers(bits: int, rounds: int, advance: Advance) -> list[PowerTime]:
    """Time whole exponentiations by all integer kernels and competitors; ArithmeticError if any is wrong."""
    n = secrets.randbits(bits) | 1 << (bits - 1) | 1
    x, e = secrets.randbelow(n), secrets.randbits(bits) | 1 << (bits - 1)
    contestants: dict[str, Engine | Competitor] = {
        engine.name: engine for engine in available_kernels("integers", bits)
    }
    contestants |= {competitor.name: competitor for competitor in competitors()}
    expected = pow(x, e, n)
    for name, contestant in contestants.items():
        if contestant.power(x, e, n) != expected:
            raise ArithmeticError(f"{name} computes another power than Python's pow at {bits} bits")
    tasks = {name: stopwatch(partial(contestant.power, x, e, n)) for name, contestant in contestants.items()}
    timings = interleave(tasks, rounds, advance)
    best = min(timing.seconds for timing in timings.values())
    return [_power_time(contestants[name], bits, timing, best) for name, timing in timings.items()]


def _product_seconds(kernel: str, bits: int, operation: Literal["mul", "sqr"]) -> float:
    return time_products(kernel, bits, operation, 1, BATCH_SECONDS)[0] * 1e-9


def _power_time(contestant: Engine | Competitor, bits: int, timing: Timing, best: float) -> PowerTime:
    if isinstance(contestant, Engine):
        version, constant_time = f"monpro {monpro.__version__}", not contestant.name.endswith("_vartime")
    else:
        version, constant_time = contestant.version, contestant.constant_time
    ratio = timing.seconds / best
    return PowerTime(contestant.name, version, bits, constant_time, timing.seconds, timing.spread, ratio)

"""The growth of a Montgomery product's time with the size: short measurements for the demo's plot."""

from dataclasses import dataclass
from functools import partial

from monpro._native import time_products
from monpro.bench.timing import Advance, interleave
from monpro.demo.jobs import word_multiplications
from monpro.engines import available_kernels

WORD_BITS = 64
SHORTEST_WORD_BITS = 51  # the digits of the IFMA kernels
SIZES = (256, 512, 1024, 1536, 2048, 3072, 4096)
ROUNDS = 5
BATCH_SECONDS = 0.006


@dataclass(frozen=True)
class ProductCurve:
    """The time of one Montgomery product of a kernel at several sizes."""

    kernel: str
    bits: tuple[int, ...]
    time_ns: tuple[float, ...]

    @property
    def time_per_multiplication_ns(self) -> list[float]:
        """Return the times divided by 2s² + s, the multiplications of 64-bit words [koc96, Table 1]."""
        points = zip(self.bits, self.time_ns, strict=True)
        return [time_ns / word_multiplications(bits, WORD_BITS) for bits, time_ns in points]


def count_measurements() -> int:
    """Return the number of calls of `advance` in `measure`."""
    return sum(len(_kernels(bits)) for bits in SIZES) * ROUNDS


def measure(advance: Advance) -> list[ProductCurve]:
    """Time the products of the integer kernels with words of 51 to 64 bits over the sizes."""
    points: dict[str, list[tuple[int, float]]] = {}
    for bits in SIZES:
        tasks = {kernel: partial(_product_seconds, kernel, bits) for kernel in _kernels(bits)}
        for kernel, timing in interleave(tasks, ROUNDS, advance).items():
            points.setdefault(kernel, []).append((bits, timing.seconds * 1e9))
    return [ProductCurve(kernel, *zip(*measured, strict=True)) for kernel, measured in points.items()]


def _product_seconds(kernel: str, bits: int) -> float:
    return time_products(kernel, bits, "mul", 1, BATCH_SECONDS)[0] * 1e-9


def _kernels(bits: int) -> list[str]:
    kernels = available_kernels("integers", bits)
    return [engine.name for engine in kernels if engine.radix_bits >= SHORTEST_WORD_BITS]

"""Average cycles of a product against the averages of 10,000 products of another implementation."""

import random
from collections.abc import Callable
from statistics import mean, stdev

import pytest

from monpro.cores import core
from monpro.spec import kuang16
from monpro.spec.kuang16 import Adder

SAMPLES = 250

Run = Callable[[int, int, int, int, Adder], object]  # A, B, N, k, adder


def fcs_mmm42(A: int, B: int, N: int, k: int, adder: Adder) -> object:  # noqa: N803
    return kuang16.fcs_mmm42((A, 0), (B, 0), N, k, adder)


def no_consecutive_skips(A: int, B: int, N: int, k: int, adder: Adder) -> object:  # noqa: N803
    return kuang16.scs_mm_new(A, B, N, k, adder, consecutive_skips=False)


def plain_adder(A: int, B: int, N: int, k: int, adder: Adder) -> object:  # noqa: N803
    return kuang16.scs_mm_new(A, B, N, k, adder, configurable=False)


def operands(width_bits: int, chance: random.Random) -> tuple[int, int, int]:
    """Return A, B < N and a random odd N of exactly this size."""
    n = chance.getrandbits(width_bits) | 1 << width_bits - 1 | 1
    return chance.randrange(n), chance.randrange(n), n


def assert_mean(cycles: list[int], expected: float) -> None:
    """Check that a sample has the expected mean, within three standard errors."""
    error = stdev(cycles) / len(cycles) ** 0.5
    assert abs(mean(cycles) - expected) < 3 * error + 0.05  # 0.05 for the error of the expected mean


@pytest.mark.parametrize(
    ("algorithm", "k", "expected"),
    [
        (kuang16.scs_mm_2, 1024, 1030.16),
        (kuang16.scs_mm_2, 2048, 2054.66),
        (kuang16.mscs_mm, 1024, 1045.5),
        (kuang16.mscs_mm, 2048, 2071.5),
        (fcs_mmm42, 1024, 823.97),
        (fcs_mmm42, 2048, 1643.09),
        (kuang16.scs_mm_new, 1024, 839.41),
        (kuang16.scs_mm_new, 2048, 1664.85),
        (no_consecutive_skips, 1024, 869.23),
        (plain_adder, 1024, 848.2),
    ],
)
def test_average_cycles_of_the_algorithms_with_the_printed_k(algorithm: Run, k: int, expected: float) -> None:
    chance, cycles = random.Random(k), []
    for _ in range(SAMPLES if k == 1024 else SAMPLES // 3):
        a, b, n = operands(k, chance)
        adder = Adder()
        algorithm(a, b, n, k, adder)
        cycles.append(adder.clocks.total())
    assert_mean(cycles, expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("scs-mm-2", 1030.16), ("mscs-mm", 1045.5), ("fcs-mmm42", 825.30), ("scs-mm-new", 845.86)],
)
def test_average_cycles_of_the_cores(name: str, expected: float) -> None:
    """With N̂ a core has two iterations more than printed, both with A = 0; it runs 2/3, or 8/11, of them.

    SCS-MM-New takes five further clocks: one for step 2, four for the registers of Zero_D.
    """
    multiplier, chance = core(name, 1024), random.Random(2)
    assert_mean([multiplier.run(*operands(1024, chance)).cycles for _ in range(SAMPLES)], expected)

"""Fair timing: tasks take turns, so that a disturbance of the machine affects all of them alike."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Advance = Callable[[], None]  # called after each measurement, for a progress bar


@dataclass(frozen=True)
class Timing:
    """The median of some measurements, and the width of their middle half as a share of the median."""

    seconds: float
    spread: float


def summarise(figures: list[float]) -> Timing:
    """Return the median and the spread of measurements in seconds."""
    median = statistics.median(figures)
    if len(figures) < 2:
        return Timing(median, 0.0)
    low, _, high = statistics.quantiles(figures, n=4, method="inclusive")
    return Timing(median, (high - low) / median if median else 0.0)


def stopwatch(task: Callable[[], object]) -> Callable[[], float]:
    """Return a function that runs the task once and returns the seconds of processor time that it took.

    The processor time of this process is what other programs on the machine disturb least. That of this
    thread would leave out a long computation, which has a thread of its own.
    """

    def timed() -> float:
        started = time.process_time()
        task()
        return time.process_time() - started

    return timed


def interleave(tasks: Mapping[str, Callable[[], float]], rounds: int, advance: Advance) -> dict[str, Timing]:
    """Measure every task once in each round, in turn; each task returns its own figure in seconds."""
    figures: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            figures[name].append(task())
            advance()
    return {name: summarise(measured) for name, measured in figures.items()}

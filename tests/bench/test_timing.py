"""Fair timing: contenders take turns, and medians are reported."""

import time
from functools import partial
from threading import Thread

import pytest

import monpro
from monpro.bench.timing import interleave, stopwatch, summarise


def test_timings_are_medians_taken_in_turns() -> None:
    order: list[str] = []
    figures = {"a": iter([1.0, 9.0, 2.0]), "b": iter([5.0, 5.0, 5.0])}

    def task(name: str) -> float:
        order.append(name)
        return next(figures[name])

    timings = interleave({"a": lambda: task("a"), "b": lambda: task("b")}, 3, lambda: None)
    assert order == ["a", "b"] * 3
    assert (timings["a"].seconds, timings["b"].seconds, timings["b"].spread) == (2.0, 5.0, 0.0)
    assert summarise([1.0, 2.0, 3.0, 4.0, 5.0]).spread == pytest.approx(2 / 3)


def test_the_processor_time_of_a_task_is_that_of_all_its_threads() -> None:
    def work() -> None:
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass

    def task() -> None:
        thread = Thread(target=work)
        thread.start()
        thread.join()

    assert stopwatch(task)() >= 0.05


def test_a_long_power_takes_the_time_of_its_length() -> None:
    """A power of 4096 bits by words of 32 bits has a thread of its own; a twentieth of it has none."""
    n = (1 << 4096) - 1
    modulus = monpro.Modulus(n, kernel="cios-w32")
    residue = modulus(3)
    seconds = {bits: stopwatch(partial(pow, residue, (1 << bits) - 1))() for bits in (200, 4000)}
    assert 10 < seconds[4000] / seconds[200] < 40

"""Fair timing: contenders take turns, and medians are reported."""

import pytest

from monpro.bench.timing import interleave, summarise


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

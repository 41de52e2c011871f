"""The table of costs in the document is what the simulation computes, which keeps simple laws."""

from pathlib import Path

import pytest

import scale_model

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "scale.md"


def test_the_table_of_the_document_is_computed() -> None:
    assert "\n".join(scale_model.table()) in DOCUMENT.read_text(encoding="utf-8")


def test_one_node_takes_the_time_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SLOW_SHARE", 0.0), ("SPREAD", 0.0), ("SECONDS_TO_FAILURE", 1e30)):
        monkeypatch.setattr(scale_model, name, value)
    rows = 10**7
    chunks = round(rows / scale_model.ROWS_A_SECOND / scale_model.SECONDS)
    seconds = scale_model.Simulation(rows, 1, 0.001).seconds()
    work = rows / scale_model.ROWS_A_SECOND + chunks * scale_model.SECONDS_A_PART
    assert seconds == pytest.approx(work + 0.001, rel=1e-6)
    assert scale_model.Simulation(rows, 10, 0.0).seconds() >= work / 10


def test_a_scheduler_serves_one_task_at_a_time() -> None:
    simulation = scale_model.Simulation(10**8, 1000, 1.0)
    assert simulation.seconds() >= simulation.chunks * 1.0


def test_a_node_that_fails_costs_time_and_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    calm = scale_model.Simulation(10**8, 10, 0.004).seconds()
    monkeypatch.setattr(scale_model, "SECONDS_TO_FAILURE", 200.0)
    assert scale_model.Simulation(10**8, 10, 0.004).seconds() > calm

"""Recordings are kept by day, whole, and a row at a time."""

import json
from pathlib import Path

from monpro.flow import kernels
from monpro.flow.elements import DESIGNS
from monpro.results.recording import keep, keep_row, recordings


def test_a_row_replaces_the_one_with_its_key_and_no_other(tmp_path: Path) -> None:
    paths = [
        keep_row("rows.json", "rows", {"name": name, "value": value}, ("name",), {}, results=tmp_path)
        for name, value in (("b", 1), ("a", 2), ("b", 3))
    ]
    written = json.loads(paths[-1].read_text())
    assert written["rows"] == [{"name": "a", "value": 2}, {"name": "b", "value": 3}]
    assert written["machine"]["cpu"]


def test_recordings_come_oldest_first(tmp_path: Path) -> None:
    today = keep("some.json", {"value": 2}, tmp_path)
    older = json.loads(today.read_text())
    older["machine"]["date"] = "2001-01-01"
    (tmp_path / "zzz-older").mkdir()
    (tmp_path / "zzz-older" / "some.json").write_text(json.dumps(older | {"value": 1}))
    assert [recording["value"] for recording in recordings("some.json", tmp_path)] == [1, 2]


def test_a_design_that_is_measured_again_has_its_new_clocks(tmp_path: Path) -> None:
    for design, clocks in ((DESIGNS[0], [100.0]), (DESIGNS[1], [90.0]), (DESIGNS[0], [110.0])):
        kernels.record(design, clocks, tmp_path)
    assert kernels.recorded(tmp_path) == {DESIGNS[0]: [110.0], DESIGNS[1]: [90.0]}

"""Provenance: the recordings that were opened, and what they say about themselves."""

import json
import os
from pathlib import Path

import pytest

from monpro.report import provenance
from monpro.report.provenance import Recorded, of, opened_recordings, recorded
from monpro.results.recording import RESULTS

RECORDING = max(RESULTS.resolve().glob("*/bench.json"))


def test_the_recordings_that_are_opened_are_noted_and_nothing_else(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    RECORDING.read_bytes()
    with opened_recordings() as files:
        other.read_bytes()
        assert files == {}
        descriptor = os.open(os.path.relpath(RECORDING), os.O_RDONLY)
        os.close(descriptor)
    RECORDING.read_bytes()
    assert list(files) == [RECORDING]


def test_a_file_beside_the_folder_of_results_is_no_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder's name is a part of its neighbours' names."""
    monkeypatch.setattr(provenance, "RESULTS", tmp_path / "results")
    provenance._listen.cache_clear()
    (tmp_path / "results").mkdir()
    names = ("results/new.json", "results/notes.txt", "results-old.json")
    for name in names:
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with opened_recordings() as files:
        for name in names:
            (tmp_path / name).read_bytes()
    provenance._listen.cache_clear()
    assert list(files) == [tmp_path / "results/new.json"]


def test_a_block_inside_another_notes_its_own() -> None:
    with opened_recordings() as outer:
        with opened_recordings() as inner:
            RECORDING.read_bytes()
        assert (list(inner), list(outer)) == ([RECORDING], [])
        RECORDING.read_bytes()
    assert list(outer) == [RECORDING]


def test_a_recording_tells_its_machine_its_day_and_its_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provenance, "RESULTS", tmp_path)
    path = tmp_path / "machine" / "bench.json"
    path.parent.mkdir()
    figures = [{"commit": "c"}, {"commit": "a"}, {}]
    about = {"cpu": "a CPU", "date": "2026-01-02", "commit": "b"}
    path.write_text(json.dumps({"machine": about, "commit": "d", "figures": figures}), encoding="utf-8")
    assert recorded(path) == Recorded(
        "results/machine/bench.json", "a CPU", "2026-01-02", ("a", "b", "c", "d")
    )
    path.write_text("{}", encoding="utf-8")
    assert recorded(path) == Recorded("results/machine/bench.json", "not told", "not told", ())


def test_an_item_tells_how_it_is_computed_again() -> None:
    files = sorted(RESULTS.resolve().glob("*/bench.json"))
    whole, sample = (of("x.table1", reversed(files), is_sample=is_sample) for is_sample in (False, True))
    assert whole.command == "monpro reproduce x.table1"
    assert whole.recorded == tuple(recorded(path) for path in files)
    assert (whole.sample, "`monpro reproduce x.table1` computes all" in sample.sample) == ("", True)
    assert whole.as_dict()["command"] == whole.command

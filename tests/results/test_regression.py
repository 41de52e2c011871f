"""What became slower between two recordings, and by what is the machine's own change known."""

import json
from pathlib import Path

import pytest

from monpro.results.regression import main

Row = tuple[str, int, str, float]  # operation, bits, library, cycles
OLD: list[Row] = [
    ("modexp", 512, "monpro", 100.0),
    ("modexp", 512, "OpenSSL", 200.0),
    ("modexp", 512, "GMP", 300.0),
    ("monmul", 512, "monpro", 10.0),
]


def record(folder: Path, rows: list[Row], cpu: str = "Test CPU", openssl: str = "4.0") -> str:
    """Write a folder with one recording; return its path."""
    names = ("operation", "bits", "library", "median_cycles")
    libraries = {"monpro": "0.1", "OpenSSL": openssl, "GMP": "6.3"}
    machine = {"cpu": cpu, "date": "2026-01-01", "libraries": libraries}
    figures = [dict(zip(names, row, strict=True)) | {"engine": f"of {row[2]}"} for row in rows]
    folder.mkdir()
    (folder / "bench.json").write_text(json.dumps({"machine": machine, "figures": figures}))
    (folder / "cells.json").write_text(json.dumps({"machine": {"cpu": "any"}}))  # no race
    return str(folder)


def times(rows: list[Row], library: str, factor: float) -> list[Row]:
    return [(*row[:3], row[3] * factor) if row[2] == library else row for row in rows]


def test_an_operation_that_takes_more_cycles_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = record(tmp_path / "old", OLD), record(tmp_path / "new", times(OLD, "monpro", 1.10))
    assert main([old, new]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "bench.json: modexp 512 bits of monpro: 1.10 of the cycles before, other libraries 1.00",
        "bench.json: monmul 512 bits of monpro: 1.10 of the cycles before, other libraries 1.00",
    ]


def test_what_is_within_the_margin_is_not_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = record(tmp_path / "old", OLD), record(tmp_path / "new", times(OLD, "monpro", 1.04))
    assert main([old, new]) == 0
    assert "nothing" in capsys.readouterr().out


def test_a_machine_on_which_all_are_slower_is_no_regression(tmp_path: Path) -> None:
    powers = [row for row in OLD if row[0] == "modexp"]
    slowed = times(times(times(powers, "monpro", 1.2), "OpenSSL", 1.2), "GMP", 1.2)
    assert main([record(tmp_path / "old", powers), record(tmp_path / "new", slowed)]) == 0


def test_a_library_of_another_version_says_nothing_of_the_machine(tmp_path: Path) -> None:
    powers = [row for row in OLD if row[2] != "GMP" and row[0] == "modexp"]
    slowed = times(times(powers, "monpro", 1.2), "OpenSSL", 1.2)
    assert main([record(tmp_path / "old", powers), record(tmp_path / "new", slowed, openssl="5.0")]) == 1


@pytest.mark.parametrize(
    ("rows", "cpu", "complaint"),
    [(OLD, "Another CPU", "different CPUs"), ([], "Test CPU", "no figures in common")],
)
def test_bad_input_gives_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: list[Row], cpu: str, complaint: str
) -> None:
    assert main([record(tmp_path / "old", OLD), record(tmp_path / "new", rows, cpu=cpu)]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert main([]) == 2

"""README's table of speeds: it equals what the newest recorded measurements give."""

import json
from pathlib import Path

import pytest

from monpro.report.headline import BEGIN, END, headline, insert, main, newest

ROOT = Path(__file__).parents[2]
HINT = "run `.venv/bin/python -m monpro.report.headline README.md results`"


def test_readme_shows_the_newest_measurements() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme == insert(readme, headline(newest(ROOT / "results"))), HINT


def record(results: Path, machine: str, date: str, figures: list[tuple[str, int, str, float]]) -> Path:
    """Write measurements as the bench does."""
    path = results / f"{machine}-{date}" / "bench.json"
    path.parent.mkdir(parents=True)
    names = ("operation", "bits", "library", "median_ns")
    recording = {
        "machine": {
            "cpu": "Test CPU",
            "rustc": "rustc 1.85.0 (0 2025-02-17)",
            "date": date,
            "libraries": {"monpro": "0.1.0", "other": "2.3"},
        },
        "rounds": 25,
        "figures": [dict(zip(names, figure, strict=True)) for figure in figures],
    }
    path.write_text(json.dumps(recording), encoding="utf-8")
    return path


FIGURES = [
    ("monmul", 256, "monpro", 30.0),
    ("monmul", 256, "monpro", 18.04),
    ("monmul", 256, "other", 29.0),
    ("monmul", 2048, "monpro", 1250.0),
    ("monmul", 2048, "other", 999.4),
    ("modexp", 2048, "monpro", 2.5e6),
]


def test_each_library_is_shown_by_its_fastest_way_and_the_best_is_bold(tmp_path: Path) -> None:
    lines = headline(record(tmp_path / "results", "cpu", "2026-01-02", FIGURES)).splitlines()
    assert lines[:5] == [
        "| | 256 bits | 2048 bits |",
        "|---|---:|---:|",
        "| Montgomery product: monpro 0.1.0 | **18.0 ns** | 1.25 µs |",
        "| Montgomery product: other 2.3 | 29.0 ns | **999 ns** |",
        "| modular exponentiation, constant time: monpro 0.1.0 | – | **2.50 ms** |",
    ]
    assert "Test CPU, rustc 1.85.0, 2026-01-02" in lines[6]
    assert lines[-1] == "`results/cpu-2026-01-02/bench.json`."


def test_the_newest_is_the_latest_by_date(tmp_path: Path) -> None:
    later = record(tmp_path, "a", "2026-02-01", FIGURES)
    record(tmp_path, "b", "2026-01-02", FIGURES)
    assert newest(tmp_path) == later


def test_the_readme_is_updated_between_its_markers_only(tmp_path: Path) -> None:
    recorded = record(tmp_path / "results", "cpu", "2026-01-02", FIGURES)
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nstale\n{END}\nafter\n", encoding="utf-8")
    assert main([str(readme), str(tmp_path / "results")]) == 0
    assert readme.read_text(encoding="utf-8") == f"before\n{BEGIN}\n{headline(recorded)}\n{END}\nafter\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with recorded measurements."""
    record(tmp_path / "results", "cpu", "2026-01-02", FIGURES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "arguments", "complaint"),
    [
        ("no markers", ["README.md", "results"], "to put the table between"),
        (f"{END}\n{BEGIN}\n", ["README.md", "results"], "to put the table between"),
        (f"{BEGIN}\n{END}\n", ["README.md", "empty"], "no measurements are recorded under empty"),
        (f"{BEGIN}\n{END}\n", ["absent.md", "results"], "absent.md"),
        (f"{BEGIN}\n{END}\n", ["README.md"], "usage:"),
    ],
)
def test_bad_input_gives_one_clear_line(
    capsys: pytest.CaptureFixture[str], text: str, arguments: list[str], complaint: str
) -> None:
    Path("README.md").write_text(text, encoding="utf-8")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert Path("README.md").read_text(encoding="utf-8") == text

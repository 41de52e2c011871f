"""The tables of times in docs/performance.md equal the tables of the newest recorded measurements."""

import json
from pathlib import Path

import pytest

from monpro.results.headline import (
    ARRAYS,
    BINARY_FIELDS,
    HEADLINES,
    INTEGERS,
    RSA,
    Headline,
    insert,
    main,
    table,
    tables,
)
from monpro.results.recording import newest

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "performance.md"
HINT = "run `.venv/bin/python -m monpro.results.headline docs/performance.md results`"


@pytest.mark.parametrize("headline", HEADLINES, ids=lambda headline: headline.name)
def test_the_page_shows_the_newest_measurements(headline: Headline) -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    assert page == insert(page, headline, tables(headline, ROOT / "results")), HINT


def machine(date: str, libraries: dict[str, str]) -> dict[str, object]:
    """Return the bench's record of a machine."""
    return {
        "cpu": "Test CPU",
        "rustc": "rustc 1.85.0 (0 2025-02-17)",
        "date": date,
        "libraries": libraries,
    }


def record(results: Path, folder: str, date: str, figures: list[tuple[str, int, str, float]]) -> Path:
    """Write measurements over the integers as the bench does."""
    names = ("operation", "bits", "library", "median_ns")
    recording = {
        "machine": machine(date, {"monpro": "0.1.0", "other": "2.3"}),
        "rounds": 25,
        "figures": [dict(zip(names, figure, strict=True)) for figure in figures],
    }
    return write(results / f"{folder}-{date}" / "bench.json", recording)


def record_fields(results: Path, folder: str, date: str) -> Path:
    """Write measurements in binary fields as the bench does."""
    names = ("operation", "bits", "shape", "library", "median_ns")
    figures = [
        ("mul", 571, "dense", "monpro", 43.4),
        ("mul", 571, "dense", "monpro, PCLMULQDQ", 13.4),
        ("mul", 571, "dense", "NTL", 117.0),
        ("mul", 2048, "dense", "NTL", 819.0),
        ("mul", 571, "sparse", "NTL", 71.8),
        ("inv", 571, "dense", "monpro", 1960.0),
    ]
    floors = [{"operation": "mul", "bits": 571, "shape": "dense", "floor_ns": 10.49}]
    recording = {
        "machine": machine(date, {"monpro": "0.1.0", "NTL": "11.5.1"}),
        "rounds": 25,
        "figures": [dict(zip(names, figure, strict=True)) for figure in figures],
        "floors": floors,
    }
    return write(results / f"{folder}-{date}" / "gf2.json", recording)


def record_rsa(results: Path, folder: str, date: str) -> Path:
    """Write measurements of RSA as the bench does."""
    figures = [("rsa-crt", 2048, "monpro", 190e3), ("rsa-crt-batch", 2048, "monpro", 65e3)]
    names = ("operation", "bits", "library", "median_ns")
    recording = {
        "machine": machine(date, {"monpro": "0.1.0"}),
        "rounds": 25,
        "figures": [dict(zip(names, figure, strict=True)) for figure in figures],
    }
    return write(results / f"{folder}-{date}" / "rsa.json", recording)


def record_arrays(results: Path, folder: str, date: str) -> Path:
    """Write measurements of arrays as `monpro.bench.arrays` does, which has no compiler to name."""
    of = {
        "cpu": "Test CPU",
        "python": "Python 3.11.7 with NumPy 2.0",
        "date": date,
        "libraries": {"monpro": "0.1.0"},
    }
    figures = [{"operation": "product", "bits": 8, "library": "monpro", "median_ns": 1e6}]
    recording = {"machine": of, "rounds": 5, "figures": figures}
    return write(results / f"{folder}-{date}" / "arrays.json", recording)


def write(path: Path, recording: dict[str, object]) -> Path:
    """Write a file, and create its folder if needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
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
    recorded = record(tmp_path / "results", "cpu", "2026-01-02", FIGURES)
    lines = table(INTEGERS, recorded).splitlines()
    assert lines[:5] == [
        "| | 256 bits | 2048 bits |",
        "|---|---:|---:|",
        "| Montgomery product: monpro 0.1.0 | **18.0 ns** | 1.25 µs |",
        "| Montgomery product: other 2.3 | 29.0 ns | **999 ns** |",
        "| modular exponentiation, constant time: monpro 0.1.0 | – | **2.50 ms** |",
    ]
    assert "Test CPU, rustc 1.85.0, 2026-01-02" in lines[6]
    assert lines[-1] == "`results/cpu-2026-01-02/bench.json`."


def test_binary_fields_are_shown_by_the_form_of_the_modulus_with_their_floors(tmp_path: Path) -> None:
    lines = table(BINARY_FIELDS, record_fields(tmp_path / "results", "cpu", "2026-01-02")).splitlines()
    assert lines[:7] == [
        "| | k = 571 | k = 2048 |",
        "|---|---:|---:|",
        "| product, random modulus: monpro 0.1.0 | **43.4 ns** | – |",
        "| product, random modulus: NTL 11.5.1 | 117 ns | **819 ns** |",
        "| product, random modulus: *floor, the PCLMULQDQ alone* | 10.5 ns | – |",
        "| product, sparse modulus: NTL 11.5.1 | **71.8 ns** | – |",
        "| inverse: monpro 0.1.0 | **1.96 µs** | – |",
    ]
    assert lines[-1] == "`results/cpu-2026-01-02/gf2.json`."


def test_the_newest_is_the_latest_by_date(tmp_path: Path) -> None:
    later = record(tmp_path, "a", "2026-02-01", FIGURES)
    record(tmp_path, "b", "2026-01-02", FIGURES)
    assert newest(tmp_path, "bench.json") == later


def test_each_cpu_has_a_table_of_its_own_the_latest_first(tmp_path: Path) -> None:
    older = record(tmp_path, "a", "2026-01-01", FIGURES)
    record(tmp_path, "b", "2026-01-02", FIGURES)
    newest_of_one = record(tmp_path, "b", "2026-01-03", FIGURES)
    text = older.read_text(encoding="utf-8")
    older.write_text(text.replace("Test CPU", "Another CPU"), encoding="utf-8")
    assert tables(INTEGERS, tmp_path) == f"{table(INTEGERS, newest_of_one)}\n\n{table(INTEGERS, older)}"


MARKED = "".join(f"before\n{headline.begin}\nstale\n{headline.end}\nafter\n" for headline in HEADLINES)


def test_a_document_is_updated_between_its_markers_only(tmp_path: Path) -> None:
    results = tmp_path / "results"
    tables = [
        table(INTEGERS, record(results, "cpu", "2026-01-02", FIGURES)),
        table(BINARY_FIELDS, record_fields(results, "cpu", "2026-01-02")),
        table(RSA, record_rsa(results, "cpu", "2026-01-02")),
        table(ARRAYS, record_arrays(results, "cpu", "2026-01-02")),
    ]
    assert "Test CPU, Python 3.11.7 with NumPy 2.0, 2026-01-02" in tables[-1]
    document = tmp_path / "page.md"
    document.write_text(MARKED, encoding="utf-8")
    assert main([str(document), str(results)]) == 0
    expected = MARKED.replace("stale", "{}").format(*tables)
    assert document.read_text(encoding="utf-8") == expected


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with recorded measurements."""
    record(tmp_path / "results", "cpu", "2026-01-02", FIGURES)
    record_fields(tmp_path / "results", "cpu", "2026-01-02")
    record_rsa(tmp_path / "results", "cpu", "2026-01-02")
    record_arrays(tmp_path / "results", "cpu", "2026-01-02")
    record(tmp_path / "half", "cpu", "2026-01-02", FIGURES)
    monkeypatch.chdir(tmp_path)


BEGIN, END = INTEGERS.begin, INTEGERS.end


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "arguments", "complaint"),
    [
        ("no markers", ["page.md", "results"], "to put the table between"),
        (f"{END}\n{BEGIN}\n", ["page.md", "results"], "to put the table between"),
        (f"{BEGIN}\n{END}\n", ["page.md", "results"], BINARY_FIELDS.begin),
        (MARKED, ["page.md", "empty"], "no bench.json is recorded under empty"),
        (MARKED, ["page.md", "half"], "no gf2.json is recorded under half"),
        (MARKED, ["absent.md", "results"], "absent.md"),
        (MARKED, ["page.md"], "usage:"),
    ],
)
def test_bad_input_gives_one_clear_line(
    capsys: pytest.CaptureFixture[str], text: str, arguments: list[str], complaint: str
) -> None:
    Path("page.md").write_text(text, encoding="utf-8")
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert Path("page.md").read_text(encoding="utf-8") == text

"""`monpro reproduce`: a line for each item, whole tables, JSON, CSV, BibTeX, progress without a terminal."""

import csv
import dataclasses
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from monpro import report
from monpro.cli import output, reproduce
from monpro.report import citation, outcome
from monpro.report.item import silent
from monpro.report.papers import PAPERS
from monpro.report.table import compare

REPRODUCED = {key: paper for key, paper in PAPERS.items() if paper["tables"] or paper["figures"]}
SHORT = ("koc96.table2", "koc97.figure1", "koc96.claim.additions")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the catalogue to a table, a figure and a claim."""
    items = tuple(item for item in report.catalogue() if item.id in SHORT)
    monkeypatch.setattr(report, "_ITEMS", items)


@pytest.mark.usefixtures("short")
def test_without_an_argument_every_item_has_a_line(cli: Cli) -> None:
    status, printed, errors = cli("reproduce")
    assert status == 0
    lines = printed.splitlines()
    assert [line.split()[1] for line in lines[:3]] == list(SHORT)
    assert "18 exact" in lines[0]
    assert "refuted" in lines[2]
    assert lines[3].startswith("2 of 42 published tables and figures, 1 claim of the text:")
    assert errors.splitlines() == [f"{name} ({place} of 3)" for place, name in enumerate(SHORT, 1)]


@pytest.mark.usefixtures("short")
def test_a_line_is_cut_at_the_width_of_a_terminal_and_whole_in_a_file(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = next(item.title for item in report.catalogue() if item.id == "koc96.claim.additions")
    monkeypatch.setenv("COLUMNS", "60")
    cut = cli("reproduce")[1].splitlines()[2]
    assert len(cut) == 60
    assert cut.endswith("…")
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr(output, "COLUMNS", 60)
    assert cli("reproduce")[1].splitlines()[2].endswith(f"refuted: {title}")


@pytest.mark.usefixtures("short")
def test_quick_takes_the_preview_and_a_whole_run_does_not(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def item(*, has_preview: bool) -> report.Item:
        def build(value: int) -> Any:
            return lambda _progress=None: report.Table(
                "x.table1", "title", (compare("a", 1, value, reason="why"),)
            )

        return report.Item("koc96.table1", "title", "table", build(2), build(1) if has_preview else None)

    monkeypatch.setattr(report, "_ITEMS", (item(has_preview=True),))
    (quick,) = cli.json("reproduce", "koc96", "--quick")
    (line,) = cli.json("reproduce")
    status, printed, errors = cli("reproduce", "koc96", "--json")
    (whole,) = json.loads(printed)
    assert (quick["summary"], whole["summary"], line["summary"]) == ("1/1 exact", "1 differs", "1/1 exact")
    assert (status, errors) == (0, "koc96.table1 (1 of 1)\n"), "what takes long says so at once"
    assert "monpro reproduce koc96.table1" in quick["provenance"]["sample"]
    assert whole["provenance"]["sample"] == ""


def test_json_is_complete(cli: Cli) -> None:
    table, figure, claim = (cli.json("reproduce", name)[0] for name in SHORT)
    columns = {"label", "published", "ours", "unit", "difference", "tolerance", "verdict", "note", "source"}
    for row in table["rows"]:
        assert columns <= set(row)
    assert figure["svg"].startswith("<svg")
    assert {"title", "reconstructed", "summary", "mark"} <= set(figure)
    assert {"statement", "section", "published", "ours", "verdict", "reason"} <= set(claim)
    for found in (table, figure, claim):
        assert {"command", "commit", "machine", "date", "seed", "recorded"} <= set(found["provenance"])
        assert found["provenance"]["command"] == f"monpro reproduce {found['id']}"


def test_what_is_recorded_names_its_file_machine_and_commits(cli: Cli) -> None:
    (table,) = cli.json("reproduce", "blum01.table1", "--quick")
    (recorded, *_) = table["provenance"]["recorded"]
    assert recorded["file"].startswith("results/")
    assert recorded["file"].endswith("synthesis.json")
    assert recorded["machine"] != "not told"
    assert recorded["commits"]


def test_csv_has_a_line_for_each_row(cli: Cli) -> None:
    status, printed, _ = cli("reproduce", "koc96.table2", "--csv")
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(printed)))
    (table,) = cli.json("reproduce", "koc96.table2")
    assert [row["label"] for row in rows] == [row["label"] for row in table["rows"]]
    assert {row["id"] for row in rows} == {"koc96.table2"}
    assert all(row["tolerance"] and row["verdict"] and row["commit"] and row["machine"] for row in rows)
    (claim,) = csv.DictReader(io.StringIO(cli("reproduce", "koc96.claim.additions", "--csv")[1]))
    assert claim["verdict"] == "refuted"
    assert claim["why"]


@pytest.mark.parametrize("columns", [80, 100, 180])
def test_a_table_is_as_wide_as_asked_for(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, columns: int
) -> None:
    """No heading and no word is broken, even in 80 columns; each row has the number of its reason below."""
    monkeypatch.setenv("COLUMNS", str(columns))
    status, printed, _ = cli("reproduce", "amberg08.table1", "-o", str(tmp_path))
    assert status == 0
    lines = printed.splitlines()
    assert max(map(len, lines)) <= columns
    headings = ["published", "ours", "difference", "tolerance", "verdict", "why"]
    assert headings in [line.split() for line in lines]
    (item,) = report.select("amberg08.table1")
    table = item.build()
    assert isinstance(table, report.Table)
    text = " ".join(printed.split())
    for row in table.rows:
        assert row.note in text
    if columns == 180:
        (row_line,) = (line for line in lines if line.strip().startswith("radix 8 right Booth, w = 4: LUTs"))
        assert row_line.split()[-7:] == ["-26", "%", "±", "10", "%", "differs", "1"]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (1030.18, "1030.18"),
        (0.1 + 0.2, "0.3"),
        (545832, "545,832"),
        (9999, "9999"),
        (None, ""),
        ("2s²", "2s²"),
    ],
)
def test_no_digit_of_an_entry_is_cut(entry: Any, text: str) -> None:
    assert outcome.show(entry) == text


def test_a_claim_is_told_in_lines_of_the_whole_width(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says, both sides with difference and tolerance, and why: no narrow columns, no word broken."""
    monkeypatch.setenv("COLUMNS", "100")
    status, printed, _ = cli("reproduce", "koc96.claim.add")
    assert status == 0
    assert printed.startswith(
        "≠ koc96.claim.add, §9: ADD with its carries takes two reads, two additions and two"
    )
    sides, why, *_ = printed.partition("\n    ")[2].splitlines()
    assert sides.strip() == "published 2 words; ours 1.25 words; difference -38 %; tolerance ± 2.5 %; differs"
    assert why.startswith("    s = 8, w = 32, random operands: SOS 1.37")
    monkeypatch.setenv("COLUMNS", "60")
    _, narrow, _ = cli("reproduce", "koc96.claim.add")
    assert narrow.split() == printed.split()
    assert max(map(len, narrow.splitlines())) <= 60


def test_a_figure_is_written_into_the_folder(cli: Cli, tmp_path: Path) -> None:
    status, printed, _ = cli("reproduce", "koc97.figure1", "-o", str(tmp_path / "new" / "folder"))
    assert status == 0
    (written,) = (tmp_path / "new" / "folder").iterdir()
    assert written.name == "koc97.figure1.svg"
    assert str(written) in printed
    assert "<svg" in written.read_text()


def test_progress_without_a_terminal_is_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with output.telling("an item") as progress:
        for done in range(5):
            now[0] += output.SECONDS_BETWEEN_LINES / 2
            progress(done, 4)
    assert capsys.readouterr().err.splitlines() == ["an item", "an item: 25 %", "an item: 75 %"]


def test_bibtex_has_every_paper(cli: Cli) -> None:
    status, printed, _ = cli("reproduce", "--bibtex")
    assert status == 0
    assert len(REPRODUCED) == 5
    assert printed.count("@article{") == sum("journal" in paper for paper in REPRODUCED.values())
    for key, paper in REPRODUCED.items():
        assert f"{{{key},\n" in printed
        assert paper.get("doi", "") in printed
    assert "Kaliski, Jr., Burton S." in citation.entry("koc96")
    assert r"{\c C}etin" in citation.entry("koc96")
    assert cli("reproduce", "blum01", "--bibtex")[1].count("@") == 1


def test_a_row_that_differs_without_a_reason_fails(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(progress: report.Progress = silent) -> report.Table:
        progress(1, 1)
        return report.Table("koc96.table1", "title", (compare("a", 1, 2),))

    (item,) = report.select("koc96.table1")
    monkeypatch.setattr(report, "_ITEMS", (dataclasses.replace(item, build=build),))
    status, printed, errors = cli("reproduce", "koc96.table1")
    assert status == 1
    assert "1 row differs without a reason: koc96.table1, a" in errors
    assert "differs" in printed, "the row is shown all the same"


def test_the_citation_file_names_every_paper() -> None:
    text = (Path(reproduce.__file__).parents[3] / "CITATION.cff").read_text(encoding="utf-8")
    for paper in PAPERS.values():
        assert json.dumps(paper["title"], ensure_ascii=False) in text
        assert f"doi: {paper['doi']}" in text if "doi" in paper else True

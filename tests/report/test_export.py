"""Outcomes as rows of CSV."""

from dataclasses import replace
from typing import Literal

import pytest

from monpro.report import Claim, Figure, Item, Table
from monpro.report.export import CSV_COLUMNS, csv_rows
from monpro.report.item import silent
from monpro.report.outcome import Outcome
from monpro.report.provenance import Recorded, of
from monpro.report.table import compare

ORIGIN = replace(
    of("x.y", [], is_sample=True),
    recorded=(Recorded("results/a.json", "one", "today", ()), Recorded("results/b.json", "two", "then", ())),
)
HEAD = {
    "title": "A title",
    "commit": ORIGIN.commit,
    "seed": ORIGIN.seed,
    "machine": ORIGIN.machine,
    "date": ORIGIN.date,
    "sample": ORIGIN.sample,
    "recorded": "results/a.json (one, today); results/b.json (two, then)",
}


def rows(
    result: Table | Figure | Claim, kind: Literal["table", "figure", "claim"]
) -> list[dict[str, object]]:
    item = Item(f"x.{kind}", "A title", kind, lambda _=silent: result)
    return list(csv_rows(Outcome(item, result, ORIGIN)))


def test_a_table_is_a_row_for_each_of_its_rows() -> None:
    differing = compare("two", 2, 3, "why", within=0.1, unit="ms", printed=False, source="timed")
    one, two = rows(Table("x.table", "A title", (compare("one", 1, 1), differing)), "table")
    assert one["label"] == "one"
    assert two == HEAD | {
        "id": "x.table",
        "kind": "table",
        "label": "two",
        "published": 2,
        "ours": 3,
        "unit": "ms",
        "difference": "+50 %",
        "tolerance": "± 10 %",
        "verdict": "differs",
        "printed": False,
        "source": "timed",
        "why": "why",
    }
    assert set(two) == set(CSV_COLUMNS)


def test_a_claim_is_a_row_of_its_section_and_reason() -> None:
    claim = Claim("x.claim", "§1", "One is two.", 1, 2, "differs", "a reason", "computed", "ms", within=0)
    (row,) = rows(claim, "claim")
    assert row == HEAD | {
        "id": "x.claim",
        "kind": "claim",
        "label": "§1",
        "published": 1,
        "ours": 2,
        "unit": "ms",
        "difference": "+100 %",
        "tolerance": "exact",
        "verdict": "differs",
        "printed": True,
        "source": "computed",
        "why": "a reason",
    }


@pytest.mark.parametrize("reason", [None, "lost"])
def test_a_figure_is_a_row_with_its_verdict(reason: str | None) -> None:
    (row,) = rows(Figure("x.figure", "A title", "<svg/>", reason), "figure")
    verdict = "reconstructed" if reason else "a drawing that the paper does not have"
    assert row == HEAD | {"id": "x.figure", "kind": "figure", "verdict": verdict}

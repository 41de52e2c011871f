"""Outcomes: the mark and the verdict of each kind of item, and both sides in a few words."""

from dataclasses import replace
from typing import Literal

import pytest

from monpro.report import Claim, Figure, Item, Progress, Row, Table
from monpro.report.item import silent
from monpro.report.outcome import Outcome, compute, furthest, of_print, show, verdict_of_rows, with_unit
from monpro.report.provenance import of
from monpro.report.table import Entry, compare

EXACT = compare("exact", 100, 100)
WITHIN = compare("within", 100, 104, within=0.05)
DIFFERS = compare("differs", 100, 98, reason="why")
DERIVED = compare("derived", 100, 101, within=0.05, printed=False)
WORDS = compare("words", "yes", "no", reason="why")
ALIKE = compare("alike", "yes", "yes")
MISSING = compare("missing", None, 7)

CLAIM = Claim("x.claim.y", "§1", "One is two.", 1, 2, "differs", "a reason", "computed", "ms", within=0)


def outcome(result: Table | Figure | Claim) -> Outcome:
    kind: dict[type, Literal["table", "figure", "claim"]] = {Table: "table", Figure: "figure", Claim: "claim"}
    item = Item(result.id, "A title", kind[type(result)], lambda _=silent: result)
    return Outcome(item, result, of(result.id, [], is_sample=False))


def table(*rows: Row) -> Outcome:
    return outcome(Table("x.table1", "A title", rows))


@pytest.mark.parametrize(
    ("rows", "mark", "verdict"),
    [
        ((EXACT, ALIKE, MISSING), "agrees", "2/2 exact"),
        ((EXACT, WITHIN, WITHIN), "agrees", "1 exact, 2 within tolerance"),
        ((DERIVED, EXACT), "agrees", "1 exact, 1 as derived from print"),
        ((DIFFERS, EXACT, MISSING), "differs", "1 exact, 1 differs"),
        ((DIFFERS, WORDS), "differs", "2 differ"),
        ((MISSING, MISSING), "open", "nothing to compare"),
        ((), "open", "nothing to compare"),
    ],
)
def test_a_table_is_judged_by_its_rows(rows: tuple[Row, ...], mark: str, verdict: str) -> None:
    assert (table(*rows).mark, table(*rows).verdict) == (mark, verdict)
    assert verdict_of_rows(rows) == verdict


def test_a_row_without_a_reason_is_named() -> None:
    assert table(EXACT, compare("bad", 1, 2), DIFFERS).unexplained == ["bad"]
    assert outcome(CLAIM).unexplained == []


@pytest.mark.parametrize(
    ("identity", "reason", "mark", "verdict"),
    [
        ("koc96.figure1", None, "agrees", "as in print"),
        ("koc96.figure1", "lost", "reconstructed", "reconstructed"),
        ("koc97.table5.figure", None, "open", "a drawing that the paper does not have"),
    ],
)
def test_a_figure_is_as_in_print_or_reconstructed_or_ours(
    identity: str, reason: str | None, mark: str, verdict: str
) -> None:
    figure = outcome(Figure(identity, "A title", "<svg/>", reason))
    assert (figure.mark, figure.verdict) == (mark, verdict)
    assert (figure.published, figure.ours) == ("a drawing", "a drawing")


@pytest.mark.parametrize(
    ("claim", "mark"),
    [
        (CLAIM, "differs"),
        (replace(CLAIM, verdict="refuted"), "differs"),
        (replace(CLAIM, ours=1, verdict="agreed"), "agrees"),
        (replace(CLAIM, ours=None, verdict="not tested"), "open"),
    ],
)
def test_a_claim_has_its_own_verdict(claim: Claim, mark: str) -> None:
    found = outcome(claim)
    assert (found.mark, found.verdict) == (mark, claim.verdict)
    assert found.published == "1 ms"
    assert found.ours == ("" if claim.ours is None else f"{claim.ours} ms")


def test_a_table_tells_its_furthest_row() -> None:
    far = compare("far", 2, 3, reason="why", unit="ms", printed=False)
    assert (table(EXACT, far).published, table(EXACT, far).ours) == ("2 ms (derived)", "3 ms (far)")
    assert (table(MISSING).published, table(MISSING).ours) == ("", "")


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ((EXACT, WITHIN, DERIVED), WITHIN),
        ((WITHIN, DIFFERS), DIFFERS),  # not the one that is further and agrees
        ((DIFFERS, compare("more", 100, 97, reason="why")), compare("more", 100, 97, reason="why")),
        ((EXACT, WORDS), WORDS),
        ((DIFFERS, WORDS), DIFFERS),
        ((MISSING, ALIKE, compare("also", "a", "a")), ALIKE),
        ((MISSING,), None),
        ((), None),
    ],
)
def test_the_furthest_row_is_one_that_differs_where_any_does(
    rows: tuple[Row, ...], found: Row | None
) -> None:
    assert furthest(rows) == found


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (9_999, "9999"),
        (10_000, "10,000"),
        (-10_000, "-10,000"),
        (1_234_567, "1,234,567"),
        (0.12345678, "0.123457"),
        (9_999.5, "9999.5"),
        (10_000.0, "10,000"),
        (-12_345.67, "-12,345.7"),
        ("text", "text"),
        (None, ""),
    ],
)
def test_an_entry_shows_all_digits_that_mean_something(entry: Entry, shown: str) -> None:
    assert show(entry) == shown


def test_an_entry_has_its_unit() -> None:
    assert (with_unit(3, "ms"), with_unit(3, ""), with_unit(None, "ms")) == ("3 ms", "3", "")


def test_what_was_never_printed_is_told() -> None:
    assert of_print(DERIVED) == "100 (derived)"
    assert of_print(EXACT) == "100"
    assert of_print(replace(MISSING, printed=False)) == ""


def test_an_item_is_computed_in_full_or_from_a_sample() -> None:
    told: list[tuple[int, int]] = []

    def build(progress: Progress = silent) -> Table:
        progress(1, 2)
        return Table("x.table1", "whole", ())

    def preview(progress: Progress = silent) -> Table:
        progress(2, 2)
        return Table("x.table1", "sample", ())

    item = Item("x.table1", "A title", "table", build, preview)
    whole, sample = (
        compute(item, quick=quick, progress=lambda *at: told.append(at)) for quick in (False, True)
    )
    assert told == [(1, 2), (2, 2)]
    assert (whole.result, sample.result) == (build(), preview())
    assert (bool(whole.provenance.sample), bool(sample.provenance.sample)) == (False, True)
    quick = compute(replace(item, preview=None), quick=True)
    assert (quick.result, quick.provenance.sample) == (build(), "")


def test_an_outcome_is_plain_data_for_json() -> None:
    found = outcome(CLAIM)
    assert found.as_dict() == found.result.as_dict() | {
        "id": "x.claim.y",
        "paper": "x",
        "kind": "claim",
        "title": "A title",
        "summary": "differs",
        "mark": "differs",
        "provenance": found.provenance.as_dict(),
    }

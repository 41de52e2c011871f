"""The catalogue of published tables and figures."""

import tomllib
from pathlib import Path

import pytest

from monpro.report import catalogue, select
from monpro.report.outcome import compute

ROOT = Path(__file__).parents[2]
PAPERS = tomllib.loads((ROOT / "PAPERS.toml").read_text(encoding="utf-8"))


def test_ids_are_unique_and_belong_to_known_papers() -> None:
    ids = [item.id for item in catalogue()]
    assert len(set(ids)) == len(ids)
    assert {item.paper for item in catalogue()} <= set(PAPERS)


def test_all_42_tables_and_figures_of_the_papers_are_there() -> None:
    published = {
        f"{key}.{kind}{number}"
        for key, paper in PAPERS.items()
        for kind in ("table", "figure")
        for number in paper[f"{kind}s"]
    }
    assert len(published) == 42
    assert published - {item.id for item in catalogue()} == set()


def test_a_table_is_called_one_and_so_is_a_figure() -> None:
    items = [item for item in catalogue() if item.kind in {"table", "figure"}]
    assert all(item.kind in item.id for item in items)


def test_select_takes_an_id_a_paper_or_all() -> None:
    assert [item.id for item in select("koc96.table2")] == ["koc96.table2"]
    assert select("all") == catalogue()
    assert select("koc96") == tuple(item for item in catalogue() if item.paper == "koc96")


@pytest.mark.parametrize(
    ("unknown", "near"),
    [("koc96.table9", "koc96.table1"), ("koc", "koc96"), ("", ""), ("table1", "koc96.table1")],
)
def test_select_names_what_is_close_and_the_papers(unknown: str, near: str) -> None:
    with pytest.raises(ValueError, match="there is no") as refusal:
        select(unknown)
    told = str(refusal.value)
    assert "\n" not in told
    assert len(told) < 300
    assert (near in told.partition("close to it: ")[2]) if near else ("close to it" not in told)
    assert all(key in told for key, paper in PAPERS.items() if paper["tables"])


def test_select_names_the_five_that_are_closest() -> None:
    with pytest.raises(ValueError, match="close to it") as refusal:
        select("koc96.table9")
    assert str(refusal.value).split("close to it: ")[1].split("; ")[0].count(",") == 4


def test_no_row_of_any_table_differs_without_a_reason() -> None:
    """A reader of the report is told why for each row that differs: timed rows may differ on any machine."""
    unexplained = []
    for item in catalogue():
        if item.kind == "table":
            unexplained += [f"{item.id}: {label}" for label in compute(item, quick=True).unexplained]
    assert unexplained == []


def test_papers_name_what_each_prints() -> None:
    for key, paper in PAPERS.items():
        needed = {"title", "authors", "year", "pages", "month", "algorithms", "tables", "figures"}
        assert needed <= set(paper), key
        assert ("journal" in paper) != ("booktitle" in paper), key
        assert set(paper) <= needed | {"journal", "booktitle", "volume", "number", "doi"}, key
        assert str(paper["year"])[-2:] == key[-2:]

"""The catalogue of published tables and figures."""

import tomllib
from pathlib import Path

import pytest

from monpro.report import catalogue, select

ROOT = Path(__file__).parents[2]
PAPERS = tomllib.loads((ROOT / "PAPERS.toml").read_text(encoding="utf-8"))


def test_ids_are_unique_and_belong_to_known_papers() -> None:
    ids = [item.id for item in catalogue()]
    assert len(set(ids)) == len(ids)
    assert {item.paper for item in catalogue()} <= set(PAPERS)


def test_every_table_and_figure_of_koc96_is_there() -> None:
    published = {f"koc96.table{number}" for number in PAPERS["koc96"]["tables"]}
    published |= {f"koc96.figure{number}" for number in PAPERS["koc96"]["figures"]}
    assert {
        item.id for item in catalogue() if item.paper == "koc96" and item.kind != "claim"
    } == published | {"koc96.halves.table"}
    assert all(item.kind in item.id for item in catalogue())


def test_select_takes_an_id_a_paper_or_all() -> None:
    assert [item.id for item in select("koc96.table2")] == ["koc96.table2"]
    assert select("all") == catalogue()
    assert select("koc96") == tuple(item for item in catalogue() if item.paper == "koc96")


@pytest.mark.parametrize("unknown", ["koc96.table9", "koc", "", "table1"])
def test_select_names_what_there_is(unknown: str) -> None:
    with pytest.raises(ValueError, match=r"there is no .*koc96\.table1") as refusal:
        select(unknown)
    assert "\n" not in str(refusal.value)


def test_papers_name_what_each_prints() -> None:
    for key, paper in PAPERS.items():
        needed = {"title", "authors", "year", "pages", "month", "algorithms", "tables", "figures"}
        assert needed <= set(paper), key
        assert ("journal" in paper) != ("booktitle" in paper), key
        assert set(paper) <= needed | {"journal", "booktitle", "volume", "number", "doi"}, key
        assert str(paper["year"])[-2:] == key[-2:]

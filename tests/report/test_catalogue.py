"""The catalogue of published tables and figures."""

import tomllib
from pathlib import Path

import pytest

from monpro.report import Row, Table, catalogue, select
from monpro.report.table import compare

ROOT = Path(__file__).parents[2]
PAPERS = tomllib.loads((ROOT / "PAPERS.toml").read_text(encoding="utf-8"))


def test_ids_are_unique_and_belong_to_known_papers() -> None:
    ids = [item.id for item in catalogue()]
    assert len(set(ids)) == len(ids)
    assert {item.paper for item in catalogue()} <= set(PAPERS)


def test_every_table_and_figure_of_koc96_is_there() -> None:
    published = {f"koc96.table{number}" for number in PAPERS["koc96"]["tables"]}
    published |= {f"koc96.figure{number}" for number in PAPERS["koc96"]["figures"]}
    assert {item.id for item in catalogue() if item.paper == "koc96" and item.kind != "claim"} == published
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


def test_a_difference_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="reason"):
        compare("label", "1", "2")
    assert compare("label", "1", "2", "why").difference == "differs"
    assert compare("label", None, "2").agrees is None
    assert Row("label", 2.0, 3.0, agrees=None).difference == "+50 %"


def test_no_difference_is_told_of_equal_entries_only() -> None:
    assert Row("label", 222, 202.8, agrees=True).difference == "-9 %"
    assert Row("label", 222, 222, agrees=True).difference == "none"
    assert Row("label", "about 5 %", "5.6 %", agrees=True).difference == "agrees"
    assert Row("label", "5 %", "5 %", agrees=True).difference == "none"
    assert Row("label", 0, 3, agrees=None).difference == ""


def test_a_table_is_plain_data_for_json() -> None:
    table = Table("x.table1", "A title", (compare("label", "1", "1"),))
    row = {"label": "label", "published": "1", "ours": "1", "agrees": True, "note": ""}
    assert table.as_dict() == {"id": "x.table1", "rows": [row]}


def test_papers_name_what_each_prints() -> None:
    for key, paper in PAPERS.items():
        assert {"title", "authors", "venue", "year", "algorithms", "tables", "figures"} == set(paper), key
        assert str(paper["year"])[-2:] == key[-2:]

"""Rows and tables: what a row refuses, how it tells its difference, and its verdict."""

import json
import math

import pytest

from monpro.report import Figure, Row, Table
from monpro.report.table import SAME, UNEXPLAINED, compare, deviation, judge


def test_a_difference_needs_a_reason() -> None:
    for published, ours in (("1", "2"), (1, 2), (1.0, 1.2)):
        with pytest.raises(ValueError, match="gives no reason"):
            Row("label", published, ours, agrees=False, within=0.1)
        assert compare("label", published, ours, within=0.1).note == UNEXPLAINED
        assert compare("label", published, ours, "why").verdict == "differs"
        assert compare("label", published, ours, reason="why").note == "why"
    assert compare("label", 1.0, 1.1, "note", reason="why", within=0.1).note == "note"
    assert compare("label", 1.0, 1.2, "note", reason="why", within=0.1).note == "note; why"


def test_two_entries_are_always_compared() -> None:
    """A row cannot go without a verdict, or have another one than its entries and tolerance say."""
    for agrees in (None, True):
        with pytest.raises(ValueError, match="its entries say otherwise"):
            Row("label", 100, 200, agrees, "why", within=0.1)
        with pytest.raises(ValueError, match="its entries say otherwise"):
            Row("label", "yes", "no", agrees, "why")
    with pytest.raises(ValueError, match="its entries say otherwise"):
        Row("label", 100, 101, False, "why", within=0.1)
    with pytest.raises(ValueError, match="its entries say otherwise"):
        Row("label", None, 1, agrees=True)


def test_two_numbers_have_a_tolerance() -> None:
    with pytest.raises(ValueError, match="gives no tolerance"):
        Row("label", 1, 1, agrees=True)


def test_the_source_is_a_known_word() -> None:
    assert compare("label", 1, 1, source="counted").source == "counted"
    with pytest.raises(ValueError, match="'guessed'"):
        compare("label", 1, 1, source="guessed")


@pytest.mark.parametrize(
    ("published", "ours", "unit", "difference"),
    [
        (2.0, 3.0, "ms", "+50 %"),
        (120, 114.1, "registers", "-4.9 %"),
        (80, 58.8, "LUTs", "-26 %"),
        (4997, 4224, "LUTs", "-15 %"),
        (222, 222, "", "none"),
        (222, 222.0, "", "none"),
        (100000, 100001, "", "+0.001 %"),
        (14.5, 15.3, "%", "+0.8 points"),
        (28.1, 25.0, "%", "-3.1 points"),
        (5, 5, "%", "none"),
        (1376, 0.5, "µs", "-99.96 %, ÷ 2,752"),
        (2, 30, "", "+1,400 %, × 15"),
        (0, 3, "", "+3"),
        (0, 0, "", "none"),
        (-780, 297, "", "+138 %"),
        ("yes", "no", "", "differs"),
        ("yes", "yes", "", "none"),
        ("about 5", 5, "", "differs"),
        (None, 5, "", ""),
        (5, None, "", ""),
        (100, 101.04, "", "+1.0 %"),
        (100, 110, "", "+10 %"),
        (100, 190, "", "+90 %"),
        (10, 100, "%", "+90 points"),
        (2, 19, "", "+850 %"),
        (2, 20, "", "+900 %, × 10"),
        (100, 15, "", "-85 %"),
        (100, 0, "", "-100 %"),
    ],
)
def test_two_numbers_differ_by_a_number(
    published: str | float | None, ours: str | float | None, unit: str, difference: str
) -> None:
    row = compare("label", published, ours, "why", unit=unit)
    assert row.difference == difference


def test_the_verdict_follows_from_entries_and_tolerance() -> None:
    assert compare("label", 100, 100, within=0.1).verdict == "exact"
    assert compare("label", 100, 110, within=0.1).verdict == "within"
    assert compare("label", 100, 110.1, "why", within=0.1).verdict == "differs"
    assert compare("label", 100, 110, within=0.1, printed=False).verdict == "derived"
    assert compare("label", 100, 111, "why", within=0.1, printed=False).verdict == "differs"
    assert compare("label", None, 110, within=0.1).verdict == "not compared"
    assert compare("label", "a", "a").verdict == "exact"
    assert compare("label", 14.5, 15.5, unit="%", within=0.01).verdict == "within"
    assert compare("label", 14.5, 15.6, "why", unit="%", within=0.01).verdict == "differs"


def test_a_difference_as_large_as_the_tolerance_is_within() -> None:
    assert deviation(10**12, 10**12 + 1) == SAME
    assert judge(10**12, 10**12 + 1, 0)
    assert not judge(10**12, 10**12 + 2, 0)
    assert deviation(20, 30, "%") == 0.1
    assert judge(20, 30, 0.1, "%")


def test_an_entry_was_printed_unless_told_otherwise() -> None:
    assert Row("label", 1, 1, True, within=0).verdict == "exact"


def test_a_row_shows_its_tolerance() -> None:
    assert compare("label", 1, 1).tolerance == "exact"
    assert compare("label", 100, 110, within=0.1).tolerance == "± 10 %"
    assert compare("label", 9.4, 9.4, within=0.05 / 9.4).tolerance == "± 0.53 %"
    assert compare("label", 5.0, 5.6, unit="%", within=0.01).tolerance == "± 1 point"
    assert compare("label", 5.0, 5.6, unit="%", within=0.02).tolerance == "± 2 points"
    assert compare("label", None, 1, within=0.1).tolerance == ""


def test_tables_and_figures_are_plain_data_for_json() -> None:
    row = compare("label", 2, 3, "why", within=0.1, unit="ms", printed=False, source="timed")
    table = Table("x.table1", "A title", (row,))
    assert table.as_dict() == {
        "id": "x.table1",
        "title": "A title",
        "rows": [
            {
                "label": "label",
                "published": 2,
                "ours": 3,
                "unit": "ms",
                "difference": "+50 %",
                "deviation": 0.5,
                "tolerance": "± 10 %",
                "within": 0.1,
                "verdict": "differs",
                "printed": False,
                "source": "timed",
                "note": "why",
            }
        ],
    }
    figure = Figure("x.figure1", "A title", "<svg/>", "the drawing is lost")
    assert figure.as_dict() == {
        "id": "x.figure1",
        "title": "A title",
        "svg": "<svg/>",
        "reconstructed": "the drawing is lost",
    }
    from_nothing = compare("label", 0, 3, "why").as_dict()
    assert from_nothing["deviation"] is None
    assert not math.isnan(json.loads(json.dumps(from_nothing, allow_nan=False))["ours"])

"""Tables 1 to 3 of [koc96]: derived entries against printed entries."""

import pytest

from monpro import _native
from monpro.report import Table
from monpro.report.koc96 import table1, table2, table3
from monpro.results.koc96_accesses import Executed
from monpro.spec import koc96


def wrong_rows(table: Table) -> dict[str, object]:
    return {row.label: row.ours for row in table.rows if row.agrees is False}


def test_table_1_agrees_except_for_the_cihs_that_was_corrected() -> None:
    table = table1.build()
    assert wrong_rows(table) == {
        "CIHS corrected, add": "4.5s² + 4.5s + 2",
        "CIHS corrected, read": "7s² + 7s + 2",
    }
    assert sum(row.agrees is True for row in table.rows) == 5 * 5 + 3


def test_table_1_is_counted_and_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """If one method replaces another, the entries are those of the method that ran."""
    swapped = ("SOS", koc96.cios, "SOS", "another method")
    monkeypatch.setattr(table1, "METHODS", (swapped,))
    assert wrong_rows(table1.build()) == {
        "SOS, read": "6s² + 7s + 2",
        "SOS, write": "2s² + 5s + 1",
        "SOS, space": "s + 3",
    }


def test_table_1_adds_the_unimproved_cios_that_the_paper_does_not_count() -> None:
    rows = {row.label: row for row in table1.build().rows}
    reads = rows["CIOS unimproved, read"]
    assert (reads.published, reads.ours, reads.agrees) == (None, "7s² + 8s + 2", None)


def test_table_2_agrees_except_for_the_subtraction_taken_literally() -> None:
    table = table2.build()
    assert wrong_rows(table) == {"Final Subtraction, its statements": "0, 2s + 1, 2s + 1, s + 1 × 1"}
    assert [row.label for row in table.rows[:13]] == [
        printed.replace("b[j]*a[i]", "a[j]*b[i]") for printed, _ in table2.PUBLISHED
    ]
    assert len(table.rows) == 13 + 2 + 4


def test_table_2_totals_are_the_sums_of_its_lines() -> None:
    """The printed lines, multiplied out at s = 4, give the printed totals. This checks the typed-in data."""
    s = 4
    times = {"s": s, "s²": s * s, "s² - s": s * s - s}
    lines = [entry.split(" × ") for _, entry in table2.PUBLISHED]
    sums = [
        sum(int(costs.split(", ")[column]) * times[count] for costs, count in lines) for column in range(4)
    ]
    subtraction = [0, 2 * s + 2, 2 * s + 2, s + 1]
    totals = [2 * s * s + s, 4 * s * s + 4 * s + 2, 6 * s * s + 7 * s + 2, 2 * s * s + 5 * s + 1]
    assert [x + y for x, y in zip(sums, subtraction, strict=True)] == totals


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table3, "ROUNDS", 2)
    monkeypatch.setattr(table3, "BATCH_SECONDS", 0.001)


@pytest.mark.usefixtures("quick")
def test_table_3_measures_every_method_at_every_size() -> None:
    steps: list[tuple[int, int]] = []
    table = table3.build(lambda done, total: steps.append((done, total)))
    assert isinstance(table, Table)
    labels = [row.label for row in table.rows]
    assert len(set(labels)) == len(labels)
    for pair in table3.PAIRS:
        for method in table3.METHODS:
            assert f"{method} code, {pair}" in labels
            for bits in table3.SIZES_BITS:
                assert f"{method} {bits} bits, {pair}" in labels
                assert (f"{method}/CIOS {bits} bits, {pair}" in labels) == (method != "CIOS")
    assert steps[-1] == (2, 2)


@pytest.mark.usefixtures("quick")
def test_table_3_times_grow_with_the_size() -> None:
    measured = table3.measure(lambda *_: None)
    for narrow, wide in zip(measured[512], measured[2048], strict=True):
        for method in table3.METHODS:
            assert 0 < 2 * narrow.time(method) < wide.time(method)


def test_table_3_states_the_orders_of_the_print() -> None:
    for bits in table3.SIZES_BITS:
        in_c, in_assembler = table3.published(bits)
        assert in_c.order() == ["CIOS", "SOS", "FIOS", "FIPS", "CIHS"]
        assert in_assembler.order()[:2] == ["CIOS", "FIOS"]


def test_table_3_judges_orders_and_ratios() -> None:
    in_c, in_assembler = table3.published(512)
    assert all(row.agrees for row in table3.order_rows(512, in_c, in_c))
    assert table3.ratio_row("FIPS", 512, in_c, in_c).agrees
    assert [row.agrees for row in table3.order_rows(512, in_c, in_assembler)] == [False, True]
    reversed_times = {method: [5.0 - place] for place, method in enumerate(table3.METHODS)}
    ours = table3.Series("w=64", reversed_times)
    assert not any(row.agrees for row in table3.order_rows(512, in_c, ours))
    assert not table3.ratio_row("FIPS", 512, in_c, ours).agrees


def test_table_3_shows_the_spread_of_its_ratios() -> None:
    ours = table3.Series("w=32", {"CIOS": [1.0, 2.0, 4.0], "SOS": [2.0, 2.0, 2.0]})
    row = table3.ratio_row("SOS", 512, table3.published(512)[0], ours)
    assert row.ours == 1.0
    assert row.note.startswith("0.50 to 2.00 in 3 rounds")


def test_table_3_tells_nanoseconds_in_microseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time has three decimal places, a ratio two."""
    monkeypatch.setattr(_native, "time_products", lambda *_: (1234.5678,))
    monkeypatch.setattr(table3, "ROUNDS", 1)
    ours = table3.measure(lambda *_: None)[512][0]
    row = table3.time_row("SOS", 512, table3.published(512)[0], ours)
    assert (row.ours, row.unit) == (1.235, "µs")
    thirds = table3.Series("w=32", {"CIOS": [3.0], "SOS": [4.0]})
    assert table3.ratio_row("SOS", 512, table3.published(512)[0], thirds).ours == 1.33


def test_table_3_says_of_the_fastest_method_why_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table3, "reason", lambda method, width: f"{method} of {width}")
    times = {method: [5.0 - place] for place, method in enumerate(table3.METHODS)}
    rows = table3.order_rows(512, table3.published(512)[0], table3.Series("w=64", times))
    assert [row.note for row in rows] == ["CIHS of w=64"] * 2


def test_table_3_says_why_a_size_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_symbols(_address: int) -> int:
        raise LookupError("its symbols are stripped")

    monkeypatch.setattr(table3, "code_size_bytes", without_symbols)
    row = table3.code_size_row(0, "SOS", "C", "w=32")
    assert (row.published, row.ours, row.note) == (1084, None, "not known: its symbols are stripped")


def test_table_3_gives_what_was_counted_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table3, "recorded", lambda: {"fios": Executed(24, 5), "cios": Executed(26, 7)})
    assert "FIOS executes 0.92 of CIOS' instructions and 0.71 of its memory" in table3.reason("FIOS", "w=64")
    assert table3.reason("FIOS", "w=32") == table3.NOT_COUNTED
    assert table3.reason("CIOS", "w=64") == table3.OTHER_MACHINE

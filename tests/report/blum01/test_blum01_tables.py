"""The tables of blum01: clocks equal the printed clocks, and every time follows from its clocks."""

import pytest

from monpro.flow import tools
from monpro.report import Table, select
from monpro.report.blum01 import designs, section6, table1, table2
from monpro.report.item import Item

IDS = ("blum01.table1", "blum01.table2", "blum01.table3", "blum01.table4")


def preview(item: Item) -> Table:
    table = (item.preview or item.build)()
    assert isinstance(table, Table)
    return table


def test_everything_of_the_paper_with_numbers_is_there() -> None:
    assert tuple(item.id for item in select("blum01")) == IDS


@pytest.mark.parametrize("item", select("blum01"), ids=lambda item: item.id)
def test_all_clocks_agree(item: Item) -> None:
    clocks = [row for row in preview(item).rows if row.label.endswith("clocks")]
    assert all(row.agrees for row in clocks)
    assert len(clocks) == {"blum01.table2": 6, "blum01.table3": 4, "blum01.table4": 8}.get(item.id, 0)


def test_the_times_agree_but_for_one_that_has_a_clock_of_its_own() -> None:
    differing = {
        row.label
        for item in select("blum01")
        for row in preview(item).rows
        if row.label.endswith(", time") and row.agrees is False
    }
    assert differing == {"radix 16, 512 bit, 2 × 256 parallel, time"}


def test_a_time_by_the_clock_that_it_tells_itself_proves_nothing() -> None:
    circular = {
        row.label: row.verdict
        for item in select("blum01")
        for row in preview(item).rows
        if row.note.startswith("circular")
    }
    assert circular == {
        "radix 2, 768 bit, full exponentiation, time": "not compared",
        "radix 16, 768 bit, full exponentiation, time": "not compared",
        "radix 2, 512 bit, 2 × 256 serial, time": "not compared",
        "radix 16, 512 bit, 2 × 256 serial, time": "not compared",
    }


def figures(luts: int, ffs: int, fmax_mhz: float) -> dict[str, object]:
    return {"luts": luts, "memory_luts": 100, "ffs": ffs, "fmax_mhz": fmax_mhz}


def test_areas_and_clocks_are_those_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = {
        "systolic-512": figures(6900, 5000, 100.0),
        "systolic-1024": figures(13000, 9000, 80.0),
        "systolic-512-radix2": figures(3000, 5109, 125.0),
    }
    monkeypatch.setattr(designs, "recorded_figures", lambda _target: recorded)
    rows = {row.label: row for row in table1.build().rows}
    assert rows["radix 16, 512 bit, CLBs"].ours == 3500
    assert rows["radix 16, 512 bit, CLBs"].agrees
    assert rows["radix 2, 512 bit, CLBs"].ours == 2555.0
    assert rows["radix 16, 512 bit, clock period"].ours == 10.0
    assert rows["radix 16, CLBs of a unit"].ours == round((6550 - 3500) / 128, 1)
    assert rows["radix 16, 256 bit, CLBs"].ours is None
    rows = {row.label: row for row in table2.preview().rows}
    assert rows["radix 16, 512 bit, full exponentiation, time, ECP5"].ours == round(141_864 / 1e5, 3)
    assert rows["radix 2 : radix 16, 512 bit, CLBs"].ours == 0.73


def test_software_is_timed_where_openssl_is(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"version": "OpenSSL 9.9 1 Jan", "speed": "+R:1\n+F2:0:1024:10000.0:200000.0\n"}
    monkeypatch.setattr(section6, "which", lambda _program: "/openssl")
    monkeypatch.setattr(section6, "_answer", lambda command: answers[command[1]])
    assert section6.openssl_ms(1024) == (0.1, "OpenSSL 9.9")
    answers["speed"] = ""
    assert section6.openssl_ms(512) == (None, "OpenSSL 9.9 1 Jan does not time RSA of 512 bits")
    monkeypatch.setattr(section6, "which", lambda _program: None)
    assert section6.openssl_ms(512) == (None, section6.NO_OPENSSL)
    rows = {row.label: row for row in section6.comparison(measured=True)}
    assert rows["1024 bit, software"].ours is None


@pytest.mark.slow
def test_the_clocks_of_table_2_are_counted_in_rtl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "LARGEST_IN_RTL", 1026)
    tools.find("verilator")
    clocks = [row for row in table2.build().rows if row.label.endswith("clocks")]
    assert len(clocks) == 6
    assert all(row.agrees and row.note == "print: its formula; ours: RTL" for row in clocks)

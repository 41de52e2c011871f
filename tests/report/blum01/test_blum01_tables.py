"""The tables of blum01: clocks equal the printed clocks, and every time follows from its clocks."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from monpro.cli import load
from monpro.cli.hardware import make_core
from monpro.cores.systolic import Systolic
from monpro.flow import tools
from monpro.report import Claim, Table, select
from monpro.report.blum01 import claims, clocks, designs, section6, table1, table2, table3, table4
from monpro.report.item import Item
from monpro.report.table import Row
from monpro.spec import blum01

TABLES = [item for item in select("blum01") if item.kind == "table"]


def preview(item: Item) -> Table:
    table = (item.preview or item.build)()
    assert isinstance(table, Table)
    return table


def claim_of(item: Item) -> Claim:
    result = item.build()
    assert isinstance(result, Claim)
    return result


CLOCK_ROWS = {"blum01.table2": 6, "blum01.table3": 4, "blum01.table4": 8}


def clock_rows(item: Item, ending: str = "clocks") -> list[Row]:
    return [row for row in preview(item).rows if row.label.endswith(f", {ending}")]


@pytest.mark.parametrize("item", TABLES, ids=lambda item: item.id)
def test_all_clocks_agree(item: Item) -> None:
    for ending in ("clocks", "clocks by the cycle model"):
        verdicts = [row.verdict for row in clock_rows(item, ending)]
        assert verdicts == ["derived"] * CLOCK_ROWS.get(item.id, 0)


def test_a_wrong_formula_turns_the_clocks_red(monkeypatch: pytest.MonkeyPatch) -> None:
    """The printed formula and that of the cycle model: rows differ if one is wrong, so none tests itself."""

    def verdicts(ending: str) -> set[str]:
        return {row.verdict for item in TABLES for row in clock_rows(item, ending)}

    with monkeypatch.context() as patched:
        patched.setattr(designs, "printed_clocks", lambda _k, n, m: 2 * (n + 2) * (m + 11))
        assert verdicts("clocks") == verdicts("clocks by the cycle model") == {"differs"}
    clocks.law.cache_clear()
    clocks.fewest.cache_clear()
    monkeypatch.setattr(blum01, "product_cycles", lambda m, _k: 7 * m + 1)
    assert verdicts("clocks") == {"derived"}
    assert verdicts("clocks by the cycle model") == {"differs"}


@pytest.mark.parametrize("radix_log2", [1, 4])
def test_clocks_are_counted_in_the_register_model(radix_log2: int) -> None:
    """At a size that the law was not made of, powers come out right at its pitch and not at a shorter one."""
    expected = int(clocks.law(radix_log2).number(m=5, s=17))
    power = clocks.Power.random(17, radix_log2, exponent_bits=5, seed=7)
    pitch = expected // 7
    assert clocks.counted(power, pitch) == expected == designs.printed_clocks(radix_log2, 5, 17)
    assert clocks.counted(power, pitch - 1) is None
    assert clocks.at_size(17, radix_log2, 5) == expected


def test_an_array_that_breaks_the_law_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.law(4)
    monkeypatch.setattr(clocks, "counted", lambda _power, _pitch: None)
    with pytest.raises(ValueError, match="an array of 7 digits computes nothing right"):
        clocks.fewest(7, 4, 1)
    with pytest.raises(ValueError, match="the array of 19 digits does not keep to the clocks"):
        clocks.at_size(19, 4, 5)


def test_the_times_agree_but_for_one_that_has_a_clock_of_its_own() -> None:
    differing = {
        row.label
        for item in TABLES
        for row in preview(item).rows
        if row.label.endswith(", time") and row.agrees is False
    }
    assert differing == {"radix 16, 512 bit, 2 × 256 parallel, time"}


def test_a_time_by_the_clock_that_it_tells_itself_proves_nothing() -> None:
    circular = {
        row.label: row.verdict
        for item in TABLES
        for row in preview(item).rows
        if row.note.startswith("circular")
    }
    assert circular == {
        "radix 2, 768 bit, full exponentiation, time": "not compared",
        "radix 16, 768 bit, full exponentiation, time": "not compared",
        "radix 2, 512 bit, 2 × 256 serial, time": "not compared",
        "radix 16, 512 bit, 2 × 256 serial, time": "not compared",
    }


def test_the_clocks_behind_a_period_are_those_of_the_printed_formulas() -> None:
    def halves(k: int, bits: int) -> int:
        return 2 * designs.printed_clocks(k, bits, bits // k)

    def full(k: int, bits: int) -> int:
        return designs.printed_clocks(k, bits, bits // k)

    printed = {key: clock.clocks for key, clock in designs.CLOCKS.items()}
    assert printed.pop((4, 1024)) == designs.CLOCK_OF_SECTION_7.clocks == 45_600
    assert printed.pop((1, 1024)) == designs.printed_clocks(1, designs.F4.bit_length(), 1024)
    assert printed == {
        **{(k, bits): halves(k, bits) for k in designs.RADICES_LOG2 for bits in table4.HALVES_BITS},
        **{(k, 768): full(k, 768) for k in designs.RADICES_LOG2},
    }
    assert table3.RADIX_2_CLOCK.clocks == full(1, 1024)
    assert {key: clock.clocks for key, clock in table4.CLOCKS_TOLD_ELSEWHERE.items()} == {
        ("serial", 1, 512): full(1, 512),
        ("parallel", 1, 512): full(1, 1024),
        ("parallel", 4, 256): halves(4, 256),
        ("serial", 4, 512): full(4, 512),
        ("parallel", 4, 512): 45_600,
    }


@pytest.mark.parametrize("table", [table2, table3, table4])
def test_a_table_that_is_built_counts_in_rtl(table: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def cycles(core: Systolic, e: int, *, rtl: bool) -> designs.Counted:
        asked.append(rtl)
        return designs.cycles(core, e, rtl=False)

    def comparison(*, measured: bool) -> list[Row]:
        asked.append(measured)
        return []

    monkeypatch.setattr(table, "cycles", cycles)
    monkeypatch.setattr(table4, "comparison", comparison)
    table.build()
    assert set(asked) == {True}
    asked.clear()
    table.preview()
    assert set(asked) == {False}


def figures(luts: int, ffs: int, fmax_mhz: float) -> dict[str, object]:
    return {"luts": luts, "memory_luts": 100, "ffs": ffs, "fmax_mhz": fmax_mhz}


def test_areas_and_clocks_are_those_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = {
        "systolic-512": figures(6900, 5000, 100.0),
        "systolic-1024": figures(13000, 9000, 80.0),
        "systolic-512-radix2-u4": figures(3000, 5109, 125.0),
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


def test_a_figure_of_two_areas_needs_both(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded: dict[str, object] = {}
    monkeypatch.setattr(designs, "recorded_figures", lambda _target: recorded)
    for one in ("systolic-512", "systolic-1024", "systolic-512-radix2-u4"):
        recorded.clear()
        recorded[one] = figures(6900, 5000, 100.0)
        assert table1.unit_row().ours is None
        assert claims.unit_growth(4, "ffs") is None
        assert "radix 2 : radix 16, 512 bit, CLBs" not in {row.label for row in table2.preview().rows}


def test_the_command_beside_a_missing_figure_records_that_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command is one that the command line takes, for the design and the target of its row."""
    monkeypatch.setattr(designs, "figures", lambda *_: None)
    rows = [row for item in TABLES for row in preview(item).rows if row.source == "recorded"]
    notes = {row.label: row.note for row in rows if row.ours is None and "ratio" not in row.label}
    told = {label: note.partition("results/: ")[2].split() for label, note in notes.items()}
    found = {}
    for label, (program, name, *arguments) in told.items():
        assert (program, name) == ("monpro", "synth")
        given = load("synth").make_context("synth", arguments).params
        assert given["record"]
        found[label] = make_core(given["core"], given["bits"], given["settings"]), given["target"]
    assert found["radix 2, 768 bit, clock period"] == (designs.design(1, 768), "ecp5")
    assert found["radix 16, 512 bit, 2 × 256 parallel, CLBs"] == (designs.design(4, 256), "xc2v")
    assert {target for label, (_, target) in found.items() if "CLBs" in label} == {"xc2v"}
    assert {target for label, (_, target) in found.items() if "ECP5" in label} == {"ecp5"}


def test_the_printed_ratios_follow_from_the_printed_times() -> None:
    rows = {row.label.removesuffix(": slower by"): row for row in section6.claim_rows()}
    assert [row.ours for row in rows.values()] == [
        round(r, 2) for r in (9.1 / 0.79, 43.3 / 3.1, 1.7 / 0.79, 5.2 / 2.8)
    ]
    assert {row.verdict for row in rows.values()} == {"within"}
    assert rows["970 bit, FPGAs of Vuillemin et al."].note == "by the printed times, 5.2 and 2.8 ms"


def test_the_areas_of_table_2_stand_in_table_3_too() -> None:
    rows = {
        row.label: row.published
        for item in TABLES
        for row in preview(item).rows
        if item.id == "blum01.table3"
    }
    areas = [rows[f"radix {radix}, {bits} bit, CLBs"] for bits in (512, 1024) for radix in (2, 16)]
    assert areas == [2555, 3413, 4865, 6633]


def test_software_is_timed_where_openssl_is(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"version": "OpenSSL 9.9 1 Jan", "speed": "+R:1\n+F2:0:1024:10000.0:200000.0\n"}
    monkeypatch.setattr(section6, "which", lambda _program: "/openssl")
    monkeypatch.setattr(section6, "_answer", lambda command: answers[command[1]])
    assert section6.openssl_ms(1024) == (0.1, "OpenSSL 9.9")
    answers["speed"] = ""
    assert section6.openssl_ms(512) == (None, "OpenSSL 9.9 1 Jan does not time RSA of 512 bits")
    monkeypatch.setattr(section6, "which", lambda _program: None)
    assert section6.openssl_ms(512) == (None, section6.NO_OPENSSL)
    monkeypatch.setattr(section6, "SECONDS", 0.01)
    rows = {row.label: row for row in section6.comparison(measured=True)}
    assert rows["1024 bit, software: OpenSSL"].ours is None
    monpro = rows["1024 bit, software: monpro"]
    assert isinstance(monpro.ours, float)
    assert 0 < monpro.ours < 43.3
    assert ", ÷ " in monpro.difference


def test_clocks_in_rtl_leave_out_the_conversions(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are those of one power modulo 2^n − 1, of designs that are not too long, where Verilator is."""
    core, simulated = designs.design(4, 12), []

    def exponentiate(core: Systolic, powers: list[tuple[int, int, int]]) -> Iterator[SimpleNamespace]:
        simulated.extend(powers)
        return iter([SimpleNamespace(cycles=core.overhead_cycles + 77)])

    monkeypatch.setattr(designs, "exponentiate", exponentiate)
    monkeypatch.setattr(tools, "is_available", lambda name: name == "verilator")
    monkeypatch.setattr(designs, "LARGEST_IN_RTL", core.digits)
    assert designs.cycles(core, 65537, rtl=True) == (77, "RTL")
    ((x, e, n),) = simulated
    assert (e, n) == (65537, (1 << 12) - 1)
    assert 0 < x < n
    in_model = (designs.printed_clocks(4, 17, core.digits), "register model")
    monkeypatch.setattr(designs, "LARGEST_IN_RTL", core.digits - 1)
    assert designs.cycles(core, 65537, rtl=True) == in_model
    monkeypatch.setattr(designs, "LARGEST_IN_RTL", core.digits)
    monkeypatch.setattr(tools, "is_available", lambda _name: False)
    assert designs.cycles(core, 65537, rtl=True) == in_model


def test_a_program_answers_by_its_output_whatever_its_status() -> None:
    script = r"import sys; sys.stdout.buffer.write(b'1.5\xff\n'); sys.exit(3)"
    assert section6._answer([sys.executable, "-c", script]) == "1.5\N{REPLACEMENT CHARACTER}\n"


def test_monpro_is_timed_until_a_second_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of all operations, divided by their number."""
    seconds = iter([10.0, 10.0, 10.5, 11.0, 11.25])
    monkeypatch.setattr(section6, "perf_counter", lambda: next(seconds))
    assert section6.monpro_ms(512) == (625.0, "monpro, blinded and checked")


def test_software_stands_beside_the_paper_and_beside_hardware(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section6, "openssl_ms", lambda _bits: (None, section6.NO_OPENSSL))
    monkeypatch.setattr(section6, "monpro_ms", lambda _bits: (1.23456, "monpro"))
    rows = section6.software_rows(512, 9.1, 3.0)
    assert [(row.label, row.published, row.ours) for row in rows] == [
        ("512 bit, software: OpenSSL", 9.1, None),
        ("512 bit, software : hardware, OpenSSL", 11.5, None),
        ("512 bit, software: monpro", 9.1, 1.2346),
        ("512 bit, software : hardware, monpro", 11.5, 0.412),
    ]
    assert [row.printed for row in rows] == [True, False, True, False]
    assert [row.ours for row in section6.software_rows(1024, 43.3, None)] == [None, None, 1.2346, None]


@pytest.mark.slow
def test_the_clocks_of_table_2_are_counted_in_rtl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "LARGEST_IN_RTL", 1026)
    tools.find("verilator")
    rows = [row for row in table2.build().rows if row.label.endswith(", clocks")]
    assert len(rows) == 6
    assert all(row.agrees and row.note == "print: its formula; ours: RTL" for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("bits", table2.SIZES_BITS)
def test_the_clocks_of_long_radix_2_designs_are_counted_in_the_register_model(bits: int) -> None:
    assert clocks.at_size(bits, 1, bits) == designs.printed_clocks(1, bits, bits)


def test_what_is_not_recorded_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "figures", lambda *_: None)
    monkeypatch.setattr(table1, "clbs", lambda _: None)
    missing = designs.not_recorded(designs.design(4, 1024), designs.AREA_TARGET)
    unit = claim_of(claims.unit)
    assert (unit.verdict, unit.reason) == ("not tested", missing)
    assert table1.unit_row().note == missing


def test_a_unit_is_told_to_a_tenth_of_a_clb(monkeypatch: pytest.MonkeyPatch) -> None:
    """12.3 flip-flops for a bit are 49.2 for a digit of four bits, two of which a CLB has."""
    monkeypatch.setattr(claims, "unit_growth", lambda _k, key: 12.3 if key == "ffs" else 0.0)
    assert claim_of(claims.unit).ours == 24.6


@pytest.mark.parametrize(
    ("item", "missing", "named"),
    [
        (claims.design_of_160_bits, (4, 160), (4, 160)),
        (claims.design_of_160_bits, (1, 160), (4, 160)),
        (claims.radix_2_smaller, (1, 512), (1, 512)),
        (claims.radix_2_smaller, (4, 512), (1, 512)),
        (claims.area_overhead, (4, 160), (4, 1024)),
        (claims.area_overhead, (4, 512), (4, 1024)),
        (claims.area_overhead, (4, 1024), (4, 1024)),
    ],
)
def test_a_claim_without_one_of_its_designs_is_not_tested(
    item: Item, missing: tuple[int, int], named: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clbs, absent = designs.clbs, designs.design(*missing)
    monkeypatch.setattr(claims, "clbs", lambda core: None if core == absent else clbs(core))
    claim = claim_of(item)
    command = designs.not_recorded(designs.design(*named), designs.AREA_TARGET)
    assert (claim.verdict, claim.reason) == ("not tested", command)


@pytest.mark.parametrize(
    ("small", "large", "verdict"),
    [
        (240, 400, "agreed"),
        (360, 600, "agreed"),
        (239.9, 500, "differs"),
        (360.1, 500, "differs"),
        (300, 399.9, "differs"),
        (300, 600.1, "differs"),
    ],
)
def test_the_overhead_agrees_within_a_fifth(
    small: float, large: float, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "overhead", lambda _k, bits: {160: small, 1024: large}[bits])
    assert claim_of(claims.area_overhead).verdict == verdict


@pytest.mark.parametrize(("radix_log2", "factor", "told"), [(4, 1.33, "33 %"), (1, 4.0, "300 %")])
def test_routing_adds_what_a_period_is_above_the_optimal_one(
    radix_log2: int, factor: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    optimal = {bits: designs.CLOCKS[radix_log2, bits].period_ns / factor for bits in claims.SIZES_BITS}
    monkeypatch.setattr(claims, "OPTIMAL_NS", optimal)
    assert claim_of(claims.routing).reason.count(told) == 2


def test_routing_is_a_mean_to_one_per_cent(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (designs.CLOCKS[4, bits].period_ns for bits in claims.SIZES_BITS)
    monkeypatch.setattr(claims, "OPTIMAL_NS", {512: small / 1.32, 1024: large / 1.34})
    assert claim_of(claims.routing).ours == 33.0

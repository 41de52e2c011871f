"""Tables I to III of [kuang16]: derived entries against the published entries that are known."""

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from monpro.flow import synthesis_records
from monpro.flow.synthesise import Figures
from monpro.report import Table
from monpro.report.item import silent
from monpro.report.kuang16 import library, table1, table2, table3
from monpro.report.kuang16.cells import FCS_MM_1, FCS_MM_2, FCS_MMM42, NEW, NEW_PLAIN, Datapath
from monpro.report.kuang16.library import area, delay, expression
from monpro.results import machine
from monpro.spec import kuang16

ROOT = Path(__file__).parents[3]


def wrong_rows(table: Table) -> set[str]:
    return {row.label for row in table.rows if row.agrees is False}


def test_unit_gates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CELLS", library.unit_gates())
    assert area(Counter(FA=1)) == delay(["FA"]) == 1.0
    assert area(Counter(FA=1, MUX2=2, NAND2=1)) == (7 + 6 + 1) / 7
    assert delay(["XOR2", "NAND2"]) == 3 / 4
    assert expression(Counter(FA=2, REG=1)) == "2 FA + REG"


def test_unit_gates_of_a_cell_are_those_of_its_parts() -> None:
    areas, delays = library.unit_gates().areas, library.unit_gates().delays
    assert {areas["NAND2"], areas["AND2"], delays["NAND2"], delays["AND2"]} == {1}
    assert (areas["XOR2"], delays["XOR2"], areas["REG"]) == (2, 2, 6)
    assert areas["MUX2"] == areas["MUXI2"] == 2 * areas["AND2"] + areas["NAND2"]
    assert delays["MUX2"] == delays["MUXI2"] == delays["AND2"] + delays["NAND2"]
    assert areas["FA"] == 2 * areas["XOR2"] + 3 * areas["NAND2"]
    assert areas["XOR3"] == 2 * areas["XOR2"]
    assert delays["FA"] == delays["XOR3"] == 2 * delays["XOR2"]
    assert (areas["MUX3"], areas["MUX4"]) == (2 * areas["MUX2"], 3 * areas["MUX2"])
    assert delays["MUX3"] == delays["MUX4"] == 2 * delays["MUX2"]
    assert areas["SR"] == areas["REG"] + areas["MUX2"]
    assert areas["CFA"] == areas["FA"] + areas["NAND2"] + areas["MUXI2"]
    assert areas["SM3"] == areas["MUX2"] + areas["NAND2"] + areas["MUXI2"]
    assert delays["SM3"] == delays["MUXI2"] + delays["MUX2"]


def test_no_statement_about_table_1_holds_of_designs_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = SimpleNamespace(area=1.0, delay=1.0)
    for name in ("SCS_MM_1", "SCS_MM_2", "FCS_MM_1", "FCS_MM_2", "FCS_MMM42", "NEW"):
        monkeypatch.setattr(table1, name, alike)
    monkeypatch.setattr(table1, "TABLE_1", (alike,))
    assert not any(holds for _, holds, _ in table1.claims())


@pytest.mark.parametrize(("area_of_new", "is_much_smaller"), [(0.7, True), (0.8, False), (0.9, False)])
def test_much_smaller_is_less_than_four_fifths(
    area_of_new: float, is_much_smaller: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table1, "NEW", SimpleNamespace(area=area_of_new, delay=1.0))
    monkeypatch.setattr(table1, "FCS_MMM42", SimpleNamespace(area=1.0, delay=1.0))
    holds = {statement: holds for statement, holds, _ in table1.claims()}
    assert holds["New much smaller than FCS-MMM42"] is is_much_smaller


def test_table_1_tells_by_how_much_new_is_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a design that is forty times as large as the plain one: 3900 %."""
    monkeypatch.setattr(table1, "NEW", SimpleNamespace(area=40.0, delay=1.0))
    monkeypatch.setattr(table1, "NEW_PLAIN", SimpleNamespace(area=1.0, delay=1.0))
    monkeypatch.setattr(table1, "DESIGNS", ())
    rows = {row.label: row for row in table1.build().rows}
    assert rows["area of the configurable adder"].ours == 3900.0
    assert rows["New smaller than FCS-MM-2"].note == library.NAME
    assert rows["New smaller than FCS-MM-1"].note == table1.LARGE_MUX


def test_every_statement_about_table_1_holds_by_the_cells_of_the_library() -> None:
    assert library.NAME == "OSU 0.18 µm cells"
    assert wrong_rows(table1.build()) == {"area of the configurable adder"}


def test_fcs_mm_2_has_the_cells_that_the_text_adds_to_fcs_mm_1() -> None:
    """Two multiplexers and two registers for D; one level of adders less, and no gates before them."""
    more = Counter(FCS_MM_2.cells)
    more.subtract(FCS_MM_1.cells)
    assert {cell: count for cell, count in more.items() if count} == {
        "MUX4": 2,
        "REG": 2,
        "FA": -1,
        "AND2": -3,
    }


def test_table_1_differs_where_unit_gates_are_too_coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "CELLS", library.unit_gates())
    assert wrong_rows(table1.build()) == {
        "New smaller than FCS-MM-1",
        "New's path the shortest of the table",
    }


def test_table_1_is_computed_from_the_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NEW.cells, "REG", 20)
    wrong = wrong_rows(table1.build())
    assert {"SCS-MM-New, area per bit", "New much smaller than FCS-MMM42"} <= wrong


def test_table_2_derives_what_the_text_implies() -> None:
    rows = {row.label: row for row in table2.build().rows}
    assert rows["MUX4, delay"].published == 0.71
    assert rows["2 MUX2 + XOR3, delay"].published == 1.83
    assert rows["NAND2 + MUXI2, area"].published == 0.48
    assert rows["6 REG + 2 MUX2 + 2 MUX4, area"].published == 7.92
    assert rows["9 REG + 4 MUX2 + 2 MUX4, area"].published == 11.28
    assert rows["3 REG + 2 MUX2, area"].published == 3.36
    assert all(not rows[label].printed for label in rows if "+" in label or "MUX4, delay" in label)
    assert {row.unit for row in rows.values()} == {"T_FA", "A_FA"}


def test_a_cell_of_several_parts_counts_as_its_parts() -> None:
    """SR is a register behind a multiplexer; SM3 a NAND, an inverting multiplexer and a multiplexer."""
    design = Datapath("two cells", Counter(SR=2, SM3=3), ())
    assert table2.without(design, Counter()) == Counter(REG=2, MUX2=5, NAND2=3, MUXI2=3)
    assert table2.without(design, Counter(REG=1, MUX2=6)) == Counter(REG=1, NAND2=3, MUXI2=3)


def test_table_2_differs_in_delays_only() -> None:
    assert all(label.endswith("delay") for label in wrong_rows(table2.build()))


def test_the_sums_of_cells_are_the_printed_ones() -> None:
    """The areas are the paper's own where they are known; one figure, A_REG, is free."""
    for register in (0.7, 0.8, 0.9):
        mux2 = (3.36 - 3 * register) / 2
        mux4 = 2.28 - 1.5 * register
        known = {"FA": 1.0, "REG": register, "MUX2": mux2, "MUX4": mux4, "SR": register + mux2}
        known |= {"CFA": 1.48, "SM3": 0.48 + mux2}
        for design in (NEW, NEW_PLAIN, FCS_MMM42):
            total = sum(known[cell] * count for cell, count in design.cells.items())
            assert total == pytest.approx(design.printed_area)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table3, "SAMPLES", 30)
    monkeypatch.setattr(table3, "ALTERNATIVE_SAMPLES", 30)
    monkeypatch.setattr(table3, "SIZES_BITS", (1024,))


@pytest.mark.usefixtures("quick")
def test_table_3_has_the_cycles_of_every_design(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table3, "recorded", {"osu018": {}}.__getitem__)
    reports: list[tuple[int, int]] = []
    table = table3.build(lambda done, total: reports.append((done, total)))
    rows = {row.label: row for row in table.rows}
    exact = {"SCS-MM-1(32)": 1058, "SCS-MM-1(64)": 1042, "FCS-MM-1": 1026, "FCS-MM-2": 1027}
    for name, cycles in exact.items():
        assert rows[f"{name} 1024, cycles"].ours == cycles
    for name, average in {"SCS-MM-2": 1030.2, "FCS-MMM42": 825.6, "SCS-MM-New": 846.0}.items():
        assert rows[f"{name} 1024, cycles"].ours == pytest.approx(average, rel=0.01)
    assert wrong_rows(table) == {
        "SCS-MM-New 1024, fewer cycles than FCS-MM-1",
        "the same, printed k",
        "cycles of FCS-MMM42 / SCS-MM-New, 1024",
    }
    assert rows["SCS-MM-New 1024, smaller area than FCS-MMM42"].ours is None
    assert reports[-1] == (reports[-1][1], reports[-1][1])
    assert reports == sorted(reports)


@pytest.mark.usefixtures("quick")
def test_table_3_compares_what_synthesis_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    results = {
        "fcs-mmm42-1024-pairs": synthesis_records.Synthesised(area_um2=2e6, delay_ns=4.0),
        "scs-mm-new-1024": synthesis_records.Synthesised(area_um2=1e6, delay_ns=3.0),
    }
    monkeypatch.setattr(table3, "recorded", {"osu018": results}.__getitem__)
    rows = {row.label: row for row in table3.build().rows}
    assert rows["SCS-MM-New 1024, shorter critical path than FCS-MMM42"].ours == 25.0
    assert rows["SCS-MM-New 1024, smaller area than FCS-MMM42"].ours == 50.0
    gain = rows["SCS-MM-New 1024, higher throughput than FCS-MMM42"]
    assert gain.unit == "%"
    assert gain.ours == pytest.approx((4 / 3 * 825.6 / 846.0 - 1) * 100, abs=3)
    product = rows["SCS-MM-New 1024, smaller area–time product than FCS-MMM42"]
    new, mmm42 = (rows[f"{name} 1024, cycles"].ours for name in ("SCS-MM-New", "FCS-MMM42"))
    assert isinstance(new, float)
    assert isinstance(mmm42, float)
    assert product.ours == pytest.approx((1 - 1 / 2 * 3 / 4 * new / mmm42) * 100, abs=0.06)
    ratio = rows["cycles of FCS-MMM42 / SCS-MM-New, 1024"]
    assert ratio.published == round(1.298 * 0.719, 3)
    assert ratio.ours == pytest.approx(825.6 / 846.0, rel=0.01)
    assert rows["SCS-MM-New 1024, critical path, osu018"].ours == 3.0
    assert rows["SCS-MM-New 1024, area, osu018"].ours == 1.0
    assert rows["SCS-MM-New 1024, time, osu018"].ours == pytest.approx(3 * 0.846, rel=0.02)
    for column in table3.COLUMNS:
        row = rows[f"FCS-MM-1 1024, {column}, osu018"]
        assert (row.ours, row.note) == (None, table3.NOT_RECORDED)


@pytest.mark.usefixtures("quick")
def test_table_3_reports_every_hundredth_product() -> None:
    steps: list[tuple[int, int]] = []
    table3.build(lambda done, total: steps.append((done, total)))
    total = steps[-1][1]
    assert [done for done, _ in steps] == [*range(100, total, 100), total]


def test_table_3_tells_how_the_path_of_new_grows() -> None:
    paths = {"scs-mm-new-1024": 2.03, "scs-mm-new-2048": 2.59, "scs-mm-new-2048-constant-time": 2.28}
    results = {name: synthesis_records.Synthesised(1e6, delay_ns) for name, delay_ns in paths.items()}
    assert table3.path_reason(1024, results) == table3.OTHER_LIBRARY
    reason = table3.path_reason(2048, results)
    assert "2.03 ns at 1024 bits, 2.59 ns at 2048" in reason
    assert "33 slices: without skips it has 2.28 ns" in reason
    rtl = (ROOT / "rtl" / "monpro_mul_scs_mm_new.sv").read_text(encoding="utf-8")
    assert f"parameter  int SliceWidth      = {table3.SLICE_WIDTH}," in rtl
    for name in results:
        others = {other: results[other] for other in results if other != name}
        assert table3.path_reason(2048, others) == table3.OTHER_LIBRARY
    assert 32 * table3.SLICE_WIDTH == 2040 + 8
    for bits, slices in ((2040, 32), (2041, 33)):
        others = {name.replace("2048", str(bits)): result for name, result in results.items()}
        assert f"{slices} slices" in table3.path_reason(bits, others)


def test_an_alternative_of_one_sample_takes_the_clocks_of_its_additions() -> None:
    for name, (algorithm, _) in table3.ALTERNATIVES.items():
        adder = kuang16.Adder()
        algorithm(*table3.operands(64, table3.sampler(64)), 64, adder)
        assert table3.Measurement(silent, 1, 1).of_alternative(name, 64) == adder.clocks.total()


def test_as_many_cycles_are_not_more() -> None:
    cycles = dict.fromkeys(table3.DESIGNS, 1000.123)
    rows = {row.label: row.ours for row in table3.cycle_rows(1024, cycles, {})}
    assert rows["SCS-MM-1 and -2 above FCS-MM-1, 1024"] == "no"
    assert rows["FCS-MM-1 1024, cycles"] == 1000.12


def test_the_core_takes_five_clocks_more_than_its_algorithm() -> None:
    """K' = K + 2 costs about one clock of the difference from Fig. 10 with the printed k."""
    bits, chance = 1024, table3.sampler(1024)
    core = table3.Measurement.core("SCS-MM-New", bits)
    printed_k_cycles = k_prime_cycles = 0
    samples = 20
    for operands in (table3.operands(bits, chance) for _ in range(samples)):
        printed_k, k_prime = kuang16.Adder(), kuang16.Adder()
        table3.with_printed_k(*operands, bits, printed_k)
        kuang16.scs_mm_new(*operands, bits + 2, k_prime)
        assert core.run(*operands).cycles == k_prime.clocks.total() + 5
        printed_k_cycles += printed_k.clocks.total()
        k_prime_cycles += k_prime.clocks.total()
    assert 1 <= (k_prime_cycles - printed_k_cycles) / samples <= 2


def figures_of(area_um2: float | None) -> Figures:
    delay_ns = None if area_um2 is None else 3.0
    return Figures(area_um2, 100, delay_ns, luts=None, ffs=None, brams=None, fmax_mhz=None)


def test_what_synthesis_records_is_read_the_newest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert synthesis_records.recorded("osu018", tmp_path) == {}
    for date, area_um2 in (("2026-01-02", 2.0), ("2026-01-01", 1.0)):
        monkeypatch.setattr(machine, "today", lambda date=date: date)
        for configuration, target, recorded_um2 in (
            ("mm-256", "osu018", 9.0),
            ("mm-256", "osu018", area_um2),
            (f"mm-{int(area_um2)}", "osu018", 5.0),
            ("mm-256", "ecp5", None),
        ):
            synthesis_records.record(
                configuration,
                target,
                figures_of(recorded_um2),
                commit="abcdef0",
                tools={"yosys": "0.23"},
                results=tmp_path,
            )
    assert synthesis_records.recorded("osu018", tmp_path) == {
        "mm-256": synthesis_records.Synthesised(2.0, 3.0),
        "mm-1": synthesis_records.Synthesised(5.0, 3.0),
        "mm-2": synthesis_records.Synthesised(5.0, 3.0),
    }
    assert synthesis_records.recorded("ecp5", tmp_path) == {}
    newest = next(tmp_path.glob("*-2026-01-02"))
    recording = json.loads((newest / synthesis_records.FILE).read_text())
    assert recording["machine"]["cpu"]
    assert len(recording["figures"]) == 3
    assert all(figure["commit"] == "abcdef0" for figure in recording["figures"])


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({"fmax_mhz": 99.0}, {"fmax_mhz": None}, {"fmax_mhz": 99.0}),
        ({"fmax_mhz": None, "reason": "has long paths"}, {"fmax_mhz": None}, {"reason": "has long paths"}),
        ({"fmax_mhz": 99.0}, {"fmax_mhz": None, "reason": "has long paths"}, {"fmax_mhz": 99.0}),
        ({"fmax_mhz": 99.0}, {"fmax_mhz": 98.0}, {"fmax_mhz": 98.0}),
    ],
)
def test_what_one_cpu_tells_of_a_clock_is_kept_beside_what_another_does_not_that_day(
    first: dict[str, object], second: dict[str, object], kept: dict[str, object], tmp_path: Path
) -> None:
    for folder, told in {"a-2026-01-01": first, "b-2026-01-01": second}.items():
        figure = {"core": "mm-256", "target": "ecp5", **told}
        recording = {"machine": {"date": "2026-01-01"}, "figures": [figure]}
        (tmp_path / folder).mkdir()
        (tmp_path / folder / synthesis_records.FILE).write_text(json.dumps(recording))
    found = synthesis_records.recorded_figures("ecp5", tmp_path)["mm-256"]
    assert kept.items() <= found.items()


def test_table_3_ranks_the_designs() -> None:
    cycles = dict.fromkeys(table3.DESIGNS, 1000.0) | {"SCS-MM-New": 800.0}
    found = {name: synthesis_records.Synthesised(2e6, 3.0) for name in table3.DESIGNS}
    found |= {
        "SCS-MM-1(64)": synthesis_records.Synthesised(2e6, 9.0),
        "SCS-MM-2": synthesis_records.Synthesised(1e6, 3.0),
        "SCS-MM-New": synthesis_records.Synthesised(1.5e6, 2.0),
    }
    assert all(row.agrees for row in table3.ranking_rows(1024, cycles, found))
    found |= {"FCS-MM-1": synthesis_records.Synthesised(1.2e6, 1.0)}
    rows = {row.label: row for row in table3.ranking_rows(1024, cycles, found)}
    assert [label for label, row in rows.items() if row.agrees] == [
        "longest critical path, 1024",
        "smallest area, 1024",
    ]
    assert rows["shortest critical path, 1024"].ours == "FCS-MM-1"
    assert rows["shortest critical path, 1024"].note.startswith("100.0% more")


@pytest.mark.usefixtures("quick")
def test_the_preview_of_table_3_says_that_it_is_one() -> None:
    preview, full = table3.preview(), table3.build()
    assert [row.label for row in preview.rows] == [row.label for row in full.rows]
    assert preview.title == f"{full.title}; averages over {table3.PREVIEW_SAMPLES} products only"


@pytest.mark.slow
def test_table_3_in_full() -> None:
    """Averages over 10,000 products at 1024 and 2048 bits."""
    rows = {row.label: row for row in table3.build().rows}
    for label, cycles in {
        "SCS-MM-2 1024": 1030.16,
        "SCS-MM-2 2048": 2054.66,
        "FCS-MMM42 1024": 825.30,
        "FCS-MMM42 2048": 1644.42,
        "SCS-MM-New 1024": 845.86,
        "SCS-MM-New 2048": 1671.30,
    }.items():
        assert rows[f"{label}, cycles"].ours == pytest.approx(cycles, abs=0.6)

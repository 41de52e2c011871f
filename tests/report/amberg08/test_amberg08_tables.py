"""The tables of amberg08."""

from dataclasses import replace

import pytest

from monpro.flow import elements
from monpro.flow.elements import Element, ElementDesign
from monpro.report import Table, select
from monpro.report.amberg08 import conclusions, designs, headline
from monpro.report.amberg08.conclusions import BOOTH, PLAIN, RIGHT
from monpro.report.table import Row

ELEMENT = Element(
    luts=140.0, registers=118.0, sequencer_luts=300.0, sequencer_registers=200.0, fmax_mhz=100.0
)


def rows(name: str) -> dict[str, Row]:
    (item,) = select(name)
    table = item.build()
    assert isinstance(table, Table)
    return {row.label: row for row in table.rows}


def test_the_clocks_of_the_array_are_those_of_the_formulas() -> None:
    found = rows("amberg08.cycles.table")
    assert len(found) >= 12
    assert all(row.agrees for row in found.values())


def test_table_1_has_twelve_rows_of_the_print(monkeypatch: pytest.MonkeyPatch) -> None:
    found = rows("amberg08.table1")
    assert len([label for label in found if label.endswith("LUTs")]) == 12
    monkeypatch.setattr(designs, "recorded", lambda: {PLAIN: ELEMENT})
    found = rows("amberg08.table1")
    luts = found["radix 4 left, w = 16: LUTs"]
    assert (luts.published, luts.ours, luts.verdict) == (132, 140.0, "within")
    assert found["radix 4 left, w = 16: registers"].agrees
    missing = [found[f"radix 2 left, w = 16: {figure}"] for figure in ("LUTs", "registers", "clock")]
    assert [(row.published, row.ours) for row in missing] == [(94, None), (72, None), (318, None)]


def test_the_times_of_the_abstract_by_the_printed_clocks() -> None:
    """17 passes of 66 clocks and 2050 products."""
    found = rows("amberg08.headline.table")
    assert found["radix 4, left: time"].ours == 9.27
    assert found["radix 4, left, Booth: time"].ours == 12.37
    for name in ("radix 4, left", "radix 4, left, Booth"):
        assert found[f"{name}: time"].verdict == "differs"
        assert found[f"{name}: time with a word more"].verdict == "within"
    assert found["radix 4, left, Booth: LUTs less those of 32 elements of Table I"].published == -780
    slower = found["clock reduced by Booth, left"]
    assert (slower.published, slower.ours, slower.unit, slower.verdict) == (29.0, 25.0, "%", "differs")
    assert found["radix 4 left, without Booth, best of all, Figure 6 by Table I"].agrees


def test_a_size_that_differs_is_explained_by_the_elements_and_the_sequencer() -> None:
    found = {row.label: row for row in headline.size_rows(PLAIN, replace(ELEMENT, luts=200.0))}
    whole = found["radix 4, left: LUTs"]
    assert (whole.published, whole.ours) == (4997, 32 * 200 + 300)
    assert whole.note == headline.OTHER_MAPPER.format(32 * 200, 300)
    for row in headline.size_rows(PLAIN, None):
        assert (row.ours, row.note) == (None, designs.NOT_RECORDED)


def test_conclusions_are_of_curves_at_as_much_hardware() -> None:
    curve = [(100.0, 8.0), (200.0, 4.0), (400.0, 3.0)]
    assert conclusions.time_at(curve, 99.0) is None
    assert conclusions.time_at(curve, 100 * 2**0.5) == pytest.approx(8 / 2**0.5)
    assert conclusions.time_at(curve, 400.0) == pytest.approx(3)
    assert conclusions.time_at(curve, 401.0) is None
    slowdown = conclusions.slowdown
    assert slowdown(curve, [(50.0, 16.0), (100.0, 8.0), (200.0, 8.0)]) == pytest.approx([1, 2])


def test_a_curve_is_of_elements_and_of_a_controller_if_there_is_one() -> None:
    (size, ms), *_ = conclusions.curve(PLAIN, 100.0, 200.0)
    assert size == 100 * PLAIN.step
    assert conclusions.curve(PLAIN, 100.0, 200.0, 7.0)[0] == (size + 7, ms)


def test_curves_end_where_more_elements_do_not_help() -> None:
    for design in (PLAIN, BOOTH, RIGHT):
        counts = designs.element_counts(design)
        cycles = [designs.passes_cycles(design.core(count)) for count in counts]
        assert cycles == sorted(set(cycles), reverse=True)
        more = design.core(2 * counts[-1])
        assert designs.passes_cycles(more) >= cycles[-1]


def test_an_element_is_what_an_array_has_more_for_it() -> None:
    design = ElementDesign(2, 4, left_shift=False, booth=True)
    smaller, larger = (elements._counts(design.core(count, 16)) for count in (4, 8))
    luts, registers = ((b - a) / 4 for a, b in zip(smaller, larger, strict=True))
    assert 30 < luts < 70
    assert 30 < registers < 60

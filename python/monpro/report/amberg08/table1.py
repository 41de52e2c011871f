"""[amberg08, Table I]: LUTs and registers of a processing element, and the clock.

Ours come from Yosys' mapping to the Virtex-II, the paper's from a commercial tool's. There is no open place
and route for that device. Our clock is therefore of an ECP5: of two elements alone, as in the paper.
"""

from collections.abc import Iterator

from monpro.flow.elements import Element
from monpro.report.amberg08.designs import NOT_RECORDED, PRINTED, Printed, measured, spread
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare

LUTS_WITHIN, REGISTERS_WITHIN, CLOCK_WITHIN = 0.10, 0.15, 0.05
MORE = "Yosys maps for the shortest path, and takes more LUTs for it"
FEWER = (
    "Yosys puts the sign of a multiple, and in radix 2 its AND, into the LUTs of the adders; our sequencer "
    "recodes X for all elements"
)
FEWER_REGISTERS = (
    "ours has as many for the words; our sequencer recodes X, so that an element keeps only a digit of it"
)
OTHER_CLOCK = "two elements, ours on an ECP5: {}; the print's on a Virtex-II"


def rows_of(row: Printed, element: Element | None) -> Iterator[Row]:
    """Yield LUTs, registers and clock of a design."""
    labels = [f"{row.name}: {figure}" for figure in ("LUTs", "registers", "clock")]
    if element is None:
        yield compare(labels[0], row.luts, None, NOT_RECORDED, unit="LUTs")
        yield compare(labels[1], row.registers, None, NOT_RECORDED, unit="registers")
        yield compare(labels[2], row.clock_mhz, None, row.path, unit="MHz")
        return
    yield compare(
        labels[0],
        row.luts,
        round(element.luts, 1),
        reason=MORE if element.luts > row.luts else FEWER,
        within=LUTS_WITHIN,
        unit="LUTs",
        source="recorded",
    )
    yield compare(
        labels[1],
        row.registers,
        round(element.registers, 1),
        reason=FEWER_REGISTERS,
        within=REGISTERS_WITHIN,
        unit="registers",
        source="recorded",
    )
    yield compare(
        labels[2],
        row.clock_mhz,
        element.fmax_mhz,
        row.path,
        reason=OTHER_CLOCK.format(spread(row.design)),
        within=CLOCK_WITHIN,
        unit="MHz",
        source="recorded",
    )


def build(progress: Progress = silent) -> Table:
    """Set the recorded figures of every design beside the print."""
    found = measured()
    rows = [entry for row in PRINTED for entry in rows_of(row, found.get(row.design))]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("amberg08.table1", "Comparison of PE FPGA resource usage and clock speed", "table", build)

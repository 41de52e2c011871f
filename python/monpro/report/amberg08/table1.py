"""[amberg08, Table I]: LUTs and registers of a processing element, and the clock.

Ours come from Yosys' mapping to the Virtex-II, the paper's from a commercial tool's. There is no open place
and route for that device. Our clock is therefore of an ECP5, two device generations younger but without the
paper's effort of optimisation, and is shown without a comparison.
"""

from collections.abc import Iterator

from monpro.flow.elements import Element
from monpro.report.amberg08.designs import NOT_RECORDED, PRINTED, Printed, measured
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table

LUTS_WITHIN, REGISTERS_WITHIN = 0.10, 0.15
MORE = "Yosys maps for the shortest path, and takes more LUTs for it"
FEWER = "a multiple's sign, in radix 2 its AND, goes into the adders' LUTs; the sequencer recodes X for all"
FEWER_REGISTERS = "as many for the words; X is recoded in the sequencer, elements keep only digits"


def compared(label: str, printed: float, ours: float, within: float, reason: str) -> Row:
    """Return a row that agrees if ours is within this share of the printed figure."""
    agrees = abs(ours / printed - 1) <= within
    return Row(label, printed, ours, agrees, "" if agrees else reason)


def rows_of(row: Printed, element: Element | None) -> Iterator[Row]:
    """Yield LUTs, registers and clock of a design."""
    if element is None:
        yield Row(f"{row.name}: LUTs", row.luts, None, None, NOT_RECORDED)
        yield Row(f"{row.name}: registers", row.registers, None, None, NOT_RECORDED)
        yield Row(f"{row.name}: clock / MHz", row.clock_mhz, None, None, row.path)
        return
    reason = MORE if element.luts > row.luts else FEWER
    yield compared(f"{row.name}: LUTs", row.luts, round(element.luts, 1), LUTS_WITHIN, reason)
    registers = round(element.registers, 1)
    yield compared(f"{row.name}: registers", row.registers, registers, REGISTERS_WITHIN, FEWER_REGISTERS)
    note = f"ours on an ECP5; {row.path}"
    yield Row(f"{row.name}: clock / MHz", row.clock_mhz, element.fmax_mhz, None, note)


def build(progress: Progress = silent) -> Table:
    """Set the recorded figures of every design beside the print."""
    found = measured()
    rows = [entry for row in PRINTED for entry in rows_of(row, found.get(row.design))]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("amberg08.table1", "Comparison of PE FPGA resource usage and clock speed", "table", build)

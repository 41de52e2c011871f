"""Area and delay of cells as multiples of a full adder's: of the flow's library, as recorded.

Where nothing is recorded, cells are counted in unit gates: a two-input gate has area 1 and delay 1, an
exclusive-or 2 and 2; inverters are free. A multiplexer is two gates and an or, a full adder two exclusive-ors
and three gates, a flip-flop six gates.
"""

from collections import Counter
from collections.abc import Iterable

from monpro.flow.cells import Cells, recorded


def unit_gates() -> Cells:
    """Return the cells in unit gates."""
    areas = {
        "NAND2": 1.0,
        "AND2": 1.0,
        "XOR2": 2.0,
        "XOR3": 4.0,
        "MUXI2": 3.0,
        "MUX2": 3.0,
        "FA": 7.0,
        "REG": 6.0,
    }
    areas |= {"MUX3": 6.0, "MUX4": 9.0, "SR": 9.0, "CFA": 11.0, "SM3": 7.0}
    delays = {"NAND2": 1.0, "AND2": 1.0, "XOR2": 2.0, "XOR3": 4.0, "MUXI2": 2.0, "MUX2": 2.0, "FA": 4.0}
    delays |= {"MUX3": 4.0, "MUX4": 4.0, "SM3": 4.0}
    return Cells(areas, delays)


_RECORDED = recorded()
CELLS = _RECORDED or unit_gates()
NAME = "OSU 0.18 µm cells" if _RECORDED else "unit gates"


def area(cells: Counter[str]) -> float:
    """Return the total area of these numbers of cells, in full adders."""
    return sum(CELLS.areas[cell] * count for cell, count in cells.items()) / CELLS.areas["FA"]


def delay(path: Iterable[str]) -> float:
    """Return the delay through cells one after the other, in full adders."""
    return sum(CELLS.delays[cell] for cell in path) / CELLS.delays["FA"]


def expression(cells: Counter[str]) -> str:
    """Return a sum of cells as it is written: `2 FA + REG`."""
    return " + ".join(cell if count == 1 else f"{count} {cell}" for cell, count in cells.items())

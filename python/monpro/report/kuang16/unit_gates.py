"""Area and delay of cells in unit gates, as multiples of a full adder's.

A two-input gate has area 1 and delay 1, an exclusive-or 2 and 2; inverters are free. A multiplexer is two
gates and an or, a full adder two exclusive-ors and three gates, a flip-flop six gates.
"""

from collections import Counter
from collections.abc import Iterable

AREAS = {"NAND2": 1, "AND2": 1, "XOR2": 2, "XOR3": 4, "MUXI2": 3, "MUX2": 3, "FA": 7, "REG": 6}
AREAS |= {
    "MUX3": 2 * AREAS["MUX2"],
    "MUX4": 3 * AREAS["MUX2"],
    "SR": AREAS["REG"] + AREAS["MUX2"],  # a bit of a shift register
    "CFA": AREAS["FA"] + AREAS["NAND2"] + AREAS["MUXI2"],
    "SM3": AREAS["NAND2"] + AREAS["MUXI2"] + AREAS["MUX2"],
}
DELAYS = {"NAND2": 1, "AND2": 1, "XOR2": 2, "XOR3": 4, "MUXI2": 2, "MUX2": 2, "FA": 4}
DELAYS |= {"MUX3": 2 * DELAYS["MUX2"], "MUX4": 2 * DELAYS["MUX2"], "SM3": DELAYS["MUXI2"] + DELAYS["MUX2"]}


def area(cells: Counter[str]) -> float:
    """Return the total area of these numbers of cells, in full adders."""
    return sum(AREAS[cell] * count for cell, count in cells.items()) / AREAS["FA"]


def delay(path: Iterable[str]) -> float:
    """Return the delay through cells one after the other, in full adders."""
    return sum(DELAYS[cell] for cell in path) / DELAYS["FA"]


def expression(cells: Counter[str]) -> str:
    """Return a sum of cells as it is written: `2 FA + REG`."""
    return " + ".join(cell if count == 1 else f"{count} {cell}" for cell, count in cells.items())

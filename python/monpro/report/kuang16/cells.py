"""The known figures of the cells in [kuang16, Tables I and II], and the multipliers in terms of cells.

The tables' entries are lost; the figures here are from the text. Those marked as derived follow from them by
arithmetic.
"""

from collections import Counter
from dataclasses import dataclass

from monpro.report.kuang16.library import NAME, area, delay, expression
from monpro.report.table import Row, compare

DERIVED = "derived:"
TOLERANCE = 0.25  # a library of 180 nm says no more than that about one of 90 nm


@dataclass(frozen=True)
class Datapath:
    """A multiplier: its cells for each bit of width, and its longest path, without converters and control."""

    name: str
    cells: Counter[str]
    path: tuple[str, ...]
    printed_area: float | None = None
    printed_delay: float | None = None

    @property
    def area(self) -> float:
        """Return the area for a bit, in full adders."""
        return area(self.cells)

    @property
    def delay(self) -> float:
        """Return the critical path, in full adders."""
        return delay(self.path)


SCS_MM_1 = Datapath("SCS-MM-1", Counter(FA=2, REG=4, SR=1, AND2=2), ("AND2", "XOR3", "AND2", "FA"))
SCS_MM_2 = Datapath("SCS-MM-2", Counter(FA=2, REG=4, SR=1, MUX2=2, AND2=2), ("MUX2", "FA", "FA"))
FCS_MM_1 = Datapath("FCS-MM-1", Counter(FA=3, REG=5, SR=2, AND2=3), ("AND2", "FA", "FA", "FA"))
FCS_MM_2 = Datapath("FCS-MM-2", Counter(FA=2, REG=7, SR=2, MUX4=2), ("MUX4", "FA", "FA"))
FCS_MMM42 = Datapath(
    "FCS-MMM42", Counter(FA=2, REG=7, SR=2, MUX2=2, MUX4=2), ("MUX4", "FA", "FA"), 13.28, 2.71
)
MSCS_MM = Datapath("MSCS-MM", Counter(FA=1, REG=5, SR=1, MUX2=2, MUX4=1), ("MUX4", "FA"), None, 1.71)
NEW = Datapath(
    "SCS-MM-New",
    Counter(CFA=1, REG=5, SR=1, MUX4=2, SM3=1),
    ("MUX2", "XOR2", "XOR3", "MUX2"),
    9.88,
    2.17,
)
NEW_PLAIN = Datapath(
    "SCS-MM-New, plain adder", Counter(FA=1, REG=5, SR=1, MUX4=2, SM3=1), NEW.path, 9.4, None
)

TABLE_1 = (SCS_MM_1, SCS_MM_2, FCS_MM_1, FCS_MM_2)
DESIGNS = (*TABLE_1, FCS_MMM42, MSCS_MM, NEW, NEW_PLAIN)


def compared(label: str, printed: float | None, ours: float, note: str, reason: str) -> Row:
    """Return the row of a figure by our cells, with the reason if it is far from the printed one."""
    unit = label.rpartition(" / ")[2]
    return compare(
        label.removesuffix(f" / {unit}"),
        printed and round(printed, 2),
        round(ours, 2),
        note,
        reason=reason,
        within=TOLERANCE,
        unit=unit,
        printed=not note.startswith(DERIVED),
        source="modelled",
    )


def area_row(design: Datapath) -> Row:
    """Return the area of a design."""
    source = "printed as" if design.printed_area else "lost; our guess at its cells, from the text:"
    reason = NAME
    label = f"{design.name}, area per bit / A_FA"
    return compared(label, design.printed_area, design.area, f"{source} {expression(design.cells)}", reason)


def delay_row(design: Datapath) -> Row:
    """Return the critical path of a design."""
    source = "printed as" if design.printed_delay else "lost; taken as"
    path = " + ".join(design.path)
    reason = "the library's multiplexers are faster than two gates"
    return compared(
        f"{design.name}, critical path / T_FA",
        design.printed_delay,
        design.delay,
        f"{source} {path}",
        reason,
    )

"""[amberg08, Figure 7]: exponentiation time against hardware, all designs at one clock."""

from monpro.report.amberg08.curves import draw
from monpro.report.amberg08.designs import CLOCK_MHZ
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from the formulas for cycles, Table I and what was measured here."""
    svg = draw(f"Hardware/performance tradeoff, all elements at {CLOCK_MHZ:g} MHz", CLOCK_MHZ)
    progress(1, 1)
    return Figure(ITEM.id, ITEM.title, svg)


ITEM = Item(
    "amberg08.figure7",
    "Hardware/performance tradeoff for high-radix Montgomery multipliers, all at one frequency",
    "figure",
    build,
)

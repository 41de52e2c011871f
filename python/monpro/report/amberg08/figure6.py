"""[amberg08, Figure 6]: exponentiation time against hardware, each design at its own clock."""

from monpro.report.amberg08.curves import draw
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from the formulas for cycles, Table I and what was measured here."""
    svg = draw(ITEM.title, None)
    progress(1, 1)
    return Figure(ITEM.id, ITEM.title, svg)


ITEM = Item(
    "amberg08.figure6", "Hardware/performance tradeoff for high-radix Montgomery multipliers", "figure", build
)

"""[amberg08, Figure 6]: exponentiation time against hardware, each design at its own clock."""

from monpro.report.amberg08.curves import draw
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent

LOST = "the drawing is lost; these are Table I, the formulas for clocks, and what was measured here"


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from the formulas for clocks, Table I and what was measured here."""
    drawing = draw(6, "Hardware/performance tradeoff", None, LOST)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item(
    "amberg08.figure6", "Hardware/performance tradeoff for high-radix Montgomery multipliers", "figure", build
)

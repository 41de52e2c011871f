"""[amberg08, Figure 7]: exponentiation time against hardware, all designs at one clock."""

from monpro.report.amberg08.curves import draw
from monpro.report.amberg08.designs import CLOCK_MHZ
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent

LOST = f"the drawing is lost, and the paper's frequency with it; {CLOCK_MHZ:g} MHz is chosen here"


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from the formulas for clocks, Table I and what was measured here."""
    drawing = draw(7, "Hardware/performance tradeoff, all elements at one frequency", CLOCK_MHZ, LOST)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item(
    "amberg08.figure7",
    "Hardware/performance tradeoff for high-radix Montgomery multipliers, all at one frequency",
    "figure",
    build,
)

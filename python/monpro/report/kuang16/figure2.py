"""[kuang16, Figure 2]: the SCS-based Montgomery multiplication algorithm."""

from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import listing
from monpro.spec import kuang16


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    figure = listing(
        (ITEM.id, ITEM.title),
        "Fig. 2",
        "SCS: binary operands, the intermediate result in carry-save form",
        kuang16.scs,
        inputs="A, B < 2N, N odd, of k bits",
        output="S = A × B × R⁻¹ modulo N, below 2N, R = 2ᵏ⁺²",
        notes=("(SS, SC) = a sum: by carry-save adders, in two levels for four numbers.",),
    )
    progress(1, 1)
    return figure


ITEM = Item("kuang16.figure2", "SCS-based Montgomery multiplication algorithm", "figure", build)

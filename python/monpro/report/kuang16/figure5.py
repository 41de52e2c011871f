"""[kuang16, Figure 5]: the FCS-MM-1 Montgomery multiplication algorithm."""

from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import listing
from monpro.spec import kuang16


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    figure = listing(
        (ITEM.id, ITEM.title),
        "Fig. 5",
        "FCS-MM-1: operands and result in carry-save form",
        kuang16.fcs_mm_1,
        inputs="A = (AS, AC), B = (BS, BC), each below 2N, N odd, of k bits",
        output="S = (SS[k+2], SC[k+2]) = A × B × R⁻¹ modulo N, below 2N, R = 2ᵏ⁺²",
        notes=(
            "(SS, SC) = a sum: by carry-save adders, in three levels for five numbers.",
            "The bits of A = AS + AC come from the barrel register full adder, one an iteration.",
        ),
    )
    progress(1, 1)
    return figure


ITEM = Item("kuang16.figure5", "FCS-MM-1 Montgomery multiplication algorithm", "figure", build)

"""[kuang16, Figure 1]: the MM algorithm."""

from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import listing
from monpro.spec import kuang16


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    figure = listing(
        (ITEM.id, ITEM.title),
        "Fig. 1",
        "MM: radix-2 Montgomery multiplication",
        kuang16.mm,
        inputs="A, B < N, odd, of k bits",
        output="S[k] = A × B × R⁻¹ mod N, R = 2ᵏ",
        notes=("Walter's variant: k + 2 iterations, R = 2ᵏ⁺², A and B below 2N, and no step 6.",),
    )
    progress(1, 1)
    return figure


ITEM = Item("kuang16.figure1", "MM algorithm", "figure", build)

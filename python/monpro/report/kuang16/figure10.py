"""[kuang16, Figure 10]: the SCS-MM-New algorithm."""

from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import listing
from monpro.spec import kuang16


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    figure = listing(
        (ITEM.id, ITEM.title),
        "Fig. 10",
        "SCS-MM-New",
        kuang16.scs_mm_new,
        inputs="A, B < 2M, N̂ = N + 1 or 3N + 1, a multiple of 4; M = N̂ − 1 < 2ᵏ",
        output="S = A × B × R⁻¹ modulo N, below 2M, R = 2ᵏ⁺²",
        notes=(
            "Step 12: by the one-level carry-save adder as 1F_CSA; bit 0 of the sum is dropped.",
            "Corrected: k is the length of M, not of N, or chained products diverge for N ≡ 1 mod 4.",
            "Corrected: step 13 does not skip at i = k+4, or the product is shifted once too often.",
            "The loop ends with i = k+5.",
        ),
    )
    progress(1, 1)
    return figure


ITEM = Item("kuang16.figure10", "SCS-MM-New algorithm", "figure", build)

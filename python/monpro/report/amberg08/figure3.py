"""[amberg08, Figure 3]: the parallelized, radix-2^v scalable non-Booth algorithm."""

from monpro.report.amberg08.listing import listing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.spec import amberg08

NOTES = (
    (
        "Corrected: f = ⌈n_{2}/v⌉ + 1, or operands outgrow their bound in chains of products with v > "
        "1; e = ⌈(n_{1}+v+1)/w⌉ words hold the intermediate Z; C has v + 1 bits."
    ),
    "Result: Z ≡ X·Y·2^{−v(f−1)} modulo M.",
)


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    title = "Parallelized, radix-2^{v} scalable non-Booth algorithm"
    drawing = listing(3, title, amberg08.non_booth, {}, NOTES)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("amberg08.figure3", "Parallelized, radix-2^v scalable non-Booth algorithm", "figure", build)

"""[amberg08, Figure 2]: the parallelized, radix-2^v scalable Booth algorithm."""

from monpro.report.amberg08.listing import listing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.spec import amberg08

NOTES = (
    (
        "Corrected: f = ⌈n_{2}/v⌉ + 1, or operands outgrow their bound in chains of products with v > "
        "1; e = ⌈(n_{1}+v+1)/w⌉ words hold the intermediate Z; C has v + 2 bits with its sign."
    ),
    ("Not printed: the digits before digit 0 have the top bit 0. Result: Z ≡ X·Y·2^{−v(f−1)} modulo M."),
)


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    title = "Parallelized, radix-2^{v} scalable Booth algorithm"
    drawing = listing(2, title, amberg08.booth_encoded, {}, NOTES)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("amberg08.figure2", "Parallelized, radix-2^v scalable Booth algorithm", "figure", build)

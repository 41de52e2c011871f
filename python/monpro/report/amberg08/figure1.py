"""[amberg08, Figure 1]: the Montgomery product in three steps."""

from monpro.report.amberg08.listing import listing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.spec import amberg08

NAMES = {"Z = X × Y": "Multiply:", "Q = Z × M' mod R": "Reduce:", "if Z ≥ M then Z = Z − M": "Normalize:"}


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec."""
    drawing = listing(
        1,
        "Montgomery multiplication algorithm",
        amberg08.montgomery,
        NAMES,
        ("X, Y < M odd, R = 2^{n} > M, M' = −M^{−1} mod R. Result: X·Y·R^{−1} mod M.",),
    )
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("amberg08.figure1", "Montgomery multiplication algorithm", "figure", build)

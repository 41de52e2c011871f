"""[koc97, Figure 1]: both exponentiations, printed from the source of the spec that Tables 1 to 3 count."""

from monpro.report.draw.drawing import MARGIN, RULE, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.listing import LINE_HEIGHT, Line, write
from monpro.report.item import Item, Progress, silent
from monpro.spec import koc97
from monpro.spec.notation import KOC97, listing

ALGORITHMS: dict[str, koc97.Method] = {
    "Montgomery Exponentiation": koc97.montgomery_exponentiation,
    "Standard Exponentiation": koc97.standard_exponentiation,
}

WIDTH, TOP = 720, 112
COLUMN_STEP = 360
LONGEST = 6  # steps


def steps(method: koc97.Method) -> list[Line]:
    """Return the steps of an algorithm as the figure prints them; the body of the loop is indented."""
    texts = [text.replace("ei =", "eᵢ =") for text in listing(method, KOC97)]
    loop = next(place for place, text in enumerate(texts) if text.startswith("for "))
    in_loop = range(loop + 1, loop + 3)  # a square, and the product by a
    return [Line(f"Step {place + 1}.", int(place in in_loop), text) for place, text in enumerate(texts)]


def build(progress: Progress = silent) -> Figure:
    """Write the algorithms side by side."""
    height = TOP + (LONGEST + 1) * LINE_HEIGHT
    drawing = Drawing(
        WIDTH, height, "Exponentiation Algorithms", "[koc97, Fig. 1] c = a^{e} in GF(2^{k}), from the spec"
    )
    for column, (title, method) in enumerate(ALGORITHMS.items()):
        x = MARGIN + column * COLUMN_STEP
        drawing.text(x, TOP - 6, title, size=15, weight="600", anchor="start")
        write(drawing, steps(method), x, TOP + 24, names_width=60)
    between = MARGIN + COLUMN_STEP - 18
    drawing.line((between, TOP - 20), (between, height - 24), RULE)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("koc97.figure1", "Exponentiation Algorithms", "figure", build)

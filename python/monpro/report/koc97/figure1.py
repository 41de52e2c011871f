"""[koc97, Figure 1]: both exponentiations, printed from the source of the spec that Tables 1 to 3 count."""

from monpro.report.draw.drawing import GREY, MONOSPACE, RULE, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.spec import koc97
from monpro.spec.notation import KOC97, listing

ALGORITHMS: dict[str, koc97.Method] = {
    "Montgomery Exponentiation": koc97.montgomery_exponentiation,
    "Standard Exponentiation": koc97.standard_exponentiation,
}

WIDTH, HEIGHT = 920, 320
LEFT, COLUMN_STEP = 32, 468
TOP, LINE_HEIGHT = 116, 30


def steps(method: koc97.Method) -> list[str]:
    """Return the steps of an algorithm as the figure prints them."""
    return [line.replace("ei =", "eᵢ =") for line in listing(method, KOC97)]


def build(progress: Progress = silent) -> Figure:
    """Write the algorithms side by side."""
    drawing = Drawing(
        WIDTH, HEIGHT, "Exponentiation Algorithms", "c = a^e in GF(2^k), from the source of the spec"
    )
    for column, (title, method) in enumerate(ALGORITHMS.items()):
        x = LEFT + column * COLUMN_STEP
        drawing.text(x, TOP, title, size=15, weight="600", anchor="start")
        for number, line in enumerate(steps(method), 1):
            y = TOP + 4 + number * LINE_HEIGHT
            drawing.text(x, y, f"Step {number}.", size=13, colour=GREY, anchor="start")
            drawing.text(x + 64, y, line, font=MONOSPACE, anchor="start")
    between = LEFT + COLUMN_STEP - 24
    drawing.line((between, TOP - 16), (between, HEIGHT - 24), RULE)
    progress(1, 1)
    return Figure(ITEM.id, ITEM.title, drawing.svg())


ITEM = Item("koc97.figure1", "Exponentiation Algorithms", "figure", build)

"""[koc96, Figure 2]: one iteration of FIOS for s = 4; the numbers give the order of the word products."""

from monpro.report.draw.drawing import GREY, HUES, MARGIN, RESULT, Columns, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.text import MONOSPACE
from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.trace import (
    LOST,
    SUBTITLE,
    WORDS,
    Product,
    array,
    index_of,
    iterations,
    memory,
    power,
    products,
    trace,
)
from monpro.spec import koc96

ITERATION = 1  # the first in which t is not zero


def numbered(found: list[Product]) -> dict[int, str]:
    """Return the labels of word products by the word of t they fall in, each with its number in the order."""
    return {
        index_of(product.right if product.left == "m[0]" else product.left): f"{product.order}:  "
        + product.label.replace("m", power("m", ITERATION))
        for product in found
    }


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from a traced run."""
    passes = iterations([event for event in trace(koc96.fios) if event.function == "fios"])
    before = array(memory(event for earlier in passes[:ITERATION] for event in earlier), "t", WORDS + 2)
    after = array(memory(passes[ITERATION]), "t", WORDS + 2)
    executed = products(passes[ITERATION])
    m = next(product for product in executed if product.right.startswith("n'"))
    m_value = memory(passes[ITERATION])["m[0]"]

    title = f"Finely Integrated Operand Scanning (FIOS), s = 4, i = {ITERATION}"
    drawing = Drawing(700, 640, f"[koc96, Fig. 2] {title}", SUBTITLE, LOST)
    left, right = (Columns(drawing, 150, highest=WORDS + 1, width=64) for _ in range(2))

    left.heading(110, f"partial product a × b{'₀₁₂₃'[ITERATION]}, added to {power('t', ITERATION)}", "t")
    left.name(150, power("t", ITERATION))
    left.words(150, before, RESULT)
    below = left.products(
        194, numbered([product for product in executed if product.right[0] == "b"]), HUES[0]
    )
    first = left.x(0) + left.width / 2
    drawing.arrow((first, below - 34), (first, below + 22))
    definition = f"{m.order}:  {power('m', ITERATION)} = S·n′[0] mod W = {m_value:02x}"
    drawing.text(left.right, below + 42, definition, anchor="end")

    with drawing.moved(0, 250):
        right.heading(110, f"{power('m', ITERATION)} × n added, and the sum shifted one word right", "t")
        multiples = [product for product in executed if product.left == "m[0]"]
        below = right.products(150, numbered(multiples), HUES[1])
        right.rule(below)
        right.name(below + 12, power("t", ITERATION + 1))
        shifted = {column + 1: value for column, value in after.items() if column <= WORDS}
        right.words(below + 12, {**shifted, 0: "0"}, RESULT, struck=frozenset({0}))
        for column in shifted:
            centre = right.x(column) + right.width / 2
            drawing.text(centre, below + 54, f"t[{column - 1}]", size=12, colour=GREY, font=MONOSPACE)
    note = "The numbers give the order of execution: the one inner loop alternates between the two products."
    drawing.paragraph(MARGIN, 594, note, 650)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item(
    "koc96.figure2", "An iteration of the Finely Integrated Operand Scanning (FIOS) method", "figure", build
)

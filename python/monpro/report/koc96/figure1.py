"""[koc96, Figure 1]: SOS for s = 4; on the left t = a·b, on the right the shifted n·m added to t."""

from monpro.report.draw.drawing import GREY, HUES, RESULT, Columns, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.trace import (
    LOST,
    MODULUS,
    SUBTITLE,
    WIDTH_BITS,
    WORDS,
    array,
    index_of,
    iterations,
    letter,
    memory,
    power,
    products,
    trace,
)
from monpro.spec import koc96
from monpro.spec.counting import Event

N0_PRIME = -pow(MODULUS, -1, 1 << WIDTH_BITS) % (1 << WIDTH_BITS)


def draw_product(panel: Columns, events: list[Event]) -> None:
    """Draw the partial products of a·b, in the columns of t to which they are added, and their sum t."""
    panel.heading(110, "t = a·b", "t")
    y = 150.0
    for i, iteration in enumerate(iterations(events)):
        labels = {index_of(product.first_read): product.label for product in products(iteration)}
        panel.drawing.text(panel.right + 14, y + 30, f"a × {letter(f'b[{i}]')}", size=13, anchor="start")
        y = panel.products(y, labels, HUES[i])
    panel.rule(y)
    panel.words(y + 12, array(memory(events), "t", 2 * WORDS), RESULT)
    panel.name(y + 12, "t")


def draw_reduction(panel: Columns, product: list[Event], reduction: list[Event]) -> None:
    """Draw t, the shifted n·m that are added to it, and u: t without its s low words.

    Each m is n′₀ times a word of t, as far as t has been reduced by then.
    """
    panel.heading(110, "u = (t + m·n) / r", "t")
    panel.words(150, array(memory(product), "t", 2 * WORDS + 1), RESULT)
    panel.name(150, "t")
    y = 190.0
    earlier: list[Event] = []
    for i, iteration in enumerate(iterations(reduction)):
        multiples = [found for found in products(iteration) if found.left == "m[0]"]
        labels = {index_of(found.first_read): found.label.replace("m", power("m", i)) for found in multiples}
        value, low = memory(iteration)["m[0]"], memory([*product, *earlier])[f"t[{i}]"]
        for line, text in enumerate(
            (f"{power('m', i)} = n′₀ × t[{i}] mod W", f"= {N0_PRIME:02x} × {low:02x} = {value:02x}")
        ):
            panel.drawing.text(panel.right + 10, y + 22 + 18 * line, text, size=13, anchor="start")
        earlier += iteration
        y = panel.products(y, labels, HUES[i])
    panel.rule(y)
    final = array(memory([*product, *reduction]), "t", 2 * WORDS + 1)
    panel.words(y + 12, final, RESULT, struck=frozenset(range(WORDS)))
    panel.name(y + 12, "u")
    dropped = panel.x(WORDS - 1) + 2 * panel.width
    panel.drawing.text(dropped, y + 56, "zero: dropped by the division by r", size=12, colour=GREY)


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from a traced run."""
    events = trace(koc96.sos)
    product = [event for event in events if event.function == "sos"]
    reduction = [event for event in events if event.function == "sos_reduction"]
    title = "Separated Operand Scanning (SOS), s = 4"
    drawing = Drawing(700, 1010, f"[koc96, Fig. 1] {title}", SUBTITLE, LOST)
    draw_product(Columns(drawing, left=110, highest=2 * WORDS - 1), product)
    with drawing.moved(0, 430):
        draw_reduction(Columns(drawing, left=40, highest=2 * WORDS), product, reduction)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("koc96.figure1", "The Separated Operand Scanning (SOS) method for s = 4", "figure", build)

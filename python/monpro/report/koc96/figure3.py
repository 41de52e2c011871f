"""[koc96, Figure 3]: CIHS for s = 4, in three parts, with the (PC,PS) pairs.

The left part shows what the first i-loop adds up, the middle part one iteration of the second i-loop. The
right part shows the products that the iterations of the second i-loop add, one pair each; rows of one colour
are what the first loop left of a × b_i.
"""

from monpro.report.draw.drawing import (
    BOX_HEIGHT,
    GREY,
    HUES,
    MARGIN,
    PAIR,
    PRODUCTS_HEIGHT,
    RESULT,
    STAGGER,
    WORD,
    Columns,
    Drawing,
)
from monpro.report.draw.figure import Figure
from monpro.report.draw.text import MONOSPACE
from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.trace import (
    LOST,
    SUBTITLE,
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

ITERATION = 1  # of the second i-loop: t was shifted before, and there are products left to add
HEADING_Y, TOP_Y = 110, 150


def pair(iteration: int) -> dict[int, str]:
    """Return PC and PS of an iteration, by their index in t after the shift."""
    return {WORDS: letter(f"PC[{iteration}]"), WORDS - 1: letter(f"PS[{iteration}]")}


def draw_first_loop(panel: Columns, events: list[Event]) -> None:
    """Draw the products the first i-loop adds: the right half of each partial product."""
    panel.heading(HEADING_Y, "first i-loop: the right half of a × b", "t")
    y = float(TOP_Y)
    for i, iteration in enumerate(iterations(events)):
        y = panel.products(y, {index_of(p.first_read): p.label for p in products(iteration)}, HUES[i])
    panel.rule(y)
    panel.words(y + 12, array(memory(events), "t", WORDS + 2), RESULT)
    panel.name(y + 12, power("t", 0))


def draw_iteration(panel: Columns, before: list[Event], events: list[Event]) -> None:
    """Draw t, the multiple of n that is added, the sum shifted one word, and the pair added to that."""
    shift_ends = next(index for index, event in enumerate(events) if f"t[{WORDS + 1}]" in dict(event.writes))
    shifted = array(memory([*before, *events[: shift_ends + 1]]), "t", WORDS + 2)
    multiples = {index_of(p.right): p for p in products(events) if p.left == "m[0]"}
    m = power("m", ITERATION)

    panel.heading(HEADING_Y, f"second i-loop, i = {ITERATION}: {m} × n, shift, pair", "t")
    panel.words(TOP_Y, array(memory(before), "t", WORDS + 2), RESULT)
    panel.name(TOP_Y, power("t", ITERATION))
    labels = {column: p.label.replace("m", m) for column, p in multiples.items()}
    y = panel.products(TOP_Y + 44, labels, HUES[ITERATION])
    panel.rule(y)
    panel.words(
        y + 12, {**{k + 1: word for k, word in shifted.items() if k <= WORDS}, 0: "0"}, WORD, frozenset({0})
    )
    panel.name(y + 12, "shifted")
    panel.words(y + 52, {k + 1: word for k, word in pair(ITERATION).items()}, PAIR)
    panel.rule(y + 88)
    after = array(memory([*before, *events]), "t", WORDS + 2)
    panel.words(y + 100, {k + 1: word for k, word in after.items() if k <= WORDS}, RESULT)
    panel.name(y + 100, power("t", ITERATION + 1))
    for k in range(WORDS + 1):
        centre = panel.x(k + 1) + panel.width / 2
        panel.drawing.text(centre, y + 142, f"t[{k}]", size=12, colour=GREY, font=MONOSPACE)


def draw_rest(panel: Columns, second_loop: list[list[Event]]) -> None:
    """Draw the remaining products, joined by dashed lines to the pairs to which they belong."""
    panel.heading(HEADING_Y, "second i-loop: the rest of a × b", "ab")
    rows: dict[int, dict[int, str]] = {}
    for iteration, events in enumerate(second_loop):
        for product in products(events):
            if product.left.startswith("b"):
                j, label = index_of(product.left), letter(product.right) + letter(product.left)
                rows.setdefault(j, {})[WORDS + iteration] = label
    added = sorted({column for row in rows.values() for column in row})
    top = {j: TOP_Y + place * PRODUCTS_HEIGHT for place, j in enumerate(sorted(rows))}
    pairs_y = TOP_Y + len(rows) * PRODUCTS_HEIGHT + 12
    for column in added:
        j = min(j for j in rows if column in rows[j])
        start = top[j] + list(rows[j]).index(column) % 2 * STAGGER + BOX_HEIGHT
        end = pairs_y + (column - WORDS) % 2 * STAGGER
        panel.drawing.line((panel.x(column), start), (panel.x(column), end), PAIR.line, dash="4 3")
    for j, labels in rows.items():
        panel.products(top[j], labels, HUES[j])
    for column in added:
        iteration = column - WORDS
        names = {k + iteration + 1: word for k, word in pair(iteration).items()}
        panel.words(pairs_y + iteration % 2 * STAGGER, names, PAIR if iteration == ITERATION else WORD)


def build(progress: Progress = silent) -> Figure:
    """Draw the figure from a traced run."""
    events = [event for event in trace(koc96.cihs) if event.function == "cihs"]
    second_starts = next(index for index, event in enumerate(events) if ("t[0]", "n'[0]") in event.products)
    second_loop = iterations(events[second_starts:])
    before = events[:second_starts] + [event for earlier in second_loop[:ITERATION] for event in earlier]

    title = "Coarsely Integrated Hybrid Scanning (CIHS), s = 4"
    drawing = Drawing(700, 880, f"[koc96, Fig. 3] {title}", SUBTITLE, LOST)
    draw_first_loop(Columns(drawing, 70, highest=WORDS + 1), events[:second_starts])
    draw_rest(Columns(drawing, 454, highest=2 * WORDS - 1, lowest=WORDS), second_loop)
    with drawing.moved(0, 410):
        draw_iteration(Columns(drawing, 160, highest=WORDS + 1), before, second_loop[ITERATION])
    note = "Each (PC,PS) pair is the sum of the products on its dashed line, added to t after the shift."
    drawing.paragraph(MARGIN, 840, note, 650)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item(
    "koc96.figure3", "The Coarsely Integrated Hybrid Scanning (CIHS) method for s = 4", "figure", build
)

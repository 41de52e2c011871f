"""[kuang16, Figure 9]: the three-to-two carry-save addition of iteration i, from a run of the spec."""

from monpro.report.draw.drawing import GREY, HUES, PALE, RESULT, RULE, Colour, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.text import MONOSPACE
from monpro.report.item import Item, Progress, silent
from monpro.spec import kuang16

BITS = 8
A, B, N = 0xAD, 0xDB, 0xE7
ITERATION = 5
WIDTH, LEFT, TOP = 57, 110, 132
LOST = "the drawing is lost; these are the numbers of a run"


def state(iterations: int) -> tuple[int, int, int]:
    """Return SS, SC and x at the beginning of an iteration of Fig. 7."""
    ss = sc = 0
    for i in range(iterations + 1):
        a = kuang16.bit(A, i)
        q = (ss + sc + a * B) % 2
        x = kuang16.selected(a, q, N, B, B + N)
        if i == iterations:
            return ss, sc, x
        ss, sc = kuang16.halves(kuang16.full_adders(ss, sc, x))
    raise ValueError("there is an iteration 0 at least")


def row(drawing: Drawing, place: int, name: str, value: int) -> None:
    """Draw the bits of a vector, bit 0 on the right; below the line bit 0 is dropped."""
    is_result = place >= len(HUES) - 1
    y = TOP + 38 * place + 12 * is_result
    drawing.text(LEFT - 14, y + 17, name, anchor="end", weight="600")
    for j in range(BITS + 2):
        x = LEFT + (BITS + 1 - j) * WIDTH
        colour = RESULT if is_result else HUES[place]
        shade = Colour(PALE, RULE) if is_result and j == 0 else colour
        drawing.box(x, y, WIDTH, shade, str(value >> j & 1), font=MONOSPACE)


def build(progress: Progress = silent) -> Figure:
    """Draw the addition of one iteration with its numbers."""
    ss, sc, x = state(ITERATION)
    total, carry = kuang16.full_adders(ss, sc, x)
    subtitle = (
        f"[kuang16, Fig. 9] Fig. 7 with k = {BITS}, A = {A:#x}, B = {B:#x}, N = {N:#x}, i = {ITERATION}"
    )
    drawing = Drawing(720, 420, "Three-to-two carry-save addition in iteration i", subtitle, LOST)
    for j in range(BITS + 2):
        centre = LEFT + (BITS + 1 - j) * WIDTH + WIDTH / 2
        drawing.text(centre, TOP - 14, f"bit {j}", size=12, colour=GREY)
    for place, (name, value) in enumerate((("SS[i]", ss), ("SC[i]", sc), ("x", x))):
        row(drawing, place, name, value)
    line = TOP + 3 * 38
    drawing.line((LEFT, line), (LEFT + (BITS + 2) * WIDTH, line), GREY)
    row(drawing, 3, "sums", total)
    row(drawing, 4, "carries", carry)
    drawing.text(
        LEFT,
        TOP + 5 * 38 + 34,
        "Bit 0 of both is 0, by the choice of q: dropped. The rest is",
        anchor="start",
    )
    following = f"SS[i+1] = {total >> 1:0{BITS + 1}b}, SC[i+1] = {carry >> 1:0{BITS + 1}b}"
    drawing.text(LEFT, TOP + 5 * 38 + 60, following, anchor="start", font=MONOSPACE)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item(
    "kuang16.figure9", "Three-to-two carry-save addition at the ith iteration of Figure 7", "figure", build
)

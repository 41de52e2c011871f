"""Exponentiation time against hardware: the curves that [amberg08, Figs. 6 and 7] draw."""

from itertools import pairwise
from math import log2

from monpro.flow.elements import ElementDesign
from monpro.report.amberg08.conclusions import curve
from monpro.report.amberg08.designs import BITS, PRINTED, measured
from monpro.report.draw.drawing import GREY, HUES, INK, PAIR, RULE, Drawing

LEFT, RIGHT, TOP, BOTTOM = 84, 760, 112, 520
LEAST_LUTS, MOST_LUTS = 256.0, 16384.0
LEAST_MS, MOST_MS = 4.0, 256.0
WORD_WIDTH = 16  # of the designs that are drawn
DASHES = "5 4"
COLOURS = (*(hue.line for hue in HUES), PAIR.line, INK)


def x(luts: float) -> float:
    """Return the x coordinate of a number of LUTs, on a logarithmic scale."""
    return LEFT + (RIGHT - LEFT) * log2(luts / LEAST_LUTS) / log2(MOST_LUTS / LEAST_LUTS)


def y(ms: float) -> float:
    """Return the y coordinate of a time, on a logarithmic scale."""
    return BOTTOM - (BOTTOM - TOP) * log2(ms / LEAST_MS) / log2(MOST_MS / LEAST_MS)


def axes(drawing: Drawing) -> None:
    """Draw the scales."""
    luts, ms = LEAST_LUTS, LEAST_MS
    while ms <= MOST_MS:
        drawing.line((LEFT, y(ms)), (RIGHT, y(ms)), RULE)
        drawing.text(LEFT - 8, y(ms) + 4, f"{ms:g}", size=11, colour=GREY, anchor="end")
        ms *= 2
    while luts <= MOST_LUTS:
        drawing.line((x(luts), BOTTOM), (x(luts), BOTTOM + 5), INK)
        drawing.text(x(luts), BOTTOM + 20, f"{luts:g}", size=11, colour=GREY)
        luts *= 2
    drawing.text(LEFT, TOP - 14, f"{BITS}-bit exponentiation / ms", size=12, colour=GREY, anchor="start")
    drawing.text(RIGHT, BOTTOM + 38, "LUTs of the elements", size=12, colour=GREY, anchor="end")


def points(design: ElementDesign, luts: float, clock_mhz: float) -> list[tuple[float, float]]:
    """Return the points of a design with more and more elements, until they no longer help."""
    return [(x(size), y(ms)) for size, ms in curve(design, luts, clock_mhz) if size >= LEAST_LUTS]


def draw_curve(drawing: Drawing, through: list[tuple[float, float]], colour: str, dash: str) -> None:
    """Draw the line through the points of a design."""
    for start, end in pairwise(through):
        drawing.line(start, end, colour, dash)
    for point in through:
        drawing.dot(*point, colour)


def draw(title: str, clock_mhz: float | None) -> str:
    """Return the figure as SVG: Table I dashed, ours solid; each design at its clock, or all at one."""
    found = measured()
    ours = "our LUTs" if clock_mhz else "our LUTs and ECP5 clocks"
    drawing = Drawing(RIGHT + 40, BOTTOM + 130, title, f"dashed: by Table I; full: by {ours}")
    axes(drawing)
    rows = [row for row in PRINTED if row.word_width == WORD_WIDTH]
    for place, (row, colour) in enumerate(zip(rows, COLOURS, strict=True)):
        draw_curve(drawing, points(row.design, row.luts, clock_mhz or row.clock_mhz), colour, DASHES)
        if element := found.get(row.design):
            draw_curve(
                drawing, points(row.design, element.luts, clock_mhz or element.fmax_mhz), colour, "none"
            )
        left, top = LEFT + place % 3 * 230, BOTTOM + 66 + place // 3 * 24
        drawing.line((left, top), (left + 28, top), colour)
        drawing.text(left + 36, top + 4, row.name, size=12, anchor="start")
    return drawing.svg()

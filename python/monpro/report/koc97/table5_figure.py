"""The speed-ups of [koc97, Table 5] over k, ours beside the printed and the predicted ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from monpro.report.draw.drawing import GREY, HUES, INK, RULE, Colour, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.koc97 import table5
from monpro.report.koc97.table5 import EMULATION, INSTRUCTION, ON_VECTORS, SCALAR, TABLES, Series

COLOURS: dict[str, Colour] = {TABLES: HUES[0], EMULATION: HUES[2], INSTRUCTION: HUES[1]}
ALL_SERIES = (*table5.MEASURED_IN_1997, *table5.PREDICTED_IN_1997)
WIDTHS_BITS = (8, 16, 32, 64)

TOP, BOTTOM = 128, 368
PANEL_WIDTH, PANEL_STEP, ROW_STEP = 270, 350, 316
LEFT = 62
LOWEST, HIGHEST = 0.25, 64.0  # speed-ups at the bottom and at the top, on a logarithmic scale
DASHES = "5 4"
STROKES = {SCALAR: "none", ON_VECTORS: "1 3"}

Curve = Mapping[int, float]  # speed-ups by k


@dataclass(frozen=True)
class Panel:
    """The axes of one word size."""

    drawing: Drawing
    left: float

    def x(self, k: int) -> float:
        """Return the x coordinate of k."""
        smallest, largest = min(table5.PUBLISHED), max(table5.PUBLISHED)
        return self.left + PANEL_WIDTH * log2(k / smallest) / log2(largest / smallest)

    def y(self, speedup: float) -> float:
        """Return the y coordinate of a speed-up; a value off the scale is drawn at the end of the scale."""
        inside = min(max(speedup, LOWEST), HIGHEST)
        return BOTTOM - (BOTTOM - TOP) * log2(inside / LOWEST) / log2(HIGHEST / LOWEST)

    def axes(self, title: str) -> None:
        """Draw the scales."""
        self.drawing.text(self.left + PANEL_WIDTH / 2, TOP - 16, title, size=15, weight="600")
        speedup = LOWEST
        while speedup <= HIGHEST:
            y = self.y(speedup)
            self.drawing.line((self.left, y), (self.left + PANEL_WIDTH, y), INK if speedup == 1 else RULE)
            self.drawing.text(self.left - 8, y + 4, f"{speedup:g}", size=12, colour=GREY, anchor="end")
            speedup *= 2
        for k in table5.PUBLISHED:
            if k & k - 1 == 0:
                self.drawing.text(self.x(k), BOTTOM + 20, str(k), size=12, colour=GREY)

    def curve(self, speedups: Curve, colour: str, dash: str = "none") -> None:
        """Draw speed-ups over k."""
        points = [(self.x(k), self.y(speedups[k])) for k in sorted(speedups)]
        for start, end in pairwise(points):
            self.drawing.line(start, end, colour, dash)
        for point in points if dash == "none" else ():
            self.drawing.dot(*point, colour)


def theirs(series: Series) -> Curve:
    """Return the printed speed-ups, or the predicted ones of the instruction."""
    if series.mulgf2 == INSTRUCTION:
        return {k: table5.predicted(series, k) for k in table5.PUBLISHED}
    place = table5.MEASURED_IN_1997.index(series)
    return {k: values[place] for k, values in table5.PUBLISHED.items()}


def legend(drawing: Drawing, y: float) -> None:
    """Draw the legend: the colours, and below them the strokes."""
    colours = [(name, colour.line, "none") for name, colour in COLOURS.items()]
    strokes = [(f"measured over {baseline} standard", INK, dash) for baseline, dash in STROKES.items()]
    strokes.append(("printed; of the instruction, predicted", INK, DASHES))
    for place, entries in enumerate((colours, strokes[:2], strokes[2:])):
        x, middle = float(LEFT), y + 26 * place
        for name, colour, dash in entries:
            drawing.line((x, middle), (x + 28, middle), colour, dash)
            drawing.text(x + 36, middle + 4, name, size=12, anchor="start")
            x += 36 + 7 * len(name) + 28


def build(progress: Progress = silent) -> Figure:
    """Measure, or take the measurements of Table 5, and draw."""
    return draw(table5.measure(progress))


def preview(progress: Progress = silent) -> Figure:
    """Do the same in fewer rounds."""
    return draw(table5.measure(progress, table5.PREVIEW_ROUNDS))


def draw(speedups: dict[str, table5.Speedups]) -> Figure:
    """Return the figure of these measurements."""
    drawing = Drawing(
        720,
        856,
        "Speed-up of Montgomery exponentiation, m = 128",
        "Speed-up (upwards) over the degree k (to the right), by the bits w of a word and the way to MULGF2",
    )
    for place, w in enumerate(WIDTHS_BITS):
        with drawing.moved(0, place // 2 * ROW_STEP):
            panel = Panel(drawing, LEFT + place % 2 * PANEL_STEP)
            panel.axes(f"w = {w}")
            for series in (series for series in ALL_SERIES if series.w == w):
                panel.curve(theirs(series), COLOURS[series.mulgf2].line, DASHES)
                for baseline, dash in STROKES.items():
                    ours = {k: value for (other, k), value in speedups[baseline].items() if other == series}
                    panel.curve(ours, COLOURS[series.mulgf2].line, dash)
    legend(drawing, 748)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("koc97.table5.figure", "Experimental speedup values over k", "figure", build, preview)

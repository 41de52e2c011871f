"""Exponentiation time against hardware: the curves that [amberg08, Figs. 6 and 7] draw.

Hardware is that of the elements and the controller [amberg08, §V]. It is counted in two ways, because the
paper's is lost with the drawing: LUTs, and LUTs plus registers. The paper's controller is what the printed
4997 LUTs and 4051 registers have besides 32 elements of Table I.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2

from monpro.report.amberg08.conclusions import PLAIN, PRINTED_OF, Curve, curve
from monpro.report.amberg08.designs import BITS, PRINTED, measured
from monpro.report.amberg08.headline import HEADLINES, NUM_PE
from monpro.report.draw.drawing import GREY, HUES, INK, MARGIN, PAIR, RULE, Drawing

WIDTH, LEFT, RIGHT, HEIGHT = 720, 60, 566, 350
PANEL_STEP, TOP, FOOT = 456, 140, 84
LEAST_SIZE, MOST_SIZE = 1024.0, 20480.0
LEAST_MS, MOST_MS = 4.0, 128.0
WORD_WIDTH = 16  # of the designs that are drawn
LABEL_STEP, LABEL_HEIGHT, CAPITAL_HEIGHT = 17, 11, 9
COLOURS = (*(hue.line for hue in HUES), PAIR.line, INK)
NOTE = (
    "At each point: the number p of elements. A curve ends where more elements no longer help. "
    "Crosses: the two designs in the abstract."
)

Point = tuple[float, float]
Line = tuple[Point, Point]


@dataclass(frozen=True)
class Design:
    """A curve: its name and colour, its points, and the number of elements at each."""

    name: str
    colour: str
    points: Curve
    elements: list[int]


def x(size: float) -> float:
    """Return the x coordinate of an amount of hardware, on a logarithmic scale."""
    return LEFT + (RIGHT - LEFT) * log2(size / LEAST_SIZE) / log2(MOST_SIZE / LEAST_SIZE)


def y(ms: float) -> float:
    """Return the y coordinate of a time, on a logarithmic scale."""
    return HEIGHT * (1 - log2(ms / LEAST_MS) / log2(MOST_MS / LEAST_MS))


def axes(drawing: Drawing, title: str, unit: str) -> None:
    """Draw the scales of a panel."""
    drawing.text(MARGIN, -26, title, size=15, weight="600", anchor="start")
    size, ms = LEAST_SIZE, LEAST_MS
    while ms <= MOST_MS:
        drawing.line((LEFT, y(ms)), (RIGHT, y(ms)), RULE)
        drawing.text(LEFT - 8, y(ms) + 4, f"{ms:g}", size=12, colour=GREY, anchor="end")
        ms *= 2
    while size <= MOST_SIZE:
        drawing.line((x(size), HEIGHT), (x(size), HEIGHT + 5), INK)
        drawing.text(x(size), HEIGHT + 20, f"{size:g}", size=12, colour=GREY)
        size *= 2
    drawing.text(LEFT - 36, -8, f"{BITS}-bit exponentiation / ms", size=12, colour=GREY, anchor="start")
    drawing.text(RIGHT, HEIGHT + 38, unit, size=12, colour=GREY, anchor="end")


class Labels:
    """Labels at points of a panel: none covers another, and each is where the fewest lines pass through."""

    PLACES = (
        *((5, -5, "start"), (-5, 13, "end"), (6, 13, "start"), (-5, -5, "end")),
        *((9, 4, "start"), (-9, 4, "end"), (5, -17, "start"), (-5, 25, "end")),
    )

    def __init__(self, drawing: Drawing, lines: Sequence[Line]) -> None:
        """Begin with none; the lines are those of the panel."""
        self._drawing, self._lines = drawing, lines
        self._taken = list[tuple[float, float, float]]()

    def write(self, point: Point, text: str, colour: str) -> None:
        """Write a label at a point."""
        width = 7.0 * len(text)
        places = [
            (point[0] + right - (width if anchor == "end" else 0), point[1] + down)
            for right, down, anchor in self.PLACES
        ]
        free = [place for place in places if self._is_free(*place, width)]
        left, base = min(free or places[:1], key=lambda place: self._lines_through(place, width))
        self._taken.append((left, base, width))
        self._drawing.text(left, base, text, size=12, colour=colour, anchor="start", halo=True)

    def _is_free(self, left: float, base: float, width: float) -> bool:
        """Return whether a label there covers no other one."""
        return not any(
            left < other + wide and other < left + width and abs(base - y) < LABEL_HEIGHT
            for other, y, wide in self._taken
        )

    def _lines_through(self, place: Point, width: float) -> int:
        """Return how many lines pass through a label there."""
        left, base = place
        return sum(passes(line, left, left + width, base - CAPITAL_HEIGHT, base) for line in self._lines)


def passes(line: Line, left: float, right: float, top: float, bottom: float) -> bool:
    """Return whether a line has a point inside a rectangle."""
    (x0, y0), (x1, y1) = line
    begin, end = 0.0, 1.0  # of the part that is inside, as shares of the line
    for start, step, least, most in ((x0, x1 - x0, left, right), (y0, y1 - y0, top, bottom)):
        if step == 0:
            if not least < start < most:
                return False
            continue
        entry, leaving = sorted(((least - start) / step, (most - start) / step))
        begin, end = max(begin, entry), min(end, leaving)
    return begin < end


def lines_of(designs: list[Design]) -> list[Line]:
    """Return the lines through the points of the designs."""
    return [
        ((x(size), y(ms)), (x(next_size), y(next_ms)))
        for design in designs
        for (size, ms), (next_size, next_ms) in pairwise(design.points)
    ]


def draw_curves(drawing: Drawing, designs: list[Design]) -> None:
    """Draw the points of each design, and the line through them."""
    for design in designs:
        for start, end in lines_of([design]):
            drawing.line(start, end, design.colour)
        for size, ms in design.points:
            drawing.dot(x(size), y(ms), design.colour)


def draw_counts(designs: list[Design], labels: Labels) -> None:
    """Write the number of elements at each point."""
    for design in designs:
        for (size, ms), count in zip(design.points, design.elements, strict=True):
            labels.write((x(size), y(ms)), str(count), design.colour)


def draw_names(drawing: Drawing, designs: list[Design]) -> None:
    """Write the names on the right, each joined to the end of its curve, none above another."""
    last = -1e9
    for design in sorted(designs, key=lambda design: y(design.points[-1][1])):
        size, ms = design.points[-1]
        last = max(y(ms), last + LABEL_STEP)
        drawing.line((x(size), y(ms)), (RIGHT + 14, last), design.colour, "1 3")
        drawing.text(RIGHT + 18, last + 4, design.name, size=12, colour=design.colour, anchor="start")


def draw_printed(drawing: Drawing, labels: Labels, *, counts_registers: bool) -> None:
    """Mark the two designs of the abstract."""
    for ms, luts, registers in HEADLINES.values():
        size = luts + counts_registers * registers
        place = x(size), y(ms)
        for side in (-1, 1):
            start, end = ((place[0] + way * 6, place[1] + way * side * 6) for way in (-1, 1))
            drawing.line(start, end, INK)
        labels.write(place, f"({size}, {ms:g})", INK)


def panels(clock_mhz: float | None) -> Iterator[tuple[str, bool, bool, list[Design]]]:
    """Yield for each panel its title, whether registers count, whether it is by Table I, and its curves."""
    found = measured()
    _, luts, registers = HEADLINES[PLAIN]
    each = PRINTED_OF[PLAIN]
    controller = luts - NUM_PE * each.luts, registers - NUM_PE * each.registers
    rows = [row for row in PRINTED if row.word_width == WORD_WIDTH]
    for by_print in (True, False):
        for counts_registers in (False, True):
            designs = []
            for row, colour in zip(rows, COLOURS, strict=True):
                element = None if by_print else found.get(row.design)
                if not by_print and element is None:
                    continue
                one = (element.luts, element.registers) if element else (row.luts, row.registers)
                rest = (element.sequencer_luts, element.sequencer_registers) if element else controller
                size, beside = (pair[0] + counts_registers * pair[1] for pair in (one, rest))
                own = element.fmax_mhz if element else row.clock_mhz
                points = curve(row.design, size, clock_mhz or own, beside)
                designs.append(drawn(row.name, colour, points, size, beside))
            source = "By Table I" if by_print else "Ours"
            hardware = "LUTs and registers" if counts_registers else "LUTs"
            yield f"{source}, by {hardware}", counts_registers, by_print, designs


def drawn(name: str, colour: str, points: Curve, size: float, beside: float) -> Design:
    """Return the part of a curve that is on the scale."""
    inside = [point for point in points if point[0] >= LEAST_SIZE and point[1] <= MOST_MS]
    elements = [round((point[0] - beside) / size) for point in inside]
    return Design(name.partition(", w")[0], colour, inside, elements)


def draw(number: int, title: str, clock_mhz: float | None, lost: str) -> Drawing:
    """Return the figure: each design at its own clock, or all at one."""
    clocks = f"all at {clock_mhz:g} MHz" if clock_mhz else "each at its own clock; ours: that of an ECP5"
    subtitle = f"[amberg08, Fig. {number}] w = {WORD_WIDTH}, {clocks}"
    drawing = Drawing(WIDTH, TOP + 4 * PANEL_STEP + FOOT - 50, title, subtitle, lost)
    for place, (heading, counts_registers, by_print, designs) in enumerate(panels(clock_mhz)):
        with drawing.moved(0, TOP + place * PANEL_STEP):
            unit = "LUTs and registers" if counts_registers else "LUTs"
            axes(drawing, heading, f"{unit} of elements and controller")
            labels = Labels(drawing, lines_of(designs))
            draw_curves(drawing, designs)
            draw_names(drawing, designs)
            if by_print:
                draw_printed(drawing, labels, counts_registers=counts_registers)
            draw_counts(designs, labels)
    drawing.paragraph(MARGIN, TOP + 4 * PANEL_STEP - 24, NOTE, WIDTH - 2 * MARGIN, size=12)
    return drawing

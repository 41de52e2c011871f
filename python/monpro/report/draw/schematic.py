"""Block diagrams on a drawing: blocks, multiplexers, gates, and wires with right angles between them."""

from dataclasses import dataclass
from itertools import pairwise

from monpro.report.draw.drawing import GREY, INK, Colour, Drawing
from monpro.report.draw.text import MONOSPACE

Point = tuple[float, float]

REGISTER = Colour("#dbeafe", "#3b76c4")
ADDER = Colour("#d5f2e6", "#2b9270")
CHOICE = Colour("#fdecc8", "#c78a1b")
LOGIC = Colour("#ebe4fb", "#7d5bbe")
MEMORY = Colour("#fbdde3", "#c2526c")

WIDTH = 720  # of a page with a block diagram
BLOCK_HEIGHT, MULTIPLEXER_HEIGHT = 34, 28
CLOCK_SIZE = 6  # of the triangle that marks a register
ONE_BIT = "4 3"  # the dash of a wire of one bit, or of few


@dataclass(frozen=True)
class Block:
    """A drawn block, with the points where wires meet it, each at a fraction of a side."""

    x: float
    y: float
    width: float
    height: float

    def top(self, fraction: float = 0.5) -> Point:
        """Return a point of the upper side."""
        return self.x + self.width * fraction, self.y

    def bottom(self, fraction: float = 0.5) -> Point:
        """Return a point of the lower side."""
        return self.x + self.width * fraction, self.y + self.height

    def left(self, fraction: float = 0.5) -> Point:
        """Return a point of the left side."""
        return self.x, self.y + self.height * fraction

    def right(self, fraction: float = 0.5) -> Point:
        """Return a point of the right side."""
        return self.x + self.width, self.y + self.height * fraction


@dataclass(frozen=True)
class Schematic:
    """A block diagram on a drawing."""

    drawing: Drawing

    def block(  # noqa: PLR0913, PLR0917  # a rectangle, its label and its colour
        self, x: float, y: float, width: float, label: str, colour: Colour, height: float = BLOCK_HEIGHT
    ) -> Block:
        """Draw a block; a register has a triangle at its clock."""
        self.drawing.box(x - 2, y, width + 4, colour, label, height=height)
        if colour == REGISTER:
            below = y + height
            corners = [
                (x + 5, below),
                (x + 5 + CLOCK_SIZE, below - CLOCK_SIZE),
                (x + 5 + 2 * CLOCK_SIZE, below),
            ]
            self.drawing.shape(corners, REGISTER, "")
        return Block(x, y, width, height)

    def multiplexer(self, x: float, y: float, width: float, label: str) -> Block:
        """Draw a multiplexer with its inputs above and its output below."""
        below = y + MULTIPLEXER_HEIGHT
        corners = [(x, y), (x + width, y), (x + width - 16, below), (x + 16, below)]
        self.drawing.shape(corners, CHOICE, label)
        return Block(x, y, width, MULTIPLEXER_HEIGHT)

    def wire(self, *points: Point, dash: str = "none", branch: bool = False, head: bool = True) -> None:
        """Draw a wire through these corners with a head at its end; a branch begins with a dot."""
        for start, end in pairwise(points):
            self.drawing.line(start, end, GREY, dash)
        if head:
            self.drawing.head(points[-2], points[-1], GREY)
        if branch:
            self.drawing.dot(*points[0])

    def down(
        self, start: Point, end: Point, at: float | None = None, *, dash: str = "none", branch: bool = False
    ) -> None:
        """Draw a wire that leaves and arrives vertically, crossing over at height `at`."""
        if start[0] == end[0]:
            self.wire(start, end, dash=dash, branch=branch)
            return
        y = (start[1] + end[1]) / 2 if at is None else at
        self.wire(start, (start[0], y), (end[0], y), end, dash=dash, branch=branch)

    def label(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        """Write the name of a wire."""
        self.drawing.text(x, y, text, size=12, anchor=anchor, colour=INK, font=MONOSPACE)

    def note(self, x: float, y: float, text: str, width: float = WIDTH) -> float:
        """Write a remark in lines of this width; return the y below."""
        return self.drawing.paragraph(x, y, text, width, size=12)

"""Block diagrams on a drawing: blocks, multiplexers, gates, and wires with right angles between them."""

from dataclasses import dataclass
from itertools import pairwise

from monpro.report.draw.drawing import GREY, INK, MONOSPACE, Colour, Drawing

Point = tuple[float, float]

REGISTER = Colour("#dbeafe", "#3b76c4")
ADDER = Colour("#d5f2e6", "#2b9270")
CHOICE = Colour("#fdecc8", "#c78a1b")
LOGIC = Colour("#ebe4fb", "#7d5bbe")

BLOCK_HEIGHT, MULTIPLEXER_HEIGHT = 34, 28
ONE_BIT = "4 3"  # the dash of a wire of one bit


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

    def block(self, x: float, y: float, width: float, label: str, colour: Colour) -> Block:
        """Draw a block."""
        self.drawing.box(x - 2, y, width + 4, colour, label, height=BLOCK_HEIGHT)
        return Block(x, y, width, BLOCK_HEIGHT)

    def multiplexer(self, x: float, y: float, width: float, label: str) -> Block:
        """Draw a multiplexer with its inputs above and its output below."""
        below = y + MULTIPLEXER_HEIGHT
        corners = [(x, y), (x + width, y), (x + width - 16, below), (x + 16, below)]
        self.drawing.shape(corners, CHOICE, label)
        return Block(x, y, width, MULTIPLEXER_HEIGHT)

    def wire(self, *points: Point, dash: str = "none", branch: bool = False) -> None:
        """Draw a wire through these corners with a head at its end; a branch begins with a dot."""
        for start, end in pairwise(points):
            self.drawing.line(start, end, GREY, dash)
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

    def label(self, x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> None:
        """Write the name of a wire."""
        self.drawing.text(x, y, text, size=size, anchor=anchor, colour=INK, font=MONOSPACE)

    def note(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        """Write a remark."""
        self.drawing.text(x, y, text, size=12, anchor=anchor, colour=GREY)

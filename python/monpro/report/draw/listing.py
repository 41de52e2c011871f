"""An algorithm on a drawing: numbered lines, indented by their depth."""

from collections.abc import Iterable
from dataclasses import dataclass

from monpro.report.draw.drawing import GREY, Drawing
from monpro.report.draw.text import MONOSPACE

LINE_HEIGHT, INDENT = 24, 26
SIZE = 13


@dataclass(frozen=True)
class Line:
    """A line of an algorithm: its number or name, its depth in loops and branches, and its text."""

    name: str
    depth: int
    text: str


def write(drawing: Drawing, lines: Iterable[Line], left: float, top: float, names_width: float) -> float:
    """Write lines, the first with its base line at `top`, behind a column of names; return the y below."""
    y = top
    for line in lines:
        drawing.text(left + names_width, y, line.name, anchor="end", colour=GREY, font=MONOSPACE, size=SIZE)
        x = left + names_width + 16 + INDENT * line.depth
        drawing.text(x, y, line.text, anchor="start", font=MONOSPACE, size=SIZE)
        y += LINE_HEIGHT
    return y

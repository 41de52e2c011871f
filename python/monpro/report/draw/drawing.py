"""A small SVG drawing: text, boxes, lines, and columns of words with the most significant on the left."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from monpro.report.draw import text as typesetting
from monpro.report.draw.figure import Figure
from monpro.report.draw.text import FONT, MONOSPACE

INK = "#1f2933"
GREY = "#616e7c"
PALE = "#f1f4f7"
RULE = "#cbd2d9"

PAGE_WIDTH, LEAST_TEXT = 700, 11  # on a page this wide no text of a drawing is smaller, all in pixels
MARGIN = 24
TITLE_SIZE, LETTER_WIDTH = 19, 0.66  # the second of a bold letter, as a share of its size, at most
HEADER_HEIGHT = 76  # up to which drawings leave room; a longer header moves the drawing down
RECONSTRUCTED = "Reconstructed: {}."

BOX_HEIGHT = 24
STAGGER = BOX_HEIGHT + 3
PRODUCTS_HEIGHT = 2 * BOX_HEIGHT + 14  # of the two staggered rows of double words, with the space below


@dataclass(frozen=True)
class Colour:
    """A fill and the darker line around it."""

    fill: str
    line: str


HUES = (
    Colour("#dbeafe", "#3b76c4"),
    Colour("#d5f2e6", "#2b9270"),
    Colour("#fdecc8", "#c78a1b"),
    Colour("#fbdde3", "#c2526c"),
)
PAIR = Colour("#ebe4fb", "#7d5bbe")
WORD = Colour("#ffffff", RULE)
RESULT = Colour("#e6e9ee", GREY)


class Drawing:
    """An SVG page with a header and a drawing; coordinates in pixels from the top left.

    `reconstructed` tells why the figure is a reconstruction; the header shows it. ValueError is raised for
    text that is too small on a page of `PAGE_WIDTH` pixels.
    """

    def __init__(self, width: int, height: int, title: str, subtitle: str, reconstructed: str = "") -> None:
        """Begin a page with its title and, in grey below, a subtitle."""
        self.width, self.reconstructed = width, reconstructed or None
        self._root = self._page = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", role="img")
        ET.SubElement(self._root, "title").text = typesetting.plain(title)
        background = self._add("rect", width=width, fill="#ffffff")
        fitting = (width - 2 * MARGIN) / (LETTER_WIDTH * len(typesetting.plain(title)))
        self.text(MARGIN, 36, title, size=min(TITLE_SIZE, int(fitting)), weight="600", anchor="start")
        y = 58.0
        for words in filter(None, (subtitle, reconstructed and RECONSTRUCTED.format(reconstructed))):
            y = self.paragraph(MARGIN, y, words, width - 2 * MARGIN)
        down = max(0, round(y - 4) - HEADER_HEIGHT)
        whole = str(height + down)
        self._root.attrib |= {"viewBox": f"0 0 {width} {whole}", "width": str(width), "height": whole}
        background.set("height", whole)
        self._root = self._add("g", transform=f"translate(0 {down})")

    def svg(self) -> str:
        """Return the page as SVG text."""
        return ET.tostring(self._page, encoding="unicode") + "\n"

    def figure(self, identity: str, title: str) -> Figure:
        """Return the page as a figure."""
        return Figure(identity, title, self.svg(), self.reconstructed)

    @contextmanager
    def moved(self, right: float, down: float) -> Iterator[None]:
        """Move all that is drawn within by so much."""
        outside, self._root = self._root, self._add("g", transform=f"translate({right} {down})")
        try:
            yield
        finally:
            self._root = outside

    def paragraph(self, x: float, y: float, string: str, width: float, *, size: int = 13) -> float:
        """Write grey text in lines of this width, the first with its base line at y; return the y below."""
        for line in typesetting.lines(string, size, width):
            self.text(x, y, line, size=size, colour=GREY, anchor="start")
            y += size + 5
        return y

    def text(  # noqa: PLR0913  # the usual properties of a text, all with defaults
        self,
        x: float,
        y: float,
        string: str,
        *,
        size: int = 14,
        colour: str = INK,
        anchor: str = "middle",
        weight: str = "400",
        font: str = FONT,
        halo: bool = False,
    ) -> None:
        """Write `string` with its base line at y; with a halo it can be read where lines pass through it."""
        if size * PAGE_WIDTH < LEAST_TEXT * self.width:
            raise ValueError(f"text of {size} pixels is too small on a page of {self.width}: {string!r}")
        attributes = {"font-size": size, "font-family": font, "font-weight": weight, "text-anchor": anchor}
        if halo:
            attributes |= {"stroke": "#ffffff", "stroke-width": 3, "paint-order": "stroke"}
        element = self._add("text", x=x, y=y, fill=colour, **attributes)
        typesetting.fill(element, string, size, font)

    def box(  # noqa: PLR0913  # a rectangle, its colour and its label
        self,
        x: float,
        y: float,
        width: float,
        colour: Colour,
        label: str,
        *,
        font: str = FONT,
        dash: str = "none",
        height: float = BOX_HEIGHT,
    ) -> None:
        """Draw one box with its label inside."""
        attributes = {"stroke-dasharray": dash, "stroke-width": 1.2}
        inset = {"x": x + 2, "y": y, "width": width - 4, "height": height, "rx": 4}
        self._add("rect", fill=colour.fill, stroke=colour.line, **inset, **attributes)
        self.text(x + width / 2, y + height / 2 + 4.5, label, font=font)

    def shape(self, points: Sequence[tuple[float, float]], colour: Colour, label: str) -> None:
        """Draw a closed shape with its label in the middle."""
        corners = " ".join(f"{x},{y}" for x, y in points)
        attributes = {"stroke-width": 1.2, "stroke-linejoin": "round"}
        self._add("polygon", points=corners, fill=colour.fill, stroke=colour.line, **attributes)
        x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
        if label:
            self.text(x, y + 4.5, label)

    def dot(self, x: float, y: float, colour: str = GREY) -> None:
        """Draw the dot where a wire divides."""
        self._add("circle", cx=x, cy=y, r=2.6, fill=colour)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], colour: str, dash: str = "none"
    ) -> None:
        """Draw a line from start to end."""
        attributes = {"stroke-dasharray": dash, "stroke-width": 1.4}
        self._add("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=colour, **attributes)

    def arrow(self, start: tuple[float, float], end: tuple[float, float], colour: str = GREY) -> None:
        """Draw a vertical or horizontal line with a head at its end."""
        self.line(start, end, colour)
        self.head(start, end, colour)

    def head(self, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        """Draw the head of an arrow at the end of a vertical or horizontal line."""
        (x0, y0), (x, y) = start, end
        across, along = (0, 1) if x == x0 else (1, 0)
        back = 6 if (x - x0) + (y - y0) > 0 else -6
        wings = [
            (x - back * across + 4 * along * side, y - back * along + 4 * across * side) for side in (-1, 1)
        ]
        points = " ".join(f"{px},{py}" for px, py in [(x, y), *wings])
        self._add("polygon", points=points, fill=colour)

    def _add(self, tag: str, **attributes: object) -> ET.Element:
        return ET.SubElement(self._root, tag, {key: str(value) for key, value in attributes.items()})


@dataclass(frozen=True)
class Columns:
    """A panel of word columns on a drawing: column 0 is the rightmost, `highest` the leftmost."""

    drawing: Drawing
    left: float
    highest: int
    lowest: int = 0
    width: float = 54

    @property
    def right(self) -> float:
        """Return the right edge."""
        return self.x(self.lowest - 1)

    @property
    def middle(self) -> float:
        """Return the horizontal middle."""
        return (self.left + self.right) / 2

    def x(self, column: int) -> float:
        """Return the left edge of a column."""
        return self.left + (self.highest - column) * self.width

    def heading(self, y: float, title: str, name: str) -> None:
        """Write the panel's title, and `name` with its index above each column."""
        self.drawing.text(self.middle, y, title, size=15, weight="600")
        for column in range(self.lowest, self.highest + 1):
            centre = self.x(column) + self.width / 2
            self.drawing.text(centre, y + 26, f"{name}[{column}]", size=12, colour=GREY, font=MONOSPACE)

    def name(self, y: float, name: str) -> None:
        """Write the name of the row of boxes at y, on its left."""
        self.drawing.text(self.left - 10, y + BOX_HEIGHT - 7.5, name, anchor="end", weight="600")

    def words(
        self, y: float, values: dict[int, str], colour: Colour = WORD, struck: frozenset[int] = frozenset()
    ) -> None:
        """Draw a row of single words; the struck ones are dropped by the division by r."""
        for column, value in values.items():
            dropped = column in struck
            shade = Colour(PALE, RULE) if dropped else colour
            self.drawing.box(
                self.x(column), y, self.width, shade, value, font=MONOSPACE, dash="3 3" if dropped else "none"
            )

    def products(self, y: float, labels: dict[int, str], colour: Colour) -> float:
        """Draw double words by the column of their low word, in two staggered rows; return the y below."""
        for position, (column, label) in enumerate(labels.items()):
            row = y + position % 2 * STAGGER
            self.drawing.box(self.x(column + 1), row, 2 * self.width, colour, label)
        return y + PRODUCTS_HEIGHT

    def rule(self, y: float) -> None:
        """Draw the line above a sum."""
        self.drawing.line((self.left, y), (self.right, y), INK)

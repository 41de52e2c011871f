"""Curves over the size of a modulus as an SVG picture that stands alone, on a light or a dark page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2
from xml.etree import ElementTree as ET

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 52, 640, 86, 384
LABEL_STEP = 19  # the least distance of the labels' base lines

# The card keeps the picture legible on any page; its colours follow the reader's choice of light or dark.
COLOURS = {
    "card": ("#ffffff", "#0d1117"),
    "grid": ("#d0d7de", "#3d444d"),
    "ink": ("#1f2328", "#f0f6fc"),
    "grey": ("#59636e", "#9198a1"),
    "curve0": ("#0b5fcc", "#6cb0ff"),
    "curve1": ("#b3400a", "#ff9d66"),
    "curve2": ("#6f3fc0", "#c3a2ff"),
    "curve3": ("#1a7a3c", "#5fd08a"),
    "curve4": ("#7a5a00", "#e2c04c"),
}
FORMS = """rect, circle, text { fill: currentColor; }
line, polyline { stroke: currentColor; fill: none; }
text { font: 15px 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
.title { font-size: 18px; font-weight: 600; }
.thick { stroke-width: 2.5; }
"""


@dataclass(frozen=True)
class Curve:
    """A name and its values by the bits of the modulus."""

    name: str
    values: Mapping[int, float]


def draw(title: str, subtitle: str, one: str, curves: Sequence[Curve]) -> str:
    """Return the picture of at most five curves as SVG; `one` names the line at 1."""
    sizes = sorted({bits for curve in curves for bits in curve.values})
    highest = ceil(max(value for curve in curves for value in curve.values.values()))
    root = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img")
    ET.SubElement(root, "title").text = title
    ET.SubElement(root, "style").text = _style()
    _add(root, "rect", "card", width=WIDTH, height=HEIGHT, rx=8)
    _text(root, (24, 34), title, "ink title")
    _text(root, (24, 57), subtitle, "grey")

    def x(bits: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * log2(bits / sizes[0]) / log2(sizes[-1] / sizes[0]), 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * value / highest, 1)

    for value in range(highest + 1):
        kind = "grey thick" if value == 1 else "grid"
        _add(root, "line", kind, x1=LEFT, y1=y(value), x2=RIGHT, y2=y(value))
        _text(root, (LEFT - 10, y(value) + 5), str(value), "grey", "end")
    for bits in sizes:
        _text(root, (x(bits), BOTTOM + 24), str(bits), "grey", "middle")
    _text(root, ((LEFT + RIGHT) / 2, HEIGHT - 12), "bits of the modulus", "grey", "middle")
    labels = [(y(1), one, "grey")]
    for number, curve in enumerate(curves):
        kind = f"curve{number}"
        points = [(x(bits), y(value)) for bits, value in sorted(curve.values.items())]
        _add(root, "polyline", f"{kind} thick", points=" ".join(f"{px},{py}" for px, py in points))
        for px, py in points:
            _add(root, "circle", kind, cx=px, cy=py, r=3.5)
        labels.append((points[-1][1], curve.name, kind))
    _label(root, labels)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode") + "\n"


def _style() -> str:
    """Return the picture's style: shapes, the light colours, and the dark ones for those who prefer them."""
    light, dark = (
        "".join(f".{kind} {{ color: {pair[place]}; }}\n" for kind, pair in COLOURS.items())
        for place in (0, 1)
    )
    return f"\n{FORMS}{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n"


def _label(root: ET.Element, labels: list[tuple[float, str, str]]) -> None:
    """Write each name to the right of its line's end, as near as its neighbours and the axis allow."""
    lowest = float(BOTTOM)
    for end, name, kind in sorted(labels, reverse=True):
        lowest = min(end, lowest)
        _text(root, (RIGHT + 14, lowest + 5), name, kind)
        lowest -= LABEL_STEP


def _text(
    root: ET.Element, place: tuple[float, float], string: str, kind: str, anchor: str = "start"
) -> None:
    attributes = {"x": place[0], "y": place[1], "text-anchor": anchor}
    _add(root, "text", kind, **attributes).text = string


def _add(root: ET.Element, tag: str, kind: str, **attributes: object) -> ET.Element:
    shown = {key: str(value) for key, value in attributes.items()}
    return ET.SubElement(root, tag, {"class": kind} | shown)

"""All figures: drawings on one page, legible at page width, whose own drawing is lost or not."""

import math
import re
from xml.etree import ElementTree as ET

import pytest

from monpro.report import Figure, Item, catalogue
from monpro.report.draw.drawing import LEAST_TEXT, PAGE_WIDTH, Drawing
from told import MEASURED

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = [item for item in catalogue() if item.kind == "figure" and item.id not in MEASURED]
PRINTED_AS_TEXT = {"amberg08.figure1", "amberg08.figure2", "amberg08.figure3", "koc97.figure1"}
ADVANCE_EM = 0.62  # of a character in a font of fixed width, the widest
TOLERANCE = 2.0


def drawn(item: Item) -> Figure:
    figure = item.build()
    assert isinstance(figure, Figure)
    return figure


def page(figure: Figure) -> ET.Element:
    return ET.fromstring(figure.svg)  # noqa: S314  # written by this package


def moved(node: ET.Element, right: float = 0, down: float = 0) -> list[tuple[ET.Element, float, float]]:
    """Return all elements below a node, and how far groups move each."""
    found = []
    for child in node:
        shift = re.fullmatch(r"translate\((\S+) (\S+)\)", child.get("transform", "translate(0 0)"))
        assert shift
        x, y = right + float(shift[1]), down + float(shift[2])
        found += [(child, x, y), *moved(child, x, y)]
    return found


def extent(node: ET.Element, right: float) -> tuple[float, float]:
    """Return the leftmost and rightmost x of a text, by the width that it has at most."""
    size = float(node.attrib["font-size"])
    width = sum(
        len(piece or "") * ADVANCE_EM * float(tspan.get("font-size", size))
        for tspan in node.iter()
        for piece in (tspan.text, tspan.tail if tspan is not node else None)
    )
    width += sum(float(tspan.get("dx", 0)) for tspan in node.iter(f"{SVG}tspan"))
    x = float(node.attrib["x"]) + right
    start = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.attrib["text-anchor"]]
    return x - start * width, x + (1 - start) * width


@pytest.mark.parametrize("item", FIGURES, ids=lambda item: item.id)
def test_nothing_is_drawn_outside_the_page(item: Item) -> None:
    root = page(drawn(item))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for node, right, down in moved(root):
        for name, value in node.attrib.items():
            if name in {"x", "x1", "x2", "cx"}:
                assert 0 <= float(value) + right <= width
            if name in {"y", "y1", "y2", "cy"}:
                assert 0 <= float(value) + down <= height
        if node.tag == f"{SVG}text" and "DejaVu Sans Mono" in node.attrib["font-family"]:
            left, end = extent(node, right)
            text = "".join(node.itertext())
            assert left >= -TOLERANCE, text
            assert end <= width + TOLERANCE, text


@pytest.mark.parametrize("item", FIGURES, ids=lambda item: item.id)
def test_text_is_legible_at_page_width(item: Item) -> None:
    root = page(drawn(item))
    scale = PAGE_WIDTH / float(root.attrib["width"])
    sizes = [float(text.attrib["font-size"]) for text in root.iter(f"{SVG}text")]
    assert sizes
    assert min(sizes) * scale >= LEAST_TEXT


def test_a_long_title_is_set_smaller_and_stays_on_the_page() -> None:
    for title, size in (
        ("A title", 19),
        ("A title of sixty-six bold letters, which is one of the longest here", None),
    ):
        (text, *_) = ET.fromstring(Drawing(700, 400, title, "").svg()).iter(f"{SVG}text")  # noqa: S314  # as above
        found = float(text.attrib["font-size"])
        assert found == size if size else 11 < found < 19
        assert 24 + 0.66 * found * len(title) <= 700 - 24 + TOLERANCE


def test_text_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="text of 10 pixels is too small on a page of 700: 'x'"):
        Drawing(700, 100, "A title", "").text(0, 0, "x", size=10)
    with pytest.raises(ValueError, match="too small on a page of 1400"):
        Drawing(1400, 100, "A title", "")


@pytest.mark.parametrize("item", FIGURES, ids=lambda item: item.id)
def test_a_figure_says_that_it_is_reconstructed_if_the_drawing_is_lost(item: Item) -> None:
    figure = drawn(item)
    shown = " ".join("".join(text.itertext()) for text in page(figure).iter(f"{SVG}text"))
    if item.id in PRINTED_AS_TEXT:
        assert figure.reconstructed is None
        assert "Reconstructed" not in shown
    else:
        assert figure.reconstructed
        assert "lost" in figure.reconstructed
        assert f"Reconstructed: {figure.reconstructed}." in shown


@pytest.mark.parametrize("item", FIGURES, ids=lambda item: item.id)
def test_a_figure_names_its_paper_and_has_a_background_of_its_own(item: Item) -> None:
    root = page(drawn(item))
    kind, number = re.fullmatch(r"\w+\.(figure)(\d+)", item.id).groups()  # type: ignore[union-attr]
    assert kind == "figure"
    texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert any(f"[{item.paper}, Fig. {number}]" in text for text in texts)
    first = next(iter(root.iter(f"{SVG}rect")))
    assert (first.get("fill"), first.get("width"), first.get("height")) == (
        "#ffffff",
        root.attrib["width"],
        root.attrib["height"],
    )
    assert drawn(item) == drawn(item)


def test_subscripts_superscripts_and_hats_are_runs_of_a_text() -> None:
    drawing = Drawing(700, 200, "A title", "")
    drawing.text(10, 100, "N̂_{i+1}^{k} + qᵢ₊₂ and Skip_D", size=20)
    text = list(ET.fromstring(drawing.svg()).iter(f"{SVG}text"))[-1]  # noqa: S314  # written by this package
    runs = [(run.text, float(run.get("dy", 0)), run.get("font-size")) for run in text]
    small = "14.4"
    assert [(run[0], run[2]) for run in runs] == [
        ("N", None),
        ("ˆ", None),
        ("i+1", small),
        ("k", small),
        (" + q", None),
        ("i+2", small),
        (" and Skip_D", None),
    ]
    below = [round(sum(run[1] for run in runs[: place + 1]), 6) for place in range(len(runs))]
    assert below[0] == below[4] == below[6] == 0
    assert below[1] < 0
    assert below[2] == below[5] > 0
    assert below[3] < 0
    assert math.isclose(float(text[1].get("dx", 0)), -20 * (0.72 + 0.333) / 2, abs_tol=0.01)

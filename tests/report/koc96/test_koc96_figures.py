"""Figures 1 to 3 of [koc96]: well-formed drawings that show the products of the traced run."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from monpro.report import Figure, select
from monpro.report.koc96 import trace
from monpro.spec import koc96

SVG = "{http://www.w3.org/2000/svg}"


def drawn(identity: str) -> tuple[ET.Element, list[str]]:
    """Return a figure's root and its texts."""
    (item,) = select(identity)
    figure = item.build()
    assert isinstance(figure, Figure)
    root = ET.fromstring(figure.svg)  # noqa: S314  # our own drawing
    return root, [text.text or "" for text in root.iter(f"{SVG}text")]


def shown(texts: list[str]) -> Counter[str]:
    """Return the products among the texts, without their position in the order."""
    return Counter(found[0] for text in texts if (found := re.search(r"a.b.$|m⁽.⁾n.$", text)))


def traced(method: koc96.Method) -> Counter[str]:
    """Return the products a[j]*b[i] and m*n[j] that a run executes, as the figures write them."""
    found: Counter[str] = Counter()
    iteration = -1
    for product in trace.products(trace.trace(method)):
        iteration += product.right.startswith("n'")
        if product.left == "m[0]":
            found[product.label.replace("m", trace.power("m", iteration))] += 1
        elif not product.right.startswith("n'"):
            found["".join(sorted((product.label[:2], product.label[2:])))] += 1
    return found


@pytest.mark.parametrize("identity", [item.id for item in select("koc96") if item.kind == "figure"])
def test_a_figure_is_a_page_with_a_title_and_nothing_outside_it(identity: str) -> None:
    root, texts = drawn(identity)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == texts[0]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for box in root.iter(f"{SVG}rect"):
        assert float(box.attrib.get("x", 0)) + float(box.attrib["width"]) <= width
        assert float(box.attrib.get("y", 0)) + float(box.attrib["height"]) <= height


def test_figure_1_shows_every_product_of_sos() -> None:
    _, texts = drawn("koc96.figure1")
    assert shown(texts) == traced(koc96.sos)
    assert sum(traced(koc96.sos).values()) == 2 * 4 * 4


def test_figure_1_shows_the_words_of_the_product_and_of_u() -> None:
    root, _ = drawn("koc96.figure1")
    words = [text.text for text in root.iter(f"{SVG}text") if text.text and len(text.text) == 2]
    product = trace.X * trace.Y
    assert [f"{product >> 8 * k & 255:02x}" for k in range(8)] == words[:8]


def test_figure_2_shows_the_products_of_one_iteration_in_their_order() -> None:
    _, texts = drawn("koc96.figure2")
    placed = [re.match(r"(\d):  (\S+)", text) for text in texts]
    order = {int(found[1]): found[2] for found in placed if found}
    assert sum(shown(texts).values()) == 2 * 4
    assert order.pop(2) == "m⁽¹⁾"
    assert [order[place] for place in sorted(order)] == [
        label for j in "₀₁₂₃" for label in (f"a{j}b₁", f"m⁽¹⁾n{j}")
    ]


def test_figure_3_shows_all_of_a_times_b_and_one_multiple_of_n() -> None:
    _, texts = drawn("koc96.figure3")
    all_of_it = traced(koc96.cihs)
    assert shown(texts) == Counter(
        {label: count for label, count in all_of_it.items() if label[0] == "a" or label.startswith("m⁽¹⁾")}
    )
    assert {"PC₀", "PS₀", "PC₁", "PS₁", "PC₂", "PS₂"} <= set(texts)


def test_figure_3_adds_up() -> None:
    """With the drawn words, the shifted t plus the pair of iteration 1 equals the t after it."""
    _, texts = drawn("koc96.figure3")
    x, y = ([number >> 8 * k & 255 for k in range(4)] for number in (trace.X, trace.Y))
    words = [text for text in texts if len(text) == 2 and all(digit in "0123456789abcdef" for digit in text)]
    shifted, after = (int("".join(reversed(part)), 16) for part in (words[12:17], words[17:22]))
    assert after - shifted == (x[3] * y[2] + x[2] * y[3]) << 24

"""The figures of amberg08: listings as printed, datapaths as in the RTL, curves of every design."""

from itertools import pairwise
from pathlib import Path

import pytest

import drawings
from monpro.flow.elements import Element
from monpro.report import Figure, select
from monpro.report.amberg08 import curves, figure1, figure4, listing
from monpro.report.amberg08.conclusions import BOOTH, PLAIN
from monpro.report.amberg08.designs import exponentiation_ms
from monpro.report.draw.drawing import Drawing
from monpro.spec import amberg08

RTL = Path(__file__).parents[3] / "rtl"
ELEMENT = Element(
    luts=140.0, registers=118.0, sequencer_luts=300.0, sequencer_registers=200.0, fmax_mhz=100.0
)
SUM = "(C, Zj) = {Zj+1v−1:0, Zjw−1:v} + C + Qi × Mˆj + Xi × Yj"
PRINTED = {  # [amberg08, Figs. 1 to 3]: names, depths and lines, without the layout of superscripts
    1: [
        ("Multiply:", 0, "Z = X × Y"),
        ("Reduce:", 0, "Q = Z × M' mod R"),
        ("", 0, "Z = [Z + Q × M] / R"),
        ("Normalize:", 0, "if Z ≥ M then Z = Z − M"),
    ],
    2: [
        ("", 0, "Z = 0"),
        ("", 0, "for i = 0 to f − 1"),
        ("", 1, "Qi = Z0 mod 2v"),
        ("", 1, "Qi = Booth(Qi, Qv−1i−1)"),
        ("", 1, "Xi = Booth(Xi, Xv−1i−1)"),
        ("", 1, "C = 0"),
        ("", 1, "for j = 0 to e − 1"),
        ("", 2, SUM),
        ("", 0, "if Qv−1f−1 = 1"),
        ("", 1, "C = 0"),
        ("", 1, "for j = 0 to e − 1"),
        ("", 2, "(C, Zj) = Zj + C + 2v Mˆj"),
    ],
    3: [
        ("", 0, "Z = 0"),
        ("", 0, "for i = 0 to f − 1"),
        ("", 1, "Qi = Z0 mod 2v"),
        ("", 1, "C = 0"),
        ("", 1, "for j = 0 to e − 1"),
        ("", 2, SUM),
    ],
}


def texts(number: int) -> list[str]:
    (item,) = select(f"amberg08.figure{number}")
    figure = item.build()
    assert isinstance(figure, Figure)
    return drawings.texts(drawings.parsed(figure.svg))


@pytest.mark.parametrize(
    ("number", "algorithm"),
    [(1, amberg08.montgomery), (2, amberg08.booth_encoded), (3, amberg08.non_booth)],
)
def test_listings_are_the_print_and_come_from_the_source_of_the_spec(number: int, algorithm: object) -> None:
    assert callable(algorithm)
    lines = listing.lines(algorithm, figure1.NAMES if number == 1 else {})
    assert [(line.name, line.depth, drawings.written(line.text)) for line in lines] == PRINTED[number]
    shown = texts(number)
    for _, _, line in PRINTED[number]:
        assert line in shown


def test_datapaths_have_the_multiples_that_the_rtl_stores() -> None:
    """NumOdd registers for each operand, and as many choices as digits have values."""
    source = (RTL / "monpro_cell_multiple.sv").read_text(encoding="utf-8")
    assert "Largest   = Booth ? 2 ** (RadixLog2 - 1) : 2 ** RadixLog2 - 1" in source
    assert "NumOdd    = (Largest + 1) / 2" in source
    for path in figure4.DATAPATHS:
        largest = 2 ** (path.radix_log2 - 1) if path.booth else 2**path.radix_log2 - 1
        assert len(path.stored) == (largest + 1) // 2
        assert path.choices == (2 * largest + 1 if path.booth else largest + 1)
    shown = texts(4)
    assert [shown.count(label) for label in ("Y", "3Y", "Mˆ", "3Mˆ")] == [3, 2, 3, 2]
    assert [shown.count(f"SEL {choices}") for choices in (4, 5, 9)] == [2, 2, 2]
    assert (shown.count("CPA"), shown.count("ENC"), shown.count("CSA")) == (3, 2, 6)


def test_the_radix_8_element_has_the_twelve_registers_of_the_rtl() -> None:
    """[amberg08, §IV]: twelve w-bit registers, two selectors, two rows of adders, a CPA of three bits."""
    rtl = (RTL / "monpro_pe_scalable_right.sv").read_text(encoding="utf-8").split()
    words = {"y_q": 2, "m_q": 2, "sum_q": 1, "carry_q": 1, "y_o": 2, "m_o": 2, "sum_o": 1, "carry_o": 1}
    assigned = [name for name, operator in pairwise(rtl) if operator == "<="]
    assert sum(words.get(name, 0) for name in assigned) == 12
    shown = texts(5)
    drawn = {label: shown.count(label) for label in ("Y", "3Y", "Mˆ", "3Mˆ", "sum", "carry")}
    arriving = 1  # each is named once more where it arrives
    assert sum(count - arriving for count in drawn.values()) == 12
    assert shown.count("SEL 9") == 2
    assert shown.count("carry-save adder") == 2
    assert "CPA, 3 bits" in shown


@pytest.mark.parametrize("number", [6, 7])
def test_the_curves_show_every_design_and_the_two_printed_points(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curves, "measured", lambda: {PLAIN: ELEMENT})
    shown = texts(number)
    names = ("radix 8 right Booth", "radix 4 right Booth", "radix 4 left Booth", "radix 2 left")
    assert [shown.count(name) for name in names] == [2] * 4
    assert shown.count("radix 4 left") == 4
    for hardware in ("LUTs", "LUTs and registers"):
        assert {f"By Table I, by {hardware}", f"Ours, by {hardware}"} <= set(shown)
    assert {"(4997, 9.4)", "(4852, 13)", "(9048, 9.4)", "(7739, 13)"} <= set(shown)


def test_each_point_of_a_curve_is_a_number_of_elements() -> None:
    found = {heading: designs for heading, _, _, designs in curves.panels(None)}
    (plain,) = (design for design in found["By Table I, by LUTs"] if design.name == "radix 4 left")
    assert plain.elements == [8, 16, 32, 64]
    for count, (luts, ms) in zip(plain.elements, plain.points, strict=True):
        assert luts == count * 132 + 773
        assert ms == exponentiation_ms(PLAIN.core(count), 248)
    luts, ms = plain.points[2]
    assert (luts, round(ms, 2)) == (4997, 9.27)
    (booth,) = (d for d in found["By Table I, by LUTs and registers"] if d.name == "radix 4 left Booth")
    assert booth.points[0][0] == booth.elements[0] * (176 + 89) + 773 + 211
    assert booth.points[0][1] == exponentiation_ms(BOOTH.core(booth.elements[0]), 186)


def test_labels_do_not_cover_each_other() -> None:
    drawing = Drawing(720, 400, "A title", "")
    labels = curves.Labels(drawing, [])
    for _ in range(6):
        labels.write((100.0, 100.0), "32", "#000000")
    root = drawings.parsed(drawing.svg())
    found = [node.attrib for node in root.iter(f"{drawings.SVG}text") if node.text == "32"]
    places = [(float(node["x"]), float(node["y"])) for node in found]
    assert len(places) == 6
    for place, (x, y) in enumerate(places):
        for other_x, other_y in places[:place]:
            assert abs(x - other_x) >= 7 * len("32") or abs(y - other_y) >= 11


def test_no_line_passes_through_a_label_that_has_another_place() -> None:
    """The first place, above on the right, is crossed; the second, below on the left, is free."""
    drawing = Drawing(720, 400, "A title", "")
    labels = curves.Labels(drawing, [((90.0, 70.0), (150.0, 110.0)), ((300.0, 0.0), (300.0, 400.0))])
    labels.write((100.0, 100.0), "32", "#000000")
    (label,) = [
        node for node in drawings.parsed(drawing.svg()).iter(f"{drawings.SVG}text") if node.text == "32"
    ]
    assert (float(label.attrib["x"]), float(label.attrib["y"])) == (81.0, 113.0)
    assert label.attrib["paint-order"] == "stroke"  # what is crossed all the same is read by its halo


@pytest.mark.parametrize("clock_mhz", [None, 200.0])
def test_at_most_one_line_passes_through_the_label_of_a_printed_point(clock_mhz: float | None) -> None:
    for _, counts_registers, by_print, designs in curves.panels(clock_mhz):
        if not by_print:
            continue
        drawing, lines = Drawing(720, 400, "A title", ""), curves.lines_of(designs)
        curves.draw_printed(drawing, curves.Labels(drawing, lines), counts_registers=counts_registers)
        root = drawings.parsed(drawing.svg())
        found = [node for node in root.iter(f"{drawings.SVG}text") if (node.text or "").startswith("(")]
        assert len(found) == 2
        for label in found:
            left, base = float(label.attrib["x"]), float(label.attrib["y"])
            box = (left, left + 7 * len(label.text or ""), base - 9, base)
            assert sum(curves.passes(line, *box) for line in lines) <= 1


@pytest.mark.parametrize(
    ("line", "is_inside"),
    [
        (((0.0, 0.0), (10.0, 10.0)), True),
        (((0.0, 5.0), (10.0, 5.0)), True),  # level
        (((5.0, 0.0), (5.0, 10.0)), True),  # upright
        (((0.0, 7.0), (10.0, 7.0)), False),
        (((7.0, 0.0), (7.0, 10.0)), False),
        (((0.0, 0.0), (3.0, 3.0)), False),  # ends before it
        (((0.0, 8.0), (8.0, 0.0)), False),  # touches a corner
        (((4.0, 0.0), (4.0, 10.0)), False),  # along its left side
        (((6.0, 0.0), (6.0, 10.0)), False),  # along its right side
        (((5.0, 0.0), (5.0, 3.0)), False),  # upright, ends above it
    ],
)
def test_whether_a_line_passes_through_a_rectangle(line: curves.Line, is_inside: bool) -> None:
    assert curves.passes(line, 4.0, 6.0, 4.0, 6.0) == is_inside


def test_labels_that_touch_do_not_cover_each_other() -> None:
    labels = curves.Labels(Drawing(720, 400, "A title", ""), [])
    labels._taken.append((0.0, 0.0, 10.0))
    height = curves.LABEL_HEIGHT
    for left, base, is_free in (
        *((10, 0, True), (-5, 0, True), (0, height, True)),
        *((9, 0, False), (-4, 0, False), (0, height - 1, False)),
    ):
        assert labels._is_free(left, base, 5.0) is is_free

"""Figures 1 to 12 of [kuang16]: they show what the spec does."""

import re
from itertools import product
from xml.etree import ElementTree as ET

import pytest

import drawings
from monpro.report import Figure, select
from monpro.report.kuang16 import figure9
from monpro.spec import kuang16
from monpro.spec.numbered import steps


def figure(number: int) -> Figure:
    (item,) = select(f"kuang16.figure{number}")
    built = item.build()
    assert isinstance(built, Figure)
    return built


def page(number: int) -> ET.Element:
    return drawings.parsed(figure(number).svg)


def texts(number: int) -> list[str]:
    return drawings.texts(page(number))


@pytest.mark.parametrize(
    ("number", "algorithm"),
    [
        (1, kuang16.mm),
        (2, kuang16.scs),
        (5, kuang16.fcs_mm_1),
        (7, kuang16.mscs_mm),
        (10, kuang16.scs_mm_new),
    ],
)
def test_listings_have_every_step_of_the_spec(number: int, algorithm: object) -> None:
    assert callable(algorithm)
    lines = texts(number)
    for step in steps(algorithm):
        assert drawings.written(step.text) in lines
        assert step.number in lines


@pytest.mark.parametrize("number", [3, 4, 6, 7, 8, 11, 12])
def test_wires_have_right_angles(number: int) -> None:
    for line in page(number).iter(f"{drawings.SVG}line"):
        x1, x2, y1, y2 = (float(line.attrib[name]) for name in ("x1", "x2", "y1", "y2"))
        assert x1 == pytest.approx(x2) or y1 == pytest.approx(y2)


def test_figure_9_is_an_addition_of_the_spec() -> None:
    a, b, n = figure9.A, figure9.B, figure9.N
    found = re.search(r"SS\[i\+1\] = ([01]+), SC\[i\+1\] = ([01]+)", " ".join(texts(9)))
    assert found is not None
    r = 1 << figure9.ITERATION + 1
    begun = a % r * b
    quotient = -begun * pow(n, -1, r) % r
    assert int(found[1], 2) + int(found[2], 2) == (begun + quotient * n) // r


def nand(x: int, y: int) -> int:
    return 1 - (x & y)


def test_the_gates_of_figure_8_add() -> None:
    """With α = 1, (b) is (a); with α = 0, it is the two rows of half adders of (c)."""
    for a, b, x in product(range(2), repeat=3):
        g1, g2 = a ^ b, nand(a, b)
        total = (g1 ^ x) + 2 * nand(nand(g1, x), g2)
        assert total == a + b + x
        assert nand(1, 1 - g2) == g2
    for ss, sc in product(range(16), repeat=2):
        sums = carries = 0
        for j in range(6):
            g1, g2_below = kuang16.bit(ss, j) ^ kuang16.bit(sc, j), 1
            if j:
                g2_below = nand(kuang16.bit(ss, j - 1), kuang16.bit(sc, j - 1))
            second = 1 - g2_below
            sums |= (g1 ^ second) << j
            carries |= nand(nand(g1, second), 1) << j + 1
        assert (sums, carries) == kuang16.half_adders(*kuang16.half_adders(ss, sc))


def test_the_gates_of_figure_12_are_the_equations() -> None:
    for ss, sc, q_hat, n_2 in product(range(8), range(8), (0, 1), (0, 1)):
        s, c = ([kuang16.bit(vector, j) for j in range(3)] for vector in (ss, sc))
        d1, d0 = s[1] ^ c[1], s[0] & c[0]
        gates = (d1 ^ d0, (s[2] ^ c[2]) ^ (q_hat & n_2) ^ (s[1] & c[1]), d1 | d0)
        assert kuang16.quotients(ss, sc, q_hat, 4 * n_2) == gates

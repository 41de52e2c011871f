"""Polynomials: arithmetic, fits of counts, the leading term, and how they are written."""

from fractions import Fraction

import pytest

from monpro.report.polynomial import Polynomial, constant, letter

W, M, S = (letter(name) for name in "wms")


def test_equal_powers_are_one_term_and_none_is_zero() -> None:
    powers = (0, 0, 1)
    assert Polynomial.of([(powers, 2), (powers, Fraction(1, 2))]).terms == {powers: Fraction(5, 2)}
    assert Polynomial.of([(powers, 2), (powers, -2)]).terms == {}


def test_polynomials_form_a_ring() -> None:
    assert (W + 2) * (S - 3) == W * S - 3 * W + 2 * S - 6
    assert str((S - 1) - (S + 1)) == "-2"
    assert S / 4 * 8 == 2 * S
    assert [str((S + 1) ** power) for power in range(3)] == ["1", "s + 1", "s² + 2s + 1"]


def test_a_polynomial_is_fitted_exactly_or_refused() -> None:
    halves = Polynomial.fit({s: (13 * s * s + 13 * s + 4) // 2 for s in range(1, 6)})
    assert str(halves) == "6.5s² + 6.5s + 2"
    assert Polynomial.fit({s: s * s - s for s in (7, 2, 5, 3)}) == S**2 - S
    assert Polynomial.fit(dict.fromkeys(range(4), 0)) == constant(0)
    with pytest.raises(ValueError, match=r"^the count 64 for s = 4 is not 6s² - 11s \+ 6$"):
        Polynomial.fit({s: s**3 for s in range(1, 5)})
    with pytest.raises(ValueError, match=r"^a polynomial in s needs counts for four or more s$"):
        Polynomial.fit({1: 1, 2: 2, 3: 3})


def test_a_polynomial_in_several_letters_is_fitted_exactly_or_refused() -> None:
    wanted = 9 * W / 4 * M * S**2 + (2 * W + Fraction(3, 2)) * M * S + (W - 1)
    grid: dict[tuple[int, ...], int | Fraction] = {
        (w, m, s): wanted.number(w=w, m=m, s=s) for w in (4, 8, 12) for m in (1, 2, 5) for s in (1, 2, 3, 7)
    }
    assert Polynomial.fit_grid("wms", grid) == wanted
    with pytest.raises(ValueError, match=r"^the count 0 for w = 12, m = 5, s = 7 is not "):
        Polynomial.fit_grid("wms", grid | {(12, 5, 7): 0})
    with pytest.raises(ValueError, match=r"^a polynomial in m needs counts for three or more m$"):
        Polynomial.fit_grid("wms", {point: count for point, count in grid.items() if point[1] < 5})


def test_a_polynomial_has_values() -> None:
    polynomial = 2 * M * S**2 + 100 * S + 7
    assert polynomial.number(m=3, s=5) == 150 + 500 + 7
    assert polynomial.at(m=3) == 6 * S**2 + 100 * S + 7
    assert constant(0).number(s=1) == 0
    with pytest.raises(ValueError, match="too many values"):
        polynomial.number(m=3)


def test_the_leading_term_outgrows_all_others() -> None:
    assert (2 * M * S**2 + 100 * S + 7).leading() == ((0, 1, 2), Fraction(2))
    assert (S + W * S).leading() == ((1, 0, 1), Fraction(1))
    assert constant(3).leading() == ((0, 0, 0), Fraction(3))
    for polynomial in (M + S, M * S + S**2, S**2 + W):
        with pytest.raises(ValueError, match="outgrows the others"):
            polynomial.leading()


@pytest.mark.parametrize(
    ("polynomial", "written"),
    [
        ((3 * W / 2 + 3) * S**2 + W / 2 * S, "(1.5w + 3)s² + 0.5ws"),
        ((2 * W + 1) * M * S, "(2w + 1)ms"),
        ((52 * M + 109) * S**2 - 3 * S + 189, "(52m + 109)s² - 3s + 189"),
        ((W - 1) * M**2, "(w - 1)m²"),
        (W * M + M + 2, "wm + m + 2"),
        (W + M, "m + w"),
        (W - 1, "w - 1"),
        (constant(0) - S, "-s"),
        (constant(3) - S, "-s + 3"),
        (constant(-1), "-1"),
        (S - S, "0"),
    ],
)
def test_polynomials_are_written_as_the_papers_print_them(polynomial: Polynomial, written: str) -> None:
    assert str(polynomial) == written

"""Operation counts as polynomials in the number of words s, found from counted runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self


@dataclass(frozen=True)
class Polynomial:
    """square·s² + linear·s + constant, with exact coefficients."""

    square: Fraction
    linear: Fraction
    constant: Fraction

    @classmethod
    def fit(cls, counts: Mapping[int, int]) -> Self:
        """Return the polynomial through all of `counts`, a count for each of four or more consecutive s.

        Three points determine it and the others must lie on it: ValueError where they do not.
        """
        first, second, third, *others = sorted(counts)
        if not others or third - first != 2:
            raise ValueError("a polynomial in s needs counts for four or more consecutive s")
        y0, y1, y2 = (Fraction(counts[s]) for s in (first, second, third))
        square = (y2 - 2 * y1 + y0) / 2
        linear = y1 - y0 - square * (first + second)
        polynomial = cls(square, linear, y0 - square * first**2 - linear * first)
        for s in others:
            if polynomial(s) != counts[s]:
                raise ValueError(f"the count {counts[s]} for s = {s} is not {polynomial}")
        return polynomial

    def __call__(self, s: int) -> Fraction:
        """Return the value at s."""
        return (self.square * s + self.linear) * s + self.constant

    def __str__(self) -> str:
        """Return the polynomial as the papers print it: `6.5s² + 6.5s + 2`."""
        terms = zip((self.square, self.linear, self.constant), ("s²", "s", ""), strict=True)
        text = " ".join(_term(coefficient, power) for coefficient, power in terms if coefficient)
        return (text[2:] if text.startswith("+") else text.replace("- ", "-", 1)) or "0"


def _term(coefficient: Fraction, power: str) -> str:
    sign = "-" if coefficient < 0 else "+"
    size = abs(coefficient)
    number = "" if size == 1 and power else f"{float(size):g}"
    return f"{sign} {number}{power}"

"""Operation counts as polynomials with exact coefficients, found from counted runs.

The letters are w, the bits of a word, m, the bits of the exponent, and s, the words of an operand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

LETTERS = "wms"
DEGREES = {"w": 1, "m": 1, "s": 2}  # the highest power of each in any count
_SPELLED = {3: "three", 4: "four"}

Powers = tuple[int, ...]  # of w, m and s
Number = int | Fraction


@dataclass(frozen=True)
class Polynomial:
    """A sum of terms: a map from the powers of the letters to the coefficient, which is not 0."""

    terms: Mapping[Powers, Fraction]

    @classmethod
    def of(cls, terms: Iterable[tuple[Powers, Number]]) -> "Polynomial":
        """Return the sum of `terms`; several terms may have the same powers."""
        sums: dict[Powers, Fraction] = {}
        for powers, coefficient in terms:
            sums[powers] = sums.get(powers, Fraction(0)) + coefficient
        return cls({powers: coefficient for powers, coefficient in sums.items() if coefficient})

    @classmethod
    def fit(cls, counts: Mapping[int, Number]) -> "Polynomial":
        """Return the polynomial in s through all of `counts`, which has one count for each of four or more s.

        Three points determine it. The others must lie on it, or ValueError is raised.
        """
        return cls.fit_grid("s", {(s,): count for s, count in counts.items()})

    @classmethod
    def fit_grid(cls, letters: str, counts: Mapping[Powers, Number]) -> "Polynomial":
        """Return the polynomial in `letters` through all of `counts`, one for each point of a grid.

        Some points determine it. The others must lie on it, or ValueError is raised.
        """
        polynomial = cls._interpolated(letters, counts)
        for point, count in counts.items():
            at_point = dict(zip(letters, point, strict=True))
            if polynomial.at(**at_point) != constant(count):
                where = ", ".join(f"{letter} = {value}" for letter, value in at_point.items())
                raise ValueError(f"the count {count} for {where} is not {polynomial}")
        return polynomial

    @classmethod
    def _interpolated(cls, letters: str, counts: Mapping[Powers, Number]) -> "Polynomial":
        if not letters:
            return constant(counts[()])
        x, degree = letters[0], DEGREES[letters[0]]
        values = sorted({point[0] for point in counts})
        if len(values) < degree + 2:
            raise ValueError(f"a polynomial in {x} needs counts for {_SPELLED[degree + 2]} or more {x}")
        total = constant(0)
        for value in values[: degree + 1]:  # Lagrange's form
            there = {point[1:]: count for point, count in counts.items() if point[0] == value}
            term = cls._interpolated(letters[1:], there)
            for other in values[: degree + 1]:
                if other != value:
                    term = term * (letter(x) - other) / (value - other)
            total = total + term
        return total

    def at(self, **values: int) -> "Polynomial":
        """Return the polynomial with numbers in place of some letters."""
        total = constant(0)
        for powers, coefficient in self.terms.items():
            term = constant(coefficient)
            for name, power in zip(LETTERS, powers, strict=True):
                term = term * (constant(values[name]) if name in values else letter(name)) ** power
            total = total + term
        return total

    def number(self, **values: int) -> Fraction:
        """Return the value, with a number for every letter that occurs."""
        (value,) = self.at(**values).terms.values() or (Fraction(0),)
        return value

    def leading(self) -> tuple[Powers, Fraction]:
        """Return the one term that outgrows the others when all letters grow; ValueError if there are two."""
        first, *others = sorted(self.terms, key=sum, reverse=True)
        if any(power > highest for powers in others for power, highest in zip(powers, first, strict=True)):
            raise ValueError(f"no term of {self} outgrows the others")
        return first, self.terms[first]

    def __add__(self, other: "Polynomial | Number") -> "Polynomial":
        """Return the sum."""
        return Polynomial.of([*self.terms.items(), *_polynomial(other).terms.items()])

    def __sub__(self, other: "Polynomial | Number") -> "Polynomial":
        """Return the difference."""
        return self + -1 * _polynomial(other)

    def __mul__(self, other: "Polynomial | Number") -> "Polynomial":
        """Return the product."""
        return Polynomial.of(
            (tuple(map(int.__add__, p, q)), x * y)
            for p, x in self.terms.items()
            for q, y in _polynomial(other).terms.items()
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: int) -> "Polynomial":
        """Return the quotient by a number."""
        return self * Fraction(1, divisor)

    def __pow__(self, exponent: int) -> "Polynomial":
        """Return the power, for an exponent from 0."""
        power = constant(1)
        for _ in range(exponent):
            power = power * self
        return power

    def __str__(self) -> str:
        """Return the polynomial as the papers print it: `6.5s² + 6.5s + 2`, `(1.5w + 3)s² + 0.5ws`."""
        descending = sorted(self.terms, key=lambda powers: powers[::-1], reverse=True)
        groups = [list(group) for _, group in groupby(descending, key=lambda powers: powers[-1])]
        return _joined(_group({powers: self.terms[powers] for powers in group}) for group in groups)


def constant(number: Number) -> Polynomial:
    """Return a number as a polynomial."""
    return Polynomial.of([((0,) * len(LETTERS), number)])


def letter(name: str) -> Polynomial:
    """Return w, m or s as a polynomial."""
    return Polynomial.of([(tuple(int(name == other) for other in LETTERS), 1)])


def _polynomial(value: Polynomial | Number) -> Polynomial:
    return value if isinstance(value, Polynomial) else constant(value)


def _group(terms: Mapping[Powers, Fraction]) -> str:
    """Return the terms with one power of s: one term, or a sum in parentheses times the common factor."""
    common = tuple(map(min, zip(*terms, strict=True)))
    if len(terms) == 1 or not any(common):
        return _joined(_term(coefficient, powers) for powers, coefficient in terms.items())
    rest = (
        _term(coefficient, tuple(map(int.__sub__, powers, common))) for powers, coefficient in terms.items()
    )
    return f"({_joined(rest)}){_monomial(common)}"


def _joined(terms: Iterable[str]) -> str:
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term(coefficient: Fraction, powers: Powers) -> str:
    monomial = _monomial(powers)
    number = f"{float(coefficient):g}"
    return {"1": "", "-1": "-"}.get(number, number) + monomial if monomial else number


def _monomial(powers: Powers) -> str:
    return "".join(name + ("", "²")[power - 1] for name, power in zip(LETTERS, powers, strict=True) if power)

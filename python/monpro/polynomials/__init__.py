"""Polynomials over GF(2^k), in a variable t.

>>> from monpro import BinaryField
>>> from monpro.polynomials import FieldPolynomial
>>> field = BinaryField.named("AES")
>>> p = FieldPolynomial(field, [6, 5, 1])  # 6 + 5·t + t²
>>> p
FieldPolynomial([6, 5, 1], GF(2^8))
>>> quotient, remainder = divmod(p, FieldPolynomial(field, [1, 1]))
>>> quotient * FieldPolynomial(field, [1, 1]) + remainder == p
True
>>> [int(root) for root in FieldPolynomial.interpolate([field(3), field(4)], [field(0), field(7)]).roots()]
[3]
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from monpro._native import BinaryField, FieldElement

if TYPE_CHECKING:
    from monpro.arrays import FieldArray

__all__ = ["FieldPolynomial"]


class FieldPolynomial:
    """The polynomial Σ cᵢ·tⁱ with coefficients in a BinaryField, c₀ first: elements or their integers.

    + − · // % divmod, == and powers compute with polynomials over the same field; an element, 0 or 1 is a
    constant polynomial. Times depend on the coefficients: polynomials are for public values.
    """

    __slots__ = ("_coefficients", "_field")

    def __init__(self, field: BinaryField, coefficients: Iterable[FieldElement | SupportsIndex]) -> None:
        """Make the polynomial; ValueError if a coefficient is no element of the field."""
        elements = [_element(field, coefficient) for coefficient in coefficients]
        while elements and not elements[-1]:
            elements.pop()
        self._field, self._coefficients = field, tuple(elements)

    @property
    def field(self) -> BinaryField:
        """The field of the coefficients."""
        return self._field

    @property
    def coefficients(self) -> tuple[FieldElement, ...]:
        """The coefficients, the constant one first, the leading one last; none for 0."""
        return self._coefficients

    @property
    def degree(self) -> int:
        """The degree; −1 for 0."""
        return len(self._coefficients) - 1

    @classmethod
    def interpolate(cls, points: Sequence[FieldElement], values: Sequence[FieldElement]) -> "FieldPolynomial":
        """Return the polynomial of least degree with these values at these points.

        ValueError if there are no points, not as many values, or equal points.
        """
        if not len(points) or len(points) != len(values):
            raise ValueError(
                f"{len(points)} points and {len(values)} values given: give equally many, at least one"
            )
        if len(set(points)) < len(points):
            raise ValueError("two points are equal: give each point once")
        # Newton's divided differences: c₀ + (t − x₀)·(c₁ + (t − x₁)·(c₂ + …)).
        field, differences = points[0].field, list(values)
        for order in range(1, len(points)):
            for i in reversed(range(order, len(points))):
                differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - order])
        result = cls(field, [])
        for point, difference in zip(reversed(points), reversed(differences), strict=True):
            result = result * cls(field, [point, 1]) + difference
        return result

    @overload
    def __call__(self, x: "FieldElement | int") -> FieldElement: ...
    @overload
    def __call__(self, x: "FieldArray") -> "FieldArray": ...
    def __call__(self, x: Any) -> Any:
        """Return the value at an element, or the values at an array of elements."""
        point = self._field(0) + x if isinstance(x, int) else x
        value = point * 0
        for coefficient in reversed(self._coefficients):
            value = value * point + coefficient
        return value

    def __bool__(self) -> bool:
        """Whether this is not the polynomial 0."""
        return bool(self._coefficients)

    def __eq__(self, other: object) -> bool:
        """Whether field and coefficients are the same."""
        if not isinstance(other, FieldPolynomial):
            return NotImplemented
        return self._field == other._field and self._coefficients == other._coefficients

    def __hash__(self) -> int:
        """Return the same for equal polynomials."""
        return hash((self._field, self._coefficients))

    def __reduce__(self) -> tuple[type["FieldPolynomial"], tuple[BinaryField, tuple[FieldElement, ...]]]:
        """Return what pickle makes the polynomial of."""
        return FieldPolynomial, (self._field, self._coefficients)

    def __repr__(self) -> str:
        """Return the coefficients as integers."""
        return f"FieldPolynomial({[int(c) for c in self._coefficients]}, GF(2^{self._field.degree}))"

    def __neg__(self) -> "FieldPolynomial":
        """Return the same: −p = p."""
        return self

    def __add__(self, other: "FieldPolynomial | FieldElement | int") -> "FieldPolynomial":
        """Return p + q."""
        q = self._operand(other)
        if q is None:
            return NotImplemented
        long, short = sorted((self._coefficients, q._coefficients), key=len, reverse=True)
        sums = [x + y for x, y in zip(long, short, strict=False)]
        return FieldPolynomial(self._field, [*sums, *long[len(short) :]])

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, other: "FieldPolynomial | FieldElement | int") -> "FieldPolynomial":
        """Return p·q."""
        q = self._operand(other)
        if q is None:
            return NotImplemented
        x, y = self._coefficients, q._coefficients[::-1]
        products = []
        for n in range(len(x) + len(y) - 1 if x and y else 0):
            first = max(0, n - len(y) + 1)
            factors = x[first : n + 1]
            others = y[len(y) - 1 - n + first :][: len(factors)]
            products.append(self._field.dot(factors[: len(others)], others))
        return FieldPolynomial(self._field, products)

    __rmul__ = __mul__

    def __divmod__(
        self, other: "FieldPolynomial | FieldElement | int"
    ) -> "tuple[FieldPolynomial, FieldPolynomial]":
        """Return q and r with p = q·d + r and deg r < deg d; ZeroDivisionError for d = 0."""
        d = self._operand(other)
        if d is None:
            return NotImplemented
        if not d:
            raise ZeroDivisionError("division by the polynomial 0")
        remainder, inverse = list(self._coefficients), d._coefficients[-1].inv()
        quotient = [self._field(0)] * max(0, len(remainder) - d.degree)
        for i in reversed(range(len(quotient))):
            factor = quotient[i] = remainder[i + d.degree] * inverse
            if factor:
                for j, coefficient in enumerate(d._coefficients):
                    remainder[i + j] -= factor * coefficient
        return FieldPolynomial(self._field, quotient), FieldPolynomial(self._field, remainder)

    def __floordiv__(self, other: "FieldPolynomial | FieldElement | int") -> "FieldPolynomial":
        """Return the quotient of p by d."""
        return divmod(self, other)[0]

    def __mod__(self, other: "FieldPolynomial | FieldElement | int") -> "FieldPolynomial":
        """Return the remainder of p by d."""
        return divmod(self, other)[1]

    def __pow__(self, e: int, modulo: "FieldPolynomial | None" = None) -> "FieldPolynomial":
        """Return pᵉ for e ≥ 0, modulo a polynomial if one is given."""
        if e < 0:
            raise ValueError("the exponent is negative: it must be at least 0")
        power = FieldPolynomial(self._field, [1])
        for bit in f"{e:b}":
            power = _square(power)
            power = power * self if bit == "1" else power
            power = power if modulo is None else power % modulo
        return power

    def monic(self) -> "FieldPolynomial":
        """Return the polynomial divided by its leading coefficient; 0 for 0."""
        return self * self._coefficients[-1].inv() if self else self

    def derivative(self) -> "FieldPolynomial":
        """Return the formal derivative."""
        terms = [c if i % 2 else self._field(0) for i, c in enumerate(self._coefficients)]
        return FieldPolynomial(self._field, terms[1:])

    def gcd(self, other: "FieldPolynomial") -> "FieldPolynomial":
        """Return the monic greatest common divisor; 0 for two zeros."""
        a, b = self, self._same_field(other)
        while b:
            a, b = b, a % b
        return a.monic()

    def roots(self) -> list[FieldElement]:
        """Return the roots in the field, each once, in the order of their integers; ValueError for 0."""
        if not self:
            raise ValueError("every element is a root of the polynomial 0")
        t = FieldPolynomial(self._field, [0, 1])
        conjugates = [t % self]
        for _ in range(self._field.degree):
            conjugates.append(_square(conjugates[-1]) % self)
        # t^(2^k) + t is the product of t + r over all elements r.
        product = self.gcd(conjugates.pop() + t)
        columns = list(zip(*(_padded(power, self.degree) for power in conjugates), strict=True))
        return sorted(_split(product, columns, 0), key=int)

    def _operand(self, other: object) -> "FieldPolynomial | None":
        """Return the other operand as a polynomial over this field; None if it is nothing of the kind."""
        if isinstance(other, FieldPolynomial):
            return self._same_field(other)
        if isinstance(other, FieldElement | int):
            return FieldPolynomial(self._field, [self._field(0) + other])
        return None

    def _same_field(self, other: "FieldPolynomial") -> "FieldPolynomial":
        if other.field != self._field:
            raise ValueError("the polynomials are over different fields or kernels: they cannot be combined")
        return other


def _element(field: BinaryField, coefficient: FieldElement | SupportsIndex) -> FieldElement:
    return field(0) + coefficient if isinstance(coefficient, FieldElement) else field(coefficient)


def _square(p: FieldPolynomial) -> FieldPolynomial:
    zero = p.field(0)
    return FieldPolynomial(p.field, [term for c in p.coefficients for term in (c.square(), zero)])


def _padded(p: FieldPolynomial, length: int) -> list[FieldElement]:
    """Return the coefficients, and zeros above them."""
    return [*p.coefficients, *[p.field(0)] * (length - p.degree - 1)]


def _split(p: FieldPolynomial, columns: list[tuple[FieldElement, ...]], i: int) -> list[FieldElement]:
    """Return the roots of a product of different t + r, by Berlekamp's trace algorithm.

    Column c has the coefficients of t^c in t^(2ʲ), 0 ≤ j < k, modulo a multiple of p. With them, the trace
    of xⁱ·t is a polynomial. Two roots r differ in the trace of xⁱ·r for some i, but those of p do not for
    smaller i.
    """
    if p.degree < 2:
        return [p.coefficients[0] / p.coefficients[1]] if p.degree == 1 else []
    field = p.field
    conjugates = [field(1 << i)]
    while len(conjugates) < field.degree:
        conjugates.append(conjugates[-1].square())
    trace = FieldPolynomial(field, [field.dot(conjugates, column) for column in columns])
    factor = p.gcd(trace)
    return _split(factor, columns, i + 1) + _split(p // factor, columns, i + 1)

"""Polynomials over GF(2^k): division, values, interpolation, divisors and roots; what is refused."""

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monpro import BinaryField
from monpro.polynomials import FieldPolynomial

AES = BinaryField.named("AES")
FIELDS = [BinaryField([2, 1, 0]), BinaryField([3, 1, 0]), AES, BinaryField.named("B-163")]


@st.composite
def polynomials(draw: st.DrawFn, count: int) -> list[FieldPolynomial]:
    """Draw polynomials over one field."""
    field = draw(st.sampled_from(FIELDS))
    element = st.integers(0, (1 << field.degree) - 1)
    return [FieldPolynomial(field, draw(st.lists(element, max_size=5))) for _ in range(count)]


@settings(max_examples=30)
@given(polynomials(3), st.integers(0, 2**163 - 1))
def test_operations_are_those_on_values(triple: list[FieldPolynomial], number: int) -> None:
    p, q, r = triple
    field = p.field
    x = field(number % (1 << field.degree))
    assert (p + q)(x) == (p - q)(x) == p(x) + q(x)
    assert (p * q)(x) == p(x) * q(x)
    assert (p * q).degree == (p.degree + q.degree if p and q else -1)
    assert (-p + x)(x) == p(x) + x
    assert (x * p)(x) == (p * x)(x) == x * p(x)
    assert (1 + p)(x) == p(x) + 1
    assert p * (q + r) == p * q + p * r
    assert (p**3)(x) == p(x) ** 3
    assert p(1) == sum(p.coefficients, field(0))
    assert (p * q).derivative() == p.derivative() * q + p * q.derivative()
    if q:
        quotient, remainder = divmod(p, q)
        assert quotient * q + remainder == p
        assert remainder.degree < q.degree
        assert (p // q, p % q) == (quotient, remainder)
        assert pow(p, 5, q) == p**5 % q
        assert q.monic().coefficients[-1] == field(1)


@settings(max_examples=30)
@given(polynomials(3))
def test_the_divisor_is_common_and_greatest(triple: list[FieldPolynomial]) -> None:
    p, q, r = triple
    divisor = (p * r).gcd(q * r)
    assert divisor == (q * r).gcd(p * r)
    if not divisor:
        assert not p * r
        assert not q * r
        return
    assert not p * r % divisor
    assert not q * r % divisor
    assert not r or not divisor % r
    assert divisor.degree == r.degree + p.gcd(q).degree if r else True


@settings(max_examples=30)
@given(polynomials(1), st.data())
def test_roots_are_the_elements_of_value_0(single: list[FieldPolynomial], data: st.DataObject) -> None:
    (p,) = single
    if not p:
        return
    field = p.field
    if field.degree <= 8:
        assert p.roots() == [x for x in field if not p(x)]
    known = {field(n) for n in data.draw(st.lists(st.integers(0, (1 << field.degree) - 1), max_size=4))}
    for root in known:
        p = p * FieldPolynomial(field, [root, 1])
    assert known <= set(p.roots())
    assert all(not p(root) for root in p.roots())


@settings(max_examples=30)
@given(polynomials(1))
def test_interpolation_finds_the_polynomial(single: list[FieldPolynomial]) -> None:
    (p,) = single
    field = p.field
    count = min(max(p.degree + 1, 1), 1 << field.degree)
    points = [field(i) for i in range(count)]
    found = FieldPolynomial.interpolate(points, [p(x) for x in points])
    assert found.degree < count
    assert [found(x) for x in points] == [p(x) for x in points]
    if p.degree < count:
        assert found == p


def test_values_at_an_array_are_those_at_its_elements() -> None:
    for coefficients in ([], [7], [1, 2, 3]):
        p: Any = FieldPolynomial(AES, coefficients)
        x = AES.array([[0, 1], [2, 255]])
        assert list(p(x).ravel()) == [p(element) for element in x.ravel()]


def test_a_polynomial_is_printed_pickled_and_hashed_by_its_coefficients() -> None:
    p = FieldPolynomial(AES, [6, AES(5), 1, 0, 0])
    assert (repr(p), p.degree) == ("FieldPolynomial([6, 5, 1], GF(2^8))", 2)
    assert p.coefficients == (AES(6), AES(5), AES(1))
    copied = pickle.loads(pickle.dumps(p))
    assert copied == p
    assert hash(copied) == hash(p)
    assert p != FieldPolynomial(AES, [6])
    assert p != "p"
    assert FieldPolynomial(AES, []).degree == -1
    assert not FieldPolynomial(AES, [0])


P: Any = FieldPolynomial(AES, [6, 5, 1])
OTHER = BinaryField([8, 4, 3, 2, 0])


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [
        (ValueError, lambda: FieldPolynomial(AES, [256]), "degree 8"),
        (ValueError, lambda: FieldPolynomial(AES, [OTHER(1)]), "different fields"),
        (ValueError, lambda: P + FieldPolynomial(OTHER, [1]), "polynomials are over different fields"),
        (ValueError, lambda: P.gcd(FieldPolynomial(OTHER, [])), "polynomials are over different fields"),
        (ValueError, lambda: P(OTHER(1)), "different fields"),
        (TypeError, lambda: P + 2, "integer other than 0 and 1"),
        (TypeError, lambda: P(2), "integer other than 0 and 1"),
        (TypeError, lambda: P + "1", "unsupported operand"),
        (TypeError, lambda: P * 1.5, "unsupported operand"),
        (TypeError, lambda: FieldPolynomial(AES, [P]), "must be an integer"),
        (ZeroDivisionError, lambda: divmod(P, FieldPolynomial(AES, [])), "division by the polynomial 0"),
        (ZeroDivisionError, lambda: P % 0, "division by the polynomial 0"),
        (ValueError, lambda: P**-1, "negative"),
        (ValueError, FieldPolynomial(AES, []).roots, "every element is a root"),
        (ValueError, lambda: FieldPolynomial.interpolate([], []), "at least one"),
        (ValueError, lambda: FieldPolynomial.interpolate([AES(1)], []), "equally many"),
        (ValueError, lambda: FieldPolynomial.interpolate([AES(1)] * 2, [AES(1)] * 2), "two points are equal"),
    ],
)
def test_what_cannot_be_computed_is_refused(
    error: type[Exception], call: Callable[[], object], message: str
) -> None:
    with pytest.raises(error, match=message):
        call()

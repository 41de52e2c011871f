"""GF(2^k) from Python: fields, elements and their operations, compared with the bitwise reference."""

import array
import copy
import itertools
import math
import pickle
import random
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import monpro
from monpro import BinaryField, FieldElement
from monpro.spec.reference import power, product, remainder

NIST_571 = [571, 10, 5, 2, 0]
NIST_163 = [163, 7, 6, 3, 0]
SMALL = ([1, 0], [2, 1, 0], [8, 4, 3, 1, 0], [63, 1, 0], [64, 4, 3, 1, 0])
FIELDS = [BinaryField(exponents) for exponents in (*SMALL, NIST_163, NIST_571)]


def repickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@st.composite
def elements(draw: st.DrawFn, count: int) -> list[FieldElement]:
    """Draw elements of one field."""
    field = draw(st.sampled_from(FIELDS))
    return [field(draw(st.integers(0, (1 << field.degree) - 1))) for _ in range(count)]


@given(elements(2))
def test_operations_are_those_of_polynomials_modulo_f(pair: list[FieldElement]) -> None:
    x, y = pair
    field, f = x.field, x.field.polynomial
    assert int(x + y) == int(x - y) == int(x) ^ int(y)
    assert int(x * y) == remainder(product(int(x), int(y)), f)
    assert x.square() == x * x == x**2
    assert x.sqrt().square() == x == -x
    conjugates = [x]
    while len(conjugates) < field.degree:
        conjugates.append(conjugates[-1].square())
    assert x.trace() == int(sum(conjugates[1:], conjugates[0]))
    for n in (0, 1, field.degree - 1, field.degree + 2, -1, -3):
        assert x.frobenius(n) == conjugates[n % field.degree]
    if field.degree % 2:
        half_trace = x.half_trace()
        assert int(half_trace * half_trace + half_trace + x) == x.trace()
    if y:
        assert (x / y) * y == x
        assert y.inv() == y**-1
        assert int(y * y.inv()) == 1


@given(elements(1), st.integers(-(2**80), 2**80))
def test_powers_are_those_of_the_reference(single: list[FieldElement], e: int) -> None:
    (x,) = single
    f = x.field.polynomial
    if e >= 0:
        assert int(x**e) == power(int(x), e, f)
    elif x:
        assert int(x**e) == power(int(x.inv()), -e, f)


@given(elements(9))
def test_sums_of_products_and_batches_of_inverses(many: list[FieldElement]) -> None:
    field = many[0].field
    expected = field(0)
    for x, y in zip(many, many[::-1], strict=True):
        expected += x * y
    assert field.dot(many, many[::-1]) == expected
    assert field.dot([], ()) == field(0)
    units = [x for x in many if x]
    assert field.batch_inverse(units) == [x.inv() for x in units]


@given(elements(1))
def test_bytes_and_integers_lead_back(single: list[FieldElement]) -> None:
    (x,) = single
    field = x.field
    assert bytes(x) == int(x).to_bytes(field.octets, "big")
    assert field.from_bytes(bytes(x)) == field.from_bytes(bytearray(bytes(x))) == field(int(x)) == x
    assert bool(x) == (int(x) != 0)
    octets: Any = np.frombuffer(bytes(x), dtype=np.uint8)
    for buffer in (octets, memoryview(bytes(x)), array.array("B", bytes(x)), octets.view(np.int8)):
        assert field.from_bytes(buffer) == x
    assert BinaryField(memoryview(field.polynomial.to_bytes(99, "big"))) == field


def test_a_field_is_made_of_exponents_of_an_integer_or_of_bytes() -> None:
    field = BinaryField(NIST_571)
    number = sum(1 << exponent for exponent in NIST_571)
    assert (field.degree, field.octets, field.polynomial) == (571, 72, number)
    assert field == BinaryField((0, 2, 5, 10, 571)) == BinaryField(number)
    assert (
        field == BinaryField(number.to_bytes(72, "big")) == BinaryField(bytearray(number.to_bytes(99, "big")))
    )
    assert field != BinaryField(NIST_163)
    assert field(3).field == field


def test_every_kernel_serves_a_field(polynomial_kernel: monpro.Kernel) -> None:
    f = sum(1 << exponent for exponent in NIST_163)
    field = BinaryField(f, kernel=polynomial_kernel.name)
    assert field.kernel.name == polynomial_kernel.name
    generator = random.Random(polynomial_kernel.name)
    x, y = (generator.getrandbits(163) for _ in range(2))
    assert int(field(x) * field(y)) == remainder(product(x, y), f)
    assert field(x).sqrt().square() == field(x)
    assert field.dot([field(x)] * 3, [field(y)] * 3) == field(x) * field(y)
    assert int(field(x) / field(x)) == 1


def test_the_irreducible_polynomials_of_small_degree_make_fields() -> None:
    products = {product(a, b) for a, b in itertools.combinations_with_replacement(range(2, 1 << 7), 2)}
    for f in range(3, 1 << 8, 2):
        if f in products:
            with pytest.raises(ValueError, match=r"reducible: .*Modulus over gf2"):
                BinaryField(f)
            assert monpro.Modulus(f, ring="gf2").n == f
        else:
            assert BinaryField(f).polynomial == f


FIELD = BinaryField([8, 4, 3, 1, 0])
OTHER = BinaryField([9, 1, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: BinaryField(0), "at least 1"),
        (lambda: BinaryField(1), "constant"),
        (lambda: BinaryField([]), "constant"),
        (lambda: BinaryField(b""), "constant"),
        (lambda: BinaryField(-19), "at least 1"),
        (lambda: BinaryField(2), "no term 1"),
        (lambda: BinaryField([8, 4, 3, 1]), "no term 1"),
        (lambda: BinaryField([8, 0]), "reducible"),
        (lambda: BinaryField([8, 4, 4, 0]), "exponent 4 is listed more than once"),
        (lambda: BinaryField([8, -1, 0]), "negative"),
        (lambda: BinaryField([10**12, 0]), "at most|degree 65536 at most"),
        (lambda: BinaryField([2**70, 1, 0]), "an exponent of the polynomial has 71 bits"),
        (lambda: monpro.irreducible_poly(0), "must be at least 1"),
        (lambda: monpro.irreducible_poly(10_001), "searched for up to degree 10000"),
        (lambda: monpro.irreducible_poly(-1), "negative"),
        (lambda: monpro.primitive_poly(129), "degree 128 at most"),
        (lambda: FIELD(0).order(), "0 has no multiplicative order"),
        (lambda: BinaryField(NIST_163)(2).order(), "degree 128 at most"),
        (lambda: BinaryField(NIST_163).generator, "degree 128 at most"),
        (lambda: BinaryField(NIST_163).is_primitive, "degree 128 at most"),
        (lambda: BinaryField([1 << 80, 0]), "degree 65536 at most"),
        (lambda: BinaryField([8, 4, 3, 1, 0], kernel="cios"), r"choose a kernel of GF\(2\)\[x\]"),
        (lambda: BinaryField([8, 4, 3, 1, 0], kernel="nonsense"), "lists all"),
        (lambda: FIELD(256), "degree 8: reduce it to a degree below 8"),
        (lambda: FIELD(-1), "negative"),
        (lambda: FIELD.from_bytes(b""), "exactly 1"),
        (lambda: FIELD.from_bytes(b"\0\1"), "exactly 1"),
        (lambda: OTHER.from_bytes(b"\2\0"), "degree 9"),
        (lambda: FIELD(0).inv(), "no inverse"),
        (lambda: FIELD(0) ** -1, "no inverse"),
        (lambda: FIELD.batch_inverse([FIELD(1), FIELD(0)]), "element 1, counted from 0, is 0"),
        (lambda: FIELD.dot([FIELD(1)], []), "equally many"),
        (lambda: FIELD.dot([OTHER(1)], [OTHER(1)]), "another field"),
        (lambda: FIELD.batch_inverse([OTHER(1)]), "another field"),
        (lambda: FIELD(1).half_trace(), "even"),
        (lambda: FIELD(1) + OTHER(1), "different fields"),
        (lambda: FIELD(1) * OTHER(1), "different fields"),
        (lambda: pow(FIELD(3), 2, 7), "has its field"),  # type: ignore[misc]
        (lambda: monpro.Modulus(7, ring="gf2", kernel="cios"), r"GF\(2\)\[x\]"),
        (lambda: monpro.Modulus(7, ring="integers", kernel="cios-gf2"), "integers"),
        (lambda: monpro.Modulus(7, ring="reals"), "integers or gf2"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_bad_values_are_value_errors_that_say_what_is_wrong(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [1.5, None, "571,10,5,2,0", [1.5, 0], ["8", 0]])
def test_what_is_no_polynomial_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="must be"):
        BinaryField(wrong)


def test_elements_and_other_things_do_not_mix() -> None:
    x: Any = FIELD(3)
    for operation in (
        *(lambda: x + 2, lambda: 3 * x, lambda: x * -1, lambda: 2 / x, lambda: x + 2**70),
        *(lambda: x + 1.0, lambda: "1" * x, lambda: x * "1", lambda: x**1.5, lambda: FIELD("3")),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            operation()
    with pytest.raises(TypeError, match="integer other than 0 and 1 is no element"):
        x * 3

    class Interrupted:
        def __index__(self) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        x + Interrupted()
    for zero in (FIELD(0), 0):
        with pytest.raises(ZeroDivisionError, match="division by the element 0"):
            x / zero
    with pytest.raises(ZeroDivisionError, match="division by the element 0"):
        1 / FIELD(0)
    with pytest.raises(TypeError):
        FIELD.dot([1], [x])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        FIELD.from_bytes(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", [FIELD, BinaryField(NIST_571), BinaryField([1, 0])])
def test_an_element_equals_the_int_that_is_its_value_and_no_other(field: BinaryField) -> None:
    for value in (0, 1, (1 << field.degree) - 1):
        x = field(value)
        assert x == value == x
        assert hash(x) == hash(value)
        assert dict.fromkeys([x], "found")[value] == "found"  # type: ignore[index]
        for other in (value + 1, value + 2**640, -1, -value - 1, float(value), str(value), None):
            assert x != other
    assert field(1) == True  # noqa: E712  (a bool is an int)


@given(elements(3))
def test_the_integers_0_and_1_are_elements_in_sums_and_products(many: list[FieldElement]) -> None:
    x, y, z = many
    assert sum(many) == x + y + z
    assert math.prod(many) == x * y * z
    assert x + 0 == 0 + x == x - 0 == 0 - x == x * 1 == True * x == x / 1 == x
    assert x + 1 == 1 - x == x + x.field(1)
    assert x * 0 == x.field(0)
    if x:
        assert 1 / x == x.inv()


@given(elements(2))
def test_elements_and_fields_are_hashed_copied_and_pickled(pair: list[FieldElement]) -> None:
    x, y = pair
    field = x.field
    assert (x == y) == (len({x, y}) == 1)
    assert (hash(field(int(x))), hash(BinaryField(field.polynomial))) == (hash(x), hash(field))
    assert copy.copy(x) == copy.deepcopy(x) == repickled(x) == x
    assert copy.copy(field) == copy.deepcopy(field) == repickled(field) == field
    assert repickled([x, y, field]) == [x, y, field]


def test_a_pickle_keeps_the_kernel_that_was_chosen() -> None:
    chosen = BinaryField(NIST_163, kernel="cios-gf2")
    assert repickled(chosen).kernel.name == "cios-gf2"
    assert repickled(chosen(5)) == chosen(5)
    plain = BinaryField(NIST_163)
    assert repickled(plain) == plain
    assert b"-gf2" not in pickle.dumps(plain)  # another CPU takes another kernel


def test_many_elements_are_restored_without_testing_the_polynomial_again() -> None:
    """To test this polynomial takes a hundred times as long as to restore an element.

    No other test has this polynomial: one that was tested before in this process is not tested again. It is
    tested in a thread of its own, so the time of all threads counts.
    """
    started = time.process_time()
    field = BinaryField([9689, 471, 0])
    seconds = time.process_time() - started
    pickled = pickle.dumps([field(i) for i in range(300)])
    started = time.process_time()
    restored = pickle.loads(pickled)
    assert restored == [field(i) for i in range(300)]
    assert time.process_time() - started < 100 * seconds


def test_a_field_is_a_collection_of_its_elements() -> None:
    assert [int(x) for x in BinaryField([3, 1, 0])] == list(range(8))
    assert list(itertools.islice(BinaryField(NIST_571), 2)) == [BinaryField(NIST_571)(i) for i in range(2)]
    long = iter(BinaryField([64, 4, 3, 1, 0]))
    assert int(next(long)) == 0
    assert FIELD(3) in FIELD
    assert OTHER(3) not in FIELD
    assert 3 not in FIELD


def test_a_field_has_a_name() -> None:
    assert BinaryField.named("B-571") == BinaryField.named("sect571k1") == BinaryField(NIST_571)
    assert BinaryField.named("aes") == FIELD
    assert "B-571" in BinaryField.names()
    with pytest.raises(ValueError, match=r"no field has this name: choose one of AES, .*B-571"):
        BinaryField.named("P-256")


def test_polynomials_orders_and_generators_are_found() -> None:
    assert monpro.irreducible_poly(571) == NIST_571
    assert monpro.primitive_poly(8) == [8, 4, 3, 2, 0]
    assert BinaryField(monpro.primitive_poly(8)).is_primitive
    assert not FIELD.is_primitive
    assert FIELD.generator == FIELD(3)
    assert (FIELD(3).order(), FIELD(2).order(), FIELD(1).order()) == (255, 51, 1)


def test_nothing_secret_is_shown() -> None:
    assert "83" not in repr(FIELD(0x53)).replace("2^8", "")
    assert "53" not in repr(FIELD(0x53))
    assert "degree 8" in repr(FIELD)


def test_a_ring_is_made_by_its_name() -> None:
    modulus = monpro.Modulus(0b101, ring="gf2")
    assert (modulus.kernel.ring, int(modulus(0b11) * modulus(0b11))) == ("gf2", 0)
    assert monpro.Modulus(5, ring="integers") == monpro.Modulus(5)


def test_long_computations_release_the_gil() -> None:
    """While one thread computes, another makes progress, which a held GIL would prevent."""
    field = BinaryField([9689, 84, 0])
    x = field(3)

    def compute() -> None:
        x ** (1 << 400_000)

    thread = threading.Thread(target=compute)
    started = time.monotonic()
    thread.start()
    steps = 0
    while thread.is_alive():
        steps += 1
        time.sleep(0.001)
    milliseconds = (time.monotonic() - started) * 1e3
    assert milliseconds > 20, "too short to show anything"
    assert steps > milliseconds / 20

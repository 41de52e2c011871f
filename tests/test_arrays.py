"""Arrays of field elements: NumPy's semantics, compared with the arithmetic of elements; what is refused."""

import copy
import importlib
import operator
import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monpro import BinaryField, FieldElement, irreducible_poly
from monpro._native import ArrayField
from monpro.arrays import FieldArray, identity, ones, random, zeros
from monpro.arrays.arithmetic import Arithmetic

np: Any = importlib.import_module("numpy")  # whose types know no other arrays
AES = BinaryField.named("AES")
DEGREES = [1, 2, 5, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 163]
FIELDS = [BinaryField(irreducible_poly(k)) for k in DEGREES]


def repickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@st.composite
def arrays(draw: st.DrawFn, *shapes: tuple[int, ...]) -> list[FieldArray]:
    """Draw arrays of one field, of these shapes."""
    field = draw(st.sampled_from(FIELDS))
    element = st.integers(0, (1 << field.degree) - 1)
    edges = st.sampled_from([0, 1, (1 << field.degree) - 1])
    return [
        field.array(draw(st.lists(element | edges, min_size=(n := int(np.prod(shape))), max_size=n))).reshape(
            shape
        )
        for shape in shapes
    ]


def by_elements(function: Callable[..., Any], *operands: FieldArray) -> list[Any]:
    """Return what the function makes of the elements of arrays that are broadcast together."""
    return [
        function(*elements) for elements in zip(*(x.ravel() for x in np_broadcast(*operands)), strict=True)
    ]


def np_broadcast(*operands: FieldArray) -> list[FieldArray]:
    shape = np.broadcast_shapes(*(x.shape for x in operands))
    return [np.broadcast_to(x, shape) for x in operands]


@settings(max_examples=30)
@given(arrays((3, 1, 4), (2, 4)))
def test_operators_are_those_of_the_elements_with_broadcasting(pair: list[FieldArray]) -> None:
    x, y = pair
    for operation in (operator.add, operator.sub, operator.mul):
        result = operation(x, y)
        assert result.shape == (3, 2, 4)
        assert list(result.ravel()) == by_elements(operation, x, y)
    assert (x == y).ravel().tolist() == by_elements(operator.eq, x, y)
    assert (x != y).ravel().tolist() == by_elements(operator.ne, x, y)
    units = y.copy()
    units[y == 0] = 1
    assert list((x / units).ravel()) == by_elements(operator.truediv, x, units)
    assert list(units.inv().ravel()) == by_elements(lambda unit: unit.inv(), units)
    for z in (-x, +x, x * 1, 1 * x, x + 0, x / x.field(1), x.sqrt().square(), np.sqrt(np.square(x))):
        assert np.array_equal(z, x)
    assert x.field_trace().ravel().tolist() == by_elements(lambda element: element.trace(), x)
    assert list(x.frobenius(-2).ravel()) == by_elements(lambda element: element.frobenius(-2), x)


@settings(max_examples=30)
@given(
    arrays((2, 3)), st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3), st.integers(-5, 2**70)
)
def test_powers_are_those_of_the_elements(single: list[FieldArray], exponents: list[int], e: int) -> None:
    (x,) = single
    x[x == 0] = 1
    assert list((x**e).ravel()) == [element**e for element in x.ravel()]
    powers = x ** np.array(exponents)
    assert [list(row) for row in powers] == [[a**e for a, e in zip(row, exponents, strict=True)] for row in x]
    assert np.array_equal(x ** [2**70, 3, 0], x ** np.array([2**70, 3, 0], dtype=object))
    zero = zeros(x.field, 2)
    assert np.array_equal(zero ** np.array([0, 5]), x.field.array([1, 0]))
    assert (zero ** ((1 << x.field.degree) - 1) == 0).all()
    assert (zero**0 == 1).all()
    assert np.array_equal(x.field.array([1, 0]) ** [-1, 0], ones(x.field, 2))


@settings(max_examples=30)
@given(arrays((2, 3, 4), (4, 5), (4,)))
def test_matrix_products_are_sums_of_products(triple: list[FieldArray]) -> None:
    x, y, z = triple
    product = x @ y
    assert product.shape == (2, 3, 5)
    field = x.field
    for i, j, k in np.ndindex(2, 3, 5):
        assert product[i, j, k] == field.dot(list(x[i, j]), list(y[:, k]))
    assert np.array_equal((x @ z)[1], np.dot(x[1], z))
    assert z @ z == np.vdot(z, z) == np.inner(z, z) == z.dot(z) == field.dot(list(z), list(z))
    assert np.array_equal(z @ y, (y.T @ z))
    assert np.array_equal(np.outer(z, z), np.multiply.outer(z, z))
    assert np.array_equal(np.vecdot(x, z), x @ z)
    assert np.array_equal(identity(field, 4) @ y, y)


@settings(max_examples=30)
@given(arrays((2, 3, 4)))
def test_sums_and_products_over_axes(single: list[FieldArray]) -> None:
    (x,) = single
    everything = list(x.ravel())
    assert x.sum() == np.sum(x) == reduce(operator.add, everything) == sum(everything)
    assert x.prod() == np.prod(x) == reduce(operator.mul, everything)
    assert np.array_equal(np.add.reduce(x), x[0] + x[1])
    assert np.array_equal(np.multiply.reduce(x, axis=-2), x[:, 0] * x[:, 1] * x[:, 2])
    assert x.prod(axis=(0, 2), keepdims=True).shape == np.sum(x, (0, 2), keepdims=True).shape == (1, 3, 1)
    assert np.array_equal(x.sum(axis=(0, 2)), x.sum(axis=2).sum(axis=0))
    empty = zeros(x.field, (0, 2))
    assert empty.sum(axis=0).tolist() == [0, 0]
    assert empty.prod(axis=0).tolist() == [1, 1]


@settings(max_examples=30)
@given(arrays((4, 4), (4, 2)))
def test_linear_systems_are_solved(pair: list[FieldArray]) -> None:
    a, b = pair
    rank = np.linalg.matrix_rank(a)
    assert (np.linalg.det(a) == a.field(0)) == (rank < 4)
    if rank < 4:
        with pytest.raises(ValueError, match=f"has rank {rank}: it has no inverse"):
            np.linalg.inv(a)
        return
    assert np.array_equal(a @ np.linalg.solve(a, b), b)
    assert np.array_equal(a @ np.linalg.solve(a, b[:, 0]), b[:, 0])
    assert np.array_equal(np.linalg.inv(a) @ a, identity(a.field, 4))


def test_ranks_and_determinants_of_known_matrices() -> None:
    a = AES.array([[0, 1, 1], [0, 2, 2], [3, 0, 0]])
    assert (np.linalg.matrix_rank(a), np.linalg.det(a)) == (2, AES(0))
    b = AES.array([[0, 2], [3, 7]])
    assert np.linalg.det(b) == AES(2) * AES(3)


def test_arrays_are_made_of_whatever_holds_integers_or_elements() -> None:
    expected = AES.array([1, 2, 255])
    for data in ((1, 2, 255), [AES(1), 2, np.uint8(255)], b"\1\2\xff", bytearray(b"\1\2\xff"), expected):
        assert np.array_equal(AES.array(data), expected)
    for dtype in ("u1", "u2", "u4", "u8", "i8", ">i2", object):
        assert np.array_equal(AES.array(np.array([1, 2, 255], dtype=dtype)), expected)
    assert AES.array([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert np.array_equal(AES.array([expected, expected * expected])[1], expected**2)
    assert AES.array(7).shape == ()
    assert [AES.array([]).shape, zeros(AES, (2, 0)).shape] == [(0,), (2, 0)]
    assert BinaryField([64, 4, 3, 1, 0]).array([2**64 - 1, 1]).tolist() == [2**64 - 1, 1]
    assert FIELDS[-1].array([2**163 - 1, 1]).tolist() == [2**163 - 1, 1]


def test_memory_is_shared_where_asked_for() -> None:
    words = np.array([1, 2, 3], dtype=np.uint8)
    shared, copied, maybe = AES.array(words, copy=False), AES.array(words), AES.array(words, copy=None)
    words[0] = 9
    assert (shared[0], maybe[0], copied[0]) == (AES(9), AES(9), AES(1))
    view = np.asarray(shared)
    assert np.shares_memory(view, words)
    assert not view.flags.writeable
    assert np.array(shared).flags.writeable
    assert np.asarray(shared, dtype=np.int64).tolist() == [9, 2, 3]
    for array in (shared[1:], shared[::-1], shared.reshape(3, 1), shared.T):
        assert np.shares_memory(np.asarray(array), words)
    with pytest.raises(ValueError, match="a copy is needed: only an array of uint8"):
        AES.array([1, 2], copy=False)
    with pytest.raises(ValueError, match="a copy is needed"):
        np.asarray(shared, dtype=np.int64, copy=False)
    five = BinaryField([5, 2, 0])
    spoilt = five.array(words := np.array([1, 2], dtype=np.uint8), copy=False)
    words[1] = 32
    uses: list[Callable[[], object]] = [
        lambda: spoilt * spoilt,
        lambda: five.array([1]) * spoilt,
        lambda: spoilt @ spoilt,
        spoilt.inv,
    ]
    for use in uses:
        with pytest.raises(ValueError, match=r"a word of the array is no element of GF\(2\^5\)"):
            use()


def test_an_element_of_an_array_equals_the_int_that_is_its_value() -> None:
    for field in (AES, FIELDS[-1]):
        x = field.array([[0, 1], [3, 255]])
        assert (x == 3).tolist() == (x == np.uint8(3)).tolist() == [[False, False], [True, False]]
        assert (x != 3).tolist() == [[True, True], [False, True]]
        assert not (x == 256).any()
        assert not (x == -1).any()
        assert [bool(element == 3) for element in x.ravel()] == (x == 3).ravel().tolist()


@pytest.mark.parametrize("count", [1, 63, 64, 65, (1 << 15) - 1, (1 << 15) + 1, 1 << 17])
def test_inverses_of_degree_16_in_blocks(count: int) -> None:
    x = random(BinaryField(irreducible_poly(16)), count, seed=count)
    x[x == 0] = 1
    assert (x * x.inv() == 1).all()


def test_a_long_integer_that_is_no_element_is_told_by_its_length() -> None:
    for value in (1 << 50_000, -1 << 50_000):
        with pytest.raises(ValueError, match=r"^an integer of 50001 bits is no element of GF\(2\^8\)"):
            AES.array([value])


def test_the_reciprocal_takes_no_product(monkeypatch: pytest.MonkeyPatch) -> None:
    x = AES.array([[1, 2], [3, 4]])
    expected = np.reciprocal(x)

    def multiply(*_: object) -> None:
        raise AssertionError("a product")

    monkeypatch.setattr(Arithmetic, "multiply", multiply)
    assert np.array_equal(1 / x, expected)
    assert np.array_equal(AES(1) / x, expected)
    with pytest.raises(AssertionError, match="a product"):
        AES(2) / x


def test_elements_are_read_and_written_by_index() -> None:
    x = AES.array([[1, 2, 3], [4, 5, 6]])
    assert isinstance(x[0, 1], FieldElement)
    assert x[1, -1] == AES(6)
    assert x[:, 1].tolist() == [2, 5]
    assert x[[1, 0], [0, 1]].tolist() == [4, 2]
    assert x[x == AES(5)].tolist() == [5]
    x[0] = x[1]
    x[1, 0] = AES(7)
    x[1, 1:] = 0
    assert x.tolist() == [[4, 5, 6], [7, 0, 0]]
    assert AES(7) in x
    assert AES(99) not in x
    assert [len(x), x.ndim, x.size, x.dtype] == [2, 2, 6, np.dtype("u1")]
    assert [row.tolist() for row in x] == x.tolist()
    x += 1
    x *= x
    assert x.tolist() == [[int((AES(n) + 1).square()) for n in row] for row in ([4, 5, 6], [7, 0, 0])]
    with pytest.raises(IndexError):
        x[5]
    with pytest.raises(ValueError, match="more than one element"):
        bool(x)


def test_functions_that_move_elements_give_arrays_of_elements() -> None:
    x = AES.array([[1, 2], [3, 4]])
    assert np.concatenate([x, x]).shape == np.vstack([x, x]).shape == (4, 2)
    assert np.stack([x, x[::-1]]).tolist() == [[[1, 2], [3, 4]], [[3, 4], [1, 2]]]
    assert np.diag(x).tolist() == [1, 4]
    assert np.where(x == 1, x, AES(9)).tolist() == [[1, 9], [9, 9]]
    assert [part.tolist() for part in np.split(x, 2)] == [[[1, 2]], [[3, 4]]]
    assert np.tril(x).tolist() == [[1, 0], [3, 4]]
    assert np.take(x, 3) == AES(4)
    assert np.zeros_like(x).tolist() == [[0, 0], [0, 0]]
    assert np.count_nonzero(x) == 4
    assert np.any(x == 0) == np.False_
    assert np.shape(x) == (2, 2)
    assert all(
        isinstance(y, FieldArray) for y in (np.roll(x, 1), np.transpose(x), np.repeat(x, 2), np.ravel(x))
    )


def test_copies_and_pickles_are_equal_and_independent() -> None:
    for field in (AES, FIELDS[-1]):
        x = random(field, (2, 3), seed=1)
        for y in (
            copy.copy(x),
            copy.deepcopy(x),
            repickled(x),
            x.copy(),
            x.flatten().reshape(2, 3),
        ):
            assert y.field == field
            assert np.array_equal(x, y)
            y[0, 0] += 1
            assert not np.array_equal(x, y)


def test_random_elements_fill_the_field() -> None:
    x = random(AES, 5000, seed=1)
    assert set(np.asarray(x).tolist()) == set(range(256))
    assert np.array_equal(x, random(AES, 5000, seed=1))
    wide = random(FIELDS[-1], 100, seed=2)
    assert max(wide.tolist()).bit_length() == 163


def test_elements_and_arrays_combine_in_both_orders() -> None:
    c: Any = AES(3)
    x = AES.array([1, 2])
    for left, right in ((c, x), (x, c)):
        assert (left + right).tolist() == [2, 1]
        assert (left * right).tolist() == [3, 6]
    assert (c / x).tolist() == [3, int(c / AES(2))]
    assert (x == c).tolist() == [False, False]
    objects = np.array([AES(1), AES(2)], dtype=object)
    assert list(objects * c) == [AES(3), AES(6)]
    assert objects @ objects == AES(5)


def test_results_go_into_the_array_that_is_given() -> None:
    x, out = AES.array([1, 2]), zeros(AES, 2)
    assert np.multiply(x, x, out=out) is out
    assert out.tolist() == [1, 4]
    assert np.equal(x, x, out=np.zeros(2, dtype=bool)).all()
    with pytest.raises(TypeError, match="not of the same kind"):
        np.multiply(x, x, out=np.zeros(2, dtype=np.uint8))
    with pytest.raises(ValueError, match="could not broadcast"):
        np.add(AES.array([[1], [2]]), x, out=out)


OTHER = BinaryField([8, 4, 3, 2, 0])
X = AES.array([[1, 2], [3, 0]])
TYPE_ERRORS: list[tuple[Callable[[], object], str]] = [
    (lambda: X * 3, "integer other than 0 and 1"),
    (lambda: X + 1.0, "operand of type float"),
    (lambda: X + np.array([1, 2]), "operand of type ndarray"),
    (lambda: np.array([1, 2]) + X, "operand of type ndarray"),
    (lambda: X @ [[1], [1]], "operand of type list"),
    (lambda: X**X, "integers as its exponents"),
    (lambda: 2**X, "integers as its exponents"),
    (lambda: X**0.5, "exponents must be integers"),
    (lambda: X[X], "an element is no index"),
    (lambda: X[AES(1)], "an element is no index"),
    (lambda: hash(X), "unhashable"),
    (lambda: AES.array([1.5]), "not float"),
    (lambda: AES.array(np.array([1.0])), "not float64"),
    (lambda: AES.array("1"), "not str"),
    (lambda: AES.array([None]), "not NoneType"),
    (lambda: np.add(X, X, dtype=float), "has no option dtype"),
    (lambda: np.add(X, X, where=[True, False]), "has no option where"),
    (lambda: np.concatenate([X, np.array([[999, 1]])]), "operand of type ndarray"),
    (lambda: np.concatenate([X, X], dtype=float), "does not have these options"),
    (lambda: np.copy(np.zeros(3), out=X), "unexpected keyword"),
    *(
        (lambda function=function: function(X), f"numpy.*{function.__name__} is not defined for elements")
        for function in (
            *(
                np.sin,
                np.exp,
                np.abs,
                np.floor,
                np.isfinite,
                np.invert,
                np.logical_not,
                np.sign,
                np.conjugate,
            ),
            *(
                np.mean,
                np.std,
                np.max,
                np.sort,
                np.argmax,
                np.cumsum,
                np.cumprod,
                np.unique,
                np.median,
                np.trace,
            ),
            *(np.linalg.eig, np.linalg.norm, np.linalg.svd, np.fft.fft),
        )
    ),
    *(
        (lambda function=function: function(X, X), f"numpy.{function.__name__} is not defined for elements")
        for function in (
            *(
                np.floor_divide,
                np.remainder,
                np.less,
                np.greater_equal,
                np.maximum,
                np.bitwise_xor,
                np.bitwise_and,
            ),
            *(
                np.left_shift,
                np.arctan2,
                np.hypot,
                np.gcd,
                np.lcm,
                np.logical_and,
                np.divmod,
                np.kron,
                np.cross,
            ),
        )
    ),
    (lambda: np.add.accumulate(X), "numpy.add.accumulate is not defined"),
    (lambda: np.add.at(X, 0, 1), "numpy.add.at is not defined"),
    (lambda: np.multiply.reduceat(X, [0]), "numpy.multiply.reduceat is not defined"),
    (lambda: np.maximum.reduce(X), "numpy.maximum.reduce is not defined"),
    (lambda: np.einsum("ij->ji", X), "numpy.einsum is not defined"),
]
VALUE_ERRORS: list[tuple[Callable[[], object], str]] = [
    (lambda: AES.array([256]), "256 is no element of GF"),
    (lambda: AES.array(np.array([3, 256])), "256 is no element of GF"),
    (lambda: AES.array(np.array([3, -1])), "-1 is no element of GF"),
    (lambda: AES.array([2**80]), "is no element of GF"),
    (lambda: AES.array([OTHER(1)]), "different fields"),
    (lambda: AES.array([OTHER.array([1])]), "different fields"),
    (lambda: AES.array(OTHER.array([1])), "different fields"),
    (lambda: AES.array([[1], [1, 2]]), "different shapes"),
    (lambda: X + OTHER.array([1]), "different fields"),
    (lambda: X * OTHER(1), "different fields"),
    (lambda: np.stack([X, OTHER.array([[1, 2], [3, 0]])]), "different fields"),
    (lambda: X.__setitem__(0, OTHER(1)), "different fields"),
    (X.inv, r"the element at index \(1, 1\) is 0"),
    (lambda: X**-1, r"the element at index \(1, 1\) is 0"),
    (lambda: X ** np.array([0, -1]), "is 0 and has no inverse"),
    (lambda: X @ AES.array([1, 2, 3]), "do not match"),
    (lambda: X @ AES(1), "multiply by a scalar with"),
    (lambda: np.linalg.inv(AES.array([1, 2])), "no square matrix"),
    (lambda: np.linalg.solve(X, AES.array([1, 2, 3])), "does not match"),
    (lambda: np.linalg.matrix_rank(AES.array([1])), "no matrix"),
    (lambda: np.dot(AES.array([[[1]]]), X), "stacks of matrices"),
    (lambda: X + AES.array([1, 2, 3]), "broadcast"),
]


@pytest.mark.parametrize(
    ("error", "call", "message"),
    [(TypeError, *case) for case in TYPE_ERRORS]
    + [(ValueError, *case) for case in VALUE_ERRORS]
    + [(ZeroDivisionError, lambda y=y: 1 / y, "division by the element 0") for y in (X, AES.array(0))]
    + [(ZeroDivisionError, lambda y=y: X / y, "division by the element 0") for y in (X, AES(0), 0)],
)
def test_what_is_not_arithmetic_of_the_field_is_refused_in_one_line(
    error: type[Exception], call: Callable[[], object], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_native_products_refuse_buffers_that_do_not_fit() -> None:
    native = ArrayField(AES)
    one, two = np.ones(1, dtype=np.uint8), np.ones(2, dtype=np.uint8)
    with pytest.raises(ValueError, match="different lengths"):
        native.multiply(two, two, one)
    with pytest.raises(ValueError, match="different lengths"):
        native.invert(two, one)
    with pytest.raises(ValueError, match="other lengths than its shape"):
        native.matrix_product(two, two, one, 2, 2, 1)
    with pytest.raises(BufferError):
        native.multiply(one, one, np.ones(1, dtype=np.uint16))
    two.flags.writeable = False
    with pytest.raises(BufferError):
        native.multiply(two, two, two)
    with pytest.raises(ValueError, match="degree 64 at most"):
        ArrayField(FIELDS[-1])


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_numpy_is_imported_for_arrays_alone() -> None:
    program = "import sys, monpro, monpro.polynomials; sys.exit('numpy' in sys.modules)"
    assert run(program).returncode == 0


def test_a_missing_numpy_is_reported_with_the_extra_that_brings_it() -> None:
    program = "import sys; sys.modules['numpy'] = None; import monpro; monpro.BinaryField([1, 0]).array([1])"
    last = run(program).stderr.splitlines()[-1]
    assert last == 'ImportError: arrays of field elements need NumPy: python -m pip install "monpro[arrays]"'


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 8, 12, 16, 24, 32, 50, 62, 65])  # at 63, galois 0.4.11 overflows
def test_galois_computes_the_same(k: int) -> None:
    galois: Any = pytest.importorskip("galois")
    field = BinaryField(irreducible_poly(k))
    theirs = galois.GF(2**k, irreducible_poly=galois.Poly.Int(field.polynomial), verify=False)
    x, y = (random(field, (12, 12), seed=seed) for seed in (1, 2))
    y[y == 0] = 1
    gx, gy = (theirs(np.asarray(array)) for array in (x, y))
    for ours, expected in (
        *((x + y, gx + gy), (x * y, gx * gy), (x / y, gx / gy), (np.reciprocal(y), np.reciprocal(gy))),
        *(
            (x @ y, gx @ gy),
            (x**5, gx**5),
            (y**-2, gy**-2),
            (np.square(x), np.square(gx)),
            (x.prod(0), gx.prod(0)),
        ),
        *((np.sqrt(x), np.sqrt(gx)), (np.multiply.outer(x[0], y[0]), np.multiply.outer(gx[0], gy[0]))),
    ):
        assert np.asarray(ours).tolist() == np.asarray(expected).tolist()
    assert x.field_trace().tolist() == np.asarray(gx.field_trace()).tolist()
    assert np.linalg.matrix_rank(x) == np.linalg.matrix_rank(gx)
    assert int(np.linalg.det(x)) == int(np.linalg.det(gx))
    if np.linalg.matrix_rank(y) == 12:
        assert np.linalg.inv(y).tolist() == np.linalg.inv(gy).tolist()

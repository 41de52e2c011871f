"""The class FieldArray, and the functions that make arrays."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, Self, SupportsIndex

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from monpro._native import BinaryField, FieldElement
from monpro.arrays.arithmetic import Arithmetic, Words
from monpro.arrays.conversion import check_field, words_of, words_of_item
from monpro.arrays.functions import (
    ASKING,
    COMPARING,
    MOVING,
    OF_WORDS,
    ON_PAIRS,
    REDUCING,
    TOTAL,
    UNIVERSAL,
)

Axis = int | tuple[int, ...] | None
Shape = SupportsIndex | tuple[SupportsIndex, ...]


class FieldArray(NDArrayOperatorsMixin):
    """An array of elements of a BinaryField: see `monpro.arrays`.

    The elements are given as integers, elements, nested lists of them, an array of NumPy of integers, or
    bytes. With copy=False the array shares the memory of an array of NumPy; with copy=None it does if it can.
    """

    def __init__(self, field: BinaryField, data: object, *, copy: bool | None = True) -> None:
        """Make the array of these elements; TypeError or ValueError if one is no element of the field."""
        self._arithmetic: Arithmetic
        self._words: Words
        if isinstance(data, FieldArray):
            check_field(field, data.field)
            self._arithmetic = data._arithmetic  # noqa: SLF001  (of this class, and so below)
            self._words = np.array(data._words, copy=copy)  # noqa: SLF001
        else:
            self._arithmetic = Arithmetic(field)
            self._words = words_of(self._arithmetic, data, copy=copy)

    def _of(self, words: Words) -> Self:
        """Return the array of these words."""
        array = object.__new__(type(self))
        array._arithmetic, array._words = self._arithmetic, words
        return array

    def _result(self, words: Words) -> Any:
        """Return the array of these words, or an element if there is no axis, as NumPy does."""
        return self._of(words) if np.ndim(words) else self.field(int(words))

    @property
    def field(self) -> BinaryField:
        """The field."""
        return self._arithmetic.field

    # ---- shape and elements

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self._words.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._words.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._words.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the words, as NumPy's type of the integers."""
        return self._arithmetic.dtype

    @property
    def T(self) -> Self:  # noqa: N802  (NumPy's name)
        """The transposed array, a view."""
        return self._of(self._words.T)

    def __len__(self) -> int:
        return len(self._words)

    def __bool__(self) -> bool:
        return bool(self._words)

    def __getitem__(self, index: Any) -> Any:
        words = self._words[_index(index)]
        return self._of(words) if isinstance(words, np.ndarray) else self.field(int(words))

    def __setitem__(self, index: Any, value: object) -> None:
        self._words[_index(index)] = self._operand(value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: object) -> bool:
        return bool(np.any(self._words == self._operand(value)))

    def reshape(self, *shape: Any) -> Self:
        """Return the elements in another shape; a view if possible."""
        return self._of(self._words.reshape(*shape))

    def ravel(self) -> Self:
        """Return the elements along one axis; a view if possible."""
        return self._of(self._words.ravel())

    def flatten(self) -> Self:
        """Return a copy of the elements along one axis."""
        return self._of(self._words.flatten())

    def transpose(self, *axes: Any) -> Self:
        """Return a view with the axes in another order."""
        return self._of(self._words.transpose(*axes))

    def copy(self) -> Self:
        """Return a copy."""
        return self._of(self._words.copy())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[type[Self], tuple[BinaryField, Words]]:
        return type(self), (self.field, self._words)

    def tolist(self) -> Any:
        """Return the elements as integers, in nested lists."""
        return self._words.tolist()

    def __repr__(self) -> str:
        text = np.array2string(self._words, separator=", ", prefix="FieldArray(")
        return f"FieldArray({text}, GF(2^{self.field.degree}))"

    # ---- arithmetic; the operators come from NDArrayOperatorsMixin, by __array_ufunc__

    def inv(self) -> Any:
        """Return the inverse of each element; ValueError if one is 0."""
        return self._result(self._arithmetic.invert(self._words))

    def square(self) -> Any:
        """Return the square of each element."""
        return self._result(self._arithmetic.multiply(self._words, self._words))

    def sqrt(self) -> Any:
        """Return the square root of each element."""
        return self.frobenius(-1)

    def frobenius(self, n: int) -> Any:
        """Return x^(2ⁿ) for each element x; n may be negative."""
        return self._result(self._arithmetic.frobenius(self._words, n))

    def field_trace(self) -> NDArray[np.uint8]:
        """Return the trace of each element over GF(2): 0 or 1."""
        return self._arithmetic.trace(self._words)

    def sum(self, axis: Axis = None, *, keepdims: bool = False) -> Any:
        """Return the sums over axes, or over all."""
        return self._result(self._arithmetic.sum(self._words, axis, keepdims=keepdims))

    def prod(self, axis: Axis = None, *, keepdims: bool = False) -> Any:
        """Return the products over axes, or over all."""
        return self._result(self._arithmetic.product(self._words, axis, keepdims=keepdims))

    def dot(self, other: object) -> Any:
        """Return the product of vectors or matrices."""
        return self._result(self._arithmetic.matrix_product(self._words, self._operand(other)))

    # ---- NumPy's protocols

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001  (NumPy's protocol)
        if dtype is not None and np.dtype(dtype) != self._words.dtype:
            if copy is False:
                raise ValueError(f"a copy is needed: the words are {self._words.dtype}")
            return self._words.astype(dtype)
        if copy:
            return self._words.copy()
        view = self._words.view()
        view.flags.writeable = False  # else it could be given words that are no elements
        return view

    def __array_ufunc__(
        self,
        ufunc: np.ufunc,
        method: Literal["__call__", "reduce", "reduceat", "accumulate", "outer", "at"],
        *inputs: Any,
        **kwargs: Any,
    ) -> Any:
        """Compute what the tables in `monpro.arrays.functions` list; refuse all else."""
        out = kwargs.pop("out", (None,))[0]
        result: Any
        if method == "reduce" and ufunc in REDUCING and kwargs.keys() <= {"axis", "keepdims"}:
            options = {"axis": 0, "keepdims": False} | kwargs
            result = self._result(REDUCING[ufunc](self._arithmetic, self._operand(*inputs), **options))
        elif kwargs:
            raise TypeError(f"numpy.{ufunc.__name__} of elements has no option {next(iter(kwargs))}")
        elif method == "outer" and ufunc in ON_PAIRS:
            x, y = map(self._operand, inputs)
            x = x.reshape(x.shape + (1,) * y.ndim)
            result = self._result(UNIVERSAL[ufunc](self._arithmetic, x, y))
        elif method == "__call__" and ufunc in UNIVERSAL:
            result = self._result(UNIVERSAL[ufunc](self._arithmetic, *map(self._operand, inputs)))
        elif method == "__call__" and ufunc in COMPARING:
            result = ufunc(*map(self._compared, inputs))
        elif method == "__call__" and ufunc is np.power:
            result = self._power(*inputs)
        else:
            raise self._undefined(f"{ufunc.__name__}{'' if method == '__call__' else f'.{method}'}")
        return result if out is None else _store(result, out)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Compute the functions of the tables in `monpro.arrays.functions`; refuse all others."""
        if function in TOTAL:
            array, *axis = args
            return TOTAL[function].reduce(
                array, **{"axis": None} | dict(zip(["axis"], axis, strict=False)) | kwargs
            )
        if function is np.where and len(args) == 3 and not kwargs:
            condition, *choices = args
            return self._result(np.where(condition, *map(self._operand, choices)))
        if function in OF_WORDS and not kwargs:
            result = OF_WORDS[function](self._arithmetic, *map(self._operand, args))
            return self._result(result) if isinstance(result, np.ndarray) else result
        if function in MOVING | ASKING and not _FORBIDDEN & kwargs.keys():
            words = [self._unwrapped(argument) for argument in args]
            options = {name: self._unwrapped(value) for name, value in kwargs.items()}
            result = function(*words, **options)
            return result if function in ASKING else self._wrapped(result)
        if function in MOVING | ASKING | OF_WORDS.keys():
            raise TypeError(
                f"{function.__module__}.{function.__name__} of elements does not have these options"
            )
        raise self._undefined(f"{function.__module__}.{function.__name__}".removeprefix("numpy."))

    def _undefined(self, name: str) -> TypeError:
        return TypeError(
            f"numpy.{name} is not defined for elements of GF(2^{self.field.degree}): "
            "for the integers that stand for them, convert with numpy.asarray"
        )

    def _unwrapped(self, value: Any) -> Any:
        """Return the argument of a function that moves elements, with words in place of arrays."""
        if isinstance(value, FieldArray):
            return self._operand(value)
        if isinstance(value, list | tuple) and any(isinstance(item, FieldArray) for item in value):
            return type(value)(self._operand(item) for item in value)
        return value

    def _wrapped(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(self._result(words) for words in value)
        return self._result(value)

    def _operand(self, value: object) -> Words:
        """Return the words of the other operand: an array or element of the field, or the integer 0 or 1."""
        if isinstance(value, FieldArray | FieldElement):
            return words_of_item(self._arithmetic, value)
        if isinstance(value, int | np.integer | np.bool):
            if value not in (0, 1):
                raise TypeError(
                    f"an integer other than 0 and 1 is no element of GF(2^{self.field.degree}): "
                    "make one of it by calling the field"
                )
            return np.asarray(int(value), dtype=self.dtype)
        raise TypeError(
            f"an operand of type {type(value).__name__} is no element or array of GF(2^{self.field.degree}): "
            "make an array by the field's method array"
        )

    def _compared(self, value: object) -> Any:
        """Return what is compared with words: an element equals the integer that is its value alone."""
        if isinstance(value, int | np.integer | np.bool):
            return int(value)
        return self._operand(value)

    def _power(self, x: object, e: object) -> Any:
        if isinstance(e, FieldArray | FieldElement) or not isinstance(x, FieldArray | FieldElement):
            raise TypeError("a power has an element or array as its base and integers as its exponents")
        exponents = np.asarray(e)
        if exponents.dtype.kind not in "iu" and not all(isinstance(item, int) for item in exponents.flat):
            raise TypeError(f"the exponents must be integers, not {exponents.dtype}")
        if exponents.ndim == 0:
            return self._result(self._arithmetic.power(self._operand(x), int(exponents)))
        return self._result(self._arithmetic.powers(self._operand(x), exponents))


# Options by which words would become something else, or get into arrays unchecked.
_FORBIDDEN = {"out", "dtype", "casting", "where"}


def _store(result: Any, out: Any) -> Any:
    """Write a result into the array that is given for it."""
    if isinstance(out, FieldArray) and isinstance(result, FieldArray | FieldElement):
        out[...] = result
        return out
    if isinstance(out, np.ndarray) and isinstance(result, np.ndarray | np.bool):
        out[...] = result
        return out
    raise TypeError("the result and the array given for it are not of the same kind")


def _index(index: Any) -> Any:
    """Return the index, unless elements are in it: they are no integers."""
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, FieldArray | FieldElement):
            raise TypeError(
                "an element is no index: for the integers that stand for elements, use numpy.asarray"
            )
    return index


def zeros(field: BinaryField, shape: Shape) -> FieldArray:
    """Return an array of zeros."""
    return FieldArray(field, np.zeros(shape, dtype=np.uint8))


def ones(field: BinaryField, shape: Shape) -> FieldArray:
    """Return an array of ones."""
    return FieldArray(field, np.ones(shape, dtype=np.uint8))


def identity(field: BinaryField, n: SupportsIndex) -> FieldArray:
    """Return the identity matrix of n rows."""
    return FieldArray(field, np.eye(int(n), dtype=np.uint8))


def random(field: BinaryField, shape: Shape, *, seed: int | np.random.Generator | None = None) -> FieldArray:
    """Return random elements, uniformly distributed, by NumPy's generator: not for secrets."""
    generator = np.random.default_rng(seed)
    octets = -(-field.degree // 8)
    words = np.zeros(shape, dtype=object if field.degree > 64 else np.uint64)
    for _ in range(octets):
        words = (words << 8) | generator.integers(0, 256, words.shape, dtype=np.uint8)
    return FieldArray(field, np.asarray(words) & ((1 << field.degree) - 1))

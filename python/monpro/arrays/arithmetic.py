"""The arithmetic of GF(2^k) on arrays of words, which hold an element each.

Bit i of a word is the coefficient of xⁱ. For k ≤ 64 the words are of 8, 16, 32 or 64 bits; for larger k they
are Python's integers.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from monpro._native import ArrayField, BinaryField, FieldElement

Words = NDArray[Any]

# The native module copies its operands. So many elements at a time stay in the cache.
BLOCK = 1 << 15


class Arithmetic:
    """The operations of one field on arrays of its words, with broadcasting."""

    def __init__(self, field: BinaryField) -> None:
        """Prepare the arithmetic of this field."""
        self.field = field
        self.degree = field.degree
        self._native = ArrayField(field) if self.degree <= 64 else None
        width = next((bits for bits in (8, 16, 32, 64) if self.degree <= bits), None)
        self.dtype: np.dtype[Any] = np.dtype(f"uint{width}" if width else object)

    @cached_property
    def _traces(self) -> Words:
        """The word whose bit i is the trace of xⁱ."""
        bits = sum(self.field(1 << i).trace() << i for i in range(self.degree))
        return np.asarray(bits, dtype=self.dtype)

    def multiply(self, x: Words, y: Words) -> Words:
        """Return x·y, element by element."""
        if self._native is None:
            return self._by_elements(lambda x, y: x * y, x, y)
        shape = np.broadcast_shapes(x.shape, y.shape)
        if x.size == 1:
            x, y = y, x
        z = np.empty(shape, dtype=self.dtype)
        factors = _flat(x, shape)
        others = np.broadcast_to(y.reshape(-1), 1) if y.size == 1 else _flat(y, shape)
        products = z.reshape(-1)
        for start in range(0, z.size, BLOCK):
            block = slice(start, start + BLOCK)
            other = others if y.size == 1 else others[block]
            self._native.multiply(factors[block], other, products[block])
        return z

    def invert(self, x: Words) -> Words:
        """Return the inverses of all elements; ValueError if one is 0."""
        if np.count_nonzero(x) < x.size:
            index = tuple(map(int, np.argwhere(x == 0)[0]))
            at = f" at index {index}" if index else ""
            raise ValueError(f"the element{at} is 0 and has no inverse: leave it out")
        if self._native is None:
            return self._by_elements(lambda x: x.inv(), x)
        z = np.empty(x.shape, dtype=self.dtype)
        units, inverses = _flat(x, x.shape), z.reshape(-1)
        # Up to degree 8, a block has elements enough for a table of all inverses. Elsewhere a long array is
        # faster than blocks, unless the processor has instructions.
        by_blocks = self.degree <= 8 or self._native.inverts_by_instructions
        length = BLOCK if by_blocks else max(x.size, 1)
        for start in range(0, x.size, length):
            block = slice(start, start + length)
            self._native.invert(units[block], inverses[block])
        return z

    def power(self, x: Words, e: int) -> Words:
        """Return xᵉ, element by element."""
        if e < 0:
            x, e = self.invert(x), -e
        power = np.ones_like(x)
        if e:
            e = e % self._order or self._order
        for bit in f"{e:b}":
            power = self.multiply(power, power)
            if bit == "1":
                power = self.multiply(power, x)
        return power

    def powers(self, x: Words, e: NDArray[Any]) -> Words:
        """Return xᵢ to the power eᵢ, for arrays of elements and of integers."""
        x, e = np.broadcast_arrays(x, e)
        negative = e < 0
        if negative.any():
            x = x.copy()
            x[negative] = self.invert(x[negative])
        is_short = self._native is not None and e.dtype != object
        # The absolute value of the least integer of 64 bits is right, too, as an unsigned one.
        magnitudes = np.abs(e).astype(np.uint64) if is_short else np.abs(e.astype(object))
        order = np.uint64(self._order) if is_short else self._order
        reduced = magnitudes % order
        reduced = np.where((reduced == 0) & (magnitudes != 0), order, reduced)
        power = np.ones_like(x)
        for bit in reversed(range(self.degree)):
            power = self.multiply(power, power)
            power = np.where(reduced >> bit & 1 == 1, self.multiply(power, x), power)
        return power

    @property
    def _order(self) -> int:
        return (1 << self.degree) - 1

    def frobenius(self, x: Words, n: int) -> Words:
        """Return x^(2ⁿ), element by element; n may be negative."""
        for _ in range(n % self.degree):
            x = self.multiply(x, x)
        return x

    def trace(self, x: Words) -> NDArray[np.uint8]:
        """Return the traces, 0 or 1, of the elements."""
        terms = x & self._traces
        if self._native is None:
            parities = np.frompyfunc(lambda word: word.bit_count() & 1, 1, 1)(terms)
            return np.asarray(parities, dtype=np.uint8)
        return np.asarray(np.bitwise_count(terms) & 1, dtype=np.uint8)

    def sum(self, x: Words, axis: int | tuple[int, ...] | None, *, keepdims: bool) -> Words:
        """Return the sums over axes, or over all."""
        sums: Any = np.bitwise_xor.reduce(x, axis=axis, keepdims=keepdims, initial=0)  # type: ignore[call-overload]
        return np.asarray(sums, dtype=self.dtype)

    def product(self, x: Words, axis: int | tuple[int, ...] | None, *, keepdims: bool) -> Words:
        """Return the products over axes, or over all."""
        axes = tuple(range(x.ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
        rest = tuple(n for i, n in enumerate(x.shape) if i not in axes)
        kept = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        count = math.prod(x.shape[i] for i in axes)
        factors = np.moveaxis(x, axes, range(len(axes))).reshape(count, *rest)
        if not count:
            factors = np.ones((1, *rest), dtype=self.dtype)
        while len(factors) > 1:
            half = len(factors) // 2
            products = self.multiply(factors[:half], factors[half : 2 * half])
            factors = np.concatenate([products, factors[2 * half :]])
        product: Words = factors[:1].reshape(kept if keepdims else rest)
        return product

    def matrix_product(self, x: Words, y: Words) -> Words:
        """Return x @ y by NumPy's rules: of vectors, of matrices, or of stacks of matrices."""
        if not x.ndim or not y.ndim:
            raise ValueError("a matrix product needs vectors or matrices: multiply by a scalar with *")
        a = x[np.newaxis] if x.ndim == 1 else x
        b = y[:, np.newaxis] if y.ndim == 1 else y
        if a.shape[-1] != b.shape[-2]:
            raise ValueError(f"shapes {x.shape} and {y.shape} do not match: a row is not as long as a column")
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = (np.broadcast_to(m, stack + m.shape[-2:]) for m in (a, b))
        z = np.empty((*stack, a.shape[-2], b.shape[-1]), dtype=self.dtype)
        for index in np.ndindex(stack):
            z[index] = self._product_of_matrices(a[index], b[index])
        if x.ndim == 1:
            z = z[..., 0, :]
        return z[..., 0] if y.ndim == 1 else z

    def _product_of_matrices(self, a: Words, b: Words) -> Words:
        (rows, inner), columns = a.shape, b.shape[1]
        if self._native is None:
            xs = [[self.field(x) for x in row] for row in a]
            ys = [[self.field(y) for y in column] for column in b.T]
            products = [int(self.field.dot(x, y)) for x in xs for y in ys]
            return np.array(products, dtype=object).reshape(rows, columns)
        if columns < rows:  # the columns of the second factor fill vectors
            return self._product_of_matrices(b.T, a.T).T
        z = np.empty((rows, columns), dtype=self.dtype)
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
        self._native.matrix_product(a, b, z, rows, inner, columns)
        return z

    def _by_elements(self, operation: Callable[..., FieldElement], *operands: Words) -> Words:
        def on_integers(*integers: int) -> int:
            return int(operation(*map(self.field, integers)))

        return np.asarray(np.frompyfunc(on_integers, len(operands), 1)(*operands), dtype=object)


def _flat(x: Words, shape: tuple[int, ...]) -> Words:
    """Return the words of an array that is broadcast to the shape, one after the other."""
    return np.ascontiguousarray(np.broadcast_to(x, shape)).reshape(-1)

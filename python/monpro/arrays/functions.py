"""The functions of NumPy that arrays of elements take part in, as functions of their words."""

from collections.abc import Callable
from typing import Any

import numpy as np

from monpro.arrays import elimination
from monpro.arrays.arithmetic import Arithmetic, Words

Function = Callable[..., Any]


def _sum(_: Arithmetic, x: Words, y: Words) -> Words:
    return x ^ y


def _same(_: Arithmetic, x: Words) -> Words:
    return x.copy()


def _quotient(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    if np.count_nonzero(y) < y.size:
        raise ZeroDivisionError("division by the element 0")
    inverses = arithmetic.invert(y)
    # 1/y is the reciprocal, and takes no longer.
    return inverses if x.ndim == 0 and x == 1 else arithmetic.multiply(x, inverses)


def _square(arithmetic: Arithmetic, x: Words) -> Words:
    return arithmetic.multiply(x, x)


def _square_root(arithmetic: Arithmetic, x: Words) -> Words:
    return arithmetic.frobenius(x, -1)


def _vecdot(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    return arithmetic.sum(arithmetic.multiply(x, y), -1, keepdims=False)


# The universal functions whose operands and results are elements; beside them there is numpy.power.
UNIVERSAL: dict[np.ufunc, Function] = {
    np.add: _sum,
    np.subtract: _sum,
    np.multiply: Arithmetic.multiply,
    np.true_divide: _quotient,
    np.positive: _same,
    np.negative: _same,
    np.square: _square,
    np.sqrt: _square_root,
    np.reciprocal: Arithmetic.invert,
    np.matmul: Arithmetic.matrix_product,
    np.vecdot: _vecdot,
}
# Those that are applied to the words.
COMPARING: frozenset[np.ufunc] = frozenset({np.equal, np.not_equal})
# Those with a method `outer`.
ON_PAIRS: frozenset[np.ufunc] = frozenset({np.add, np.subtract, np.multiply, np.true_divide})
# Those with a method `reduce`, with arguments of words, axis and keepdims.
REDUCING: dict[np.ufunc, Function] = {np.add: Arithmetic.sum, np.multiply: Arithmetic.product}
# The functions that are `reduce` over all axes.
TOTAL: dict[Function, np.ufunc] = {np.sum: np.add, np.prod: np.multiply}

# Functions that move elements and compute nothing. They are applied to the words.
MOVING: frozenset[Function] = frozenset(
    {
        *(np.atleast_1d, np.atleast_2d, np.expand_dims, np.squeeze, np.reshape, np.resize, np.ravel, np.copy),
        *(np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack),
        *(np.array_split, np.split, np.vsplit, np.hsplit),
        *(
            np.transpose,
            np.swapaxes,
            np.moveaxis,
            np.rollaxis,
            np.roll,
            np.rot90,
            np.flip,
            np.fliplr,
            np.flipud,
        ),
        *(np.broadcast_to, np.repeat, np.tile, np.take, np.delete),
        *(np.diag, np.diagflat, np.diagonal, np.tril, np.triu, np.zeros_like, np.ones_like),
    }
)

# Functions whose answer is not of elements. They are applied to the words.
ASKING: frozenset[Function] = frozenset(
    {np.all, np.any, np.argwhere, np.count_nonzero, np.flatnonzero, np.ndim, np.nonzero, np.shape, np.size}
)


def _inner(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    if not x.ndim or not y.ndim:
        return arithmetic.multiply(x, y)
    return arithmetic.matrix_product(x, y.T)


def _dot(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    if not x.ndim or not y.ndim:
        return arithmetic.multiply(x, y)
    if x.ndim > 2 or y.ndim > 2:
        raise ValueError("numpy.dot of elements takes vectors and matrices: for stacks of matrices use @")
    return arithmetic.matrix_product(x, y)


def _outer(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    return arithmetic.multiply(x.reshape(-1, 1), y.reshape(1, -1))


def _vdot(arithmetic: Arithmetic, x: Words, y: Words) -> Words:
    return arithmetic.matrix_product(x.reshape(-1), y.reshape(-1))


def _array_equal(_: Arithmetic, x: Words, y: Words) -> bool:
    return np.array_equal(x, y)


# Functions of arrays and elements of one field, computed from their words. What they return is an array of
# words, or an answer of another kind.
OF_WORDS: dict[Function, Callable[..., Any]] = {
    np.inner: _inner,
    np.dot: _dot,
    np.outer: _outer,
    np.vdot: _vdot,
    np.array_equal: _array_equal,
    np.linalg.solve: elimination.solve,
    np.linalg.inv: elimination.inverse,
    np.linalg.det: elimination.determinant,
    np.linalg.matrix_rank: elimination.rank,
}

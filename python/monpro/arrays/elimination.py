"""Matrices over GF(2^k): inverses, linear systems, determinants and ranks, by Gauss–Jordan elimination."""

import numpy as np
from numpy.typing import NDArray

from monpro.arrays.arithmetic import Arithmetic, Words


def eliminate(arithmetic: Arithmetic, matrix: Words, columns: int) -> tuple[list[int], Words]:
    """Bring the matrix to reduced echelon form in place, with pivots in its first `columns` columns.

    Returns the columns of the pivots, and the product of the pivots as a word.
    """
    pivots: list[int] = []
    product = np.ones((), dtype=arithmetic.dtype)
    for column in range(columns):
        row = len(pivots)
        candidates: NDArray[np.intp] = np.flatnonzero(matrix[row:, column])
        if not len(candidates):
            continue
        pivot_row = row + int(candidates[0])
        if pivot_row != row:
            matrix[[row, pivot_row]] = matrix[[pivot_row, row]]
        pivot = np.asarray(matrix[row, column], dtype=arithmetic.dtype)
        product = arithmetic.multiply(product, pivot)
        # The columns before this one are 0 in this row.
        rest = matrix[:, column:]
        rest[row] = arithmetic.multiply(rest[row], arithmetic.invert(pivot))
        factors = rest[:, :1].copy()
        factors[row] = 0
        rest ^= arithmetic.matrix_product(factors, rest[row : row + 1])
        pivots.append(column)
    return pivots, product


def solve(arithmetic: Arithmetic, a: Words, b: Words) -> Words:
    """Return x with a @ x = b for an invertible matrix a; ValueError if there is no single one."""
    n = _order_of_square(a)
    right = b[:, np.newaxis] if b.ndim == 1 else b
    if right.ndim != 2 or len(right) != n:
        raise ValueError(f"a right side of shape {b.shape} does not match a matrix of shape {a.shape}")
    system = np.concatenate([a, right], axis=1)
    pivots, _ = eliminate(arithmetic, system, n)
    if len(pivots) < n:
        raise ValueError(f"the matrix of {n} rows has rank {len(pivots)}: it has no inverse")
    return system[:, n] if b.ndim == 1 else system[:, n:]


def inverse(arithmetic: Arithmetic, a: Words) -> Words:
    """Return the inverse of a matrix; ValueError if it has none."""
    return solve(arithmetic, a, np.eye(_order_of_square(a), dtype=np.uint8).astype(arithmetic.dtype))


def determinant(arithmetic: Arithmetic, a: Words) -> Words:
    """Return the determinant of a square matrix, as a word."""
    n = _order_of_square(a)
    pivots, product = eliminate(arithmetic, a.copy(), n)
    return product if len(pivots) == n else np.zeros_like(product)


def rank(arithmetic: Arithmetic, a: Words) -> int:
    """Return the rank of a matrix."""
    if a.ndim != 2:
        raise ValueError(f"an array of {a.ndim} dimensions is no matrix: give one of two")
    pivots, _ = eliminate(arithmetic, a.copy(), a.shape[1])
    return len(pivots)


def _order_of_square(a: Words) -> int:
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"an array of shape {a.shape} is no square matrix")
    return len(a)

"""Arrays of elements of GF(2^k), with the semantics of NumPy.

>>> from monpro import BinaryField
>>> field = BinaryField.named("AES")
>>> x = field.array([[0x53, 0x02], [0x00, 0x01]])
>>> x * x + 1
FieldArray([[180,   5],
            [  1,   0]], GF(2^8))
>>> x @ field.array([1, 0xCA])
FieldArray([220, 202], GF(2^8))

A `FieldArray` is made by `BinaryField.array`, or by `zeros`, `ones`, `identity` and `random` here. It takes
part in NumPy's operators and functions where these mean the arithmetic of the field: + − × ÷, powers to
integers, ==, @, sums and products over axes, broadcasting, indexing, `np.linalg.solve`, `inv`, `det` and
`matrix_rank`, and functions that only move elements. Every other function of NumPy is refused.
`np.asarray(x)` gives the integers, without a copy and read-only.

Integers are no elements, except 0 and 1: `x + 1` is the sum with the field's 1, and `x * 3` is refused. In a
comparison an element equals the integer that is its value, and no other.
Arrays are meant for public values. Up to degree 64, elements lie in words of 8, 16, 32 or 64 bits, and the
products take no look-ups and no branches that depend on them, but they are never erased. In fields of higher
degree an array holds Python's integers, and each operation goes from element to element.
"""

import importlib.util

if importlib.util.find_spec("numpy") is None:
    raise ImportError('arrays of field elements need NumPy: python -m pip install "monpro[arrays]"')

from monpro.arrays.field_array import FieldArray, identity, ones, random, zeros

__all__ = ["FieldArray", "identity", "ones", "random", "zeros"]

r"""Columns of numbers in, a column of numbers out: one operation on the rows of Arrow columns, on every core.

>>> import pyarrow as pa
>>> from monpro.columns import Column, Constant, Operation
>>> operands = {"base": Column("c"), "exponent": Constant(65537), "modulus": Column("n")}
>>> power = Operation("pow", operands)
>>> batch = pa.record_batch({
...     "c": pa.array([b"\x02", b"\x03", None, b"\x05"], pa.binary(1)),
...     "n": pa.array([b"\x03\xe8", b"\x00\x65", b"\x00\x07", b"\x00\x00"], pa.binary(2)),
... })
>>> result = power(batch)
>>> result["result"].to_pylist(), result["status"].to_pylist()
([b'\x01\xd8', b'\x00]', None, None], [0, 0, 1, 2])

An `Operation` is one pure function of a `RecordBatch`, as pandas, Polars, DuckDB, Dask, Ray Data and Spark
take it. docs/columns.md has a recipe for each. Numbers are big-endian in columns of the types
fixed_size_binary, binary and large_binary, with any leading zeros. Columns are read and results are written
where they lie. A row that cannot be computed has a null for its result and a status that says why; `STATUSES`
has what they mean.

| operation | operands | result |
|---|---|---|
| pow | base, exponent, modulus | base^exponent mod modulus, for any modulus ≥ 1 |
| modexp | base, exponent, modulus | the same by the rules of Ethereum's MODEXP: modulo 0 it is 0 |
| product | base, factor, modulus | base·factor mod modulus, for any modulus ≥ 1 |
| inverse | number, modulus | number⁻¹ mod modulus, for any modulus ≥ 1 |
| prime | number | whether it is prime |
| rsa-private | number, key | number^d mod n for a number below n, blinded and checked; the key is a `File` |

The time of pow, modexp, product and inverse depends on the widths of columns, the bit lengths of moduli and
of a constant exponent, the number of factors 2 of a modulus, and which numbers have no inverse. For public
numbers pow-vartime and modexp-vartime are faster. Numbers that are tested for being prime are public. Every
prime is found prime. A composite, whoever chose it, is taken for a prime with a probability below
4⁻³² = 2⁻⁶⁴: division by the primes below 2¹² is followed by a round of Miller and Rabin with base 2 and by 32
with random bases.
"""

import importlib.util

if importlib.util.find_spec("pyarrow") is None:
    raise ImportError('columns of numbers need pyarrow: python -m pip install "monpro[columns]"')

from monpro.columns.operation import OPERANDS, STATUSES, Operation
from monpro.columns.sources import Column, ColumnsError, Constant, File, FileError, Source

__all__ = [
    "OPERANDS",
    "STATUSES",
    "Column",
    "ColumnsError",
    "Constant",
    "File",
    "FileError",
    "Operation",
    "Source",
]

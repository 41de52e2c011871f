"""Arrays of words made of what users have: integers, elements, lists, NumPy's arrays, bytes."""

from typing import Any

import numpy as np

from monpro._native import BinaryField, FieldElement
from monpro.arrays.arithmetic import Arithmetic, Words


def words_of(arithmetic: Arithmetic, data: object, *, copy: bool | None) -> Words:
    """Return the words of integers or elements, in the memory of `data` if copy is not True.

    `data` is an integer, an element, a nested list of them, an array of NumPy, or bytes. ValueError if copy
    is False and the memory cannot be used.
    """
    if isinstance(data, bytes | bytearray):
        data = np.frombuffer(data, dtype=np.uint8)
    elif isinstance(data, memoryview):
        data = np.asarray(data)
    if copy is False and not (isinstance(data, np.ndarray) and data.dtype == arithmetic.dtype):
        raise ValueError(f"a copy is needed: only an array of {arithmetic.dtype} can share its memory")
    if isinstance(data, np.ndarray) and data.dtype != object:
        _check_integers(arithmetic, data)
        return np.array(data, dtype=arithmetic.dtype, copy=copy)
    if isinstance(data, list | tuple):
        return _of_list(arithmetic, data)
    single = np.asarray(data, dtype=object)
    words = np.empty(single.shape, dtype=object)
    words[...] = np.frompyfunc(lambda item: _word(arithmetic.field, item), 1, 1)(single)
    return words.astype(arithmetic.dtype)


def _of_list(arithmetic: Arithmetic, items: list[Any] | tuple[Any, ...]) -> Words:
    if any(
        isinstance(item, list | tuple | np.ndarray) or hasattr(item, "__array_function__") for item in items
    ):
        rows = [words_of_item(arithmetic, item) for item in items]
        if len({row.shape for row in rows}) > 1:
            raise ValueError("the rows have different shapes: give all of them the same")
        return np.stack(rows)
    return np.array([_word(arithmetic.field, item) for item in items], dtype=arithmetic.dtype)


def words_of_item(arithmetic: Arithmetic, item: object) -> Words:
    """Return the words of an array of the field, or of anything `words_of` takes."""
    field = getattr(item, "field", None)
    if field is None or isinstance(item, FieldElement):
        return words_of(arithmetic, item, copy=None)
    check_field(arithmetic.field, field)
    words: Words = item._words  # type: ignore[attr-defined]  # noqa: SLF001  (a FieldArray)
    return words


def check_field(field: BinaryField, other: BinaryField) -> None:
    """Refuse to combine elements of different fields. Kernels do not matter here: all compute the same."""
    if field != other and field.polynomial != other.polynomial:
        raise ValueError("the elements are of different fields: they cannot be combined")


def _check_integers(arithmetic: Arithmetic, data: np.ndarray[Any, Any]) -> None:
    if data.dtype.kind not in "iub":
        raise TypeError(f"the elements must be integers, not {data.dtype}")
    if data.size and (int(data.min()) < 0 or int(data.max()) >> arithmetic.degree):
        worst = int(data.min()) if int(data.min()) < 0 else int(data.max())
        raise _no_element(worst, arithmetic.degree)


def _word(field: BinaryField, item: object) -> int:
    if isinstance(item, FieldElement):
        check_field(field, item.field)
        return int(item)
    if not hasattr(item, "__index__"):
        raise TypeError(f"the elements must be integers or elements of the field, not {type(item).__name__}")
    word: int = item.__index__()
    if word < 0 or word >> field.degree:
        raise _no_element(word, field.degree)
    return word


def _no_element(integer: int, k: int) -> ValueError:
    # Python refuses to write an integer of more than some thousand digits.
    bits = integer.bit_length()
    which = str(integer) if bits <= 64 else f"an integer of {bits} bits"
    return ValueError(f"{which} is no element of GF(2^{k}): give integers from 0 to 2^{k} - 1")

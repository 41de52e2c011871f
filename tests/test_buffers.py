"""Bytes and words from bytearray, memoryview and numpy's arrays."""

import array
import ctypes
import random
from typing import Any

import numpy as np
import pytest

import monpro
from monpro import dh

BASE, EXP, MOD = b"\x03\x05", b"\x02\x01", b"\x00\x07\xe5"


@pytest.mark.parametrize(
    "make",
    [
        bytes,
        bytearray,
        memoryview,
        lambda octets: memoryview(bytearray(octets)),
        lambda octets: memoryview(b"?" + octets + b"?")[1:-1],
        lambda octets: array.array("B", octets),
        lambda octets: np.frombuffer(octets, dtype=np.uint8),
        lambda octets: np.frombuffer(octets, dtype=np.int8),
        lambda octets: (ctypes.c_ubyte * len(octets))(*octets),
    ],
)
def test_bytes_come_in_any_buffer(make: Any) -> None:
    expected = pow(0x0305, 0x0201, 0x07E5).to_bytes(3, "big")
    for function in (monpro.modexp, monpro.modexp_vartime):
        assert function(make(BASE), make(EXP), make(MOD)) == expected
        assert function(base=make(BASE), exp=make(EXP), mod=make(MOD)) == expected
    group = dh.Group.integers(0xFFF1, 17)
    key = group.private_key(make(b"\x01\x23"))
    assert key.public == pow(17, 0x123, 0xFFF1).to_bytes(2, "big")
    assert key.agree(make(b"\x12\x34")) == pow(0x1234, 0x123, 0xFFF1).to_bytes(2, "big")


def test_a_long_computation_does_not_use_the_callers_buffer() -> None:
    n = bytearray(b"\xff" * 512)
    expected = pow(3, 1 << 8000, (1 << 4096) - 1)
    assert int.from_bytes(monpro.modexp(b"\x03", b"\x01" + bytes(1000), n), "big") == expected
    n.clear()  # is not exported any more


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ("3", TypeError, "^the base must be bytes, not str$"),
        (3, TypeError, "^the base must be bytes, not int$"),
        (None, TypeError, "^the base must be bytes, not NoneType$"),
        ([3], TypeError, "^the base must be bytes, not list$"),
        (
            array.array("H", [3]),
            TypeError,
            "^the base must be bytes, not a buffer of other items: give a view",
        ),
        (np.zeros(2, dtype=np.int64), TypeError, "^the base must be bytes, not a buffer of other items"),
        (np.zeros(2, dtype=object), TypeError, "^the base must be bytes, not "),
        (memoryview(b"12345")[::2], ValueError, "^the base is not contiguous: give a copy of it$"),
        (np.zeros((2, 2), dtype=np.uint8), ValueError, "^the base must be bytes in one dimension, not 2$"),
    ],
)
def test_what_is_not_bytes_is_refused(value: Any, error: type[Exception], message: str) -> None:
    for function in (monpro.modexp, monpro.modexp_vartime):
        with pytest.raises(error, match=message):
            function(value, EXP, MOD)
        with pytest.raises(error, match=message.replace("base", "exponent")):
            function(BASE, value, MOD)
        with pytest.raises(error, match=message.replace("base", "modulus")):
            function(BASE, EXP, value)


def rows(numbers: list[int], words: int) -> Any:
    octets = b"".join(number.to_bytes(8 * words, "little") for number in numbers)
    return np.frombuffer(octets, dtype="<u8").reshape(len(numbers), words)


@pytest.mark.parametrize("words", [1, 2, 5])
def test_the_rows_of_an_array_are_numbers(words: int) -> None:
    generator = random.Random(words)
    numbers = [generator.getrandbits(64 * words) for _ in range(40)] + [0, 1, (1 << 64 * words) - 1]
    n, e = generator.getrandbits(200), generator.getrandbits(70)
    expected = [pow(x, e, n) for x in numbers]
    table = rows(numbers, words)
    c_table = (ctypes.c_uint64 * words * len(numbers)).from_buffer_copy(table.tobytes())
    flat = memoryview(table.tobytes())
    for buffer in (
        table,
        memoryview(table),
        flat.cast("Q", [len(numbers), words]),
        flat.cast("L", [len(numbers), words]),
        table.astype(">u8"),
        c_table,
    ):
        assert monpro.powmod_base_list(buffer, e, n) == expected
        assert monpro.powmod_exp_list(3, buffer, n) == [pow(3, x, n) for x in numbers]
    assert monpro.powmod_base_list(table[1:3], e, n) == expected[1:3]
    assert monpro.powmod_base_list(table[:0], e, n) == []


def test_a_buffer_of_one_dimension_is_a_list() -> None:
    for buffer in (np.array([2, -3], dtype=np.int64), array.array("b", [2, -3]), memoryview(b"\x02\x03")):
        assert monpro.powmod_base_list(buffer, 5, 1001) == [pow(int(x), 5, 1001) for x in buffer]
    assert monpro.powmod_base_list(np.array([2, 1 << 90], dtype=object), 5, 1001) == [
        32,
        pow(1 << 90, 5, 1001),
    ]


@pytest.mark.parametrize(
    ("buffer", "error", "message"),
    [
        (np.zeros((2, 2), dtype=np.int64), TypeError, "must be of uint64, the lowest word first$"),
        (np.zeros((2, 2), dtype=np.uint32), TypeError, "must be of uint64"),
        (np.zeros((2, 2), dtype=np.float64), TypeError, "must be of uint64"),
        (np.zeros((2, 2, 2), dtype=np.uint64), TypeError, "has two dimensions, not 3$"),
        (memoryview(bytes(8)).cast("Q", []), TypeError, "has two dimensions, not 0$"),
        (
            np.zeros((4, 4), dtype=np.uint64)[:, ::2],
            ValueError,
            "^the buffer is not contiguous: give a copy of it$",
        ),
        (np.zeros((4, 4), dtype=np.uint64).T[:, :2], ValueError, "not contiguous"),
        (np.array([1.5, 2]), TypeError, "must be an integer, not float"),
    ],
)
def test_other_arrays_are_refused(buffer: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        monpro.powmod_base_list(buffer, 2, 7)
    with pytest.raises(error, match=message):
        monpro.powmod_exp_list(2, buffer, 7)

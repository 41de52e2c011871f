"""Powers of lists, and powers from bytes to bytes, compared with Python's own."""

import json
import math
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import monpro

ROOT = Path(__file__).resolve().parents[1]
VECTORS = json.loads((ROOT / "vectors" / "modexp.json").read_text())

integers = st.integers(-(1 << 200), 1 << 200)


@given(bases=st.lists(integers, max_size=40), e=st.integers(0, 1 << 70), n=st.integers(1, 1 << 300))
def test_base_lists_are_powers_of_each_base(bases: list[int], e: int, n: int) -> None:
    assert monpro.powmod_base_list(bases, e, n) == [pow(x, e, n) for x in bases]


@given(x=integers, exponents=st.lists(st.integers(0, 1 << 300), max_size=40), n=st.integers(1, 1 << 300))
def test_exponent_lists_are_powers_of_the_base(x: int, exponents: list[int], n: int) -> None:
    assert monpro.powmod_exp_list(x, exponents, n) == [pow(x, e, n) for e in exponents]


tasks = st.tuples(integers, st.integers(0, 1 << 300), st.integers(1, 1 << 300))


@given(tasks=st.lists(tasks, max_size=40))
def test_lists_of_tasks_are_powers_each_with_its_own_modulus(tasks: list[tuple[int, int, int]]) -> None:
    assert monpro.pow_list(tasks) == [pow(x, e, n) for x, e, n in tasks]


@given(pairs=st.lists(st.tuples(integers, st.integers(0, 1 << 300)), max_size=40), n=st.integers(1, 1 << 300))
def test_lists_of_pairs_are_powers_of_each_base(pairs: list[tuple[int, int]], n: int) -> None:
    assert monpro.powmod_list(pairs, n) == [pow(x, e, n) for x, e in pairs]
    assert monpro.powmod_list(map(list, pairs), n) == monpro.pow_list([[x, e, n] for x, e in pairs])


def test_a_mistake_in_a_list_of_pairs_names_the_index_of_the_pair() -> None:
    good = [(2, 3)] * 20
    for pair, error, line in [
        ((2, "3"), TypeError, "pair 20: the exponent must be an integer, not str"),
        ((2.0, 3), TypeError, "pair 20: the base must be an integer, not float"),
        ((3, -1), ValueError, "pair 20: the exponent is negative and the base has no inverse modulo n"),
        ((2, 3, 4), TypeError, "pair 20: give a pair (base, exponent), not 3 items"),
    ]:
        with pytest.raises(error, match=f"^{re.escape(line)}"):
            monpro.powmod_list([*good, pair, *good], 9)  # type: ignore[list-item]


def test_the_names_of_arguments_are_those_of_pythons_pow() -> None:
    assert monpro.pow(base=3, exp=2, mod=7) == pow(base=3, exp=2, mod=7)
    assert monpro.Modulus(7).pow(base=3, exp=2) == 2
    assert monpro.powmod_base_list(base_lst=[3], exp=2, mod=7) == [2]
    assert monpro.powmod_exp_list(base=3, exp_lst=[2], mod=7) == [2]
    assert monpro.powmod_list(pairs=[(3, 2)], mod=7) == [2] == monpro.pow_list(tasks=[(3, 2, 7)])
    assert monpro.Modulus(7).multi_pow(pairs=[(3, 2)]) == 2
    assert monpro.modexp(base=b"\x03", exp=b"\x02", mod=b"\x07") == b"\x02"
    assert monpro.FixedBase(base=monpro.Modulus(7)(3), exp_bits=4).pow(exp=2) == 2
    assert monpro.invert(x=3, mod=7) == 5
    assert monpro.sqrt_mod(x=2, mod=7) == 3


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_tasks_of_mixed_sizes_come_back_in_order(threads: int | None) -> None:
    sizes = (1, 60, 512, 3, 256, 1024, 64)
    tasks = [(7 * i + 2, (-1) ** i * i, (1 << sizes[i % 7]) + 2 * i + 1) for i in range(200)]
    tasks = [(x, e, n) for x, e, n in tasks if e >= 0 or math.gcd(x, n) == 1]
    assert {e < 0 for _, e, _ in tasks} == {True, False}
    assert monpro.pow_list(iter(tasks), threads=threads) == [pow(x, e, n) for x, e, n in tasks]


def test_a_mistake_in_a_list_of_tasks_names_the_index_of_the_task() -> None:
    good = [(2, 3, 7)] * 20
    for task, error, line in [
        ((2, 3, 0), ValueError, "task 20: the modulus must be at least 1"),
        ((2, 3, -7), ValueError, "task 20: the modulus must be at least 1"),
        ((2, "3", 7), TypeError, "task 20: the exponent must be an integer, not str"),
        ((2.0, 3, 7), TypeError, "task 20: the base must be an integer, not float"),
        ((3, -1, 9), ValueError, "task 20: the exponent is negative and the base has no inverse modulo n"),
        ((2, 3), ValueError, "task 20: give three numbers (base, exponent, modulus), not 2"),
        ({2, 3, 7}, TypeError, "task 20: give a tuple (base, exponent, modulus), not set"),
        (None, TypeError, "task 20: give a tuple (base, exponent, modulus), not NoneType"),
    ]:
        with pytest.raises(error, match=f"^{re.escape(line)}") as caught:
            monpro.pow_list([*good, task, *good])  # type: ignore[list-item]
        assert "\n" not in str(caught.value)
    with pytest.raises(TypeError):
        monpro.pow_list(7)  # type: ignore[call-overload]


def test_a_list_of_tasks_tells_its_progress_and_lets_other_threads_run() -> None:
    told: list[tuple[int, int]] = []
    ran = threading.Event()
    n = (1 << 4096) - 17
    threading.Timer(0.01, ran.set).start()
    monpro.pow_list([(3, n, n)] * 16, threads=1, progress=lambda *counts: told.append(counts))
    assert ran.is_set()
    assert told[-1] == (16, 16)


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_the_order_is_that_of_the_list_whatever_the_threads(threads: int | None) -> None:
    n = (1 << 127) - 1
    bases = list(range(1000))
    assert monpro.powmod_base_list(bases, 77, n, threads=threads) == [pow(x, 77, n) for x in bases]
    assert monpro.powmod_exp_list(3, bases, n, threads=threads) == [pow(3, e, n) for e in bases]
    assert monpro.powmod_exp_list(3, [-e for e in bases], n) == [pow(3, -e, n) for e in bases]
    assert monpro.powmod_base_list((x for x in bases[1:]), -5, n) == [pow(x, -5, n) for x in bases[1:]]


def test_progress_ends_with_all_of_all() -> None:
    told: list[tuple[int, int]] = []
    bases = list(range(100))
    monpro.powmod_base_list(
        bases, (1 << 2000) - 1, (1 << 2001) - 9, progress=lambda *counts: told.append(counts)
    )
    assert told[-1] == (100, 100)
    assert told == sorted(told)


def test_an_exception_of_progress_ends_the_work() -> None:
    def refuse(done: int, total: int) -> None:
        raise InterruptedError(f"{done} of {total}")

    with pytest.raises(InterruptedError, match="of 50"):
        monpro.powmod_exp_list(3, [7] * 50, 11, progress=refuse)


def test_other_threads_run_meanwhile() -> None:
    ran = threading.Event()
    n = (1 << 4096) - 17
    threading.Timer(0.01, ran.set).start()
    monpro.powmod_base_list([3] * 16, n, n, threads=1)  # much longer than the timer
    assert ran.is_set()


def test_bad_input_is_one_clear_line() -> None:
    with pytest.raises(ValueError, match="the modulus must be at least 1"):
        monpro.powmod_base_list([1], 2, 0)
    with pytest.raises(ValueError, match="no inverse"):
        monpro.powmod_base_list([2, 3], -1, 9)
    with pytest.raises(TypeError, match="a base must be an integer, not str"):
        monpro.powmod_base_list([1, "2"], 2, 7)  # type: ignore[list-item]
    with pytest.raises(TypeError):
        monpro.powmod_exp_list(1, 2, 7)  # type: ignore[call-overload]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["Name"]))
def test_modexp_of_the_vectors(vector: dict[str, str]) -> None:
    data = bytes.fromhex(vector["Input"])
    lengths = [int.from_bytes(data[32 * i : 32 * i + 32], "big") for i in range(3)]
    base, exponent, modulus = (data[96 + sum(lengths[:i]) : 96 + sum(lengths[: i + 1])] for i in range(3))
    expected = bytes.fromhex(vector["Expected"])
    assert monpro.modexp(base, exponent, modulus) == expected
    assert monpro.modexp_vartime(base, exponent, modulus) == expected


def test_the_vectors_are_those_that_the_tool_writes() -> None:
    tell = "import modexp_vectors; print(modexp_vectors.text(), end='')"
    told = subprocess.run(
        [sys.executable, "-c", tell], cwd=ROOT / "tools", capture_output=True, check=True, text=True
    )
    assert told.stdout == (ROOT / "vectors" / "modexp.json").read_text()


@given(x=st.binary(max_size=80), e=st.binary(max_size=20), n=st.binary(max_size=80))
def test_modexp_is_pythons_pow(x: bytes, e: bytes, n: bytes) -> None:
    base, exponent, modulus = (int.from_bytes(number, "big") for number in (x, e, n))
    expected = (pow(base, exponent, modulus) if modulus else 0).to_bytes(len(n), "big")
    assert monpro.modexp(x, e, n) == expected
    assert monpro.modexp_vartime(x, e, n) == expected


def words_of(numbers: list[int], words: int) -> Any:
    octets = b"".join(number.to_bytes(8 * words, sys.byteorder) for number in numbers)
    return np.frombuffer(octets, dtype=np.uint64).reshape(len(numbers), words)


@pytest.mark.skipif(sys.byteorder != "little", reason="the rows are compared as little-endian bytes")
@pytest.mark.parametrize("words", [3, 5])
def test_results_go_to_the_rows_of_a_buffer(words: int) -> None:
    n = (1 << 190) - 33
    bases, exponents = list(range(2, 22)), [77] * 20
    expected = [pow(x, 77, n) for x in bases]
    calls: list[Callable[[Any], Any]] = [
        lambda out: monpro.powmod_base_list(bases, 77, n, out=out),
        lambda out: monpro.pow_list([(x, 77, n) for x in bases], out=out),
        lambda out: monpro.powmod_list(list(zip(bases, exponents, strict=True)), n, out=out),
    ]
    for call in calls:
        out = np.full((20, words), 2**64 - 1, dtype=np.uint64)
        assert call(out) is out
        assert np.array_equal(out, words_of(expected, words))
    out = np.zeros((20, 3), dtype=np.uint64)
    monpro.powmod_exp_list(3, bases, n, out=out)
    assert np.array_equal(out, words_of([pow(3, e, n) for e in bases], 3))
    # The rows may be those that the numbers come from.
    rows = words_of(bases, 3).copy()
    assert np.array_equal(monpro.powmod_base_list(rows, 77, n, out=rows), words_of(expected, 3))
    flat = memoryview(bytearray(20 * 24)).cast("Q", (20, 3))
    assert monpro.powmod_base_list(bases, 77, n, out=flat) is flat
    assert bytes(flat) == words_of(expected, 3).tobytes()
    assert monpro.powmod_base_list([], 77, n, out=(none := np.zeros((0, 3), dtype=np.uint64))) is none


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        ([0, 0], TypeError, "^out must be a two-dimensional buffer of uint64"),
        (7, TypeError, "^out must be a two-dimensional buffer of uint64"),
        (np.zeros(2, dtype=np.uint64), TypeError, "^out must be a two-dimensional buffer of uint64"),
        (np.zeros((2, 1), dtype=np.int64), TypeError, "^out must be a two-dimensional buffer of uint64"),
        (np.zeros((2, 1), dtype=">u8"), TypeError, "^out must be a two-dimensional buffer of uint64"),
        (
            np.zeros((3, 1), dtype=np.uint64),
            ValueError,
            "^out has 3 rows, and there are 2 results: give as many",
        ),
        (np.zeros((2, 0), dtype=np.uint64), ValueError, "^out has rows of 0 words, and the modulus has 1"),
        (np.zeros((2, 4), dtype=np.uint64)[:, ::2], ValueError, "^out is not contiguous: give a copy of it"),
        (np.asarray(words_of([1, 2], 1)), ValueError, "^out is read-only: give a buffer that can be written"),
    ],
)
def test_what_cannot_take_results_is_refused_before_they_are_computed(
    out: Any, error: type[Exception], message: str
) -> None:
    told: list[tuple[int, int]] = []
    with pytest.raises(error, match=message):
        monpro.powmod_base_list([2, 3], 5, 7, out=out, progress=lambda *counts: told.append(counts))
    assert not told

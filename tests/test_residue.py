"""Residues among Python's own numbers: operators, comparisons, hashes, conversions, copies and pickles."""

import copy
import fractions
import math
import multiprocessing
import operator
import pickle
import random
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import monpro
from monpro import dh

odd_moduli = st.one_of(st.integers(0, 40), st.integers(2**60, 2**300)).map(lambda n: 2 * n + 1)
integers = st.one_of(st.integers(-70, 70), st.integers(-(2**400), 2**400))
N = monpro.Modulus(101)
POLYNOMIALS = monpro.Modulus(0b1_0001_1011, ring="gf2")


@given(n=odd_moduli, x=integers, y=integers)
def test_an_int_on_either_side_counts_as_its_residue(n: int, x: int, y: int) -> None:
    modulus = monpro.Modulus(n)
    for operation in (operator.add, operator.sub, operator.mul):
        expected = modulus(operation(x, y))
        assert operation(modulus(x), y) == expected == operation(x, modulus(y))
        assert operation(modulus(x), modulus(y)) == expected
    assert +modulus(x) == modulus(x)
    assert -modulus(x) == 0 - modulus(x)
    if math.gcd(y, n) == 1:
        expected = modulus(x * pow(y, -1, n))
        assert modulus(x) / modulus(y) == modulus(x) / y == x / modulus(y) == expected
        assert modulus(y) ** -3 == 1 / modulus(y) ** 3
    else:
        for divisor in (y, modulus(y)):
            with pytest.raises(ZeroDivisionError, match=r"^division by the residue 0$|share a factor$"):
                modulus(x) / divisor


def test_sums_and_products_of_residues_are_those_of_the_values() -> None:
    values = [3, 1 << 70, -5, 100]
    residues = [N(x) for x in values]
    assert sum(residues) == N(sum(values))
    assert math.prod(residues) == N(math.prod(values))
    total = N(1)
    for x in values:
        total += x
        total *= 2
        total -= N(x)
        total /= 3
    assert isinstance(total, monpro.Residue)


def test_a_division_by_0_says_so() -> None:
    for dividend, divisor in ((N(5), 0), (1, N(0)), (N(1), N(202))):
        with pytest.raises(ZeroDivisionError, match=r"^division by the residue 0$"):
            dividend / divisor
    with pytest.raises(
        ZeroDivisionError, match=r"^the divisor has no inverse modulo n: they share a factor$"
    ):
        monpro.Modulus(15)(1) / 5
    with pytest.raises(ValueError, match="BinaryField"):
        POLYNOMIALS(1) / POLYNOMIALS(3)


def test_over_gf2_the_ints_0_and_1_are_polynomials() -> None:
    x = POLYNOMIALS(0b1010)
    assert x + 1 == POLYNOMIALS(0b1011) == 1 - x
    assert 1 * x == x == x - 0
    assert sum([x, x, x]) == x == math.prod([x])
    for other in (2, -1, 1 << 70):
        with pytest.raises(TypeError, match=r"^an integer other than 0 and 1 is no polynomial over GF\(2\)"):
            x + other


@pytest.mark.parametrize(
    "other", [1.0, 1.5, math.nan, "1", b"1", None, [1], Decimal(1), fractions.Fraction(1), 1j]
)
def test_what_is_no_int_does_not_mix(other: Any) -> None:
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        for left, right in ((N(3), other), (other, N(3))):
            if operation is operator.mul and isinstance(other, (str, bytes, list)):
                continue  # is repeated, as by any object with an index
            with pytest.raises(TypeError):
                operation(left, right)
    assert N(1) != other
    assert other != N(1)
    with pytest.raises(TypeError):
        N(3) ** other


def test_two_moduli_never_mix() -> None:
    others = [monpro.Modulus(103)(3), monpro.Modulus(101, kernel="fios-w32")(3)]
    for other in others:
        for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
            with pytest.raises(ValueError, match="different moduli or kernels"):
                operation(N(3), other)
        assert N(3) != other
        for call in (
            lambda other=other: N(other) + 1,
            lambda other=other: N(3) ** other,
            lambda other=other: N.pow(other, 2),
            lambda other=other: monpro.pow(other, 2, 101),
            lambda other=other: monpro.pow(2, 2, other),
            lambda other=other: monpro.Modulus(other),
            lambda other=other: monpro.powmod_base_list([other], 2, 101),
            lambda other=other: monpro.invert(other, 101),
            lambda other=other: N.multi_pow([(other, 2)]),
            lambda other=other: monpro.FixedBase(N(3), 8).pow(other),
        ):
            with pytest.raises(TypeError, match=r"must be an integer, not Residue: take int\(\) of it$"):
                call()
    assert N(N(3)) == N(3)
    element = monpro.BinaryField([8, 4, 3, 1, 0])(3)
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        with pytest.raises(TypeError):
            operation(N(3), element)
    assert N(3) != element
    with pytest.raises(TypeError, match=r"take int\(\) of it"):
        N(element)  # type: ignore[arg-type]


def test_a_residue_equals_the_int_that_is_its_value_and_no_other() -> None:
    generator = random.Random(1)
    for bits in (3, 63, 64, 65, 521):
        n = generator.getrandbits(bits) | 1 | 1 << (bits - 1)
        modulus = monpro.Modulus(n)
        for value in (0, 1, n - 1, generator.randrange(n)):
            x = modulus(value)
            assert x == value == x
            assert not (x != value)  # noqa: SIM202
            assert hash(x) == hash(value) == hash(modulus(value + n))
            assert dict.fromkeys([x], "found")[value] == "found"  # type: ignore[index]
            for other in (value + n, value - n, -value or -1, value + 1, value + (1 << 4000)):
                assert x != other
    assert N(1) == True  # noqa: E712  (a bool is an int)
    assert N(3) != monpro.Modulus(103)(3)
    assert len({N(3), N(104), 3, monpro.Modulus(101, kernel="fios-w32")(3)}) == 2
    with pytest.raises(TypeError, match="not supported between"):
        N(3) < N(4)  # type: ignore[operator]  # noqa: B015


def test_equal_objects_have_equal_hashes() -> None:
    for make in (
        lambda: monpro.Modulus(101),
        lambda: monpro.Modulus(101, kernel="fios-w32"),
        lambda: monpro.Modulus(101, ring="gf2"),
        lambda: monpro.Kernel("sos"),
        lambda: dh.Group.named("ffdhe2048"),
        lambda: dh.Group.integers(23, 5),
    ):
        first, second = make(), make()
        assert first is not second
        assert first == second
        assert hash(first) == hash(second)
        assert len({first, second}) == 1
    assert len({monpro.Modulus(101), monpro.Modulus(103), monpro.Modulus(101, ring="gf2")}) == 3
    assert monpro.Modulus(7).kernel == monpro.Modulus(9).kernel
    assert monpro.Modulus(7) != 7


def test_a_residue_converts_as_an_int_does() -> None:
    for n in (101, (1 << 521) - 1):
        modulus = monpro.Modulus(n)
        for value in (0, 5, n - 1, n // 3):
            x = modulus(value)
            assert int(x) == operator.index(x) == value
            assert str(x) == str(value)
            assert hex(x) == hex(value)
            assert (f"{x}", f"{x:#x}", f"{x:>200}", f"{x:,}") == (
                f"{value}",
                f"{value:#x}",
                f"{value:>200}",
                f"{value:,}",
            )
            assert bytes(x) == value.to_bytes((n.bit_length() + 7) // 8, "big")
    assert "abc"[N(102)] == "b"
    with pytest.raises(ValueError, match="Unknown format code"):
        format(N(3), "q")


def test_representations_show_the_value() -> None:
    long = monpro.Modulus((1 << 2203) - 1)
    assert repr(N(5)) == "<Residue 5 modulo 101>"
    assert repr(monpro.Modulus(1)(5)) == "<Residue 0 modulo 1>"
    assert (
        repr(monpro.Modulus((1 << 89) - 1)(1 << 64))
        == "<Residue 0x10000000000000000 modulo 0x1ffffffffffffffffffffff>"
    )
    assert repr(long(-1)) == "<Residue 0x7ffffffffff…fffffffffffe modulo 0x7ffffffffff…ffffffffffff>".replace(
        "0x7ffffffffff…", "0x7fffffffffff…"
    )
    assert repr(N).startswith("<Modulus 101 of 7 bits, kernel ")
    assert repr(POLYNOMIALS).startswith("<Modulus 283 over GF(2)[x] of 9 bits, kernel ")
    assert repr(monpro.FixedBase(N(3), 10)) == "<FixedBase modulo 101 for exponents of 10 bits>"


def test_numpy_scalars_are_ints_and_arrays_do_their_own_arithmetic() -> None:
    assert N(3) + np.int64(4) == N(7) == np.uint8(4) + N(3)
    assert np.int64(-1) * N(3) == N(-3)
    assert N(3) == np.int64(3)
    assert N(3) ** np.uint16(5) == N(243)
    array: Any = np.array([1, 2, 3], dtype=np.uint64)
    assert list(N(5) * array) == [N(5), N(10), N(15)] == list(array * N(5))
    assert np.array([N(1), N(2)]).dot(np.array([N(3), N(4)])) == N(11)


def reread(dumped: bytes) -> Any:
    return pickle.loads(dumped)


def public_values() -> list[Any]:
    n = monpro.Modulus((1 << 521) - 1)
    return [
        N, N(7), n, n(12345), POLYNOMIALS, POLYNOMIALS(0b101),
        monpro.Modulus(101, kernel="fios-w32"), monpro.Modulus(101, kernel="fios-w32")(9),
        monpro.Modulus(0b111, kernel="sos-gf2-w32")(2), monpro.Kernel("cios"), n.kernel,
        dh.Group.named("modp2048"), dh.Group.named("ffdhe2048"),
        dh.Group.integers(23, 5), dh.Group.integers(23, 2, 11),
        dh.Group.binary_field(monpro.BinaryField([7, 1, 0])(2), 127),
    ]  # fmt: skip


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_and_copies_are_equal(protocol: int) -> None:
    for value in public_values():
        for other in (reread(pickle.dumps(value, protocol)), copy.copy(value), copy.deepcopy(value)):
            assert other == value
            assert hash(other) == hash(value)
            assert repr(other) == repr(value)
    table = monpro.FixedBase(N(3), 20)
    for again in (reread(pickle.dumps(table, protocol)), copy.copy(table), copy.deepcopy(table)):
        assert (again.base, again.exp_bits, again.pow(1000)) == (N(3), 20, table.pow(1000))


def test_a_pickle_names_a_kernel_only_if_it_was_chosen() -> None:
    assert b"kernel" not in pickle.dumps(monpro.Modulus(101))
    assert b"fios-w32" in pickle.dumps(monpro.Modulus(101, kernel="fios-w32"))
    generated = monpro.dh.Group.named("ffdhe3072")
    assert reread(pickle.dumps(generated)).private_octets == generated.private_octets


def square(x: monpro.Residue) -> monpro.Residue:
    return x * x


def test_residues_go_to_other_processes_and_back() -> None:
    values = [N(i) for i in range(20)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(square, values) == [x * x for x in values]


def test_private_keys_are_not_pickled() -> None:
    key = dh.Group.integers(23, 2, 11).private_key(b"\x07")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(
            TypeError, match=r"^a private key is not pickled, since a pickle would hold its secret"
        ):
            pickle.dumps(key, protocol)
    assert copy.copy(key) is key is copy.deepcopy(key)


def test_products_that_take_long_have_a_thread_of_their_own() -> None:
    """With a slow kernel, that is at 8200 bits; the fast one computes where it is called."""
    n = 1 << 8200 | 0b101101
    slow, fast = (monpro.Modulus(n, ring="gf2", kernel=name) for name in ("cios-gf2-w8-emulation", None))
    x, y = 3 << 8190, 5 << 8180
    for operation in (operator.mul, operator.add, operator.sub):
        result = int(operation(fast(x), fast(y)))
        assert operation(slow(x), slow(y)) == result


def test_kernels_are_made_by_name() -> None:
    assert [monpro.Kernel(kernel.name) for kernel in monpro.kernels()] == monpro.kernels()
    with pytest.raises(ValueError, match="did you mean cios"):
        monpro.Kernel("coss")


def test_numpy_is_not_imported_but_served() -> None:
    assert monpro.Modulus(7).residue_from_words(np.array([3], dtype=np.uint64)).words == [3]
    code = "import monpro, sys; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

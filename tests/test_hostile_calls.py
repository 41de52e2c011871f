"""Odd values in every place of every public function: each is taken as by Python, or refused in one line."""

import decimal
import fractions
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import monpro
from monpro import dh

N = monpro.Modulus(101)
TABLE = monpro.FixedBase(N(3), 4000)

# Each takes an integer.
CALLS: dict[str, Callable[[Any], object]] = {
    "pow, base": lambda x: monpro.pow(x, 3, 101),
    "pow, exp": lambda x: monpro.pow(3, x, 101),
    "pow, mod": lambda x: monpro.pow(3, 3, x),
    "Modulus": monpro.Modulus,
    "Modulus()": N,
    "Modulus.pow, base": lambda x: N.pow(x, 3),
    "Modulus.pow, exp": lambda x: N.pow(3, x),
    "Modulus.multi_pow, base": lambda x: N.multi_pow([(x, 3)]),
    "Modulus.multi_pow, exp": lambda x: N.multi_pow([(3, x)]),
    "residue_from_words": lambda x: N.residue_from_words([x]),
    "Residue **": lambda x: N(3) ** x,
    "FixedBase": lambda x: monpro.FixedBase(N(3), x),
    "FixedBase.pow": TABLE.pow,
    "Kernel.supports": N.kernel.supports,
    "Kernel.example_modulus": N.kernel.example_modulus,
    "powmod_base_list, item": lambda x: monpro.powmod_base_list([x], 3, 101),
    "powmod_base_list, exp": lambda x: monpro.powmod_base_list([3], x, 101),
    "powmod_base_list, mod": lambda x: monpro.powmod_base_list([3], 3, x),
    "powmod_exp_list, base": lambda x: monpro.powmod_exp_list(x, [3], 101),
    "powmod_exp_list, item": lambda x: monpro.powmod_exp_list(3, [x], 101),
    "powmod_list, base": lambda x: monpro.powmod_list([(x, 3)], 101),
    "powmod_list, exp": lambda x: monpro.powmod_list([(3, x)], 101),
    "powmod_list, mod": lambda x: monpro.powmod_list([(3, 3)], x),
    "pow_list, base": lambda x: monpro.pow_list([(x, 3, 101)]),
    "pow_list, exp": lambda x: monpro.pow_list([(3, x, 101)]),
    "pow_list, mod": lambda x: monpro.pow_list([(3, 3, x)]),
    "invert, x": lambda x: monpro.invert(x, 101),
    "invert, mod": lambda x: monpro.invert(3, x),
    "gcd": lambda x: monpro.gcd(6, x),
    "lcm": lambda x: monpro.lcm(6, x),
    "gcdext, a": lambda x: monpro.gcdext(x, 6),
    "gcdext, b": lambda x: monpro.gcdext(6, x),
    "is_prime": monpro.is_prime,
    "next_prime": monpro.next_prime,
    "prev_prime": monpro.prev_prime,
    "sqrt_mod, x": lambda x: monpro.sqrt_mod(x, 101),
    "sqrt_mod, mod": lambda x: monpro.sqrt_mod(4, x),
    "jacobi, x": lambda x: monpro.jacobi(x, 101),
    "jacobi, n": lambda x: monpro.jacobi(3, x),
    "crt, residue": lambda x: monpro.crt([x], [101]),
    "crt, modulus": lambda x: monpro.crt([3], [x]),
    "Group.integers, p": lambda x: dh.Group.integers(x, 5),
    "Group.integers, g": lambda x: dh.Group.integers(23, x),
    "Group.integers, order": lambda x: dh.Group.integers(23, 2, x),
}
# There an int may be left out.
TAKES_NONE = {"Group.integers, order"}


class Raises:
    """An integer that cannot be had."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __index__(self) -> int:
        raise self.error


class WrongIndex:
    def __index__(self) -> Any:
        return "7"  # noqa: PLE0305


class Subclass(int):
    """An int whose methods lie."""

    def __index__(self) -> int:
        return 0

    def bit_length(self) -> int:
        return 1

    def to_bytes(self, *_arguments: Any, **_options: Any) -> bytes:
        return b"?"


NO_INTEGERS = [
    None, 1.0, 7.5, math.nan, math.inf, 3j, "7", "", b"7", bytearray(b"7"), [7], (7,), {7}, {}, object(), int,
    print, decimal.Decimal(7), fractions.Fraction(7), np.float64(7), np.array([1, 2]), memoryview(b"7"),
    monpro.Modulus(103)(3), monpro.BinaryField([8, 4, 3, 1, 0])(3), N,
]  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_integer_is_a_type_error_of_one_line(name: str) -> None:
    for value in NO_INTEGERS:
        if value is None and name in TAKES_NONE:
            continue
        with pytest.raises(TypeError) as caught:
            CALLS[name](value)
        line = str(caught.value)
        assert "\n" not in line
        assert "integer" in line, f"{value!r}: {line}"


@pytest.mark.parametrize("name", CALLS)
def test_the_exception_of_an_index_is_raised_itself(name: str) -> None:
    for error in (ZeroDivisionError("mine"), ValueError("mine"), TypeError("mine"), OverflowError("mine")):
        with pytest.raises(type(error)) as caught:
            CALLS[name](Raises(error))
        assert caught.value is error
    with pytest.raises(TypeError, match="__index__ returned non-int"):
        CALLS[name](WrongIndex())


def outcome(call: Callable[[Any], object], value: Any) -> tuple[str, str]:
    """Return the type and the text of what the call returns or raises."""
    try:
        result = call(value)
    except (ValueError, ZeroDivisionError) as error:
        line = str(error)
        assert "\n" not in line, line
        return type(error).__name__, line
    return type(result).__name__, repr(result)


@pytest.mark.parametrize("name", CALLS)
def test_integers_of_other_types_are_their_values(name: str) -> None:
    for value in (0, 1, 2, 7, 101):
        expected = outcome(CALLS[name], value)
        for same in (np.int64(value), np.uint8(value), np.array(value), Subclass(value)):
            assert outcome(CALLS[name], same) == expected
        if value <= 1:
            assert outcome(CALLS[name], bool(value)) == expected
    assert outcome(CALLS[name], np.int32(-5)) == outcome(CALLS[name], -5)


@pytest.mark.parametrize("name", CALLS)
def test_negative_and_huge_integers_end_in_a_result_or_one_line(name: str) -> None:
    for value in (-1, -(1 << 64), -(1 << 1000), 1 << 63, 1 << 64, (1 << 64) - 1, (1 << 1000) + 1):
        outcome(CALLS[name], value)


def test_random_calls_agree_with_python() -> None:
    """Sizes around the words' ends, both signs, odd and even moduli, one seed."""
    generator = random.Random(15)

    def number() -> int:
        bits = generator.choice([1, 3, 31, 63, 64, 65, 127, 128, 191, 521])
        return generator.choice([1, 1, -1]) * (
            generator.getrandbits(bits) + generator.choice([0, 0, 1 << bits])
        )

    for _ in range(1500):
        x, y, n = number(), number(), abs(number()) + 1
        assert monpro.gcd(x, y) == math.gcd(x, y)
        assert monpro.pow(x, abs(y), n) == pow(x, abs(y), n)
        g, s, t = monpro.gcdext(x, y)
        assert g == x * s + y * t
        if math.gcd(x, n) == 1:
            assert monpro.invert(x, n) == pow(x, -1, n) == monpro.pow(x, -1, n)
        m = monpro.Modulus(n | 1)
        expected = (x * y - 3 * x + y) % (n | 1)
        assert m(x) * y - 3 * m(x) + y == expected == int(m(x) * m(y) - m(3) * x + y)
        assert hash(m(x)) == hash(x % (n | 1))
        if math.gcd(y, n | 1) == 1:
            assert (m(x) / y) * y == m(x)

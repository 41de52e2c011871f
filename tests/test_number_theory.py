"""The functions of number theory from Python, compared with Python's own arithmetic."""

import itertools
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import monpro

integers = st.one_of(st.integers(-70, 70), st.integers(-(2**500), 2**500))
positive = st.one_of(st.integers(1, 70), st.integers(1, 2**500))

MERSENNE = [(1 << bits) - 1 for bits in (2, 3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279)]
P25519 = 2**255 - 19
P224 = 2**224 - 2**96 + 1
GOLDILOCKS = 2**64 - 2**32 + 1


def is_prime_by_division(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


@given(integers, positive)
def test_inverses_are_pythons(x: int, n: int) -> None:
    if math.gcd(x, n) == 1:
        assert monpro.invert(x, n) == monpro.pow(x, -1, n) == pow(x, -1, n)
    else:
        with pytest.raises(ValueError, match=r"^x has no inverse: it shares a factor with the modulus$"):
            monpro.invert(x, n)


@given(st.lists(integers, max_size=5))
def test_divisors_and_multiples_are_pythons(numbers: list[int]) -> None:
    assert monpro.gcd(*numbers) == math.gcd(*numbers)
    assert monpro.lcm(*numbers) == math.lcm(*numbers)


@given(integers, integers)
def test_the_factors_of_a_divisor_are_the_small_ones(a: int, b: int) -> None:
    g, s, t = monpro.gcdext(a, b)
    assert g == math.gcd(a, b) == a * s + b * t
    if a and b and a % b and b % a:
        assert abs(s) <= abs(b) // (2 * g)
        assert abs(t) <= abs(a) // (2 * g)


def test_divisors_of_numbers_with_quotients_of_every_size() -> None:
    """Continued fractions with small and huge quotients, Fibonacci's numbers among them."""
    generator = random.Random(9)
    for largest in (1, 2, 100, 1 << 31, 1 << 33, 1 << 64, 1 << 200):
        for length in (1, 2, 40, 120):
            a, b = generator.getrandbits(9), 0
            for _ in range(length):
                a, b = generator.randint(1, largest) * a + b, a
            for x, y in ((a, b), (b, a), (a, a), (-a, b), (a, -b), (a, 0), (0, b), (a << 70, b << 70)):
                g, s, t = monpro.gcdext(x, y)
                assert g == math.gcd(x, y) == monpro.gcd(x, y) == x * s + y * t


def test_small_primes() -> None:
    primes = [n for n in range(3000) if is_prime_by_division(n)]
    assert [n for n in range(-10, 3000) if monpro.is_prime(n)] == primes
    for below, above in itertools.pairwise(primes):
        for n in range(below, above):
            assert monpro.next_prime(n) == above
            assert monpro.prev_prime(n + 1) == below
    assert monpro.next_prime(-(1 << 90)) == 2
    for n in (2, 1, 0, -5, -(1 << 90)):
        with pytest.raises(ValueError, match=r"^there is no prime below 2: give n of at least 3$"):
            monpro.prev_prime(n)


def test_large_primes() -> None:
    for p in [*MERSENNE, P25519, P224, GOLDILOCKS]:
        assert monpro.is_prime(p)
        assert not monpro.is_prime(-p)
        assert not monpro.is_prime(p * p)
        assert monpro.prev_prime(monpro.next_prime(p)) == p
    for p, q in itertools.combinations(MERSENNE, 2):
        assert not monpro.is_prime(p * q)
    generator = random.Random(5)
    for bits in (64, 65, 200, 700):
        start = generator.getrandbits(bits)
        prime = monpro.next_prime(start)
        assert start < prime
        assert all(pow(base, prime - 1, prime) == 1 for base in (2, 3, 5))
        assert not any(pow(2, n - 1, n) == 1 for n in range(start + 1 | 1, prime, 2))


@pytest.mark.parametrize(
    "n",
    [
        561, 1105, 6601, 8911, 825265, 321197185,  # Carmichael's
        2047, 3215031751, 3825123056546413051, 318665857834031151167461, 3317044064679887385961981,  # strong
        989, 3239, 5777, 10877, 27971, 29681, 30739, 34175777,  # of the extra strong Lucas test
        1093**2, 3511**2, (2**61 - 1) ** 2,
        2**1277 - 1, 2**(2**7) + 1, 2**(2**9) + 1,
    ],
)  # fmt: skip
def test_pseudoprimes_are_not_prime(n: int) -> None:
    assert not monpro.is_prime(n)


@given(integers, st.integers(0, 2**300).map(lambda n: 2 * n + 1), integers)
def test_jacobi_symbols(x: int, n: int, y: int) -> None:
    symbol = monpro.jacobi(x, n)
    assert symbol == monpro.jacobi(x % n, n) == monpro.jacobi(x + n * y, n)
    assert (symbol == 0) == (math.gcd(x, n) > 1)
    assert symbol * monpro.jacobi(y, n) == monpro.jacobi(x * y, n)
    for p in (3, 101, P25519, P224):
        assert monpro.jacobi(x, p) % p == pow(x, (p - 1) // 2, p)


@given(integers, integers, integers)
def test_kronecker_symbols(x: int, n: int, y: int) -> None:
    symbol = monpro.kronecker(x, n)
    assert symbol * monpro.kronecker(y, n) == monpro.kronecker(x * y, n) or n == 0 or x * y == 0
    assert symbol * monpro.kronecker(x, y) == monpro.kronecker(x, n * y) or x in {0, -1}
    assert (symbol == 0) == (math.gcd(x, n) != 1)
    if n > 0 and n % 2:
        assert symbol == monpro.jacobi(x, n)


def test_kronecker_symbols_of_small_numbers() -> None:
    of_two = {0: 0, 1: 1, 2: 0, 3: -1, 4: 0, 5: -1, 6: 0, 7: 1}
    for x in range(-20, 21):
        assert monpro.kronecker(x, 2) == of_two[x % 8]
        assert monpro.kronecker(x, -1) == (-1 if x < 0 else 1)
        assert monpro.kronecker(x, 0) == (abs(x) == 1)
        assert monpro.kronecker(x, 1) == 1
        assert monpro.kronecker(x, -8) == of_two[x % 8] * (-1 if x < 0 else 1)


def test_legendre_symbols_tell_squares_modulo_primes_alone() -> None:
    for p in (3, 5, 7, 101, 257):
        squares = {i * i % p for i in range(1, p)}
        for x in range(-2 * p, 2 * p):
            assert monpro.legendre(x, p) == (0 if x % p == 0 else 1 if x % p in squares else -1)
    assert monpro.legendre(-3, P25519) == monpro.jacobi(-3, P25519)
    for p in (0, 1, 2, 9, 15, 8, 561):
        with pytest.raises(ValueError, match=r"^p is not an odd prime: take jacobi for odd numbers"):
            monpro.legendre(2, p)


@pytest.mark.parametrize("p", [2, 3, 5, 7, 13, 17, 257, 65537, GOLDILOCKS, P25519, P224, MERSENNE[-1]])
def test_square_roots(p: int) -> None:
    generator = random.Random(p)
    found = set()
    for x in [*range(-3, 12), *(generator.getrandbits(p.bit_length() + 9) for _ in range(12))]:
        is_square = x % p == 0 or pow(x, (p - 1) // 2, p) == 1
        found.add(is_square)
        if is_square:
            root = monpro.sqrt_mod(x, p)
            assert (root * root - x) % p == 0
            assert 0 <= 2 * root <= p
        else:
            with pytest.raises(
                ValueError, match=r"^the number is not a square modulo the prime: it has no root$"
            ):
                monpro.sqrt_mod(x, p)
    assert found == ({True} if p == 2 else {True, False})


@pytest.mark.parametrize("n", [1, 4, 6, 9, 15, 21, 25, 65, 91, P25519 * GOLDILOCKS, P25519**2])
def test_square_roots_modulo_a_composite_are_roots_or_an_error(n: int) -> None:
    for x in range(-5, 30):
        try:
            root = monpro.sqrt_mod(x, n)
        except ValueError as error:
            assert "the modulus is not prime" in str(error) or "is not a square" in str(error)  # noqa: PT017
            if n < 100 and "is not a square" in str(error):
                assert all(r * r % n != x % n for r in range(n))
        else:
            assert (root * root - x) % n == 0


@given(st.integers(0, 2**400), st.lists(positive, max_size=6))
def test_the_chinese_remainder_theorem(x: int, moduli: list[int]) -> None:
    assert monpro.crt([x % n for n in moduli], moduli) == x % math.lcm(*moduli)
    assert monpro.crt((x - n for n in moduli), iter(moduli)) == x % math.lcm(*moduli)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: monpro.crt([1, 2], [3]), ValueError, "2 residues and 1 moduli: give as many"),
        (
            lambda: monpro.crt([1, 2, 0], [3, 5, 6]),
            ValueError,
            "residue 2 contradicts an earlier one modulo 3",
        ),
        (lambda: monpro.crt([1], [0]), ValueError, "a modulus must be at least 1"),
        (lambda: monpro.crt([1.0], [3]), TypeError, "a residue must be an integer, not float"),  # type: ignore[list-item]
        (lambda: monpro.crt(1, [3]), TypeError, "not iterable"),  # type: ignore[arg-type]
        (lambda: monpro.invert(3, 0), ValueError, "the modulus must be at least 1"),
        (lambda: monpro.invert(3, -7), ValueError, "the modulus must be at least 1"),
        (lambda: monpro.jacobi(3, 8), ValueError, "n is even: the Jacobi symbol needs an odd n"),
        (lambda: monpro.jacobi(3, 0), ValueError, "n is even: the Jacobi symbol needs an odd n"),
        (lambda: monpro.jacobi(3, -7), ValueError, "n is negative"),
        (lambda: monpro.sqrt_mod(3, 1), ValueError, "the modulus is not prime"),
        (lambda: monpro.sqrt_mod(3, 8), ValueError, "the modulus is not prime"),
        (lambda: monpro.sqrt_mod(3, 0), ValueError, "the modulus must be at least 1"),
        (lambda: monpro.is_prime(7.0), TypeError, "n must be an integer, not float"),  # type: ignore[arg-type]
        (lambda: monpro.gcd(4, "6"), TypeError, "a number must be an integer, not str"),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_one_clear_line(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

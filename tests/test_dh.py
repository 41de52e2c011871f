"""Key agreement: the named groups recomputed, two parties, another library, and refused values of a peer."""

import math
import random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import dh as other_library

from monpro import BinaryField
from monpro.dh import Group
from monpro.spec.reference import power

# Constant and offset of p = 2^b − 2^(b−64) + (⌊2^(b−130)·c⌋ + offset)·2^64 − 1, from RFC 3526 and RFC 7919.
OFFSETS = {
    "modp2048": ("pi", 124476),
    "modp3072": ("pi", 1690314),
    "modp4096": ("pi", 240904),
    "modp6144": ("pi", 929484),
    "modp8192": ("pi", 4743158),
    "ffdhe2048": ("e", 560316),
    "ffdhe3072": ("e", 2625351),
    "ffdhe4096": ("e", 5736041),
    "ffdhe6144": ("e", 15705020),
    "ffdhe8192": ("e", 10965728),
}


def pi_floor(bits: int) -> int:
    """Return ⌊2^bits·π⌋ by the arithmetic-geometric mean of Gauss, Brent and Salamin."""
    guard = 64
    one = 1 << (bits + guard)
    a, b, t, p = one, math.isqrt(one * one // 2), one // 4, 1
    while abs(a - b) > 4:
        a, b, c = (a + b) // 2, math.isqrt(a * b), (a - b) // 2
        t -= p * c * c // one
        p *= 2
    return (a + b) ** 2 // (4 * t) >> guard


def e_floor(bits: int) -> int:
    """Return ⌊2^bits·e⌋ from the sum of 1/n!, as one fraction."""
    numerator, factorial, n = 1, 1, 0
    while factorial.bit_length() < bits + 64:
        n += 1
        factorial *= n
        numerator = numerator * n + 1
    return (numerator << bits) // factorial


def is_probable_prime(n: int) -> bool:
    """Return whether n passes the test of Miller and Rabin for some bases."""
    d = n - 1
    twos = (d & -d).bit_length() - 1
    d >>= twos
    for base in (2, 3, 5):
        x = pow(base, d, n)
        if x not in {1, n - 1} and all((x := x * x % n) != n - 1 for _ in range(twos - 1)):
            return False
    return True


def test_all_named_groups_are_recomputed() -> None:
    assert Group.names() == list(OFFSETS)


@pytest.mark.parametrize("name", OFFSETS)
def test_the_primes_follow_from_their_published_formula(name: str) -> None:
    constant, offset = OFFSETS[name]
    bits = int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    floor = {"pi": pi_floor, "e": e_floor}[constant](bits - 130)
    p = Group.named(name).modulus.n
    assert p == (1 << bits) - (1 << bits - 64) + ((floor + offset) << 64) - 1
    assert Group.named(name).generator == 2
    if bits <= 3072:  # the Rust tests try them all
        assert is_probable_prime(p)
        assert is_probable_prime(p // 2)


@pytest.mark.parametrize("name", OFFSETS)
def test_two_parties_share_the_power_that_python_computes(name: str) -> None:
    group = Group.named(name)
    p = group.modulus.n
    alice, bob = group.generate(), group.generate()
    assert alice.public != bob.public
    secret = alice.agree(bob.public)
    assert secret == bob.agree(alice.public)
    assert len(secret) == len(alice.public) == group.octets == p.bit_length() // 8

    exponent = random.Random(name).randbytes(group.private_octets)
    key = group.private_key(exponent)
    e = int.from_bytes(exponent, "big")
    assert int.from_bytes(key.public, "big") == pow(2, e, p)
    assert int.from_bytes(key.agree(bob.public), "big") == pow(int.from_bytes(bob.public, "big"), e, p)


@pytest.mark.filterwarnings("ignore:Diffie-Hellman over finite fields")  # deprecated in the other library
@pytest.mark.parametrize("name", ["ffdhe2048", "modp3072"])
def test_another_library_shares_the_secret(name: str) -> None:
    group = Group.named(name)
    p = group.modulus.n
    parameters = other_library.DHParameterNumbers(p, group.generator, p // 2)
    ours, theirs = group.generate(), parameters.parameters().generate_private_key()
    our_public = other_library.DHPublicNumbers(int.from_bytes(ours.public, "big"), parameters).public_key()
    their_public = theirs.public_key().public_numbers().y.to_bytes(group.octets, "big")
    assert ours.agree(their_public) == theirs.exchange(our_public).rjust(group.octets, b"\0")


FIELDS = {
    "prime order": (BinaryField([127, 1, 0]), 2**127 - 1),
    "order unknown": (BinaryField([571, 10, 5, 2, 0]), None),
    "whole words": (BinaryField([64, 4, 3, 1, 0]), None),
}


@pytest.mark.parametrize("kind", FIELDS)
def test_two_parties_share_a_power_in_a_binary_field(kind: str) -> None:
    field, order = FIELDS[kind]
    group = Group.binary_field(field(2), order)
    alice, bob = group.generate(), group.generate()
    secret = alice.agree(bob.public)
    assert secret == bob.agree(alice.public)
    assert len(secret) == field.octets

    exponent = random.Random(kind).randbytes(group.private_octets)
    key = group.private_key(exponent)
    e = int.from_bytes(exponent, "big")
    assert int.from_bytes(key.public, "big") == power(2, e, field.polynomial)
    assert key.agree(bob.public) == bytes(field.from_bytes(bob.public) ** e)


SMALL = Group.integers(23, 2, 11)
FIELD = BinaryField([4, 1, 0])
SMALL_FIELD = Group.binary_field(FIELD(8), 5)
NAMED = Group.named("ffdhe2048")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Group.named("ffdhe1024"), "take one of modp2048 .*ffdhe8192"),
        (lambda: Group.integers(0, 2), "at least 1"),
        (lambda: Group.integers(3, 2), "below 5"),
        (lambda: Group.integers(24, 5), "even"),
        (lambda: Group.integers(23, 22), "generator is 0, 1, −1"),
        (lambda: Group.integers(23, 25), "not below the modulus"),
        (lambda: Group.integers(23, 5, 11), "does not have the order"),
        (lambda: Group.binary_field(FIELD(1)), "generator is 0, 1"),
        (lambda: Group.binary_field(FIELD(2), 5), "does not have the order"),
        (lambda: SMALL.private_key(b"\0"), "random"),
        (lambda: SMALL.private_key(b""), "1 to 1"),
        (lambda: NAMED.private_key(bytes(28)), "29 to 256"),
        (lambda: SMALL.private_key(b"\7").agree(b"\0"), "end the exchange"),
        (lambda: SMALL.private_key(b"\7").agree(b"\1"), "end the exchange"),
        (lambda: SMALL.private_key(b"\7").agree(b"\x16"), "end the exchange"),
        (lambda: SMALL.private_key(b"\7").agree(b"\x17"), "not below the modulus"),
        (lambda: SMALL.private_key(b"\7").agree(b"\5"), "outside the generator's group"),
        (lambda: SMALL.private_key(b"\7").agree(b"\0\2"), "1 exactly"),
        (lambda: SMALL_FIELD.private_key(b"\3").agree(b"\2"), "outside the generator's group"),
        (lambda: SMALL_FIELD.private_key(b"\3").agree(b"\x10"), "not below the modulus"),
        (lambda: NAMED.private_key(b"\7" * 29).agree(bytes(255) + b"\1"), "end the exchange"),
    ],
)  # fmt: skip
def test_what_would_be_unsafe_is_a_value_error_that_says_why(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_exactly_the_subgroup_is_accepted() -> None:
    key = SMALL.private_key(b"\7")
    for y in range(2, 22):
        if pow(y, 11, 23) == 1:
            assert key.agree(bytes([y])) == bytes([pow(y, 7, 23)])
        else:
            with pytest.raises(ValueError, match="outside"):
                key.agree(bytes([y]))


def test_a_key_knows_its_group_and_shows_nothing() -> None:
    key = SMALL.private_key(b"\7")
    assert key.group == SMALL != NAMED
    assert "7" not in repr(key)
    assert SMALL.octets == SMALL.private_octets == 1

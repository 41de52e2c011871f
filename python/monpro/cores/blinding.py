"""The blinded and checked private power that `window-exp` computes, in plain numbers."""

from dataclasses import dataclass

T_BITS = 64  # of t: a power of the base takes so many bits of the exponent more


class CheckFailedError(ValueError):
    """The result to the power of v is not the base: a wrong key, a mask that is no unit, or a fault."""


@dataclass(frozen=True)
class Key:
    """n, odd and square-free; d with d·v ≡ 1 modulo λ(n); a multiple of λ(n); v, odd and at least 3."""

    n: int
    d: int
    order: int
    v: int


@dataclass(frozen=True)
class Blinding:
    """What the random words of a power make: t, odd and below 2^T_BITS, and the mask s, below n."""

    t: int
    s: int


def blinding_of(t_words: list[int], s_words: list[int], word_bits: int, n: int) -> Blinding:
    """Return the blinding by random words: the highest of t comes first, the lowest of s.

    s < 2^(K − 1) < n, K the bit length of n. Higher bits are lost, as those of t above the lowest T_BITS are.
    """
    t = sum(word << word_bits * i for i, word in enumerate(reversed(t_words)))
    s = sum(word << word_bits * i for i, word in enumerate(s_words))
    return Blinding(t % (1 << T_BITS) | 1, s % (1 << n.bit_length() - 1))


def blinded_exponent(key: Key, blinding: Blinding) -> int:
    """Return d − 1 + t·order. As an exponent of a unit modulo n it is the same as d − 1."""
    return key.d - 1 + blinding.t * key.order


def blinded_base(x: int, key: Key, blinding: Blinding) -> tuple[int, int]:
    """Return c = F·s modulo n, and F = x·s^(v − 1) modulo n."""
    factor = x * pow(blinding.s, key.v - 1, key.n) % key.n
    return factor * blinding.s % key.n, factor


def blinded_power(x: int, key: Key, blinding: Blinding) -> int:
    """Return x^d mod n for x < n; CheckFailedError if its power to v is not x.

    The result is z = c^(d − 1 + t·order)·F with F = x·s^(v − 1) and c = F·s. Modulo a prime of n that divides
    neither x nor s, c^order = 1, and z = x^(d − 1)·s^(v(d − 1))·x·s^(v − 1) = x^d·s^(vd − 1) = x^d. Modulo a
    prime that divides x, both z and x^d are 0. Modulo a prime that divides s alone, z is 0 and x^d is not,
    which the check finds.
    """
    c, factor = blinded_base(x, key, blinding)
    z = pow(c, blinded_exponent(key, blinding), key.n) * factor % key.n
    if pow(z, key.v, key.n) != x:
        raise CheckFailedError(
            "the result to the power of v is not the base, so it is withheld: check the exponent, order and v"
        )
    return z

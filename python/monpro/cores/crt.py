"""RSA's private power by the Chinese remainder theorem, as `window-exp` with `crt` computes it.

The core has a Montgomery multiplier and a power for each of p and q, and a unit for exact products. For odd
p and q of K bits each, with q < 2^K < 2p, and x < p·q:

    y = m2 + q·h,   h = (m1 − m2)·q⁻¹ mod p,   m1 = x^dp mod p,   m2 = x^dq mod q          [Garner]

so y < q + q(p − 1) = p·q, y ≡ m1 (mod p) and y ≡ m2 (mod q).
"""

from dataclasses import dataclass
from typing import Self

from monpro.spec.orup95 import Constants, product, reduced


@dataclass(frozen=True)
class CrtKey:
    """p and q, odd and without a common factor; the exponents modulo p − 1 and q − 1; q⁻¹ mod p."""

    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @classmethod
    def of(cls, p: int, q: int, d: int) -> Self:
        """Return the key of primes p and q, and of the private exponent d, which is odd.

        ValueError if p and q have a common factor.
        """
        return cls(p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))

    @property
    def n(self) -> int:
        """Return p·q."""
        return self.p * self.q


def crt_power(x: int, key: CrtKey) -> int:
    """Return the y < p·q with y ≡ x^dp (mod p) and y ≡ x^dq (mod q), for 0 ≤ x < p·q."""
    m1, m2 = pow(x, key.dp, key.p), pow(x, key.dq, key.q)
    return m2 + key.q * ((m1 - m2) * key.qinv % key.p)


@dataclass(frozen=True)
class Modulus:
    """A modulus n of the core, with the products of its multiplier; R = 2^r_log2 > 2^(k + 1)·M̃."""

    constants: Constants
    r_log2: int

    @classmethod
    def of(cls, n: int, radix_log2: int, delay: int, r_log2: int) -> Self:
        """Return n with its constants."""
        return cls(Constants.of(n, radix_log2, delay), r_log2)

    def product(self, x: int, y: int) -> int:
        """Return x·y/R modulo n, below 2·M̃, for x < R/2 and y < 2·M̃; ArithmeticError if they are not.

        The digits of x are read one after the other, so they need no bound but R. The sums hold y, which must
        be below 2·M̃ to fit. The result is (x·y + Q·M̃)/R with Q < R, below y/2 + M̃ ≤ 2·M̃. With x < R and
        y = 1 it is below 1 + M̃.
        """
        small = x < 1 << self.r_log2 - (y != 1)
        if not small or y >= 2 * self.constants.M_tilde:
            raise ArithmeticError(f"an operand modulo {self.constants.M} is too large")
        z = product(y, x, self.constants, self.r_log2 // self.constants.k)
        if z >= 2 * self.constants.M_tilde:
            raise ArithmeticError(f"a product modulo {self.constants.M} is too large")
        return z

    def reduced(self, x: int, y: int) -> int:
        """Return x·y/R mod n, below n, for x < n and y < 2·M̃."""
        k, skipped = self.constants.k, self.constants.d + 2
        z = product(y, x, self.constants, self.r_log2 // k - skipped)
        return reduced(z, self.constants)

    def base(self, x: int) -> int:
        """Return a number below R/2 that is congruent to x/R, for x < 2^(2K): the base that a power is given.

        x = x1·R + x0. The product x0·1 is below 1 + M̃, and x1 < 2^(2K)/R < 2^K. M̃ < 2^(K + k(d + 1)) is below
        R/2^(k + 1), so the sum is below R/2^(k + 1) + 2^K + 1 < R/2.
        """
        r = 1 << self.r_log2
        base = self.product(x % r, 1) + x // r
        if base >= r // 2:
            raise ArithmeticError(f"the base modulo {self.constants.M} is too large")
        return base

    def power(self, base: int, e: int) -> int:
        """Return (base·R)^e mod n: base·R is what R³ makes of the base, in Montgomery form."""
        n, r = self.constants.M, 1 << self.r_log2
        z = r % n
        for bit in f"{e:b}":
            z = self.product(z, z)
            if bit == "1":
                z = self.product(self.product(base, pow(r, 3, n)), z)
        return self.reduced(1, z)


def long_product(a: int, b: int, t: int, k: int, words_bits: int) -> int:
    """Return a·b + t for t ≤ a, by digits of k bits of b; a, b < 2^words_bits.

    Each pass T := (T + b_i·a) div 2^k leaves out a digit of the result, and T ≤ (a + (2^k − 1)·a)/2^k = a.
    """
    low = 0
    for i in range(0, words_bits, k):
        t += (b >> i) % (1 << k) * a
        low |= t % (1 << k) << i
        t >>= k
        if t > a:
            raise ArithmeticError("a sum of the long product is too large")
    return t << words_bits | low


def crt_power_by_products(x: int, key: CrtKey, radix_log2: int, delay: int, r_log2: int) -> int:
    """Return `crt_power` by the products of the core; ArithmeticError if a number is beyond its bound.

    D = m1 − m2 is above −q > −2p. Where it is negative, 2p is added: 0 ≤ D < max(p, 2p) < R/2. With the
    constant R³ of p, qinv·R³/R = qinv·R², D·qinv·R²/R = D·qinv·R, and the product of this and 1 is h.
    """
    p, q = (Modulus.of(n, radix_log2, delay, r_log2) for n in (key.p, key.q))
    m1, m2 = p.power(p.base(x), key.dp), q.power(q.base(x), key.dq)
    difference = m1 - m2
    if difference < 0:
        difference += 2 * key.p
    if difference < 0:
        raise ArithmeticError("the difference is negative")
    inverse = p.product(key.qinv, pow(1 << r_log2, 3, key.p))
    h = p.reduced(1, p.product(difference, inverse))
    return long_product(key.q, h, m2, radix_log2, r_log2)

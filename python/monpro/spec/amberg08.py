# ruff: noqa: N803, N806, PLR0913  (C, M, M_hat, Q, R, X, Y, Z are the paper's letters; options are keywords)
"""Amberg, Pinckney and Harris's parallel radix-2^v scalable Montgomery products, word by word.

A product is Z ≡ X·Y·R⁻¹ (mod M), M odd, in f iterations of e steps. An iteration takes one digit of X, of v
bits; a step takes one word of each of Y, M̂ and Z, of w ≥ v bits. The quotient digit is the lowest digit of
Z, because M̂ = (M̃ + 1)/2^v with M̃ = (M' mod 2^v)·M has 2^v·M̂ ≡ 1 (mod M) [amberg08, §II-A, §III].

Bounds as implemented, with the lengths of `Lengths.corrected` for M < 2^n:

    X, Y < 2·M̃ < 2^(n+v+1)          Z < 2·M̃, so products chain
    on the way                       0 ≤ Z < (2^(v+1) + 1)·M̃ < 2^(n+2v+2), with Booth's digits
                                     |Z| < (2^v + 1)·M̃ < 2^(n+2v+1)
    carries of a word                0 ≤ C ≤ 2·(2^v − 1), with Booth's digits |C| ≤ 2^v

Errata: where the paper is wrong or silent, and what is done here instead.

A1  R is said to be 2^n and 2^(n_2) [amberg08, §II]. The shift of iteration 0 moves Z = 0, so f iterations
    make R = 2^(v·(f−1)).
A2  f = ⌈n_2/v⌉ [amberg08, §II-A] then divides by too little: only for v = 1 do operands keep their bound in
    a chain of products. One iteration more is enough.
A3  "Z < 2M" [amberg08, §II] holds for v = 1 only. Products are reduced modulo the multiple M̃ of M.
A4  e = ⌈n_1/w⌉ [amberg08, §II-A] has no room for the intermediate Z, which has v + 1 bits more: if n_1 nearly
    fills e words, carries are lost.
A5  "C: 2-bit carry" [amberg08, §II-A] holds for v = 1 only: C has v + 1 bits, with Booth's digits v + 2 bits
    including the sign.
A6  The product with 1, which leaves the Montgomery form, is at most M̃, not below M: a final reduction is
    needed, which the paper does not mention.
A7  The multiples of radix 8 are printed without 4Y. The count 2^(v−1) of odd multiples includes 1Y; the hard
    multiples are 2^(v−1) − 1 for each operand [amberg08, §III-A, §III-B].
A8  "An odd v will never satisfy the necessary constraints" of left shifts [amberg08, §III-C]: v = 1 does,
    and is in Table I. The constraints are that v divides w, and w divides v·p; right shifts have none.
A9  The figures do not say how Booth's recoding begins: here the digit before digit 0 has the top bit 0. The
    last digit of X has it too; the last digit of Q may not, hence the correction by 2^v·M̂ in Fig. 2.
A10 "A 29% reduction in clock speed" by Booth's digits, left-shifting [amberg08, §III-B]: Table I has 248 and
    186 MHz, which is 25 %.
A11 "Virtually identical performance per unit of hardware" of the left-shifting radix-4 designs with and
    without Booth's digits [amberg08, §VI]: at one clock, Table I gives Booth's 1.25 to 1.32 times the time
    with as many LUTs. With LUTs and registers together it is 1.04 to 1.05, and at the clocks of Table I more.
A12 4852 LUTs for the design with Booth's digits [amberg08, Abstract]: its registers fit 32 elements of Table
    I, whose LUTs are 5632.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field


class CarryOverflowError(ArithmeticError):
    """A carry does not fit its number of bits."""


@dataclass(frozen=True)
class Lengths:
    """The numbers of iterations, words and carry bits for an M of n bits."""

    v: int
    w: int
    n: int
    f: int
    e: int
    carry_bits: int
    signed_carry_bits: int

    @classmethod
    def printed(cls, v: int, w: int, n: int) -> "Lengths":
        """Return the lengths of [amberg08, §II-A], errata A2, A4 and A5 included."""
        n_1, n_2 = n + v + 1, n + v + 2
        return cls(v, w, n, f=ceil_div(n_2, v), e=ceil_div(n_1, w), carry_bits=2, signed_carry_bits=2)

    @classmethod
    def corrected(cls, v: int, w: int, n: int) -> "Lengths":
        """Return lengths that suffice: one more iteration, words for v + 1 more bits, and wider carries."""
        n_1, n_2 = n + v + 1, n + v + 2
        return cls(
            v,
            w,
            n,
            f=ceil_div(n_2, v) + 1,
            e=ceil_div(n_1 + v + 1, w),
            carry_bits=v + 1,
            signed_carry_bits=v + 2,
        )

    def __post_init__(self) -> None:
        """Refuse a digit that is longer than a word."""
        if not 1 <= self.v <= self.w:
            raise ValueError(f"a digit of {self.v} bits does not fit a word of {self.w}: choose 1 ≤ v ≤ w")

    @property
    def r_log2(self) -> int:
        """Return log2 R (erratum A1)."""
        return self.v * (self.f - 1)


@dataclass
class Carry:
    """The carry C between the words of an iteration; a value that does not fit its bits is an error."""

    bits: int
    signed: bool = False
    value: int = 0
    seen: set[int] = field(default_factory=set)

    def split(self, total: int, w: int) -> int:
        """Keep ⌊total/2^w⌋ and return total mod 2^w: the paper's (C, Z^j) = total."""
        self.value, word = total >> w, total % (1 << w)
        self.seen.add(self.value)
        least = -(1 << self.bits - 1) if self.signed else 0
        if not least <= self.value < least + (1 << self.bits):
            raise CarryOverflowError(f"a carry of {self.value} does not fit {self.bits} bits")
        return word


def ceil_div(a: int, b: int) -> int:
    """Return ⌈a/b⌉."""
    return -(-a // b)


def words(a: int, w: int, count: int) -> list[int]:
    """Return the lowest `count` words of w bits of a, the lowest first."""
    return [a >> w * j & ((1 << w) - 1) for j in range(count)]


def number(a: list[int], w: int) -> int:
    """Return the number of these words."""
    return sum(word << w * j for j, word in enumerate(a))


def m_prime(M: int, v: int) -> int:
    """Return M' mod 2^v, where −M·M' ≡ 1 (mod 2^v): M̂ needs no more of M'."""
    return -pow(M, -1, (1 << v)) % (1 << v)


def m_tilde(M: int, v: int) -> int:
    """Return M̃ = (M' mod 2^v)·M, the multiple of M modulo which products are reduced."""
    return m_prime(M, v) * M


def m_hat(M: int, v: int) -> int:
    """Return M̂ = (M̃ + 1)/2^v, which has at most as many bits as M [amberg08, §II-A]."""
    return (m_tilde(M, v) + 1) // (1 << v)


def montgomery(X: int, Y: int, M: int, R: int) -> int:
    """Return X·Y·R⁻¹ mod M by multiplying, reducing and normalizing [amberg08, Fig. 1]. X, Y < M < R."""
    M_prime = -pow(M, -1, R) % R
    Z = X * Y
    Q = Z * M_prime % R
    Z = (Z + Q * M) // R
    return Z - M if Z >= M else Z


def booth(d: int, previous: int, v: int) -> int:
    """Return the digit d in [−2^(v−1), 2^(v−1)] that Booth's recoding makes of a digit of v bits.

    The result is d + (top bit of the digit before) − 2^v·(top bit of d): the digit above gains what d loses.
    """
    return d + top_bit(previous, v) - (1 << v) * top_bit(d, v)


def top_bit(d: int, v: int) -> int:
    """Return bit v − 1 of a digit."""
    return d >> v - 1 & 1


def shifted(Z: list[int], j: int, v: int, w: int) -> int:
    """Return the word {Z^(j+1)_(v−1:0), Z^j_(w−1:v)}: word j of Z/2^v, while Z^(j+1) is still the old one."""
    return Z[j + 1] % (1 << v) << w - v | Z[j] >> v


def non_booth(X: int, Y: int, M: int, lengths: Lengths, carry: Carry | None = None) -> int:
    """Return Z ≡ X·Y·2^(−v·(f−1)) (mod M): the non-Booth algorithm [amberg08, Fig. 3]. X, Y, Z < 2·M̃."""
    v, w, e = lengths.v, lengths.w, lengths.e
    C = carry or Carry(lengths.carry_bits)
    X_, Y_, M_hat = words(X, v, lengths.f), words(Y, w, e), words(m_hat(M, v), w, e)
    Z = [0] * (e + 1)  # Z^e stays 0
    for i in range(lengths.f):
        Q = Z[0] % (1 << v)
        C.value = 0
        for j in range(e):
            Z[j] = C.split(shifted(Z, j, v, w) + C.value + Q * M_hat[j] + X_[i] * Y_[j], w)
    return number(Z[:e], w)


def improved_radix_2(X: int, Y: int, M: int, lengths: Lengths, carry: Carry | None = None) -> int:
    """Return Z ≡ X·Y·2^(−f) (mod M) in radix 2, without M̂. X, Y, Z < 2·M, on the way Z < 3·M, for f ≥ n + 2.

    The improved radix-2 element [amberg08, Table I] computes this. The paper does not list the algorithm, but
    cites the design from which the parallel ones started. Q depends on Z + X·Y, the shifts of all f
    iterations divide, and C has two bits.
    """
    w, e = lengths.w, lengths.e
    C = carry or Carry(lengths.carry_bits)
    X_, Y_, M_ = words(X, 1, lengths.f), words(Y, w, e), words(M, w, e)
    Z = [0] * (e + 1)  # Z^e stays 0
    for i in range(lengths.f):
        Q = (Z[0] + X_[i] * Y_[0]) % 2
        C.value = 0
        for j in range(e):
            Z[j] = C.split(Z[j] + C.value + Q * M_[j] + X_[i] * Y_[j], w)
        Z = [*(shifted(Z, j, 1, w) for j in range(e)), 0]
    return number(Z[:e], w)


def booth_encoded(
    X: int, Y: int, M: int, lengths: Lengths, carry: Carry | None = None, *, corrects: bool = True
) -> int:
    """Return Z ≡ X·Y·2^(−v·(f−1)) (mod M): the Booth algorithm [amberg08, Fig. 2]. X, Y, Z < 2·M̃.

    Words of Z are in two's complement; the digits of X and Q may be negative. Z equals the Z of Fig. 3 and is
    not only congruent to it. Without `corrects` the last lines of Fig. 2 are left out.
    """
    v, w, e = lengths.v, lengths.w, lengths.e
    C = carry or Carry(lengths.signed_carry_bits, signed=True)
    X_, Y_, M_hat = words(X, v, lengths.f), words(Y, w, e), words(m_hat(M, v), w, e)
    Z = [0] * (e + 1)  # Z^e repeats the sign of Z
    X_before, Q = 0, 0
    for i in range(lengths.f):
        Q_before, Q = Q, Z[0] % (1 << v)
        x, q = booth(X_[i], X_before, v), booth(Q, Q_before, v)
        X_before = X_[i]
        C.value = 0
        for j in range(e):
            Z[j] = C.split(shifted(Z, j, v, w) + C.value + q * M_hat[j] + x * Y_[j], w)
        Z[e] = -top_bit(Z[e - 1], w)
    if corrects and top_bit(Q, v) == 1:
        C.value = 0  # the digit above, which would return what Booth's recoding took, has no iteration
        for j, addend in enumerate(words((1 << v) * m_hat(M, v), w, e)):
            Z[j] = C.split(Z[j] + C.value + addend, w)
    return number(Z[:e], w)


def hard_multiples(v: int, *, booth: bool) -> Iterator[int]:
    """Yield the multiples of an operand that no shift gives: the odd ones from 3 (erratum A7)."""
    yield from range(3, 1 << (v - 1 if booth else v), 2)


def passes(lengths: Lengths, p: int) -> int:
    """Return k = ⌈f/p⌉, the number of passes of a product's words through the p processing elements."""
    return ceil_div(lengths.f, p)


def right_shifting_cycles(lengths: Lengths, p: int, b: int) -> int:
    """Return T₁ or T₂ [amberg08, §III-C] in cycles: k passes of the e words, or of a longer pipeline.

    An element starts l = 2 cycles after the one before it; b cycles lie between the last element and the
    first. The drain of the pipeline after the last pass is not included, because the next product hides it.
    """
    return passes(lengths, p) * max(lengths.e, 2 * p + b)


def left_shifting_cycles(lengths: Lengths, p: int, b: int) -> int:
    """Return T₁ or T₂ [amberg08, §III-C] for left shifts: l = 1, and v·p/w words to discard in a pass."""
    if lengths.w % lengths.v != 0:
        raise ValueError(
            f"left shifts by {lengths.v} bits cross the words of {lengths.w}: choose v so that v | w"
        )
    if lengths.v * p % lengths.w != 0:
        raise ValueError(
            f"left shifts by v·p = {lengths.v * p} bits end inside a word: choose p so that w | v·p"
        )
    return passes(lengths, p) * max(lengths.e + 1, p + lengths.v * p // lengths.w + b)

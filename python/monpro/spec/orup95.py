# ruff: noqa: N803, N806  (A, B, M, M_tilde, Q, S are the paper's letters)
"""Orup's Montgomery product with quotient pipelining: a digit of the quotient is used d iterations late.

The product is S ≡ A·B·2^(−kn) (mod M), M odd, in radix 2^k [orup95]:

    S_0 := 0;  q_(−d), …, q_(−1) := 0
    for i = 0 to n + d:
        q_i := S_i mod 2^k
        S_(i+1) := S_i div 2^k + q_(i−d)·M̂ + b_i·A          b_n, …, b_(n+d) = 0
    S := 2^(kd)·S_(n+d+1) + Σ_(j=0)^(d−1) q_(n+1+j)·2^(kj)

with e = k(d + 1), M̃ = (−M⁻¹ mod 2^e)·M and M̂ = (M̃ + 1)/2^e. M̃ is −1 modulo 2^e, hence M̂ is a whole number.

Why a digit may be late. S_i div 2^k leaves out q_i = S_i mod 2^k, and q_i·2^(−k) ≡ q_i·2^(kd)·M̂ (mod M̃),
because 2^e·M̂ = M̃ + 1. The division therefore owes q_i·2^(kd)·M̂ at the weight of S_(i+1). After d more
iterations the weight is 2^(kd) times as high, and q_i·M̂ pays: it enters S_(i+d+1). Iteration n + d pays for
q_n. The last d digits q_(n+1), …, q_(n+d) are never paid for. They are the lowest digits of S.

Bounds, for 4·M̃ < R = 2^(kn) and A, B < 2·M̃:

    M̂ ≤ M                  M̃ ≤ (2^e − 1)·M, so M̃ + 1 ≤ 2^e·M
    S_i < 2^k·(M̂ + A)      S_0 = 0. If it holds for S_i, then S_i div 2^k < M̂ + A, and both digits are at most
                            2^k − 1, so S_(i+1) < (M̂ + A) + (2^k − 1)·(M̂ + A).
    S < 2·M̃                 S = (A·B + Q·M̃)/R with a quotient 0 ≤ Q < R, and A·B/R < 4·M̃²/R < M̃. So S may
                            be an operand, and products chain without a final reduction.

Leaving: `reduced` divides S < 2·M̃ by 2^k modulo M in d + 2 steps, exactly, and needs one subtraction:
(2·M̃ + (2^(e+k) − 1)·M)/2^(e+k) < 2·M/2^k + M < 2·M. It multiplies by 2^(−k(d+2)).

Words: `product_in_words` computes the same on words of k bits. Each has its own sum; no carry goes on:

    S_j := S_j div 2^k + S_(j+1) mod 2^k + b_i·A_j + q_(i−d)·M̂_j

What S_j has above k bits stays with it: after the division by 2^k it has the weight of word j. Nothing is
lost above the highest word. Two passes of carries, in all words at once, make the result an operand again:

    A_j ≤ 2^k + 2            of an operand: its words are below 2^k, or it is a result
    S_j ≤ 2^(2k+1) + 2^(k+1)
                            S_j div 2^k is then at most 2^(k+1) + 2, and the next sum at most
                            (2^(k+1) + 2) + (2^k − 1) + (2^k − 1)(2^k + 2) + (2^k − 1)² = 2^(2k+1) + 2^(k+1)
    first pass              at most (2^k − 1) + 2^(k+1) + 2 = 3·2^k + 1, whose carry is at most 3
    second pass             at most (2^k − 1) + 3 = 2^k + 2
    highest word            the result is below 2^(kn), and no word is negative: a carry out of it is 0
"""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Constants:
    """What the product knows of a modulus M: the radix 2^k, the delay d, M̃ and M̂."""

    M: int
    k: int
    d: int
    M_tilde: int
    M_hat: int

    @classmethod
    def of(cls, M: int, k: int, d: int) -> "Constants":
        """Return the constants of an odd M ≥ 3."""
        power = 1 << k * (d + 1)
        M_tilde = -pow(M, -1, power) % power * M
        return cls(M, k, d, M_tilde, (M_tilde + 1) // power)


def iterations(A: int, B: int, constants: Constants, n: int) -> Iterator[tuple[int, int]]:
    """Yield S_i and q_i for i = 0 to n + d + 1; the last S has no further q."""
    k, d = constants.k, constants.d
    S, q = 0, [0] * d
    for i in range(n + d + 1):
        q.append(S % 2**k)  # q_i stands at place i + d
        yield S, q[-1]
        b = B >> k * i & 2**k - 1  # 0 from b_n on
        S = S // 2**k + q[i] * constants.M_hat + b * A
    yield S, S % 2**k


def product(A: int, B: int, constants: Constants, n: int) -> int:
    """Return S ≡ A·B·2^(−kn) (mod M), S < 2·M̃, for A, B < 2·M̃ and 4·M̃ < 2^(kn)."""
    k, d = constants.k, constants.d
    steps = list(iterations(A, B, constants, n))
    return (steps[n + d + 1][0] << k * d) + sum(steps[n + 1 + j][1] << k * j for j in range(d))


def product_in_words(A: list[int], B: int, constants: Constants) -> list[int]:
    """Return the words of `product`, each at most 2^k + 2, for A in n words of which the same is true.

    ArithmeticError if a word is larger than its bound, or if anything goes beyond the highest word.
    """
    k, d, n, lowest = constants.k, constants.d, len(A), (1 << constants.k) - 1
    S, q = [0] * n, [0] * d
    for i in range(n + d + 1):
        q.append(S[0] & lowest)
        b = B >> k * i & lowest
        above = [*(word & lowest for word in S[1:]), 0]
        M_hat = (constants.M_hat >> k * j & lowest for j in range(n))
        S = [s // 2**k + t + b * a + q[i] * m for s, t, a, m in zip(S, above, A, M_hat, strict=True)]
        if max(S) > 2 ** (2 * k + 1) + 2 ** (k + 1):
            raise ArithmeticError("a word of S is too large")
    for _ in range(2):
        S = [(s & lowest) + (below >> k) for s, below in zip([*S, 0], [0, *S], strict=True)]
    words = [*q[n + d + 1 :], *S]
    if max(words) > 2**k + 2 or any(words[n:]):
        raise ArithmeticError("a word of the result is too large")
    return words[:n]


def reduced(S: int, constants: Constants) -> int:
    """Return S·2^(−k(d+2)) mod M, below M, for S < 2·M̃."""
    k, M = constants.k, constants.M
    digit = -pow(M, -1, 2**k) % 2**k
    for _ in range(constants.d + 2):
        S = (S + S * digit % 2**k * M) >> k
    return S - M if S >= M else S

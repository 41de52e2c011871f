# ruff: noqa: N803, N806, PLR0913  (A, B, N, SS, SC, D are the paper's letters; options are keywords)
"""Kuang, Wu and Lu's radix-2 Montgomery products in carry-save form, step by step.

A product is S = A·B·R⁻¹ (mod N), N odd, with R = 2^k for MM and R = 2^(k+2) for all others. A carry-save pair
(SS, SC) stands for SS + SC. The number at the end of a line is the step in the paper's figure; X[i] is the
value of X at the beginning of iteration i, `bit(X, j)` the paper's X with the subscript j. An `Adder` stands
for the multiplier's carry-save adder: each use of it is one clock, and a vector wider than the adder is an
error, so a run also proves the width.

Bounds as implemented, for N < 2^k:

    mm                      A, B < N                         S < N
    mm_walter, scs, fcs_mm_1, fcs_mm_2, mscs_mm
                            A, B < 2N                        S < 2N, for S < A·B/2^(k+2) + N ≤ N²/2^k + N
    scs_mm_new, fcs_mmm42   A, B < 2M, M = N̂ − 1 < 2^k       S < 2M, by the same argument with M for N

On the way (SS + SC) < B + N, since (S + B + N)/2 < B + N for S < B + N; with 8B instead of B below 17·2^k.

Figures 1–12 are drawings; the algorithms here follow the text, whose references to steps fix the numbers.
FCS-MM-2 and FCS-MMM42 have no figure: they follow [kuang16, §II-C, §III-C and §IV-A] and are labelled so.

Errata: where the paper is wrong or silent, and what is done here instead.

E1  k + 2 iterations "to remove the final comparison and subtraction" [kuang16, §II-B] are enough for N, not
    for N̂ = 3N + 1 [kuang16, eq. (4)]: the product is then reduced modulo M = 3N, of up to k + 2 bits, and
    R = 2^(k+2) may be less than 4M. A product of A, B < 2N reaches nearly 4N, and chained products grow
    without bound. Here k is at least the bit length of M; N ≡ 3 (mod 4) has M = N and keeps the printed k.
E2  Step 13 of Fig. 10 asks for skip[i+1] in the last iteration, i = k + 4, too. Steps 14 and 15 would then
    shift the finished product once more. Here the last iteration never skips; `mask_last_skip=False` shows
    what happens otherwise.
E3  "The right-shift operations of steps 12 and 15 will be delayed to next clock cycle" [kuang16, §III-D]: the
    shift left over after the loop is by 1 or by 2, as i = k + 3 may skip to k + 5.
E4  R = 2^k [kuang16, §I] belongs to Fig. 1 only; k + 2 iterations make R = 2^(k+2).
E5  Leaving the Montgomery form by a product with 1 gives S ≤ N (or S ≤ M), not S < N: a final reduction is
    needed, which the paper does not mention.
E6  Skipping needs SS[i+1]_0 = SC[i+1]_0 = 0, equation (2) asks for SS[i+1]_0 = 0 only. That is enough, since
    q[i+1] = 0 makes the two equal; equation (8) is right.
E7  "The 32-bit CPA_FC will take 32 clock cycles" for 1024 bits [kuang16, §II-B]: S < 2N has 1025 bits. 32
    clocks are enough if the last slice takes bit 1024 as well, which is what the cores do.
E8  "G1 of CFA j and G2 of CFA j+1 […] will act as HA1 j" [kuang16, §III-B, Fig. 8]. A half adder of bit j
    makes sum and carry of SS_j and SC_j, which are the inputs of G1 and G2 of CFA j alone. So it is G2 of
    CFA j, and CFA j takes the carry of G2 of CFA j−1 to its second half adder.
E9  "The critical path of the FCS-MM-2 multiplier may be slightly reduced" [kuang16, §II-C] against that of
    FCS-MM-1: by the sums of cells it is, but as synthesised here it is longer, at 1024 and at 2048 bits.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

Pair = tuple[int, int]  # (SS, SC), standing for SS + SC

PRECOMPUTATION, ITERATIONS, CONVERSION = "precomputation", "iterations", "conversion"


class VectorOverflowError(ArithmeticError):
    """A carry-save vector does not fit the adder it is in."""


def bit(X: int, j: int) -> int:
    """Return bit j of X: the paper's X with the subscript j."""
    return X >> j & 1


def full_adders(a: int, b: int, c: int) -> Pair:
    """Return the sum and carry vectors of a + b + c: one level, one full adder for each bit."""
    half = a ^ b
    return half ^ c, (a & b | half & c) << 1


def half_adders(a: int, b: int) -> Pair:
    """Return the sum and carry vectors of a + b: one level, one half adder for each bit."""
    return a ^ b, (a & b) << 1


@dataclass
class Adder:
    """A carry-save adder of `width_bits` (None: wide enough for all), and the clocks it ran in each phase."""

    width_bits: int | None = None
    clocks: Counter[str] = field(default_factory=Counter)
    phase: str = ITERATIONS

    def csa(self, *vectors: int) -> Pair:
        """Return (SS, SC) for a sum of vectors: one clock, and a level for each vector after the second."""
        SS, SC, *rest = vectors
        for vector in rest:
            SS, SC = full_adders(SS, SC, vector)
        return self._clocked(SS, SC)

    def csa_1h(self, SS: int, SC: int) -> Pair:
        """Return (SS, SC) after one half adder, (SS, SC) = SS + SC + 0: one clock."""
        return self._clocked(*half_adders(SS, SC))

    def csa_2h(self, SS: int, SC: int) -> Pair:
        """Return (SS, SC) after two serial half adders, 2H_CSA: one clock [kuang16, Fig. 8(c)]."""
        return self._clocked(*half_adders(*half_adders(SS, SC)))

    def _clocked(self, SS: int, SC: int) -> Pair:
        self.clocks[self.phase] += 1
        if self.width_bits is not None and (SS | SC) >> self.width_bits:
            raise VectorOverflowError(f"a vector needs more than the adder's {self.width_bits} bits")
        return SS, SC


def halves(pair: Pair) -> Pair:
    """Return a carry-save pair divided by 2; bit 0 of both vectors is zero or to be dropped."""
    SS, SC = pair
    return SS >> 1, SC >> 1


def selected(A_i: int, q_i: int, N: int, B: int, D: int) -> int:
    """Return x = A_i·B + q_i·N as one of 0, N, B and D = B + N, by a multiplexer."""
    return ((0, N), (B, D))[A_i][q_i]


def mm(A: int, B: int, N: int, k: int) -> int:
    """Return A·B·2^−k mod N: the MM algorithm [kuang16, Fig. 1]. A, B < N < 2^k."""
    S, q = {0: 0}, {}  # 1
    for i in range(k):  # 2
        q[i] = (bit(S[i], 0) + bit(A, i) * bit(B, 0)) % 2  # 3
        S[i + 1] = (S[i] + bit(A, i) * B + q[i] * N) // 2  # 4
    # 5
    S[k] = S[k] - N if S[k] >= N else S[k]  # 6
    return S[k]  # 7


def mm_walter(A: int, B: int, N: int, k: int) -> int:
    """Return A·B·2^−(k+2) modulo N, below 2N: Walter's MM without step 6 [kuang16, §II-A]. A, B < 2N."""
    S, q = {0: 0}, {}  # 1
    for i in range(k + 2):  # 2
        q[i] = (bit(S[i], 0) + bit(A, i) * bit(B, 0)) % 2  # 3
        S[i + 1] = (S[i] + bit(A, i) * B + q[i] * N) // 2  # 4
    # 5
    return S[k + 2]  # 7


def scs(A: int, B: int, N: int, k: int, adder: Adder) -> int:
    """Return A·B·2^−(k+2) modulo N, below 2N: the SCS-based algorithm [kuang16, Fig. 2]. A, B < 2N."""
    SS, SC, q = {0: 0}, {0: 0}, {}  # 1
    for i in range(k + 2):  # 2
        q[i] = (bit(SS[i], 0) + bit(SC[i], 0) + bit(A, i) * bit(B, 0)) % 2  # 3
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], bit(A, i) * B, q[i] * N))  # 4
    # 5
    return SS[k + 2] + SC[k + 2]  # 6, 7


def scs_mm_2(A: int, B: int, N: int, k: int, adder: Adder) -> int:
    """Return the product of Fig. 2, step 6 by the carry-save adder [kuang16, §II-B and Fig. 4]."""
    SS, SC, q = {0: 0}, {0: 0}, {}  # 1
    for i in range(k + 2):  # 2
        q[i] = (bit(SS[i], 0) + bit(SC[i], 0) + bit(A, i) * bit(B, 0)) % 2  # 3
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], bit(A, i) * B, q[i] * N))  # 4
    # 5
    adder.phase = CONVERSION
    while SC[k + 2] != 0:  # 6
        SS[k + 2], SC[k + 2] = adder.csa(SS[k + 2], SC[k + 2], 0, 0)  # 6
    return SS[k + 2]  # 7


def fcs_mm_1(A: Pair, B: Pair, N: int, k: int, adder: Adder) -> Pair:
    """Return (SS, SC) of A·B·2^−(k+2) modulo N, below 2N: the FCS-MM-1 algorithm [kuang16, Fig. 5].

    A = (AS, AC) and B = (BS, BC), AS + AC < 2N and BS + BC < 2N.
    """
    A_bits, (BS, BC) = barrel_register_full_adder(A, k + 2), B
    SS, SC, q = {0: 0}, {0: 0}, {}  # 1
    for i in range(k + 2):  # 2
        q[i] = (bit(SS[i], 0) + bit(SC[i], 0) + bit(A_bits, i) * (bit(BS, 0) + bit(BC, 0))) % 2  # 3
        SS[i + 1], SC[i + 1] = halves(
            adder.csa(SS[i], SC[i], bit(A_bits, i) * BS, bit(A_bits, i) * BC, q[i] * N)
        )  # 4
    # 5
    return SS[k + 2], SC[k + 2]  # 6


def fcs_mm_2(A: Pair, B: Pair, N: int, k: int, adder: Adder) -> Pair:
    """Return (SS, SC) of A·B·2^−(k+2) modulo N, below 2N: FCS-MM-2, with D = B + N [kuang16, §II-C].

    A = (AS, AC) and B = (BS, BC), AS + AC < 2N and BS + BC < 2N.
    """
    A_bits, (BS, BC) = barrel_register_full_adder(A, k + 2), B
    adder.phase = PRECOMPUTATION
    DS, DC = adder.csa(BS, BC, N)
    adder.phase = ITERATIONS
    SS, SC, q = {0: 0}, {0: 0}, {}
    for i in range(k + 2):
        q[i] = (bit(SS[i], 0) + bit(SC[i], 0) + bit(A_bits, i) * (bit(BS, 0) + bit(BC, 0))) % 2
        xS, xC = selected(bit(A_bits, i), q[i], N, BS, DS), selected(bit(A_bits, i), q[i], 0, BC, DC)
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], xS, xC))
    return SS[k + 2], SC[k + 2]


def barrel_register_full_adder(A: Pair, k: int) -> int:
    """Return the k low bits of AS + AC as the BRFA delivers them, one in each iteration [kuang16, Fig. 6].

    Two shift registers hold AS and AC; a full adder with its carry in a flip-flop adds their last bits.
    """
    (AS, AC), bits, carry = A, 0, 0
    for i in range(k):
        total = bit(AS, i) + bit(AC, i) + carry
        bits, carry = bits | (total % 2) << i, total // 2
    return bits


def mscs_mm(A: int, B: int, N: int, k: int, adder: Adder) -> int:
    """Return A·B·2^−(k+2) modulo N, below 2N: the modified SCS algorithm [kuang16, Fig. 7(a)]. A, B < 2N."""
    SS, SC = dict[int, int](), dict[int, int]()
    adder.phase = PRECOMPUTATION
    SS[0], SC[0] = adder.csa(B, N, 0)  # 1
    while SC[0] != 0:  # 2
        SS[0], SC[0] = adder.csa(SS[0], SC[0], 0)  # 3
    D = SS[0]  # 4
    SS[0], SC[0], q = 0, 0, {}  # 5
    adder.phase = ITERATIONS
    for i in range(k + 2):  # 6
        q[i] = (bit(SS[i], 0) + bit(SC[i], 0) + bit(A, i) * bit(B, 0)) % 2  # 7
        x = selected(bit(A, i), q[i], N, B, D)  # 8-11
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], x))  # 12
    # 13
    adder.phase = CONVERSION
    while SC[k + 2] != 0:  # 14
        SS[k + 2], SC[k + 2] = adder.csa(SS[k + 2], SC[k + 2], 0)  # 15
    return SS[k + 2]  # 16


def n_hat(N: int) -> int:
    """Return N̂, a multiple of four that is one more than N or 3N [kuang16, eq. (4)]."""
    return N + 1 if N % 4 == 3 else 3 * N + 1


@cache
def quotients(SS: int, SC: int, q_hat: int, N_hat: int) -> tuple[int, int, int]:
    """Return q[i+1], q[i+2] and δ1 ∨ δ0 [kuang16, eqs. (5), (7), (8)], as Skip_D of Fig. 12 does.

    They depend on bits 2 to 0 of SS[i], SC[i] and N̂, and on q_hat = q[i]. q[i+2] is meaningful only if
    iteration i + 1 is skipped: A[i+1] ∨ δ1 ∨ δ0 = 0.
    """
    d1, d0 = bit(SS, 1) ^ bit(SC, 1), bit(SS, 0) & bit(SC, 0)
    q2 = bit(SS, 2) ^ bit(SC, 2) ^ q_hat & bit(N_hat, 2) ^ bit(SS, 1) & bit(SC, 1)
    return d1 ^ d0, q2, d1 | d0


def scs_mm_new(
    A: int,
    B: int,
    N: int,
    k: int,
    adder: Adder,
    *,
    configurable: bool = True,
    consecutive_skips: bool = True,
    mask_last_skip: bool = True,
) -> int:
    """Return A·B·2^−(k+2) modulo N, below 2M: the SCS-MM-New algorithm [kuang16, Fig. 10].

    M = N̂ − 1, A, B < 2M, M < 2^k (erratum E1). Unless `configurable`, the adder has plain full adders, with
    one half adder a clock in steps 4 and 24. Unless `consecutive_skips`, two iterations in a row are never
    skipped; the text allows it. `mask_last_skip` is erratum E2.
    """
    convert = adder.csa_2h if configurable else adder.csa_1h
    N_hat = n_hat(N)
    SS, SC, skip = dict[int, int](), dict[int, int](), dict[int, bool]()
    B_hat, q_hat, A_hat = B << 3, 0, 0  # 1
    adder.phase = PRECOMPUTATION
    SS[0], SC[0] = adder.csa(B_hat, N_hat, 0)  # 2
    while SC[0] != 0:  # 3
        SS[0], SC[0] = convert(SS[0], SC[0])  # 4
    D_hat = SS[0]  # 5
    i, SS[-1], SC[-1] = -1, 0, 0  # 6
    adder.phase = ITERATIONS
    while i <= k + 4:  # 7
        x = selected(A_hat, q_hat, N_hat, B_hat, D_hat)  # 8-11
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], x))  # 12
        q1, q2, stays = quotients(SS[i] & 7, SC[i] & 7, q_hat, N_hat & 7)  # 13
        forbidden = (mask_last_skip and i == k + 4) or (not consecutive_skips and skip.get(i - 1, False))
        skip[i + 1] = not (bit(A, i + 1) | stays | forbidden)  # 13
        if skip[i + 1]:  # 14
            SS[i + 2], SC[i + 2] = SS[i + 1] >> 1, SC[i + 1] >> 1  # 15
            q_hat, A_hat = q2, bit(A, i + 2)  # 16
            i = i + 2  # 17
        else:  # 18
            q_hat, A_hat = q1, bit(A, i + 1)  # 19
            i = i + 1  # 20
    # 21
    q_hat, A_hat = 0, 0  # 22
    adder.phase = CONVERSION
    while SC[i] != 0:  # 23
        SS[i], SC[i] = convert(SS[i], SC[i])  # 24
    return SS[i]  # 25


def fcs_mmm42(A: Pair, B: Pair, N: int, k: int, adder: Adder, *, mask_last_skip: bool = True) -> Pair:
    """Return (SS, SC) of A·B·2^−(k+2) modulo N, below 2M: FCS-MMM42 [kuang16, §I and §IV-A].

    This is FCS-MM-2 with N̂, 8B and the skipping of Fig. 10; the paper names its parts and cites its
    reference [10] for the rest. M = N̂ − 1 < 2^k; A = (AS, AC), B = (BS, BC), AS + AC < 2M, BS + BC < 2M.
    """
    N_hat, A_bits, (BS, BC) = n_hat(N), barrel_register_full_adder(A, k + 7), B
    BS_hat, BC_hat = BS << 3, BC << 3
    adder.phase = PRECOMPUTATION
    DS, DC = adder.csa(BS_hat, BC_hat, N_hat)
    adder.phase = ITERATIONS
    i, SS, SC, q_hat, A_hat = -1, {-1: 0}, {-1: 0}, 0, 0
    while i <= k + 4:
        xS, xC = selected(A_hat, q_hat, N_hat, BS_hat, DS), selected(A_hat, q_hat, 0, BC_hat, DC)
        SS[i + 1], SC[i + 1] = halves(adder.csa(SS[i], SC[i], xS, xC))
        s, c = SS[i + 1] & 3, SC[i + 1] & 3
        q1, q2 = (bit(s, 0) + bit(c, 0)) % 2, (bit(s, 1) + bit(c, 1)) % 2
        skip = not (bit(A_bits, i + 1) | q1 | bit(s, 0) | (mask_last_skip and i == k + 4))
        if skip:
            SS[i + 2], SC[i + 2] = SS[i + 1] >> 1, SC[i + 1] >> 1
            q_hat, A_hat, i = q2, bit(A_bits, i + 2), i + 2
        else:
            q_hat, A_hat, i = q1, bit(A_bits, i + 1), i + 1
    return SS[i], SC[i]

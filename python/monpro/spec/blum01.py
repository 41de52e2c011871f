# ruff: noqa: N803, N806  (X, E, M, P, Z, A, B, S are the paper's letters)
"""Blum and Paar's modular exponentiation: Montgomery products of radix 2^k without a quotient, step by step.

M is odd and has m digits of k bits. The products work modulo M̃ = (−M⁻¹ mod 2^k)·M, which is −1 modulo 2^k, so
that a digit of the quotient is the lowest digit of S as it stands [blum01, §3.2, after Orup].

Bounds as implemented, for M < 2^(km) and R = 2^(k(m+2)):

    mont    A, B < 2M̃    S < 2M̃, since q₀ = 0 and R·S = A·B + Σ qᵢ·2^(k(i−1))·M̃ < 4M̃² + R·M̃, with 4M̃ < R
            A < 2M̃, B = 1    S ≤ M̃

On the way S ≤ (2^(k+1) + 1)·M̃ < 2^(k(m+2)+1): S ≤ (S + (2^k − 1)·M̃)/2^k + (2^k − 1)·2M̃ has this as its
fixed point. So S has m + 2 digits and one bit.

Errata: where the paper is wrong or silent, and what is done here instead.

E1  "4M̃ < 2^2m", or 2^(km), cannot hold: M̃ itself may have m + 1 digits. The digits of B are numbered to m + 1
    and the loop runs to m + 2, so the condition is 4M̃ < 2^(k(m+2)) = R, which every M of m digits meets.
E2  "We just need to Montgomery multiply the final result by 1" [blum01, §3.2]: that leaves S ≤ M̃, which may
    be as large as (2^k − 1)·M, and a multiple of M instead of zero. Here a true reduction modulo M follows.
E3  "Premultiply all inputs" [blum01, §3.2] includes P₀ = 1: without it the result has a factor R⁻¹.
E4  "The cost is an additional 2^k clock cycles" [blum01, §4.1]: 2m + 20 [blum01, §4.3] are 2(m + 3) + 14, for
    the multiples from 2 to 15; the radix-2 design's 2m + 8 [blum01, §5.2] are 2(m + 3) + 2.
E5  "ceil" is missing: an n-bit modulus has m = ⌈n/k⌉ digits; 485 bits, half of 970, have 122.
E6  "The additional routing delay is about 30 percent" [blum01, §5.1]: the clocks that follow from the printed
    times of radix 16 are 40 % above the optimal 14.7 and 15.7 ns, those of radix 2 about 20 %.
E7  The reference [2] of the hard-wired modulus [blum01, §6] is Vuillemin, Bertin, Roncin, Shand, Touati and
    Boucard; Shand and Vuillemin are [3].
"""


def digit(A: int, i: int, k: int) -> int:
    """Return digit i of A in radix 2^k."""
    return A >> k * i & (1 << k) - 1


def digits(M: int, k: int) -> int:
    """Return m, the number of digits of M in radix 2^k."""
    return -(-M.bit_length() // k)


def m_tilde(M: int, k: int) -> int:
    """Return M̃ = (M' mod 2^k)·M with M' = −M⁻¹, a multiple of M that is −1 modulo 2^k. M odd."""
    return -pow(M, -1, 1 << k) % (1 << k) * M


def r_log2(m: int, k: int) -> int:
    """Return log2 R of a product of m digits."""
    return k * (m + 2)


def mont(A: int, B: int, M_tilde: int, m: int, k: int) -> int:
    """Return S ≡ A·B·2^(−k(m+2)) (mod M): Algorithm 3.2. A, B < 2M̃; S < 2M̃."""
    S, q = {0: 0}, {}  # 1
    for i in range(m + 3):  # 2
        q[i] = S[i] % 2**k  # 3
        S[i + 1] = (S[i] + q[i] * M_tilde) // 2**k + digit(A, i, k) * B  # 4
    # 5
    return S[m + 3]


def square_and_multiply(X: int, E: int, M: int) -> int:
    """Return X^E mod M: Algorithm 3.1, the exponent from its lowest bit on, with plain products."""
    P, Z = {0: 1 % M}, {0: X}  # 1
    n = E.bit_length()
    for i in range(n):  # 2
        Z[i + 1] = Z[i] ** 2 % M  # 3
        if digit(E, i, 1) == 1:  # 4
            P[i + 1] = P[i] * Z[i] % M  # 4
        else:  # 4
            P[i + 1] = P[i]  # 4
    # 5
    return P[n]


def before_reduction(X: int, E: int, M: int, m: int, k: int) -> int:
    """Return X^E after the product by 1: congruent to X^E modulo M, and at most M̃.

    This is Algorithm 3.1 with n + 2 pairs of the products of Algorithm 3.2. A product with R² mod M converts
    both X and 1, the square and the product of a bit share the multiplicand Z, and the last product is by 1.
    0 ≤ X < 2M̃.
    """
    M_tilde = m_tilde(M, k)
    factor = (1 << 2 * r_log2(m, k)) % M
    Z, P = mont(X, factor, M_tilde, m, k), mont(1, factor, M_tilde, m, k)
    for i in range(E.bit_length()):
        square, product = mont(Z, Z, M_tilde, m, k), mont(P, Z, M_tilde, m, k)
        Z, P = square, product if digit(E, i, 1) else P
    return mont(P, 1, M_tilde, m, k)


def power(X: int, E: int, M: int, m: int, k: int) -> int:
    """Return X^E mod M, fully reduced, by products of m digits."""
    return before_reduction(X, E, M, m, k) % M


def product_cycles(m: int, k: int) -> int:
    """Return the clocks from a pair of products to the next: 2m + 20 for k = 4, 2m + 8 for k = 1.

    [blum01, §4.3, §5.2]. Square and product take one clock each in each of m + 3 iterations. Then follow the
    multiples from 2 to 2^k − 1, or the two clocks in which the lowest digit of a result goes through the
    operand's memory.
    """
    return 2 * (m + 3) + max((1 << k) - 2, 2)


def power_cycles(n: int, m: int, k: int) -> int:
    """Return the clocks of an exponentiation with an exponent of n bits [blum01, §5.1]."""
    return (n + 2) * product_cycles(m, k)


def crt(C: int, p: int, q: int, D: int) -> int:
    """Return C^D mod pq by two exponentiations of half the size, for primes p ≠ q [blum01, §5.2]."""
    P, Q = square_and_multiply(C % p, D % (p - 1), p), square_and_multiply(C % q, D % (q - 1), q)
    return Q + (P - Q) * pow(q, -1, p) % p * q

# ruff: noqa: N802, N803, N806  (ADD, W, C, S, B, D are the paper's letters, kept so that the two can be compared)
"""Koç, Acar and Kaliski's five ways to compute the Montgomery product, line by line as printed.

Each method computes u = a·b·r⁻¹ mod n, with r = 2^(s·w), on arrays of s words of w bits, least significant
word first. Bounds: n odd, n < r, a·b < n·r (the paper asks for a, b < n); then 0 ≤ u < n. The statements are
the paper's own: `monpro.spec.notation` turns them back into print, and the tests compare the two.
`monpro.spec.counting` executes them and counts their cost by the paper's rules [koc96, §2].

Errata: where the print is wrong, and what is done here instead.

E1  CIHS, first i-loop, last line [koc96, §8]. Printed `t[s+1] := C`: this overwrites the carries earlier
    iterations left in t[s+1]. Here `t[s+1] := t[s+1] + C`.
E2  CIHS, second i-loop, last line of the last j-loop [koc96, §8]. Printed `t[s+1] := C`, wrong for the
    same reason. Here `t[s+1] := t[s+1] + C`. Both corrections are needed. `cihs_as_printed` keeps the
    printed form, which fails for one with w = 4, s = 3, n = fff, a = b = ffe (hexadecimal).
E3  CIHS in [koc96, §8 and Table 1]: 4s² + 4s + 2 additions and 6.5s² + 6.5s + 2 reads are the counts of the
    wrong code. E1 and E2 cost one addition and one read each time: 4.5s² + 4.5s + 2 and 7s² + 7s + 2.
E4  SOS squaring, first statement [koc96, §4]. Printed without the store `t[i+i] := S`, so a[i]*a[i] is lost.
E5  SOS squaring, `t[i+s] := C` [koc96, §4]. The paper notes that 2·a[j]·a[i] needs an extra bit in C inside
    the loop; C has that bit after the loop too, where it does not fit t[i+s]. Here the next row takes it.
E6  n0′ "is defined as the inverse of the least significant word of n" [koc96, §4]: it is the negative
    inverse, as the formula in the same sentence says.
E7  Step 3 "contains 2(s+1) additions, 2(s+1) reads" [koc96, §4]. The printed loop does 2s + 1 of each,
    because its last line has no n[s]. Tables 1 and 2 use 2(s+1), so `step_3` charges one more of each.
E8  "(n - j) words of the jth partial product" [koc96, §8] is s − j words.
E9  ADD takes "on average one additional memory read, one addition, and one memory write" [koc96, §9], two of
    each in all. Random operands carry less often: the mean is 1.2 to 1.4 words for w = 32, s = 8. The tables
    count two, and so does `ADD`.
E10 CIOS "requires fewer additions […] than the other four methods" [koc96, §9]. Table 1 itself gives SOS as
    many, and CIHS as printed.
E11 "The SOS and CIOS methods reach this lower bound" [koc96, §9] leaves out CIHS, for which Table 1 prints
    the same count. The corrected CIHS does not reach it (E3).
E12 The times of Table 3 are "the average values over several thousand executions" in one sentence, and "over
    one thousand executions" in the next, which is otherwise the same [koc96, §9].
E13 An accumulator of log_W(sW(W − 1)) words [koc96, footnote 4] is too small by a factor of 2 before the
    logarithm: each step of FIPS adds two products. With w = 2, s = 4, n = 255, a = 171, b = 253 it reaches
    72, above sW(W − 1) = 48 and above the 63 of three words. The condition s < W, which follows, is right.
"""

from collections.abc import Callable
from dataclasses import dataclass

from monpro.spec.counting import Machine, Value, Words, counted_as, downto, to, words

Method = Callable[..., Words]


def monpro(a: int, b: int, n: int, r: int) -> int:
    """Return a·b·r⁻¹ mod n on whole numbers: function MonPro [koc96, §2]."""
    n_prime = -pow(n, -1, r) % r  # r·r⁻¹ − n·n′ = 1
    t = a * b
    u = (t + (t * n_prime % r) * n) // r
    return u - n if u >= n else u


def mod_exp(a: int, e: int, n: int, r: int, product: Callable[[int, int], int]) -> int:
    """Return a^e mod n by the binary method: function ModExp [koc96, §2].

    `product(x, y)` is any MonPro for this n and r. a < n, e ≥ 0.
    """
    a_bar = a * r % n
    x_bar = 1 * r % n
    j = e.bit_length()
    for i in downto(j - 1, 0):
        x_bar = product(x_bar, x_bar)
        if e >> i & 1:
            x_bar = product(x_bar, a_bar)
    return product(x_bar, 1)


def n0_prime(n0: int, w: int) -> int:
    """Return −n0⁻¹ mod 2^w for odd n0, by Dussé and Kaliski's algorithm, to which [koc96, §4] refers."""
    y = 1
    for i in to(2, w):
        if n0 * y % (1 << i) > 1 << i - 1:
            y = y + (1 << i - 1)
    return (1 << w) - y


@counted_as(add=2, read=2, write=2)  # one of each, and on average one more for the carry [koc96, §9]
def ADD(x: Words, C: Value) -> None:
    """Add C to x[0] and propagate the carry until none is left [koc96, §4]."""
    i = 0
    C, S = words(x[i] + C)
    x[i] = S
    while C:
        i = i + 1
        C, S = words(x[i] + C)
        x[i] = S


def step_3(machine: Machine, u: Words, n: Words, t: Words) -> Words:
    """Return u − n if u ≥ n, else u; u has s + 1 words and the difference goes into t [koc96, §4]."""
    s = machine.s
    B = machine.register(0)
    for i in to(0, s - 1):
        B, D = words(u[i] - n[i] - B)
        t[i] = D
    B, D = words(u[s] - B)
    t[s] = D
    machine.charge(add=1, read=1)  # erratum E7: the paper counts the line above like those in the loop
    return t[:s] if B == 0 else u[:s]


def sos(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Separated Operand Scanning: the whole product first, then its reduction [koc96, §4]."""
    s = machine.s
    t = machine.temporary("t", 2 * s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(0, s - 1):
            C, S = words(t[i + j] + a[j] * b[i] + C)
            t[i + j] = S
        t[i + s] = C
    return sos_reduction(machine, t, n, n_prime)


def sos_reduction(machine: Machine, t: Words, n: Words, n_prime: Words) -> Words:
    """Return t·r⁻¹ mod n for the product t of 2s + 1 words, which is overwritten [koc96, §4]."""
    s, W = machine.s, 1 << machine.w
    m = machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        m[0] = t[i] * n_prime[0] % W
        for j in to(0, s - 1):
            C, S = words(t[i + j] + m[0] * n[j] + C)
            t[i + j] = S
        ADD(t[i + s :], C)
    for j in to(0, s):
        u[j] = t[j + s]
    return step_3(machine, u, n, t)


def sos_square_wide_carry(machine: Machine, a: Words, n: Words, n_prime: Words) -> Words:
    """SOS squaring, a·a·r⁻¹ mod n, with a carry register one bit wider than a word [koc96, §4]."""
    s = machine.s
    t = machine.temporary("t", 2 * s + 1)
    X = machine.register(0)  # the extra bit of C that row i leaves for row i + 1
    for i in to(0, s - 1):
        C, S = words(t[i + i] + a[i] * a[i])
        t[i + i] = S  # erratum E4: not printed, and then t[i+i] keeps its old value
        for j in to(i + 1, s - 1):
            C, S = words(t[i + j] + 2 * a[j] * a[i] + C, extra_bits=1)
            t[i + j] = S
        X, S = words(C + X)
        t[i + s] = S  # erratum E5: printed `t[i+s] := C`, but C can have w + 1 bits here
    return sos_reduction(machine, t, n, n_prime)


def sos_square_doubling(machine: Machine, a: Words, n: Words, n_prime: Words) -> Words:
    """SOS squaring, a·a·r⁻¹ mod n, with one-word carries only, as the remark below the code says [koc96, §4].

    "The a[j]*a[i] terms are added first, without the multiplication by 2; the result is then doubled and the
    a[i]*a[i] terms are added in."
    """
    s = machine.s
    t = machine.temporary("t", 2 * s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(i + 1, s - 1):
            C, S = words(t[i + j] + a[j] * a[i] + C)
            t[i + j] = S
        t[i + s] = C
    C = machine.register(0)
    for i in to(0, 2 * s - 1):
        C, S = words(2 * t[i] + C)
        t[i] = S
    C = machine.register(0)
    for i in to(0, s - 1):
        C, S = words(t[i + i] + a[i] * a[i] + C)
        t[i + i] = S
        C, S = words(t[i + i + 1] + C)
        t[i + i + 1] = S
    return sos_reduction(machine, t, n, n_prime)


def cios_unimproved(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Coarsely Integrated Operand Scanning, with the shift in a loop of its own [koc96, §5]."""
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", s + 2), machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(0, s - 1):
            C, S = words(t[j] + a[j] * b[i] + C)
            t[j] = S
        C, S = words(t[s] + C)
        t[s] = S
        t[s + 1] = C
        C = machine.register(0)
        m[0] = t[0] * n_prime[0] % W
        for j in to(0, s - 1):
            C, S = words(t[j] + m[0] * n[j] + C)
            t[j] = S
        C, S = words(t[s] + C)
        t[s] = S
        t[s + 1] = t[s + 1] + C
        for j in to(0, s):
            t[j] = t[j + 1]
    return step_3(machine, t[: s + 1], n, u)


def cios(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Coarsely Integrated Operand Scanning, with the shift inside the reduction [koc96, §5]."""
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", s + 2), machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(0, s - 1):
            C, S = words(t[j] + a[j] * b[i] + C)
            t[j] = S
        C, S = words(t[s] + C)
        t[s] = S
        t[s + 1] = C
        m[0] = t[0] * n_prime[0] % W
        C, S = words(t[0] + m[0] * n[0])
        for j in to(1, s - 1):
            C, S = words(t[j] + m[0] * n[j] + C)
            t[j - 1] = S
        C, S = words(t[s] + C)
        t[s - 1] = S
        t[s] = t[s + 1] + C
    return step_3(machine, t[: s + 1], n, u)


def fios(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Finely Integrated Operand Scanning: both products in one inner loop [koc96, §6]."""
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", s + 2), machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C, S = words(t[0] + a[0] * b[i])
        ADD(t[1:], C)
        m[0] = S * n_prime[0] % W
        C, S = words(S + m[0] * n[0])
        for j in to(1, s - 1):
            C, S = words(t[j] + a[j] * b[i] + C)
            ADD(t[j + 1 :], C)
            C, S = words(S + m[0] * n[j])
            t[j - 1] = S
        C, S = words(t[s] + C)
        t[s - 1] = S
        t[s] = t[s + 1] + C
        t[s + 1] = 0
    return step_3(machine, t[: s + 1], n, u)


def fips(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Finely Integrated Product Scanning: one word of the result after the other [koc96, §7].

    The accumulator t has three words, which requires s < W.
    """
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", 3), machine.temporary("m", s)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        for j in to(0, i - 1):
            C, S = words(t[0] + a[j] * b[i - j])
            ADD(t[1:], C)
            C, S = words(S + m[j] * n[i - j])
            t[0] = S
            ADD(t[1:], C)
        C, S = words(t[0] + a[i] * b[0])
        ADD(t[1:], C)
        m[i] = S * n_prime[0] % W
        C, S = words(S + m[i] * n[0])
        ADD(t[1:], C)
        t[0] = t[1]
        t[1] = t[2]
        t[2] = 0
    for i in to(s, 2 * s - 1):
        for j in to(i - s + 1, s - 1):
            C, S = words(t[0] + a[j] * b[i - j])
            ADD(t[1:], C)
            C, S = words(S + m[j] * n[i - j])
            t[0] = S
            ADD(t[1:], C)
        m[i - s] = t[0]
        t[0] = t[1]
        t[1] = t[2]
        t[2] = 0
    return step_3(machine, m + t[:1], n, u)  # m holds the s low words of the result, t[0] its top bit


def cihs(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Coarsely Integrated Hybrid Scanning, corrected [koc96, §8]; it requires s < W."""
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", s + 2), machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(0, s - i - 1):
            C, S = words(t[i + j] + a[j] * b[i] + C)
            t[i + j] = S
        C, S = words(t[s] + C)
        t[s] = S
        t[s + 1] = t[s + 1] + C  # erratum E1: printed `t[s+1] := C`, which loses the carries kept there
    for i in to(0, s - 1):
        m[0] = t[0] * n_prime[0] % W
        C, S = words(t[0] + m[0] * n[0])
        for j in to(1, s - 1):
            C, S = words(t[j] + m[0] * n[j] + C)
            t[j - 1] = S
        C, S = words(t[s] + C)
        t[s - 1] = S
        t[s] = t[s + 1] + C
        t[s + 1] = 0
        for j in to(i + 1, s - 1):
            C, S = words(t[s - 1] + b[j] * a[s - j + i])
            t[s - 1] = S
            C, S = words(t[s] + C)
            t[s] = S
            t[s + 1] = t[s + 1] + C  # erratum E2: printed `t[s+1] := C`, which loses the carries kept there
    return step_3(machine, t[: s + 1], n, u)


def cihs_as_printed(machine: Machine, a: Words, b: Words, n: Words, n_prime: Words) -> Words:
    """Coarsely Integrated Hybrid Scanning as printed: wrong results by errata E1 and E2 [koc96, §8]."""
    s, W = machine.s, 1 << machine.w
    t, m = machine.temporary("t", s + 2), machine.temporary("m", 1)
    u = machine.array("u", s + 1)
    for i in to(0, s - 1):
        C = machine.register(0)
        for j in to(0, s - i - 1):
            C, S = words(t[i + j] + a[j] * b[i] + C)
            t[i + j] = S
        C, S = words(t[s] + C)
        t[s] = S
        t[s + 1] = C
    for i in to(0, s - 1):
        m[0] = t[0] * n_prime[0] % W
        C, S = words(t[0] + m[0] * n[0])
        for j in to(1, s - 1):
            C, S = words(t[j] + m[0] * n[j] + C)
            t[j - 1] = S
        C, S = words(t[s] + C)
        t[s - 1] = S
        t[s] = t[s + 1] + C
        t[s + 1] = 0
        for j in to(i + 1, s - 1):
            C, S = words(t[s - 1] + b[j] * a[s - j + i])
            t[s - 1] = S
            C, S = words(t[s] + C)
            t[s] = S
            t[s + 1] = C
    return step_3(machine, t[: s + 1], n, u)


METHODS: dict[str, Method] = {"sos": sos, "cios": cios, "fios": fios, "fips": fips, "cihs": cihs}


@dataclass(frozen=True)
class Run:
    """The result of one Montgomery product, and the machine that recorded how it was computed."""

    result: int
    machine: Machine


def run(method: Method, *operands: int, n: int, w: int, s: int) -> Run:
    """Compute a·b·r⁻¹ mod n (or a·a·r⁻¹ mod n, by a squaring, for one operand) on a new machine.

    r = 2^(s·w). n odd, 1 ≤ n < r; 0 ≤ a, b < r and a·b < n·r. ValueError for anything else.
    """
    r = 1 << s * w
    if not 1 <= n < r or n % 2 == 0:
        raise ValueError(f"the modulus must be odd and from 1 to 2^{s * w} - 1, not {n}")
    if not all(0 <= x < r for x in operands) or operands[0] * operands[-1] >= n * r:
        raise ValueError(f"operands must be from 0 to 2^{s * w} - 1, and their product below n * 2^{s * w}")
    machine = Machine(w, s)
    arrays = [machine.array(name, s, x) for name, x in zip("ab", operands, strict=False)]
    n_prime = machine.array("n'", 1, n0_prime(n % 2**w, w))
    result = method(machine, *arrays, machine.array("n", s, n), n_prime)
    return Run(int(result), machine)

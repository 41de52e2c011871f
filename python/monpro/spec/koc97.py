# ruff: noqa: N802, N803, N806  (A, B, H, L, M, N and the names of instructions are the paper's)
"""Koç and Acar's Montgomery arithmetic in GF(2^k), line by line as printed.

A polynomial over GF(2) is an array of s words of w bits, least significant word first: bit j of word i is the
coefficient of x^(i·w + j). Bounds: n has a degree k with (s − 1)·w < k ≤ s·w, the constant coefficient 1, and
s + 1 words; operands and results have degrees below k. The bit-level product is a·b·x^(−k) mod n; the
word-level products are a·b·r⁻¹ mod n with r = x^(s·w). No final subtraction is needed. The statements are the
paper's own: `monpro.spec.notation` turns them back into print, and the tests compare the two. The paper
compares its algorithms with the standard ones without printing these; here they do the operations that the
paper counts for them.

MULGF2, XOR, AND, OR and shifts of words are counted [koc97, §6]. As in the paper, a statement that depends on
a coefficient of the data or on a bit of the exponent counts half.

Errata: where the print is wrong, and what is done here instead.

E1  MULGF2 by the hybrid method [koc97, §7]: in the lines for L and H, sums of table entries are printed
    shifted right, `SHR(...,8)`, which leaves nothing of them. Here they are shifted left.
    `hybrid_16_as_printed` keeps the printed form, which fails for one with a = 0001, b = 0100
    (hexadecimal).
E2  MULGF2 by emulation takes "w XOR operations" [koc97, §6]: that is the worst case, and the mean is w/2.
    Tables 3 and 4 use w, so they are counted as certain here.
E3  "We assume that k = sw" [koc97, §3]: then n(x) has s + 1 words, but Table 1 counts s MULGF2 for
    M(x)n(x). The term x^(sw) takes one more XOR in each iteration, without which the results are wrong:
    `add_leading_term`. If k < sw there is no such term.
E4  "We do not need to perform a multiplication in Step 1" [koc97, §6]: if k = sw, r mod n is n(x) − x^k. If
    k < sw, "take k as sw" [koc97, §3] does not make it so, and x^(sw) mod n has to be computed; likewise
    the standard algorithms have sw − k more coefficients to clear than are counted: `clear_padding`.
E5  "Assuming the least significant coefficient of t(x) is equal 0 with probability 1/2" [koc97, §6]: that
    coefficient is always 1. It is the one of x^(i−1) that decides whether t(x) ≠ 1.
E6  Table 1 [koc97, §6], XOR/AND of the standard squaring: 9w/4·s² + (2w + 3/2)s. Step 1 takes (2w + 1)s, as
    in the Montgomery squaring; s/2 is left beside 9w/4·s². The SHIFT of the same column are those of s·w
    shifts of 3s/2 + 1 words, the mean of n(x)·x^(sw) and n(x). Such a shift takes 3s/2 OR and, half the
    time, n(x) is added by 3s/2 + 1 XOR, in all 9w/4·s² + w/2·s: a w seems to be lost in print. Here n(x) is
    shifted over the words below its leading term: SHIFT as printed, OR and XOR 9w/4·s² + 3w/4·s.
E7  "At least 6 times faster" for w = 8 [koc97, Abstract]: Table 5 has 4.85 to 6.32 with tables, and 3.49 to
    4.10 without.
E8  "Maximum speedup" with emulation [koc97, §6]: Table 4 says 1.36 to 1.40, Table 5 measures 2.30 to 5.00.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from monpro.spec.counting import ALWAYS, BIT, RCL, SHL, SHR, Machine, Value, Words, downto, to

Method = Callable[..., Words]
MulGF2 = Callable[[Value, Value], tuple[Value, Value]]


# --- Whole polynomials ------------------------------------------------------------------------------------


class Polynomial(int):
    """A polynomial over GF(2): bit i is the coefficient of x^i."""

    def __add__(self, other: int, /) -> "Polynomial":
        """Return the sum, which is also the difference."""
        return Polynomial(int(self) ^ int(other))

    def __mul__(self, other: int, /) -> "Polynomial":
        """Return the product."""
        product = 0
        for i in range(int(other).bit_length()):
            if other >> i & 1:
                product ^= int(self) << i
        return Polynomial(product)

    def __divmod__(self, divisor: int, /) -> "tuple[Polynomial, Polynomial]":
        """Return quotient and remainder."""
        quotient, remainder = 0, int(self)
        while (places := remainder.bit_length() - divisor.bit_length()) >= 0:
            quotient, remainder = quotient ^ 1 << places, remainder ^ int(divisor) << places
        return Polynomial(quotient), Polynomial(remainder)

    def __floordiv__(self, divisor: int, /) -> "Polynomial":
        """Return the quotient."""
        return divmod(self, divisor)[0]

    def __mod__(self, divisor: int, /) -> "Polynomial":
        """Return the remainder."""
        return divmod(self, divisor)[1]


def inverse(a: Polynomial, n: Polynomial) -> Polynomial:
    """Return a⁻¹ mod n, by the extended Euclidean algorithm, for coprime a and n [koc97, §3]."""
    u, v, x, y = a % n, n, Polynomial(1), Polynomial(0)
    while v:
        quotient, remainder = divmod(u, v)
        u, v, x, y = v, remainder, y, x + quotient * y
    return x % n


def montgomery_product(a: Polynomial, b: Polynomial, n: Polynomial, r: Polynomial) -> Polynomial:
    """Return a·b·r⁻¹ mod n in three steps; r is x to the degree of n [koc97, §3]."""
    n_prime = inverse(n, r)
    t = a * b
    u = t * n_prime % r
    return (t + u * n) // r


# --- MULGF2: two words to their product, H and L [koc97, §6–7] --------------------------------------------


def instruction(A: Value, B: Value) -> tuple[Value, Value]:
    """MULGF2 as an instruction of the processor, counted as one [koc97, §6]."""
    machine = A.machine
    machine.running.counts["mulgf2"] += 1
    product = Polynomial(A) * B
    return Value(product >> machine.w, machine), Value(product & (1 << machine.w) - 1, machine)


def emulation(A: Value, B: Value) -> tuple[Value, Value]:
    """MULGF2 by 2w shifts and w XOR, counted with erratum E2 [koc97, §6]."""
    machine, w = A.machine, A.machine.w
    H = machine.array("H", 1)
    L = machine.array("L", 1)
    for j in downto(w - 1, 0):
        L[0] = SHL(L[0], 1)
        H[0] = RCL(H[0], 1)
        with machine.when(BIT(B, j) == 1, probability=ALWAYS):
            L[0] = L[0] ^ A
    return H[0], L[0]


@dataclass(frozen=True)
class TableRow:
    """The entries of a table of MULGF2 for one word of 8 bits; reading one counts as a look-up."""

    entries: bytes

    def __getitem__(self, B: Value) -> Value:
        """Return the entry for B."""
        B.machine.running.counts["look-up"] += 1
        return Value(self.entries[B], B.machine)


def products_of(A: int) -> list[int]:
    """Return A·B for every word B of 8 bits."""
    products = [0]
    for B in to(1, 255):
        products.append(products[B >> 1] << 1 ^ (A if B & 1 else 0))
    return products


TableL = [TableRow(bytes(product & 0xFF for product in products_of(A))) for A in to(0, 255)]
TableH = [TableRow(bytes(product >> 8 for product in products_of(A))) for A in to(0, 255)]


def tables(A: Value, B: Value) -> tuple[Value, Value]:
    """MULGF2 for w = 8 by two look-ups in tables of 2^w × 2^w words, 64 Kilobytes each [koc97, §6–7]."""
    return TableH[A][B], TableL[A][B]


def hybrid_16(a: Value, b: Value) -> tuple[Value, Value]:
    """MULGF2 for w = 16 with the tables for 8 bits, corrected by erratum E1 [koc97, §7]."""
    a1 = SHR(a, 8)
    a0 = a & 0xFF
    b1 = SHR(b, 8)
    b0 = b & 0xFF
    L = TableL[a0][b0] ^ SHL(TableH[a0][b0] ^ TableL[a1][b0] ^ TableL[a0][b1], 8)
    H = TableH[a1][b0] ^ TableH[a0][b1] ^ TableL[a1][b1] ^ SHL(TableH[a1][b1], 8)
    return H, L


def hybrid_16_as_printed(a: Value, b: Value) -> tuple[Value, Value]:
    """MULGF2 for w = 16 as printed: wrong results by erratum E1 [koc97, §7]."""
    a1 = SHR(a, 8)
    a0 = a & 0xFF
    b1 = SHR(b, 8)
    b0 = b & 0xFF
    L = TableL[a0][b0] ^ SHR(TableH[a0][b0] ^ TableL[a1][b0] ^ TableL[a0][b1], 8)
    H = TableH[a1][b0] ^ TableH[a0][b1] ^ TableL[a1][b1] ^ SHR(TableH[a1][b1], 8)
    return H, L


def hybrid_32(a: Value, b: Value) -> tuple[Value, Value]:
    """MULGF2 for w = 32, which "also uses these 8-bit tables": the same step once more [koc97, §7]."""
    a1 = SHR(a, 16)
    a0 = a & 0xFFFF
    b1 = SHR(b, 16)
    b0 = b & 0xFFFF
    H00, L00 = hybrid_16(a0, b0)
    H10, L10 = hybrid_16(a1, b0)
    H01, L01 = hybrid_16(a0, b1)
    H11, L11 = hybrid_16(a1, b1)
    L = L00 ^ SHL(H00 ^ L10 ^ L01, 16)
    H = H10 ^ H01 ^ L11 ^ SHL(H11, 16)
    return H, L


@dataclass
class Processor(Machine):
    """A machine with its way to compute MULGF2."""

    mulgf2: MulGF2 = instruction


# --- Polynomials of several words -------------------------------------------------------------------------


def degree(n: Words) -> int:
    """Return k; this look at a modulus is not counted."""
    return int(n).bit_length() - 1


def assign(c: Words, a: Words) -> None:
    """c(x) := a(x)."""
    for j in to(0, len(a) - 1):
        c[j] = a[j]


def coefficient(a: Words, i: int) -> int:
    """Return the coefficient of x^i."""
    w = a.machine.w
    return BIT(a[i // w], i % w)


def add_product(machine: Processor, c: Words, A: Value, b: Words) -> None:
    """c(x) := c(x) + A(x)b(x), for one word A and s words of b: s MULGF2 and 2s XOR."""
    for j in to(0, machine.s - 1):
        H, L = machine.mulgf2(A, b[j])
        c[j] = c[j] ^ L
        c[j + 1] = c[j + 1] ^ H


def add_multiple(machine: Processor, c: Words, M: Value, n: Words) -> None:
    """c(x) := c(x) + M(x)n(x)."""
    add_product(machine, c, M, n)
    if degree(n) == machine.s * machine.w:
        add_leading_term(machine, c, M)


def add_leading_term(machine: Processor, c: Words, M: Value) -> None:
    """c(x) := c(x) + M(x)x^(sw), which the paper does not count: erratum E3."""
    s = machine.s
    c[s] = c[s] ^ M


def add_if(condition: int, c: Words, b: Words) -> None:
    """c(x) := c(x) + b(x) if the condition is 1: half the time one XOR for each word of b."""
    with c.machine.when(condition == 1):
        for j in to(0, len(b) - 1):
            c[j] = c[j] ^ b[j]


def divide_by_x(c: Words) -> None:
    """c(x) := c(x)/x: two shifts and one OR for each word, but only one shift for the highest."""
    w, highest = c.machine.w, len(c) - 1
    for j in to(0, highest - 1):
        c[j] = SHR(c[j], 1) | SHL(c[j + 1], w - 1)
    c[highest] = SHR(c[highest], 1)


def divide_by_word(c: Words) -> None:
    """c(x) := c(x)/x^w: a move of words."""
    for j in to(0, len(c) - 2):
        c[j] = c[j + 1]
    c[len(c) - 1] = 0


def multiple_by_power(machine: Processor, n: Words, places: int) -> Words:
    """Return n(x)·x^places in s + 1 words, for places from 0 to w − 1: shifts and OR as `divide_by_x`."""
    N = machine.temporary("N", machine.s + 1)
    for j in downto(machine.s, 1):
        N[j] = SHL(n[j], places) | SHR(n[j - 1], machine.w - places)
    N[0] = SHL(n[0], places)
    return N


def low_product(machine: Processor, A: Value, B: Value) -> Value:
    """Return A(x)B(x) mod x^w."""
    _, L = machine.mulgf2(A, B)
    return L


def remainder(A: Value, i: int) -> Value:
    """Return A(x) mod x^i, by an AND with a mask that takes a shift."""
    machine = A.machine
    ones = Value((1 << machine.w) - 1, machine)
    return A & SHR(ones, machine.w - i)


def power_of_x(machine: Processor, i: int) -> Value:
    """Return x^i, for i below w: one shift."""
    return SHL(Value(1, machine), i)


# --- Montgomery arithmetic [koc97, §3–5] ------------------------------------------------------------------


def bit_level_multiplication(machine: Processor, a: Words, b: Words, n: Words) -> Words:
    """Return a·b·x^(−k) mod n, one coefficient of a at a time [koc97, §3]."""
    k = degree(n)
    c = machine.temporary("c", machine.s + 1)
    for i in to(0, k - 1):
        add_if(coefficient(a, i), c, b)
        add_if(coefficient(c, 0), c, n)
        divide_by_x(c)
    return c[: machine.s]


def montgomery_multiplication(machine: Processor, a: Words, b: Words, n: Words, N0_prime: Words) -> Words:
    """Return a·b·r⁻¹ mod n, one word of a at a time [koc97, §3]."""
    s = machine.s
    c = machine.temporary("c", s + 1)
    for i in to(0, s - 1):
        add_product(machine, c, a[i], b)
        M = low_product(machine, c[0], N0_prime[0])
        add_multiple(machine, c, M, n)
        divide_by_word(c)
    return c[:s]


def montgomery_squaring(machine: Processor, a: Words, n: Words, N0_prime: Words) -> Words:
    """Return a·a·r⁻¹ mod n [koc97, §4]."""
    s = machine.s
    c = machine.temporary("c", 2 * s)
    spread(c, a)
    for i in to(0, s - 1):  # noqa: B007  # printed so
        M = low_product(machine, c[0], N0_prime[0])
        add_multiple(machine, c, M, n)
        divide_by_word(c)
    return c[:s]


def spread(c: Words, a: Words) -> None:
    """c(x) := Σ aᵢx²ⁱ, the square of a, by 2w + 1 shifts and 2w + 1 AND or OR for each word."""
    half = a.machine.w // 2
    for i in to(0, a.machine.s - 1):
        c[2 * i] = spread_half(a[i] & (1 << half) - 1)
        c[2 * i + 1] = spread_half(SHR(a[i], half))


def spread_half(A: Value) -> Value:
    """Return Σ Aⱼx²ʲ for a half word A."""
    C = Value(0, A.machine)
    for j in to(0, A.machine.w // 2 - 1):
        C = C | SHL(A & 1, 2 * j)
        A = SHR(A, 1)
    return C


def inverse_of_N0(machine: Processor, N0: Value) -> Words:
    """Return N0⁻¹ mod x^w, for an N0 with the constant coefficient 1 [koc97, §5]."""
    N0_prime = machine.array("N0'", 1, 1)
    for i in to(2, machine.w):
        t = remainder(low_product(machine, N0, N0_prime[0]), i)
        with machine.when(t != 1):
            N0_prime[0] = N0_prime[0] ^ power_of_x(machine, i - 1)
    return N0_prime


# --- Standard arithmetic, as [koc97, §6] counts it --------------------------------------------------------


def standard_multiplication(machine: Processor, a: Words, b: Words, n: Words) -> Words:
    """Return a·b mod n: the whole product, then its reduction, one coefficient at a time [koc97, §6].

    For each word of the upper half, n(x) is shifted up to that word's highest coefficient, then down by w
    places.
    """
    s, w = machine.s, machine.w
    t = machine.temporary("t", 2 * s)
    for i in to(0, s - 1):
        add_product(machine, t[i:], a[i], b)
    full = of_full_degree(machine, n)
    for i in downto(2 * s - 1, s):
        N = multiple_by_power(machine, full, w - 1)
        for j in downto(w - 1, 0):
            add_if(BIT(t[i], j), t[i - s :], N)
            divide_by_x(N)
    return clear_padding(machine, t[:s], n, full)


def standard_squaring(machine: Processor, a: Words, n: Words) -> Words:
    """Return a·a mod n: the square, then its reduction, one coefficient at a time [koc97, §6].

    n(x)·x^(sw) is shifted down by s·w places, over all the words below its leading term: erratum E6.
    """
    s, w = machine.s, machine.w
    t = machine.temporary("t", 2 * s)
    spread(t, a)
    full = of_full_degree(machine, n)
    N = machine.temporary("N", 2 * s + 1)
    assign(N[s:], full)
    for i in downto(2 * s - 1, s):
        for j in downto(w - 1, 0):
            divide_by_x_below(N[: i + 2])
            add_if(BIT(t[i], j), t, N[: i + 1])
    return clear_padding(machine, t[:s], n, full)


def divide_by_x_below(N: Words) -> None:
    """N(x) := N(x)/x, where the highest word becomes 0: two shifts and one OR for each word below it."""
    w, highest = N.machine.w, len(N) - 1
    for j in to(0, highest - 1):
        N[j] = SHR(N[j], 1) | SHL(N[j + 1], w - 1)
    N[highest] = 0


def of_full_degree(machine: Processor, n: Words) -> Words:
    """Return n(x)·x^(sw−k): n itself if k = sw, which is all that the paper counts."""
    padding = machine.s * machine.w - degree(n)
    return multiple_by_power(machine, n, padding) if padding else n


def clear_padding(machine: Processor, t: Words, n: Words, full: Words) -> Words:
    """Return t mod n for s words t, by clearing the coefficients from x^k on: erratum E4."""
    s, w = machine.s, machine.w
    padding = s * w - degree(n)
    N = machine.temporary("N", s + 1)
    assign(N, full)
    for j in downto(w - 1, w - padding):
        divide_by_x(N)
        add_if(BIT(t[s - 1], j), t, N[:s])
    return t


# --- Exponentiation and inversion -------------------------------------------------------------------------


def one_times_r(machine: Processor, n: Words) -> Words:
    """Return r mod n: n(x) − x^k if k = sw, which costs nothing; see erratum E4."""
    c = machine.array("c", machine.s)
    full = of_full_degree(machine, n)
    assign(c, full[: machine.s])
    return clear_padding(machine, c, n, full)


def montgomery_exponentiation(machine: Processor, a: Words, e: int, n: Words) -> Words:
    """Return a^e mod n for e ≥ 0, by the binary method on Montgomery images [koc97, §2 and Figure 1]."""
    m = e.bit_length()
    one = machine.array("1", machine.s, 1)
    N0_prime = inverse_of_N0(machine, n[0])
    c_bar = one_times_r(machine, n)
    a_bar = standard_multiplication(machine, a, c_bar, n)
    for i in downto(m - 1, 0):
        assign(c_bar, montgomery_squaring(machine, c_bar, n, N0_prime))
        with machine.when(e >> i & 1 == 1):
            assign(c_bar, montgomery_multiplication(machine, c_bar, a_bar, n, N0_prime))
    return montgomery_multiplication(machine, c_bar, one, n, N0_prime)


def standard_exponentiation(machine: Processor, a: Words, e: int, n: Words) -> Words:
    """Return a^e mod n for e ≥ 0, by the binary method [koc97, §6 and Figure 1]."""
    m = e.bit_length()
    c = machine.array("c", machine.s, 1)
    for i in downto(m - 1, 0):
        assign(c, standard_squaring(machine, c, n))
        with machine.when(e >> i & 1 == 1):
            assign(c, standard_multiplication(machine, c, a, n))
    return c


def field_inverse(machine: Processor, a: Words, n: Words) -> Words:
    """Return a⁻¹ mod n as a^(2^k−2), by Fermat's identity, for irreducible n and a ≠ 0 [koc97, §1]."""
    return montgomery_exponentiation(machine, a, 2 ** degree(n) - 2, n)


WORD_BITS: dict[MulGF2, int] = {tables: 8, hybrid_16: 16, hybrid_16_as_printed: 16, hybrid_32: 32}


@dataclass(frozen=True)
class Run:
    """The result of one computation, and the processor that recorded how it was made."""

    result: int
    machine: Processor


def run(
    method: Method, *operands: int, n: int, w: int, e: int | None = None, mulgf2: MulGF2 = instruction
) -> Run:
    """Compute `method` of polynomials, and of the exponent e if it takes one, modulo n on a new processor.

    n has the constant coefficient 1 and a degree k ≥ 1; the operands have degrees below k and take s words,
    where (s − 1)·w < k ≤ s·w, and are as many as the method takes; w is even and a word length of `mulgf2`;
    e ≥ 0. ValueError for anything else.
    """
    k = n.bit_length() - 1
    if n < 3 or n % 2 == 0:
        raise ValueError(f"the modulus must have the constant coefficient 1 and a degree above 0, not {n:#x}")
    if not all(0 <= x < 1 << k for x in operands):
        raise ValueError(f"operands must have degrees below that of the modulus, {k}")
    if w < 2 or w % 2 or WORD_BITS.get(mulgf2, w) != w:
        raise ValueError(f"words must have an even number of bits, and {mulgf2.__name__} not {w}")
    if e is not None and e < 0:
        raise ValueError(f"the exponent must be 0 or more, not {e}")
    parameters = inspect.signature(method).parameters
    names = [name for name in ("a", "b") if name in parameters]
    if len(operands) != len(names):
        raise ValueError(f"{method.__name__} takes {len(names)} operands, not {len(operands)}")
    if ("e" in parameters) != (e is not None):
        raise ValueError(f"{method.__name__} takes {'an' if e is None else 'no'} exponent")
    s = -(-k // w)
    machine = Processor(w, s, mulgf2=mulgf2)
    arrays = [machine.array(name, s, x) for name, x in zip(names, operands, strict=True)]
    exponent = [] if e is None else [e]
    constants = [machine.array("n", s + 1, n)]
    if "N0_prime" in parameters:
        elsewhere = Processor(w, s)
        constants.append(machine.array("N0'", 1, int(inverse_of_N0(elsewhere, Value(n % 2**w, elsewhere)))))
    result = method(machine, *arrays, *exponent, *constants)
    return Run(int(result), machine)

"""The claims of the text of [koc96]: which methods there are, for which words they work, and their times."""

import random

from monpro import _native
from monpro.cores.systolic import Systolic
from monpro.report.finding import Finding, claim, found, measured, untested
from monpro.report.koc96.claims import METHODS, at, counts
from monpro.report.koc96.table1 import counted
from monpro.report.koc96.table3 import PUBLISHED_MS
from monpro.results import koc96_in_c
from monpro.spec import koc96
from monpro.spec.counting import WordOverflowError

BITS = 12  # of the operands in words of one and two bits
SAMPLES = 30


def is_right(method: koc96.Method, w: int, s: int) -> bool:
    """Return whether a method computes random products, and the product of the largest, with these words."""
    chance = random.Random(s)  # noqa: S311  (a sample, no secret)
    r = 1 << w * s
    for sample in range(SAMPLES):
        n = r - 1 if sample == 0 else chance.randrange(r >> 1, r) | 1
        a, b = (n - 1, n - 1) if sample == 0 else (chance.randrange(n), chance.randrange(n))
        try:
            result = int(koc96.run(method, a, b, n=n, w=w, s=s).result)
        except (WordOverflowError, IndexError):  # a carry out of the last word
            return False
        if result != koc96.monpro(a, b, n, r):
            return False
    return True


@claim(
    "koc96.claim.radix",
    "§3",
    "It is straightforward to rewrite the algorithms in any radix, such as binary or radix 4.",
    "all five methods",
    source="computed",
)
def any_radix() -> Finding:
    """Run the methods with words of one and of two bits."""
    right = {w: [name for name, method in METHODS.items() if is_right(method, w, BITS // w)] for w in (1, 2)}
    both = [name for name in METHODS if all(name in names for names in right.values())]
    lost = ", ".join(name for name in METHODS if name not in both)
    reason = (
        f"operands of {BITS} bits in words of 1 and 2 bits; wrong: {lost or 'none'}, which need s < 2^w, as "
        "footnote 4 says of FIPS. The cores of kuang16 and amberg08 are CIOS in radix 2 to 16"
    )
    return found(both == list(METHODS), ", ".join(both), reason)


@claim(
    "koc96.claim.variants",
    "§3",
    "Other possibilities are variants of these five; the reader may construct and evaluate some.",
    "variants exist",
    source="counted",
)
def variants() -> Finding:
    """Name the kernels over the integers that are none of the five, and count the unimproved CIOS."""
    five = tuple(name.lower() for name in METHODS)
    names = [
        kernel.name for kernel in _native.kernels() if kernel.paper == "koc96" and "gf2" not in kernel.name
    ]
    ours = [name for name in names if name.removesuffix("-w32") not in five]
    unimproved = counted(koc96.cios_unimproved)["add"] - counts()["CIOS"]["add"]
    reason = (
        f"the unimproved CIOS takes {unimproved} additions more; our kernels vary SOS and CIOS by pairs, "
        "rows or vectors of words; separated product scanning is not built"
    )
    return found(bool(ours), ", ".join(ours), reason)


@claim(
    "koc96.claim.extra_word",
    "§4, footnote 3",
    "If s is the length of 2n in words, t needs no extra word for the bit above 2s words.",
    "never needed",
    source="computed",
)
def extra_word() -> Finding:
    """Try every n, a and b of six bits: the bit above is the bit of u ≥ r."""
    r = 1 << 6
    needed = dict.fromkeys((True, False), 0)
    products = dict(needed)
    for n in range(1, r, 2):
        n_prime = -pow(n, -1, r) % r
        for a in range(n):
            for b in range(n):
                t = a * b
                products[2 * n < r] += 1
                needed[2 * n < r] += t + t * n_prime % r * n >= r * r
    reason = (
        f"all products of six bits: with 2n < r {needed[True]} of {products[True]:,} need it, "
        f"with 2n > r {needed[False]} of {products[False]:,}"
    )
    holds = needed[True] == 0 < needed[False]
    return found(holds, "never needed" if holds else f"{needed[True]} times", reason)


OVERFLOW = {"w": 2, "s": 4, "n": 255, "a": 171, "b": 253}


@claim(
    "koc96.claim.accumulator_words",
    "§7, footnote 4",
    "The accumulator of FIPS has log_W(sW(W − 1)) ≈ 2 + log_W s words.",
    "at most sW(W − 1)",
    source="computed",
)
def accumulator_words() -> Finding:
    """Compare the largest accumulator of FIPS with the printed bound, for words of two bits."""
    w, s, n, a, b = OVERFLOW.values()
    W = 1 << w  # noqa: N806  (the paper's letter)
    largest, bound = largest_accumulator(a, b, n, w, s), s * W * (W - 1)
    reason = (
        f"w = {w}, s = {s}, n = {n}, a = {a}, b = {b} reach {largest}: a step adds two products, so the "
        f"bound is 2sW(W − 1) = {2 * bound}; three words hold {W**3 - 1}"
    )
    return found(largest <= bound, f"{largest}, above {bound}" if largest > bound else f"{largest}", reason)


def largest_accumulator(a: int, b: int, n: int, w: int, s: int) -> int:
    """Return the largest value of t in FIPS with an accumulator of any length [koc96, §7]."""
    W, n0_prime = 1 << w, koc96.n0_prime(n % (1 << w), w)  # noqa: N806  (the paper's letter)
    a_words, b_words, n_words = ([x >> w * i & W - 1 for i in range(s)] for x in (a, b, n))
    m: list[int] = []
    t = largest = 0
    for i in range(2 * s):
        for j in range(max(0, i - s + 1), min(i, s)):
            t += a_words[j] * b_words[i - j] + m[j] * n_words[i - j]
        if i < s:
            t += a_words[i] * b_words[0]
            m.append(t * n0_prime % W)
            t += m[i] * n_words[0]
        largest = max(largest, t)
        t >>= w
    return largest


@claim(
    "koc96.claim.improvement_2",
    "§5",
    "CIOS without the shift of the array is Improvement 2 of Dussé and Kaliski, with more memory.",
    "s − 1 words more",
    source="counted",
)
def improvement_2() -> Finding:
    """Say what the shift saves: CIOS needs s + 2 words where the whole product needs 2s + 1."""
    saved = counts()["SOS"]["space"] - counts()["CIOS"]["space"]
    reason = "counted as SOS minus CIOS, since a product that is not shifted keeps all of t, as SOS does"
    return found(at(saved) == at(saved, 64) == 63, f"{saved} words more", reason)


@claim(
    "koc96.claim.systolic",
    "§9",
    "Dedicated hardware has other trade-offs; a systolic array is one such design.",
    "no number",
    source="modelled",
)
def systolic() -> Finding:
    """Give the clocks of the systolic core."""
    core = Systolic(1024)
    reason = "the core systolic, of blum01, is such an array; scalable, of amberg08, is another"
    return found(
        holds=True, ours=f"{core.product_cycles} clocks for two products of 1024 bits", reason=reason
    )


@claim(
    "koc96.claim.averages",
    "§9",
    "The times are averages over several thousand executions; and, in the next sentence, over one thousand.",
    "several thousand; one thousand",
    source="computed",
)
def averages() -> Finding:
    """Refuse two sentences that contradict each other."""
    return untested("the sentence is printed twice with two numbers, so that one of them is wrong")


C_OVER_ASSEMBLER = round(PUBLISHED_MS["C", 1024][1] / PUBLISHED_MS["ASM", 1024][1], 2)  # of CIOS
C_NOT_RECORDED = "not recorded: `python -m monpro.bench.koc96_in_c` measures it"


@claim(
    "koc96.claim.fastest",
    "§9",
    "CIOS operates faster on the selected processor than the other methods.",
    "at 4 of 4 sizes",
    source="recorded",
)
def fastest() -> Finding:
    """Count the sizes at which CIOS is first, in C with products made of halves."""
    times, sizes = koc96_in_c.recorded(), koc96_in_c.SIZES_BITS
    if not times:
        return untested(C_NOT_RECORDED)

    def order(bits: int) -> list[str]:
        return sorted(METHODS, key=lambda method: times[koc96_in_c.HALVES, method, bits])

    first = sum(order(bits)[0] == "CIOS" for bits in sizes)
    reason = f"recorded in C, with products made of halves: {', '.join(order(1024))} at 1024 bits"
    return found(first == len(sizes), f"at {first} of {len(sizes)} sizes", reason)


@claim(
    "koc96.claim.halves",
    "§9",
    "The C version, with products of words made of 16-bit halves, has more overhead than assembler.",
    C_OVER_ASSEMBLER,
    source="recorded",
    unit="times as long, CIOS of 1024 bits",
    printed=False,
)
def halves() -> Finding:
    """Divide the recorded times by halves and by whole words."""
    times = koc96_in_c.recorded()
    if not times:
        return untested(C_NOT_RECORDED)
    by_halves, whole = (times[kind, "CIOS", 1024] for kind in (koc96_in_c.HALVES, koc96_in_c.WHOLE))
    ours = round(by_halves / whole, 2)
    reason = (
        "the same C with whole products stands for assembler; four products of halves ran one after the "
        "other on a Pentium, and overlap on today's CPUs"
    )
    return measured(ours, reason, within=0.1)


CLAIMS = (
    any_radix,
    variants,
    extra_word,
    improvement_2,
    accumulator_words,
    systolic,
    averages,
    fastest,
    halves,
)

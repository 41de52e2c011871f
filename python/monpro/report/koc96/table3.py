"""[koc96, Table 3]: the time of a Montgomery product and its code size, measured here with today's compiler.

The paper measured 32-bit words on a Pentium-60, in C and in assembler. Here the compiled kernels run, with
32-bit and with 64-bit words. The ratios to CIOS and the order of the methods can be compared.
"""

from dataclasses import dataclass
from statistics import median

from monpro import _native
from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.code_size import code_size_bytes
from monpro.report.table import Row, Table

METHODS = ("SOS", "CIOS", "FIOS", "FIPS", "CIHS")
SIZES_BITS = (512, 1024, 1536, 2048)
LANGUAGES = ("C", "ASM")

PUBLISHED_MS = {  # by language, the methods in the order above
    ("C", 512): (1.376, 1.249, 1.492, 1.587, 1.662),
    ("C", 1024): (5.814, 5.706, 6.520, 6.886, 7.268),
    ("C", 1536): (13.243, 12.898, 14.550, 15.780, 16.328),
    ("C", 2048): (23.567, 23.079, 26.234, 27.716, 29.284),
    ("ASM", 512): (0.153, 0.122, 0.135, 0.149, 0.151),
    ("ASM", 1024): (0.869, 0.799, 0.860, 0.977, 1.037),
    ("ASM", 1536): (2.217, 1.883, 2.146, 2.393, 2.396),
    ("ASM", 2048): (3.968, 3.304, 3.965, 4.310, 4.481),
}
PUBLISHED_CODE_BYTES = {"C": (1084, 1512, 1876, 2832, 1948), "ASM": (1144, 1164, 1148, 1236, 1164)}

KERNEL_SUFFIXES = {"w=32": "-w32", "w=64": ""}

ROUNDS = 9
BATCH_SECONDS = 0.012
TOLERANCE = 0.10  # a ratio agrees where it is within this of the printed ones

# Counted in the inner loops with C, S, m, b[i] and the accumulator of FIPS in registers: SOS and CIOS read
# t, a and t, n and write t twice; FIOS reads t, a, n and writes t; FIPS reads a, b, m, n.
FEWER_ACCESSES = "likely 4s² memory accesses, CIOS 6s²"
OTHER_MACHINE = "another machine"


@dataclass(frozen=True)
class Series:
    """The times of all methods for one size, in one language or with one word size."""

    name: str
    times: dict[str, float]

    def ratio(self, method: str) -> float:
        """Return the time of a method in units of that of CIOS."""
        return self.times[method] / self.times["CIOS"]

    def order(self) -> list[str]:
        """Return the methods, fastest first."""
        return sorted(self.times, key=self.times.__getitem__)


def published(bits: int) -> list[Series]:
    """Return the printed times in milliseconds."""
    return [
        Series(language, dict(zip(METHODS, PUBLISHED_MS[language, bits], strict=True)))
        for language in LANGUAGES
    ]


def measure(progress: Progress) -> dict[int, list[Series]]:
    """Return times in nanoseconds by size: medians over rounds; each round measures every method and size.

    A change of the processor's clock then falls on all of them alike.
    """
    cases = [(bits, width, method) for bits in SIZES_BITS for width in KERNEL_SUFFIXES for method in METHODS]
    samples: dict[tuple[int, str, str], list[float]] = {case: [] for case in cases}
    for turn in range(ROUNDS):
        progress(turn, ROUNDS)
        for bits, width, method in cases:
            kernel = method.lower() + KERNEL_SUFFIXES[width]
            samples[bits, width, method] += _native.time_products(kernel, bits, "mul", 1, BATCH_SECONDS)
    progress(ROUNDS, ROUNDS)
    return {
        bits: [
            Series(width, {method: median(samples[bits, width, method]) for method in METHODS})
            for width in KERNEL_SUFFIXES
        ]
        for bits in SIZES_BITS
    }


def time_row(method: str, bits: int, ours: list[Series]) -> Row:
    """Return the absolute times, which show nothing but progress."""
    theirs = ", ".join(f"{series.name} {series.times[method] * 1000:.0f}" for series in published(bits))
    now = ", ".join(f"{series.name} {series.times[method] / 1000:.2f}" for series in ours)
    return Row(f"{method} {bits} bits, µs", theirs, now, None, OTHER_MACHINE)


def ratio_row(method: str, bits: int, ours: list[Series]) -> Row:
    """Return the ratios to CIOS; they agree if both of ours are near the printed ones."""
    ratios = [series.ratio(method) for series in published(bits)]
    low, high = min(ratios) * (1 - TOLERANCE), max(ratios) * (1 + TOLERANCE)
    agrees = all(low <= series.ratio(method) <= high for series in ours)
    theirs, now = (
        ", ".join(f"{series.name} {series.ratio(method):.2f}" for series in several)
        for several in (published(bits), ours)
    )
    return Row(f"{method}/CIOS {bits} bits", theirs, now, agrees, "" if agrees else reason(method))


def reason(method: str) -> str:
    """Return why a method performs better today, as far as that is known."""
    return FEWER_ACCESSES if method in {"FIOS", "FIPS"} else OTHER_MACHINE


def order_rows(bits: int, ours: list[Series]) -> list[Row]:
    """Return whether the order in C, and the two fastest in assembler, hold for each word size."""
    in_c, in_assembler = published(bits)
    claims = {"C order": in_c.order(), "ASM first": in_assembler.order()[:2]}
    rows = []
    for series in ours:
        for claim, wanted in claims.items():
            found = series.order()[: len(wanted)]
            label = f"{claim} {bits}, {series.name}"
            note = "" if found == wanted else reason(found[0])
            rows.append(Row(label, "<".join(wanted), "<".join(found), found == wanted, note))
    return rows


def code_size_row(place: int, method: str) -> Row:
    """Return the code sizes of one method in bytes."""
    theirs = ", ".join(f"{language} {PUBLISHED_CODE_BYTES[language][place]}" for language in LANGUAGES)
    label = f"{method} code, bytes"
    try:
        sizes = {
            width: code_size_bytes(_native.code_address(method.lower() + suffix, "mul"))
            for width, suffix in KERNEL_SUFFIXES.items()
        }
    except LookupError as reason:
        return Row(label, theirs, None, None, f"not known: {reason}")
    return Row(
        label, theirs, ", ".join(f"{width} {size}" for width, size in sizes.items()), None, OTHER_MACHINE
    )


def build(progress: Progress = silent) -> Table:
    """Measure every method at every size with both word sizes, in about five seconds, and compare."""
    measured = measure(progress)
    rows = [time_row(method, bits, measured[bits]) for bits in SIZES_BITS for method in METHODS]
    rows += [
        ratio_row(method, bits, measured[bits])
        for bits in SIZES_BITS
        for method in METHODS
        if method != "CIOS"
    ]
    rows += [code_size_row(place, method) for place, method in enumerate(METHODS)]
    rows += [row for bits in SIZES_BITS for row in order_rows(bits, measured[bits])]
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc96.table3", "The timing values of MonPro, and its code sizes", "table", build)

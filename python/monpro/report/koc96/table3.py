"""[koc96, Table 3]: the time of a Montgomery product and its code size, measured here with today's compiler.

The paper measured 32-bit words on a Pentium-60, in C and in assembler. Here the compiled kernels run. Those
with 32-bit words stand beside the paper's C. Those with 64-bit words stand beside its assembler: either uses
the widest product of its processor. The ratios to CIOS and the order of the methods can be compared.
"""

from dataclasses import dataclass
from statistics import median

from monpro import _native
from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.code_size import code_size_bytes
from monpro.report.table import Row, Table, compare
from monpro.results.koc96_accesses import recorded

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
PAIRS = tuple(f"{theirs}; ours {width}" for theirs, width in zip(LANGUAGES, KERNEL_SUFFIXES, strict=True))

ROUNDS = 9
PREVIEW_ROUNDS = 3
BATCH_SECONDS = 0.012
TOLERANCE = 0.10  # a ratio agrees where it is within this of the printed ones

NOT_COUNTED = "another machine and compiler; why is not known: `python -m monpro.bench.koc96_accesses` counts"
EXECUTED = "here {} executes {:.2f} of CIOS' instructions and {:.2f} of its memory accesses (Valgrind)"
OTHER_MACHINE = "another machine, 25 years younger"


@dataclass(frozen=True)
class Series:
    """The times of all methods for one size, in one language or with one word size, in one or more rounds."""

    name: str
    rounds: dict[str, list[float]]

    def time(self, method: str) -> float:
        """Return the time of a method: the median over the rounds."""
        return median(self.rounds[method])

    def ratios(self, method: str) -> list[float]:
        """Return the time of a method in units of that of CIOS, round by round."""
        return [time / cios for time, cios in zip(self.rounds[method], self.rounds["CIOS"], strict=True)]

    def ratio(self, method: str) -> float:
        """Return the time of a method in units of that of CIOS: the median over the rounds."""
        return median(self.ratios(method))

    def order(self) -> list[str]:
        """Return the methods, fastest first."""
        return sorted(self.rounds, key=self.time)


def published(bits: int) -> list[Series]:
    """Return the printed times in microseconds."""
    return [
        Series(
            language,
            {method: [ms * 1000] for method, ms in zip(METHODS, PUBLISHED_MS[language, bits], strict=True)},
        )
        for language in LANGUAGES
    ]


def measure(progress: Progress, rounds: int | None = None) -> dict[int, list[Series]]:
    """Return times in microseconds by size. Each round measures every method and size.

    A change of the processor's clock then falls on all of them alike.
    """
    cases = [(bits, width, method) for bits in SIZES_BITS for width in KERNEL_SUFFIXES for method in METHODS]
    samples: dict[tuple[int, str, str], list[float]] = {case: [] for case in cases}
    rounds = rounds or ROUNDS
    for turn in range(rounds):
        progress(turn, rounds)
        for bits, width, method in cases:
            kernel = method.lower() + KERNEL_SUFFIXES[width]
            (time_ns,) = _native.time_products(kernel, bits, "mul", 1, BATCH_SECONDS)
            samples[bits, width, method].append(time_ns / 1000)
    progress(rounds, rounds)
    return {
        bits: [
            Series(width, {method: samples[bits, width, method] for method in METHODS})
            for width in KERNEL_SUFFIXES
        ]
        for bits in SIZES_BITS
    }


def time_row(method: str, bits: int, theirs: Series, ours: Series) -> Row:
    """Return the absolute times, which show nothing but progress."""
    return compare(
        f"{method} {bits} bits, {theirs.name}; ours {ours.name}",
        round(theirs.time(method)),
        round(ours.time(method), 3),
        reason=OTHER_MACHINE,
        within=TOLERANCE,
        unit="µs",
        source="timed",
    )


def ratio_row(method: str, bits: int, theirs: Series, ours: Series) -> Row:
    """Return the ratios to CIOS, and how far ours spread over the rounds."""
    ratios = ours.ratios(method)
    return compare(
        f"{method}/CIOS {bits} bits, {theirs.name}; ours {ours.name}",
        round(theirs.ratio(method), 2),
        round(ours.ratio(method), 2),
        f"{min(ratios):.2f} to {max(ratios):.2f} in {len(ratios)} rounds",
        reason=reason(method, ours.name),
        within=TOLERANCE,
        printed=False,
        source="timed",
    )


def reason(method: str, width: str) -> str:
    """Return why a method stands otherwise to CIOS today: what both execute, as recorded."""
    executed = recorded()
    suffix = KERNEL_SUFFIXES.get(width)
    if method == "CIOS":
        return OTHER_MACHINE
    try:
        one, cios = (executed[f"{name.lower()}{suffix}"] for name in (method, "CIOS"))
    except KeyError:
        return NOT_COUNTED
    return EXECUTED.format(method, one.instructions / cios.instructions, one.accesses / cios.accesses)


def order_rows(bits: int, theirs: Series, ours: Series) -> list[Row]:
    """Return whether the whole order, and the fastest method, are those of the print."""
    claims = {"order": len(METHODS), "fastest": 1}
    rows = []
    for claim, length in claims.items():
        wanted, found = theirs.order()[:length], ours.order()[:length]
        rows.append(
            compare(
                f"{claim} {bits} bits, {theirs.name}; ours {ours.name}",
                " < ".join(wanted),
                " < ".join(found),
                reason=reason(found[0], ours.name),
                source="timed",
            )
        )
    return rows


def code_size_row(place: int, method: str, language: str, width: str) -> Row:
    """Return the code size of one method in bytes."""
    ours, note = None, ""
    try:
        address = _native.code_address(method.lower() + KERNEL_SUFFIXES[width], "mul")
        ours = code_size_bytes(address)
    except LookupError as why:
        note = f"not known: {why}"
    return compare(
        f"{method} code, {language}; ours {width}",
        PUBLISHED_CODE_BYTES[language][place],
        ours,
        note,
        reason=OTHER_MACHINE,
        within=TOLERANCE,
        unit="bytes",
        source="compiled",
    )


def build(progress: Progress = silent) -> Table:
    """Measure every method at every size with both word sizes, in about five seconds, and compare."""
    return table(measure(progress))


def preview(progress: Progress = silent) -> Table:
    """Do the same in fewer rounds."""
    return table(measure(progress, PREVIEW_ROUNDS))


def table(measured: dict[int, list[Series]]) -> Table:
    """Return the table of these measurements."""
    pairs = [
        (bits, *pair) for bits in SIZES_BITS for pair in zip(published(bits), measured[bits], strict=True)
    ]
    rows = [time_row(method, *pair) for pair in pairs for method in METHODS]
    rows += [ratio_row(method, *pair) for pair in pairs for method in METHODS if method != "CIOS"]
    rows += [
        code_size_row(place, method, language, width)
        for language, width in zip(LANGUAGES, KERNEL_SUFFIXES, strict=True)
        for place, method in enumerate(METHODS)
    ]
    rows += [row for pair in pairs for row in order_rows(*pair)]
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc96.table3", "The timing values of MonPro, and its code sizes", "table", build, preview)

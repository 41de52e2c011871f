"""[koc97, Table 5]: how much faster the Montgomery exponentiation is, measured here with today's compiler.

The paper measured exponentiations on a 486DX4; half of the m = 128 bits of the exponent were 1. Here the same
exponentiations are put together from measured products and squares, as the binary method takes them:

    standard      m squares, m/2 products
    Montgomery    m squares, m/2 products; N0′ and a standard product before them, a product after them

N0′ is counted as its share of a product, w − 1 of 2s² + s MULGF2. n has the degree k − 1, and s = k/w words
as in the paper. The instruction that the paper could only predict is measured too, beside the prediction.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Literal

from monpro import _native
from monpro.report import koc97_table4
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare

EXPONENT_BITS = 128
TABLES, EMULATION, INSTRUCTION = "tables", "emulation", "instruction"


@dataclass(frozen=True)
class Series:
    """A word size and a way to MULGF2, and the end of its kernels' names."""

    w: int
    mulgf2: str
    kernel: str

    def __str__(self) -> str:
        """Return `w = 8, tables`."""
        return f"w = {self.w}, {self.mulgf2}"


MEASURED_IN_1997 = tuple(
    Series(w, mulgf2, f"gf2-w{w}-{suffix}")
    for w in (8, 16, 32)
    for mulgf2, suffix in ((TABLES, "tables_vartime"), (EMULATION, "emulation"))
)
PREDICTED_IN_1997 = tuple(
    Series(w, INSTRUCTION, f"gf2-w{w}-pclmulqdq" if w < 64 else "gf2-pclmulqdq") for w in (8, 16, 32, 64)
)

PUBLISHED = {  # by k, the series in the order above; for w = 16 and 32 the tables are those for 8 bits
    64: (6.32, 4.10, 6.75, 5.00, 5.33, 3.61),
    128: (4.85, 3.79, 4.51, 4.20, 4.00, 3.25),
    256: (4.95, 3.49, 4.40, 3.60, 3.03, 2.79),
    512: (5.66, 3.83, 3.96, 3.35, 2.88, 2.66),
    1024: (5.97, 4.04, 4.22, 3.70, 2.83, 2.44),
    1536: (6.00, 3.95, 4.58, 3.51, 2.69, 2.44),
    2048: (6.05, 3.76, 4.62, 3.89, 2.56, 2.30),
}
SIZES = tuple(PUBLISHED)

ROUNDS = 9
BATCH_SECONDS = 0.001

METHODS = {"standard": "standard", "Montgomery": "cios"}
OPERATIONS: tuple[Literal["mul", "sqr"], ...] = ("mul", "sqr")

CONSTANT_TIME = "emulated in constant time: 9 operations a bit, not 3"
OTHER_MACHINE = "another machine"
LACKING = "this CPU lacks the instruction"

Case = tuple[Series, int]  # a series and k
Times = dict[tuple[str, str], float]  # nanoseconds, by method and operation


def cases() -> list[Case]:
    """Return everything that can be measured on this CPU."""
    available = {kernel.name for kernel in _native.kernels() if kernel.available}
    return [
        (series, k)
        for k in SIZES
        for series in (*MEASURED_IN_1997, *PREDICTED_IN_1997)
        if f"cios-{series.kernel}" in available
    ]


@cache
def one_round(_turn: int) -> dict[Case, Times]:
    """Return the times of every case, measured one after the other; the table and its figure share them."""
    return {(series, k): times(series, k) for series, k in cases()}


def times(series: Series, k: int) -> Times:
    """Return the time of each method's product and square."""
    return {
        (method, operation): _native.time_products(
            f"{kernel}-{series.kernel}", k, operation, 1, BATCH_SECONDS
        )[0]
        for method, kernel in METHODS.items()
        for operation in OPERATIONS
    }


def speedup(w: int, k: int, measured: Times) -> float:
    """Return the time of the standard exponentiation in units of that of the Montgomery exponentiation."""
    m, s = EXPONENT_BITS, k // w
    steps = {method: m * measured[method, "sqr"] + m / 2 * measured[method, "mul"] for method in METHODS}
    inversion = (w - 1) / (2 * s * s + s) * measured["Montgomery", "mul"]
    extra = inversion + measured["standard", "mul"] + measured["Montgomery", "mul"]
    return steps["standard"] / (steps["Montgomery"] + extra)


def measure(progress: Progress) -> dict[Case, float]:
    """Return the speed-up of every case, from the shortest time of each operation in several rounds.

    What disturbs a measurement only makes it longer, and each round visits every case.
    """
    rounds = []
    for turn in range(ROUNDS):
        progress(turn, ROUNDS)
        rounds.append(one_round(turn))
    progress(ROUNDS, ROUNDS)
    return {
        (series, k): speedup(
            series.w, k, {which: min(found[series, k][which] for found in rounds) for which in first}
        )
        for (series, k), first in rounds[0].items()
    }


def predicted(series: Series, k: int) -> float:
    """Return the speed-up that the operations of Table 3 give for this k, without a limit."""
    way = "Instruction" if series.mulgf2 == INSTRUCTION else "Emulation"
    return float(koc97_table4.speedup(way, series.w, EXPONENT_BITS, k // series.w))


def measured_row(series: Series, k: int, published: float, ours: float) -> Row:
    """Return a speed-up beside the printed one, and what the operations let expect where they are counted."""
    counted = series.mulgf2 == EMULATION
    note = f"{predicted(series, k):.2f} by the operations of Table 3" if counted else ""
    return Row(f"k = {k}, {series}", published, ours, None, note)


def predicted_row(series: Series, k: int, ours: float | None) -> Row:
    """Return a speed-up that the paper could only predict."""
    note = "published: by the operations of Table 3" if ours else LACKING
    return Row(f"k = {k}, {series}", predicted(series, k), ours, None, note)


def claims(speedups: dict[Case, float]) -> dict[str, int]:
    """Return for how many k the Montgomery exponentiation is faster, and tables are before emulation."""
    found: Counter[str] = Counter()
    for (series, k), value in speedups.items():
        found[f"faster than standard, {series}"] += value > 1
        if series.mulgf2 == TABLES:
            emulated = next(other for other in MEASURED_IN_1997 if other.w == series.w and other != series)
            found[f"tables before emulation, w = {series.w}"] += value > speedups[emulated, k]
    return found


def claim_rows(speedups: dict[Case, float]) -> list[Row]:
    """Return what holds of the printed speed-ups at every k, and whether it does of ours."""
    printed = claims(
        {
            (series, k): value
            for k, values in PUBLISHED.items()
            for series, value in zip(MEASURED_IN_1997, values, strict=True)
            if k in SIZES
        }
    )
    ours = claims(
        {(series, k): value for (series, k), value in speedups.items() if series in MEASURED_IN_1997}
    )
    rows = []
    for claim, count in printed.items():
        reason = CONSTANT_TIME if claim.endswith(EMULATION) else OTHER_MACHINE
        theirs, now = (f"{number} of {len(SIZES)} k" for number in (count, ours[claim]))
        rows.append(compare(claim, theirs, now, "" if theirs == now else reason))
    return rows


def build(progress: Progress = silent) -> Table:
    """Measure every series at every k, in about five seconds, and compare."""
    speedups = measure(progress)
    rows = [
        measured_row(series, k, published, speedups[series, k])
        for k in SIZES
        for series, published in zip(MEASURED_IN_1997, PUBLISHED[k], strict=True)
    ]
    rows += claim_rows(speedups)
    rows += [
        predicted_row(series, k, speedups.get((series, k))) for k in SIZES for series in PREDICTED_IN_1997
    ]
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item(
    "koc97.table5", "Experimental speedup values of Montgomery exponentiation for m = 128", "table", build
)

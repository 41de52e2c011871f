"""[koc97, Table 5]: the speed-up of the Montgomery exponentiation, measured here with today's compiler.

The paper measured exponentiations on a 486DX4; half of the m = 128 bits of the exponent were 1. Here the same
exponentiations are put together from measured products and squares, as the binary method takes them:

    standard      m squares, m/2 products
    Montgomery    m squares, m/2 products; N0′ and a standard product before them, a product after them

N0′ is counted as its share of a product, w − 1 of 2s² + s MULGF2. n has the degree k − 1, and s = k/w words
as in the paper. The paper could only predict the instruction; here it is measured too, and shown beside the
prediction.

Whole exponentiations are recorded, too, with MULGF2 by branches as in the paper [koc97, §6]; the other
rows emulate it in constant time.

The compilers of 1997 made no vector instructions. Today's compilers make them from the standard method's
loops over words; the Montgomery method has no such loop. So there are two baselines, both in constant time.
One is kept scalar, as the paper's was. The other is compiled for AVX2, with which it is faster than with SSE2
or AVX-512.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Literal

from monpro import _native
from monpro.report.item import Item, Progress, silent
from monpro.report.koc97 import table4
from monpro.report.table import Row, Table, compare
from monpro.results import exponentiations

EXPONENT_BITS = 128
TABLES, EMULATION, INSTRUCTION = "tables", "emulation", "instruction"


@dataclass(frozen=True)
class Series:
    """A word size and a way to MULGF2."""

    w: int
    mulgf2: str

    def __str__(self) -> str:
        """Return `w = 8, tables`."""
        return f"w = {self.w}, {self.mulgf2}"

    def kernel(self, method: str, instructions: str = "") -> str:
        """Return the name of the kernel of a method, optionally compiled for these instructions."""
        by_instruction = self.mulgf2 == INSTRUCTION
        width = "" if by_instruction and self.w == 64 else f"-w{self.w}"
        way = "pclmulqdq" if by_instruction else self.mulgf2
        return f"{method}-gf2{width}-{way}{instructions}{'_vartime' if way == TABLES else ''}"


MEASURED_IN_1997 = tuple(Series(w, mulgf2) for w in (8, 16, 32) for mulgf2 in (TABLES, EMULATION))
PREDICTED_IN_1997 = tuple(Series(w, INSTRUCTION) for w in (8, 16, 32, 64))

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
PREVIEW_ROUNDS = 3
BATCH_SECONDS = 0.001

SCALAR, ON_VECTORS = "scalar", "AVX2"
BASELINES = (SCALAR, ON_VECTORS)
MONTGOMERY = "Montgomery"
METHODS = {SCALAR: ("standard",), ON_VECTORS: ("standard", "-avx2"), MONTGOMERY: ("cios",)}
OPERATIONS: tuple[Literal["mul", "sqr"], ...] = ("mul", "sqr")

CONSTANT_TIME = "emulated in constant time: 9 operations a bit, not 3"
OTHER_MACHINE = "another machine"
FAST_TABLES = "another machine: its caches make a look-up cheaper beside the shifts of the standard method"
ONE_OPERATION = "Table 3 counts every operation alike; here one instruction replaces 3w of them"
TOLERANCE = 0.1
COMPILED_FOR_VECTORS = "today's compiler makes vector instructions of the standard method"
LACKING = "this CPU lacks the instruction"
NOT_RECORDED = "no exponentiation is recorded"
MISPREDICTED = (
    "today's CPU predicts every other branch of MULGF2 wrongly, and Montgomery's method has more of them"
)
RECORDED = {
    TABLES: (exponentiations.TABLES, FAST_TABLES),
    EMULATION: (exponentiations.BRANCHES, MISPREDICTED),
}

Case = tuple[Series, int]  # a series and k
Times = dict[tuple[str, str], float]  # nanoseconds, by method and operation
Speedups = dict[Case, float]


def available(series: Series) -> list[str]:
    """Return the methods of a series that this CPU can run."""
    names = {kernel.name for kernel in _native.kernels() if kernel.available}
    return [method for method, how in METHODS.items() if series.kernel(*how) in names]


def cases() -> list[Case]:
    """Return everything that can be measured on this CPU."""
    all_series = (*MEASURED_IN_1997, *PREDICTED_IN_1997)
    return [(series, k) for k in SIZES for series in all_series if MONTGOMERY in available(series)]


@cache
def one_round(_turn: int) -> dict[Case, Times]:
    """Return the times of every case, measured one after the other; the table and its figure share them."""
    return {(series, k): times(series, k) for series, k in cases()}


def times(series: Series, k: int) -> Times:
    """Return the time of each method's product and square."""
    return {
        (method, operation): _native.time_products(
            series.kernel(*METHODS[method]), k, operation, 1, BATCH_SECONDS
        )[0]
        for method in available(series)
        for operation in OPERATIONS
    }


def speedup(w: int, k: int, measured: Times, baseline: str) -> float:
    """Return the time of the standard exponentiation divided by the time of the Montgomery exponentiation."""
    m, s = EXPONENT_BITS, k // w
    steps = {
        method: m * measured[method, "sqr"] + m / 2 * measured[method, "mul"]
        for method in (baseline, MONTGOMERY)
    }
    inversion = (w - 1) / (2 * s * s + s) * measured[MONTGOMERY, "mul"]
    extra = inversion + measured[baseline, "mul"] + measured[MONTGOMERY, "mul"]
    return steps[baseline] / (steps[MONTGOMERY] + extra)


def measure(progress: Progress, count: int | None = None) -> dict[str, Speedups]:
    """Return the speed-ups of all cases by baseline, from each operation's shortest time in several rounds.

    Disturbances only make a measurement longer, and each round visits every case.
    """
    rounds, count = [], count or ROUNDS
    for turn in range(count):
        progress(turn, count)
        rounds.append(one_round(turn))
    progress(count, count)
    shortest = {
        case: {which: min(found[case][which] for found in rounds) for which in first}
        for case, first in rounds[0].items()
    }
    return {
        baseline: {
            (series, k): speedup(series.w, k, measured, baseline)
            for (series, k), measured in shortest.items()
            if (baseline, "mul") in measured
        }
        for baseline in BASELINES
    }


def predicted(series: Series, k: int) -> float:
    """Return the speed-up that the operations of Table 3 give for this k, without a limit."""
    way = "Instruction" if series.mulgf2 == INSTRUCTION else "Emulation"
    return float(table4.speedup(way, series.w, EXPONENT_BITS, k // series.w))


def measured_row(label: str, case: Case, published: float, ours: float | None, baseline: str) -> Row:
    """Return a speed-up beside the printed one and, if operations are counted, the predicted one."""
    series, k = case
    counted = f"{predicted(series, k):.2f} by the operations of Table 3" if series.mulgf2 == EMULATION else ""
    return compare(
        label,
        published,
        None if ours is None else round(ours, 2),
        LACKING if ours is None else counted,
        reason=reason_for(series, baseline),
        within=TOLERANCE,
        source="timed",
    )


def predicted_row(label: str, case: Case, ours: float | None, baseline: str) -> Row:
    """Return a speed-up that the paper could only predict."""
    return compare(
        label,
        round(predicted(*case), 2),
        None if ours is None else round(ours, 2),
        LACKING if ours is None else "print: by the operations of Table 3",
        reason=COMPILED_FOR_VECTORS if baseline == ON_VECTORS else ONE_OPERATION,
        within=TOLERANCE,
        printed=False,
        source="timed",
    )


def recorded_rows() -> list[Row]:
    """Return the speed-ups of whole exponentiations that are recorded, beside the printed ones."""
    recorded = exponentiations.recorded()
    rows = []
    for k in SIZES:
        for series, published in zip(MEASURED_IN_1997, PUBLISHED[k], strict=True):
            way, reason = RECORDED[series.mulgf2]
            ours = exponentiations.speedup(recorded, series.w, way, k)
            label = (
                f"k = {k}, {series}{' by branches' if way == exponentiations.BRANCHES else ''}, whole powers"
            )
            rows.append(
                compare(
                    label,
                    published,
                    None if ours is None else round(ours, 2),
                    NOT_RECORDED if ours is None else "",
                    reason=reason,
                    within=TOLERANCE,
                    source="recorded",
                )
            )
    return rows


def reason_for(series: Series, baseline: str) -> str:
    """Return why a speed-up differs from the printed one."""
    if baseline == ON_VECTORS:
        return COMPILED_FOR_VECTORS
    return CONSTANT_TIME if series.mulgf2 == EMULATION else FAST_TABLES


def claims(speedups: Speedups) -> dict[str, int]:
    """Return the number of k at which Montgomery exponentiation wins, and at which tables beat emulation."""
    found: Counter[str] = Counter()
    for (series, k), value in speedups.items():
        if series in MEASURED_IN_1997:
            found[f"faster than {{}} standard, {series}"] += value > 1
        if series.mulgf2 == TABLES:
            found[f"tables before emulation, w = {series.w}"] += (
                value > speedups[Series(series.w, EMULATION), k]
            )
    return found


def claim_rows(speedups: Speedups, baseline: str) -> list[Row]:
    """Return what is true of the printed speed-ups at every k, and whether it is true of ours."""
    printed = claims(
        {
            (series, k): value
            for k in SIZES
            for series, value in zip(MEASURED_IN_1997, PUBLISHED[k], strict=True)
        }
    )
    ours = claims(speedups)
    rows = []
    for claim, count in printed.items():
        if "{}" not in claim and baseline != SCALAR:
            continue  # of two ways to MULGF2: the baseline has no part in it
        reason = CONSTANT_TIME if claim.endswith(EMULATION) else OTHER_MACHINE
        if baseline == ON_VECTORS:
            reason = COMPILED_FOR_VECTORS
        rows.append(
            compare(
                f"{claim.format(baseline)}: number of k, of {len(SIZES)}",
                count,
                ours[claim],
                reason=reason,
                source="timed",
            )
        )
    return rows


def build(progress: Progress = silent) -> Table:
    """Measure every series at every k, in about ten seconds, and compare."""
    return table(measure(progress))


def preview(progress: Progress = silent) -> Table:
    """Do the same in fewer rounds."""
    return table(measure(progress, PREVIEW_ROUNDS))


def table(speedups: dict[str, Speedups]) -> Table:
    """Return the table of these measurements."""
    rows = [
        measured_row(
            f"k = {k}, {series}, over {baseline}",
            (series, k),
            published,
            speedups[baseline].get((series, k)),
            baseline,
        )
        for k in SIZES
        for series, published in zip(MEASURED_IN_1997, PUBLISHED[k], strict=True)
        for baseline in BASELINES
    ]
    rows += recorded_rows()
    for baseline in BASELINES:
        if speedups[baseline]:
            rows += claim_rows(speedups[baseline], baseline)
    rows += [
        predicted_row(
            f"k = {k}, {series}, over {baseline}", (series, k), speedups[baseline].get((series, k)), baseline
        )
        for k in SIZES
        for series in PREDICTED_IN_1997
        for baseline in BASELINES
    ]
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item(
    "koc97.table5",
    "Experimental speedup values of Montgomery exponentiation for m = 128",
    "table",
    build,
    preview,
)

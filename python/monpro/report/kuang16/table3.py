"""[kuang16, Table III]: clock cycles of the multipliers, by their models, and their area, delay and time.

The table itself is lost; the text keeps some of its figures as percentages [kuang16, §IV]. Cycles are
averages over random products. Our area and delay were recorded by the synthesis flow for an open 180-nm
library; the paper placed and routed netlists of a 90-nm library.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import mean

from monpro.cores import Core, configurations
from monpro.flow.synthesis_records import Synthesised, recorded
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare
from monpro.spec import kuang16

SIZES_BITS = (1024, 2048)
SAMPLES = 10_000
ALTERNATIVE_SAMPLES = 1_000  # for algorithms that no core is built on
PREVIEW_SAMPLES = 100
TARGET = "osu018"

DESIGNS = {  # name in the paper: configuration
    "SCS-MM-1(32)": "scs-mm-1-{}",
    "SCS-MM-1(64)": "scs-mm-1-{}-cpa64",
    "SCS-MM-2": "scs-mm-2-{}",
    "FCS-MM-1": "fcs-mm-1-{}-pairs",
    "FCS-MM-2": "fcs-mm-2-{}-pairs",
    "FCS-MMM42": "fcs-mmm42-{}-pairs",
    "SCS-MM-New": "scs-mm-new-{}",
}
NEW, MMM42, FCS_MM_1 = "SCS-MM-New", "FCS-MMM42", "FCS-MM-1"

FEWER_CYCLES = {1024: 14.5, 2048: 15.5}  # per cent, New against FCS-MM-1
AGAINST_MMM42 = {  # per cent, New against FCS-MMM42
    "shorter critical path": {1024: 28.1, 2048: 22.4},
    "smaller area": {1024: 33.5, 2048: 34.4},
    "higher throughput": {1024: 29.8, 2048: 21.5},
    "smaller area–time product": {1024: 48.8, 2048: 46.0},
}
TOLERANCE = 0.01  # one percentage point
LOST = "lost"
COLUMNS = {  # of the lost table, with our units
    "critical path": "ns",
    "area": "mm²",
    "time": "µs",
    "throughput": "Mbit/s",
    "area–time product": "mm²·µs",
}
SKIPS_MORE = "equations (2) to (8) skip more than the paper says; see the two lines below"
OTHER_LIBRARY = "another library, and no placement and routing"
SLICE_WIDTH = 64  # bits, of a slice of SCS-MM-New; SS and SC have k + 8 bits
LONGER_WITH_WIDTH = (
    "our New's path grows with the width, {:.2f} ns at {} bits, {:.2f} ns at {}; likely by the fan-out of "
    "Skip_D, whose bits select in {} slices: without skips it has {:.2f} ns"
)
NOT_RECORDED = f"no synthesis for {TARGET} is recorded under results/"


def with_printed_k(A: int, B: int, N: int, k: int, adder: kuang16.Adder) -> int:  # noqa: N803
    """Return the product by Fig. 10 with the printed k."""
    return kuang16.scs_mm_new(A, B, N, k, adder)


def without_consecutive_skips(A: int, B: int, N: int, k: int, adder: kuang16.Adder) -> int:  # noqa: N803
    """Return the product by Fig. 10 with the printed k, without skipping two iterations in a row."""
    return kuang16.scs_mm_new(A, B, N, k, adder, consecutive_skips=False)


Algorithm = Callable[[int, int, int, int, kuang16.Adder], int]
ALTERNATIVES: dict[str, tuple[Algorithm, str]] = {
    "printed k": (
        with_printed_k,
        (
            "the core iterates to K' = K + 2, 1.3 clocks more, and takes five more for step 2 and Zero_D's "
            "registers; this k is wrong in chains with N ≡ 1 mod 4"
        ),
    ),
    "no skip after a skip": (without_consecutive_skips, "a rule that the text does not state; printed k"),
}


def sampler(bits: int) -> random.Random:
    """Return a source of operands, the same for every design of a size."""
    return random.Random(bits)  # noqa: S311  # a sample, no secret


def operands(bits: int, chance: random.Random) -> tuple[int, int, int]:
    """Return random A, B < N and a random odd N of exactly that size."""
    n = chance.getrandbits(bits) | 1 << bits - 1 | 1
    return chance.randrange(n), chance.randrange(n), n


@dataclass
class Measurement:
    """The average cycles of every design and alternative, by size; counts the products for `progress`."""

    progress: Progress
    samples: int
    alternative_samples: int
    done: int = 0

    def __post_init__(self) -> None:
        """Count the products to do."""
        self.total = sum(
            self.samples_of(self.core(name, bits)) for bits in SIZES_BITS for name in DESIGNS
        ) + self.alternative_samples * len(ALTERNATIVES) * len(SIZES_BITS)

    @staticmethod
    def core(name: str, bits: int) -> Core:
        """Return the core of a design."""
        return configurations()[DESIGNS[name].format(bits)]

    def samples_of(self, multiplier: Core) -> int:
        """Return the number of products to average for a core: one if all take the same cycles."""
        return 1 if multiplier.is_constant_time else self.samples

    def of_core(self, name: str, bits: int) -> float:
        """Return the average cycles of a design."""
        multiplier, chance = self.core(name, bits), sampler(bits)
        return mean(
            multiplier.run(*operands(bits, chance)).cycles for _ in self._counted(self.samples_of(multiplier))
        )

    def of_alternative(self, name: str, bits: int) -> float:
        """Return the average cycles of an algorithm that no core is built on."""
        algorithm, chance, cycles = ALTERNATIVES[name][0], sampler(bits), 0
        for _ in self._counted(self.alternative_samples):
            adder = kuang16.Adder()
            algorithm(*operands(bits, chance), bits, adder)
            cycles += adder.clocks.total()
        return cycles / self.alternative_samples

    def _counted(self, products: int) -> Iterator[int]:
        for product in range(products):
            self.done += 1
            if self.done % 100 == 0:
                self.progress(self.done, self.total)
            yield product


def cycle_rows(bits: int, cycles: dict[str, float], alternatives: dict[str, float]) -> Iterator[Row]:
    """Yield the cycles of every design, and the statements of the text about them."""
    for name, average in cycles.items():
        yield compare(
            f"{name} {bits}, cycles", None, round(average, 2), LOST, unit="cycles", source="modelled"
        )
    yield percentage(
        f"{NEW} {bits}, fewer cycles than {FCS_MM_1}",
        FEWER_CYCLES[bits],
        (1 - cycles[NEW] / cycles[FCS_MM_1]) * 100,
        SKIPS_MORE,
        "modelled",
    )
    for name, average in alternatives.items():
        yield percentage(
            f"the same, {name}",
            FEWER_CYCLES[bits],
            (1 - average / cycles[FCS_MM_1]) * 100,
            ALTERNATIVES[name][1],
            "counted",
        )
    fewest = min(cycles, key=cycles.__getitem__)
    yield compare(f"fewest cycles, {bits}", MMM42, fewest, source="modelled")
    more = min(cycles[name] for name in DESIGNS if name.startswith("SCS-MM-1") or name == "SCS-MM-2")
    yield compare(
        f"SCS-MM-1 and -2 above {FCS_MM_1}, {bits}",
        "yes",
        "yes" if more > cycles[FCS_MM_1] else "no",
        source="modelled",
    )


def percentage(label: str, printed: float, ours: float, reason: str, source: str) -> Row:
    """Return the row of two percentages; they agree within the tolerance."""
    return compare(label, printed, round(ours, 1), reason=reason, within=TOLERANCE, unit="%", source=source)


def worst_cases() -> Iterator[Row]:
    """Yield the statements of the text about the longest conversions at 1024 bits."""
    bits = 1024
    named = configurations()
    conversion = named[f"scs-mm-1-{bits}"].max_cycles - (bits + 2)
    yield compare("SCS-MM-1(32) 1024, conversion", 32, conversion, unit="cycles", source="modelled")
    longest = named[f"scs-mm-2-{bits}"].max_cycles - (bits + 2)
    yield compare(
        "SCS-MM-2 1024, longest conversion",
        bits // 2,
        longest,
        "print: about k/2; ours is a bound: two of the result's k + 1 bits a clock",
        within=0.01,
        unit="cycles",
        printed=False,
        source="modelled",
    )
    worst = named[f"mscs-mm-{bits}"].run(3, 1, 2**bits - 1).cycles
    yield compare(
        "MSCS-MM 1024, worst case",
        3 * bits,
        worst,
        "print: about 3k; ours: A = 3, B = 1, N = 2^k − 1",
        within=0.01,
        unit="cycles",
        printed=False,
        source="modelled",
    )


def design_rows(label: str, bits: int, cycles: float, result: Synthesised | None) -> Iterator[Row]:
    """Yield the five columns of the lost table for a design that was synthesised."""
    values: tuple[float | None, ...] = (None,) * len(COLUMNS)
    if result is not None:
        time_us, area_mm2 = cycles * result.delay_ns / 1000, result.area_um2 / 1e6
        values = (result.delay_ns, area_mm2, time_us, bits / time_us, area_mm2 * time_us)
    for (what, unit), value in zip(COLUMNS.items(), values, strict=True):
        ours, note = (None, NOT_RECORDED) if value is None else (round(value, 2), LOST)
        yield compare(f"{label}, {what}, {TARGET}", None, ours, note, unit=unit, source="recorded")


def implementation_rows(
    bits: int, cycles: dict[str, float], results: dict[str, Synthesised]
) -> Iterator[Row]:
    """Yield area, delay and time of every design that was synthesised, and New against FCS-MMM42."""
    found = {
        name: results[configuration.format(bits)]
        for name, configuration in DESIGNS.items()
        if configuration.format(bits) in results
    }
    for name in DESIGNS:
        yield from design_rows(f"{name} {bits}", bits, cycles[name], found.get(name))
    if not {NEW, MMM42} <= set(found):
        for claim, printed in AGAINST_MMM42.items():
            label = f"{NEW} {bits}, {claim} than {MMM42}"
            yield compare(label, printed[bits], None, NOT_RECORDED, unit="%")
        return
    path = found[NEW].delay_ns / found[MMM42].delay_ns
    area = found[NEW].area_um2 / found[MMM42].area_um2
    time = path * cycles[NEW] / cycles[MMM42]
    ours = (1 - path, 1 - area, 1 / time - 1, 1 - area * time)
    for (claim, printed), value in zip(AGAINST_MMM42.items(), ours, strict=True):
        label = f"{NEW} {bits}, {claim} than {MMM42}"
        reason = OTHER_LIBRARY if claim == "smaller area" else path_reason(bits, results)
        yield percentage(label, printed[bits], value * 100, reason, "recorded")
    if len(found) == len(DESIGNS):
        yield from ranking_rows(bits, cycles, found)


def path_reason(bits: int, results: dict[str, Synthesised]) -> str:
    """Return why New's path is not as short as the paper's, as far as that is known."""
    least = SIZES_BITS[0]
    name = DESIGNS[NEW]
    paths = [results.get(name.format(size)) for size in (least, bits)]
    steady = results.get(f"{name.format(bits)}-constant-time")
    narrow, wide = paths
    if bits == least or narrow is None or wide is None or steady is None:
        return OTHER_LIBRARY
    slices = -(-(bits + 8) // SLICE_WIDTH)
    grown = LONGER_WITH_WIDTH.format(narrow.delay_ns, least, wide.delay_ns, bits, slices, steady.delay_ns)
    return f"{OTHER_LIBRARY}; {grown}"


def ranking_rows(bits: int, cycles: dict[str, float], found: dict[str, Synthesised]) -> Iterator[Row]:
    """Yield the first design in each ranking of the text, beside the first one here."""
    time = {name: cycles[name] * result.delay_ns for name, result in found.items()}
    area = {name: result.area_um2 for name, result in found.items()}
    product = {name: time[name] * area[name] for name in found}
    for label, printed, values in (
        ("longest critical path", "SCS-MM-1(64)", {name: -found[name].delay_ns for name in found}),
        ("shortest critical path", NEW, {name: found[name].delay_ns for name in found}),
        ("smallest area", "SCS-MM-2", area),
        ("smallest area but for SCS multipliers", NEW, {n: area[n] for n in area if n == NEW or n[0] == "F"}),
        ("least time", NEW, time),
        ("smallest area–time product", NEW, product),
    ):
        first = min(values, key=values.__getitem__)
        reason = f"{values[printed] / values[first] - 1:.1%} more; {OTHER_LIBRARY}"
        yield compare(f"{label}, {bits}", printed, first, reason=reason, source="recorded")


def implied_rows(bits: int, cycles: dict[str, float]) -> Iterator[Row]:
    """Yield the ratio of cycles that the printed throughputs and paths imply."""
    throughput = 1 + AGAINST_MMM42["higher throughput"][bits] / 100
    path = 1 - AGAINST_MMM42["shorter critical path"][bits] / 100
    implied, ours = throughput * path, cycles[MMM42] / cycles[NEW]
    label = f"cycles of {MMM42} / {NEW}, {bits}"
    yield compare(
        label,
        round(implied, 3),
        round(ours, 3),
        "printed throughput × path",
        reason="ours skips more in New",
        within=0.02,
        printed=False,
        source="modelled",
    )


def build(progress: Progress = silent) -> Table:
    """Measure the cycles of every design at every size, in a few minutes, and compare with the text."""
    return compared(Measurement(progress, SAMPLES, ALTERNATIVE_SAMPLES), ITEM.title)


def preview(progress: Progress = silent) -> Table:
    """Do the same with averages over a few products."""
    measurement = Measurement(progress, PREVIEW_SAMPLES, PREVIEW_SAMPLES)
    return compared(measurement, f"{ITEM.title}; averages over {PREVIEW_SAMPLES} products only")


def compared(measurement: Measurement, title: str) -> Table:
    """Return the table of the measured and recorded figures beside those of the text."""
    results = recorded(TARGET)
    rows: list[Row] = []
    for bits in SIZES_BITS:
        cycles = {name: measurement.of_core(name, bits) for name in DESIGNS}
        alternatives = {name: measurement.of_alternative(name, bits) for name in ALTERNATIVES}
        rows += cycle_rows(bits, cycles, alternatives)
        rows += implied_rows(bits, cycles)
        rows += implementation_rows(bits, cycles, results)
    rows += worst_cases()
    measurement.progress(measurement.total, measurement.total)
    return Table(ITEM.id, title, tuple(rows))


ITEM = Item(
    "kuang16.table3",
    "Clock cycles and implementation results of the multipliers",
    "table",
    build,
    preview,
)

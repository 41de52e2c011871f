"""The common part of the tables of [blum01]: its designs, the areas and clocks that it prints, and ours.

Table 1 is lost. Areas are taken from Tables 2 and 4, which repeat them; clock periods follow from printed
times and numbers of clocks [blum01, §5.1, §5.2]. Our areas and clocks were recorded by the synthesis flow.
The areas are of the Xilinx Virtex-II, the nearest to the paper's XC4000 that Yosys knows; the clocks are of
the Lattice ECP5.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from monpro.cores import exponentiators_of_width
from monpro.cores.systolic import Systolic
from monpro.flow import tools
from monpro.flow.exponentiate import exponentiate
from monpro.flow.synthesis_records import recorded_figures
from monpro.report.blum01 import clocks
from monpro.report.table import Row, compare

RADICES_LOG2 = (1, 4)
UNIT_WIDTHS = {1: 4, 4: 1}  # bits of a unit in radix 2, digits in radix 16, by log2 of the radix
F4 = 65537
AREA_TARGET, CLOCK_TARGET = "xc2v", "ecp5"
LARGEST_IN_RTL = 260  # digits; beyond it compiling and simulating take minutes
HALF_OF_LAST_PLACE_MS = 0.005
TOLERANCE = 0.012  # of times by a clock that follows from another one with three digits

CLBS = {  # by log2 of the radix and bits [blum01, Tables 2 and 4]
    (1, 256): 1307,
    (1, 512): 2555,
    (1, 768): 3745,
    (1, 1024): 4865,
    (4, 256): 1818,
    (4, 512): 3413,
    (4, 768): 5071,
    (4, 1024): 6633,
}


@dataclass(frozen=True)
class Clock:
    """A clock that follows from a printed time and its number of clocks."""

    time_ms: float
    clocks: int
    source: str

    @property
    def period_ns(self) -> float:
        """Return the period."""
        return self.time_ms * 1e6 / self.clocks


CLOCK_OF_SECTION_7 = Clock(1.0, 45_600, "45.6 MHz in §7")
CLOCKS = {  # from another table than the one it is compared with, where there is one
    (1, 256): Clock(4.69, 268_320, "Table 4"),
    (1, 512): Clock(18.78, 1_060_896, "Table 4"),
    (1, 768): Clock(22.71, 1_188_880, "Table 2"),
    (1, 1024): Clock(0.75, 39_064, "Table 3"),
    (4, 256): Clock(1.62, 76_368, "Table 4"),
    (4, 512): Clock(5.87, 283_728, "Table 4"),
    (4, 768): Clock(6.25, 311_080, "Table 2"),
    (4, 1024): CLOCK_OF_SECTION_7,
}
AREA_NOTES = {
    1: "ours: half of the flip-flops, as if every CLB were full; units of 4 bits",
    4: "ours: half of the LUTs, those used as memory too, as if every CLB were full",
}
AREA_WITHIN = 0.1
PRINTED_EXTRA_DIGITS = {1: 4, 4: 10}  # by log2 of the radix
EXTRAPOLATED = "register model of a few digits, extrapolated"
NOT_THE_FORMULA = "the printed formula gives another number of clocks"
OTHER_DEVICE = "another family, 14 years later"
CIRCULAR = "circular: its clock, {:.2f} ns, follows from this time"


def design(radix_log2: int, bits: int) -> Systolic:
    """Return the core of a design; the units of radix 2 have several bits, as in reference [8]."""
    return Systolic(bits, radix_log2=radix_log2, unit_width=UNIT_WIDTHS[radix_log2])


def label(radix_log2: int, bits: int, what: str) -> str:
    """Return the label of a row."""
    return f"radix {1 << radix_log2}, {bits} bit, {what}"


class Counted(NamedTuple):
    """A number of clocks, and what was simulated to count them."""

    clocks: int
    what: str


def printed_clocks(radix_log2: int, exponent_bits: int, digits: int) -> int:
    """Return the clocks of a power by the formulas of the paper.

    Radix 16: 2(n + 2)(m + 10) [blum01, §5.1]. Radix 2: 2·19·(m + 4) for the 17 bits of F4 [blum01, §5.2], so
    2(n + 2)(m + 4) for n bits.
    """
    return 2 * (exponent_bits + 2) * (digits + PRINTED_EXTRA_DIGITS[radix_log2])


def cycles(core: Systolic, e: int, *, rtl: bool) -> Counted:
    """Return the clocks of the products of a power, counted in a simulation, and what was simulated.

    With `rtl` this is the RTL, or the register model at this size where the RTL would take minutes. Without
    it, the register model at smaller sizes tells the law.
    """
    k, m = core.radix_log2, core.digits
    if rtl and m <= LARGEST_IN_RTL and tools.is_available("verilator"):
        n = (1 << core.width_bits) - 1
        return Counted(next(exponentiate(core, [(3, e, n)])).cycles - core.overhead_cycles, "RTL")
    if rtl:
        return Counted(clocks.at_size(m, k, e.bit_length()), "register model")
    return Counted(int(clocks.law(k).number(m=e.bit_length(), s=m)), EXTRAPOLATED)


def configuration(core: Systolic) -> str:
    """Return the name under which the figures of a core are recorded."""
    named = exponentiators_of_width(core.width_bits)
    return next(name for name, other in named.items() if other == core)


def figures(core: Systolic, target: str) -> dict[str, Any] | None:
    """Return the recorded figures of a core on a target."""
    return recorded_figures(target).get(configuration(core))


def clbs(core: Systolic) -> int | None:
    """Return the area in CLBs of the XC4000, each with two lookup tables of four inputs and two flip-flops.

    A lookup table may be a memory of 16 bits; carries have logic of their own. The larger of the two needs
    counts.
    """
    recorded = figures(core, AREA_TARGET)
    if recorded is None:
        return None
    return -(-max(int(recorded["luts"]) + int(recorded["memory_luts"]), int(recorded["ffs"])) // 2)


def clock_ns(core: Systolic) -> float | None:
    """Return the clock period of a core after place and route."""
    recorded = figures(core, CLOCK_TARGET)
    return 1e3 / recorded["fmax_mhz"] if recorded and recorded["fmax_mhz"] else None


def not_recorded(core: Systolic, target: str) -> str:
    """Return that a figure of a core is missing, and the command that records it."""
    command = f"monpro synth {core.arguments} --bits {core.width_bits} --target {target} --record"
    return f"not recorded under results/: {command}"


def cycles_rows(text: str, core: Systolic, e: int, counted: Counted, powers: int = 1) -> list[Row]:
    """Return the rows of the clocks of powers one after the other: as counted, and by the cycle model.

    Neither is computed by the formula in print, which is typed in `printed_clocks`.
    """
    printed = powers * printed_clocks(core.radix_log2, e.bit_length(), core.digits)
    n = (1 << core.width_bits) - 1
    modelled = powers * (core.run(3, e, n).cycles - core.overhead_cycles)
    counts = {
        "clocks": (powers * counted.clocks, f"ours: {counted.what}", "counted"),
        "clocks by the cycle model": (modelled, "ours: the cycle model of the core", "modelled"),
    }
    return [
        compare(
            f"{text}, {name}",
            printed,
            ours,
            f"print: its formula; {note}",
            reason=NOT_THE_FORMULA,
            unit="clocks",
            printed=False,
            source=source,
        )
        for name, (ours, note, source) in counts.items()
    ]


def time_rows(text: str, published_ms: float, counted: int, clock: Clock, core: Systolic) -> list[Row]:
    """Return the time of so many clocks at the paper's clock and at that of our core."""
    ours = clock_ns(core)
    time_ms = round(counted * clock.period_ns * 1e-6, 3)
    within = max(HALF_OF_LAST_PLACE_MS / published_ms, TOLERANCE)
    rows = [
        compare(f"{text}, time", None, time_ms, CIRCULAR.format(clock.period_ns), unit="ms", source="counted")
        if clock.time_ms == published_ms
        else compare(
            f"{text}, time",
            published_ms,
            time_ms,
            f"our clocks at its {clock.period_ns:.2f} ns, by {clock.source}",
            within=within,
            unit="ms",
            source="counted",
        )
    ]
    ours_ms = round(counted * ours * 1e-6, 3) if ours else None
    rows.append(
        compare(
            f"{text}, time, ECP5",
            published_ms,
            ours_ms,
            f"{ours:.2f} ns" if ours else not_recorded(core, CLOCK_TARGET),
            reason=OTHER_DEVICE,
            within=TOLERANCE,
            unit="ms",
            source="recorded",
        )
    )
    return rows


def area_row(text: str, published: int, core: Systolic, engines: int = 1) -> Row:
    """Return the row of the area of so many engines in CLBs."""
    ours = clbs(core)
    return compare(
        text,
        published,
        ours and engines * ours,
        not_recorded(core, AREA_TARGET) if ours is None else AREA_NOTES[core.radix_log2],
        within=AREA_WITHIN,
        unit="CLBs",
        source="recorded",
    )

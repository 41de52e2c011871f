"""The conclusions of [amberg08, §VI], read from the curves of Figures 6 and 7, for Table I and for ours."""

from collections.abc import Iterator
from itertools import pairwise
from math import exp, log

from monpro.flow.elements import Element, ElementDesign
from monpro.report.amberg08.designs import (
    CLOCK_MHZ,
    PRINTED,
    element_counts,
    exponentiation_ms,
    passes_cycles,
)
from monpro.report.table import Row, compare

PLAIN = ElementDesign(2, 16, left_shift=True, booth=False)
BOOTH = ElementDesign(2, 16, left_shift=True, booth=True)
RIGHT = ElementDesign(2, 16, left_shift=False, booth=True)
RADIX_8 = ElementDesign(3, 16, left_shift=False, booth=True)
RADIX_2 = ElementDesign(1, 16, left_shift=True, booth=False)
PRINTED_OF = {row.design: row for row in PRINTED}
CLAIMS = {
    "left better than right, radix 4 Booth": (BOOTH, (RIGHT,)),
    "radix 4 left, without Booth, best of all": (PLAIN, (BOOTH, RIGHT, RADIX_8, RADIX_2)),
    "radix 8 no better than radix 4, right": (RIGHT, (RADIX_8,)),
}
FIGURES: dict[str, float | None] = {"Figure 6": None, "Figure 7": CLOCK_MHZ}  # each at its clock, all at one
HARDWARE = {"LUTs": False, "LUTs and registers": True}  # whether registers count
ROUNDING = 1e-9

Curve = list[tuple[float, float]]


def curve(design: ElementDesign, size: float, clock_mhz: float, controller: float = 0) -> Curve:
    """Return hardware and time / ms of a design with more and more elements, until they no longer help."""
    return [
        (count * size + controller, exponentiation_ms(design.core(count), clock_mhz))
        for count in element_counts(design)
    ]


def time_at(points: Curve, size: float) -> float | None:
    """Return the time / ms at this size, interpolated on logarithmic scales; None outside the curve."""
    if size < points[0][0]:
        return None
    for (size_before, before), (size_after, after) in pairwise(points):
        if size <= size_after:
            share = log(size / size_before) / log(size_after / size_before)
            return exp(log(before) + share * log(after / before))
    return None


def slowdown(first: Curve, other: Curve) -> list[float]:
    """Return the times of a curve divided by those of the first one, at the sizes of hardware of both."""
    times = ((ms, time_at(first, size)) for size, ms in other)
    return [ms / least for ms, least in times if least is not None]


def conclusion_rows(found: dict[ElementDesign, Element]) -> Iterator[Row]:
    """Yield the conclusions. A design is better if it takes less time with as much hardware, at every size.

    What the paper counts as hardware is lost with the drawings. Two ways are tried: LUTs, and LUTs plus
    registers.
    """
    sources = {
        "Table I": {design: (row.luts, row.registers, row.clock_mhz) for design, row in PRINTED_OF.items()}
    }
    if all(design in found for _, others in CLAIMS.values() for design in (PLAIN, *others)):
        sources["ours"] = {
            design: (element.luts, element.registers, element.fmax_mhz) for design, element in found.items()
        }
    for claim, (first, others) in CLAIMS.items():
        for figure, clock_mhz in FIGURES.items():
            for source, figures in sources.items():
                chosen = {design: figures[design] for design in (first, *others)}
                yield _row(f"{claim}, {figure} by {source}", chosen, clock_mhz)
    yield _clocks()


def _row(label: str, chosen: dict[ElementDesign, tuple[float, float, float]], clock_mhz: float | None) -> Row:
    """Return whether the first of these designs, given by LUTs, registers and clock, is the best."""
    holds, notes, better = {}, [], set[ElementDesign]()
    for hardware, counts_registers in HARDWARE.items():
        first, *others = (
            curve(design, luts + counts_registers * registers, clock_mhz or own)
            for design, (luts, registers, own) in chosen.items()
        )
        ratios = dict(zip(list(chosen)[1:], (slowdown(first, other) for other in others), strict=True))
        beaten_by = {design for design, against in ratios.items() if min(against) <= 1 - ROUNDING}
        holds[hardware], better = not beaten_by, better | beaten_by
        notes += [
            f"{design_name(design)} {min(against):.2f} to {max(against):.2f}"
            for design, against in ratios.items()
        ]
        notes[-1] += f" with as many {hardware}"
    ours = (
        "yes" if all(holds.values()) else ", ".join(f"by {hardware}" for hardware in holds if holds[hardware])
    )
    note = f"times that others take: {'; '.join(notes)}"
    reason = _reason(chosen, better, clock_mhz)
    return compare(label, "yes", ours or "no", note, reason=reason, source="computed")


def _reason(
    chosen: dict[ElementDesign, tuple[float, float, float]],
    better: set[ElementDesign],
    clock_mhz: float | None,
) -> str:
    """Return what the elements of the first design and of those that are better take."""
    told = []
    for place, (design, (luts, registers, own)) in enumerate(chosen.items()):
        if place == 0 or design in better:
            clock = "" if clock_mhz else f" at {own:.0f} MHz"
            told.append(f"of {design_name(design)} {luts:.0f} and {registers:.0f}{clock}")
    return f"because an element has these LUTs and registers: {'; '.join(told)}"


def _clocks() -> Row:
    cycles = {
        count: [passes_cycles(design.core(count)) for design in (BOOTH, RIGHT)] for count in (8, 32, 64)
    }
    return compare(
        "left takes fewer clocks, 64 elements",
        "yes",
        "yes" if cycles[64][0] < cycles[64][1] else "no",
        f"with 32 elements {cycles[32][0]} and {cycles[32][1]}, with 8 {cycles[8][0]} and {cycles[8][1]}: "
        "short pipelines lose a clock a pass by it",
        source="modelled",
    )


def design_name(design: ElementDesign) -> str:
    """Return a design in a few words."""
    shift = "left" if design.left_shift else "right"
    return f"radix {1 << design.radix_log2} {shift}{' Booth' if design.booth else ''}"

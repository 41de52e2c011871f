"""The times and sizes of [amberg08, Abstract], its conclusions [amberg08, §VI], and errata in its figures."""

from collections.abc import Iterator

from monpro.flow.elements import Design, Element
from monpro.report.amberg08_designs import (
    BITS,
    NOT_RECORDED,
    PRINTED,
    Printed,
    element_counts,
    exponentiation_ms,
    measured,
    passes_cycles,
)
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table

NUM_PE = 32
PLAIN = Design(2, 16, left_shift=True, booth=False)
BOOTH = Design(2, 16, left_shift=True, booth=True)
RIGHT = Design(2, 16, left_shift=False, booth=True)
RADIX_8 = Design(3, 16, left_shift=False, booth=True)
RADIX_2 = Design(1, 16, left_shift=True, booth=False)
HEADLINES = {PLAIN: (9.4, 4997.0, 4051.0), BOOTH: (13.0, 4852.0, 2887.0)}  # ms, LUTs, registers
PRINTED_OF = {row.design: row for row in PRINTED if row.design is not None}
NAMES = {PLAIN: "radix 4, left", BOOTH: "radix 4, left, Booth"}
PER_ELEMENT = (
    "of the print: its registers fit 32 elements, its LUTs do not: 32 · 176 = 5632 of Table I are more"
)


def headline_rows(design: Design, element: Element | None) -> Iterator[Row]:
    """Yield time and size of 1024 bits: by the printed clock and Table I, and by our own figures."""
    printed_ms, printed_luts, printed_registers = HEADLINES[design]
    row, core, name = PRINTED_OF[design], design.core(NUM_PE), NAMES[design]
    ms = exponentiation_ms(core, row.clock_mhz)
    cycles = f"{passes_cycles(core)} clocks a product, at the printed {row.clock_mhz:g} MHz"
    yield Row(f"{name}: time / ms", printed_ms, round(ms, 2), abs(ms / printed_ms - 1) < 0.05, cycles)
    luts, registers = NUM_PE * row.luts, NUM_PE * row.registers
    fits = luts <= printed_luts
    yield Row(
        f"{name}: LUTs of 32 elements, Table I",
        printed_luts,
        luts,
        fits,
        "the rest is the controller" if fits else PER_ELEMENT,
    )
    yield Row(
        f"{name}: registers of 32 elements, Table I",
        printed_registers,
        registers,
        registers <= printed_registers,
        "the rest is the controller",
    )
    if element is None:
        yield Row(f"{name}: ours", None, None, None, NOT_RECORDED)
        return
    sizes = (element.luts, element.sequencer_luts), (element.registers, element.sequencer_registers)
    for label, printed, (one, rest) in zip(
        ("LUTs", "registers"), (printed_luts, printed_registers), sizes, strict=True
    ):
        ours = float(round(NUM_PE * one + rest))
        yield Row(f"{name}: our {label}", printed, ours, None, f"32 elements and {rest:.0f} of the sequencer")
    own = exponentiation_ms(core, element.fmax_mhz)
    yield Row(f"{name}: our time / ms", printed_ms, round(own, 2), None, f"ECP5, {element.fmax_mhz:g} MHz")


def best(design: Design, luts: float, clock_mhz: float) -> float:
    """Return the least time of a curve times the LUTs of its elements, in ms·LUT."""
    return min(
        exponentiation_ms(design.core(count), clock_mhz) * count * luts for count in element_counts(design)
    )


def figures_of(design: Design, element: Element | None) -> dict[str, tuple[float, float]]:
    """Return LUTs and clock by where they are from."""
    row: Printed = PRINTED_OF[design]
    figures = {"by Table I": (row.luts, row.clock_mhz)}
    if element is not None:
        figures["by ours"] = (element.luts, element.fmax_mhz)
    return figures


def conclusion_rows(found: dict[Design, Element]) -> Iterator[Row]:
    """Yield the paper's conclusions, recomputed from Table I and from our figures."""
    figures = {
        design: figures_of(design, found.get(design)) for design in (PLAIN, BOOTH, RIGHT, RADIX_8, RADIX_2)
    }
    claims = (
        ("left better than right, radix 4 Booth, time · LUTs", BOOTH, (RIGHT,)),
        ("radix 4 left without Booth best, time · LUTs", PLAIN, (BOOTH, RIGHT, RADIX_8, RADIX_2)),
        ("radix 8 no better than radix 4 right, time · LUTs", RIGHT, (RADIX_8,)),
    )
    for claim, first, others in claims:
        for source in figures[first]:
            values = {
                design: best(design, *figures[design][source])
                for design in (first, *others)
                if source in figures[design]
            }
            winner = min(values, key=values.__getitem__)
            ratios = ", ".join(
                f"{design_name(design)} {values[design] / values[first]:.2f}"
                for design in values
                if design != first
            )
            yield Row(
                f"{claim}, {source}",
                "yes",
                "yes" if winner == first else "no",
                winner == first,
                f"against it: {ratios}",
            )
    clocks = passes_cycles(BOOTH.core(NUM_PE)), passes_cycles(RIGHT.core(NUM_PE))
    few = passes_cycles(BOOTH.core(8)), passes_cycles(RIGHT.core(8))
    yield Row(
        "left takes fewer clocks, 64 elements",
        "yes",
        "yes",
        passes_cycles(BOOTH.core(64)) < passes_cycles(RIGHT.core(64)),
        f"with 32 elements {clocks[0]} and {clocks[1]}, with 8 {few[0]} and {few[1]}: short pipelines lose a "
        "clock a pass by it",
    )


def design_name(design: Design) -> str:
    """Return a design in a few words."""
    shift = "left" if design.left_shift else "right"
    return f"radix {1 << design.radix_log2} {shift}{' Booth' if design.booth else ''}"


def errata_rows() -> Iterator[Row]:
    """Yield what the text says of Table I that its figures contradict."""
    left, plain = PRINTED_OF[BOOTH].clock_mhz, PRINTED_OF[PLAIN].clock_mhz
    slower = (1 - left / plain) * 100
    yield Row(
        "clock reduced by Booth, left",
        "29 %",
        f"{slower:.0f} %",
        abs(slower - 29) < 1,
        f"[amberg08, §III-B]; Table I: {plain:g} and {left:g} MHz",
    )


def build(progress: Progress = silent) -> Table:
    """Compute the rows."""
    found = measured()
    rows = [row for design in HEADLINES for row in headline_rows(design, found.get(design))]
    rows += [*conclusion_rows(found), *errata_rows()]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item(
    "amberg08.headline.table", f"A {BITS}-bit modular exponentiation, and the conclusions", "table", build
)

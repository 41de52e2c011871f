"""The times and sizes of [amberg08, Abstract], its conclusions [amberg08, §VI], and errata in its figures."""

from collections.abc import Iterator

from monpro.flow.elements import Element, ElementDesign
from monpro.report.amberg08.conclusions import BOOTH, PLAIN, PRINTED_OF, conclusion_rows
from monpro.report.amberg08.designs import BITS, NOT_RECORDED, exponentiation_ms, measured, passes_cycles
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table

NUM_PE = 32
HEADLINES = {PLAIN: (9.4, 4997.0, 4051.0), BOOTH: (13.0, 4852.0, 2887.0)}  # ms, LUTs, registers
NAMES = {PLAIN: "radix 4, left", BOOTH: "radix 4, left, Booth"}
PER_ELEMENT = (
    "of the print: its registers fit 32 elements, its LUTs do not: 32 · 176 = 5632 of Table I are more"
)


def headline_rows(design: ElementDesign, element: Element | None) -> Iterator[Row]:
    """Yield time and size for 1024 bits: by the printed clock and Table I, and by our own figures."""
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


def errata_rows() -> Iterator[Row]:
    """Yield the statements of the text about Table I that the table's figures contradict."""
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

"""The times and sizes of [amberg08, Abstract], its conclusions [amberg08, §VI], and errata in its figures."""

from collections.abc import Iterator

from monpro.flow.elements import Element, ElementDesign
from monpro.report.amberg08.conclusions import BOOTH, PLAIN, PRINTED_OF, conclusion_rows
from monpro.report.amberg08.designs import (
    BITS,
    NOT_RECORDED,
    PRODUCTS,
    exponentiation_ms,
    measured,
    passes_cycles,
    spread,
)
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare

NUM_PE = 32  # not printed: the registers of Table I fit 32 elements and a controller
HEADLINES = {PLAIN: (9.4, 4997, 4051), BOOTH: (13.0, 4852, 2887)}  # ms, LUTs, registers
HALF_OF_LAST_PLACE_MS = {PLAIN: 0.05, BOOTH: 0.5}
NAMES = {PLAIN: "radix 4, left", BOOTH: "radix 4, left, Booth"}
NO_REASON_GIVEN = "the paper counts some clocks more; the next row has a guess"
A_WORD_MORE = "a guess that fits: operands of {} words, so that a pass takes {} clocks"
PER_ELEMENT = "32 elements of Table I have more LUTs, {:.0f}, than the whole printed design"
OTHER_MAPPER = (
    "Yosys maps the elements otherwise, see Table I; {:.0f} for 32 elements, {:.0f} for the sequencer"
)
OTHER_CONTROLLER = "our sequencer recodes X for all elements, and is not the paper's controller"
OTHER_DEVICE = "two elements have {:g} MHz on a Lattice ECP5, by open tools: {}"
SIZE_WITHIN, TIME_WITHIN = 0.10, 0.05


def time_rows(design: ElementDesign) -> Iterator[Row]:
    """Yield the time for 1024 bits at the printed clock, as counted and with a word more in each operand."""
    printed_ms, _, _ = HEADLINES[design]
    row, core, name = PRINTED_OF[design], design.core(NUM_PE), NAMES[design]
    within = HALF_OF_LAST_PLACE_MS[design] / printed_ms
    longer = PRODUCTS * core.passes * (core.pass_cycles + 1) / row.clock_mhz * 1e-3
    clocks = f"{passes_cycles(core)} clocks a product, at the printed {row.clock_mhz:g} MHz"
    guess = A_WORD_MORE.format(core.words + 1, core.pass_cycles + 1)
    yield compare(
        f"{name}: time",
        printed_ms,
        round(exponentiation_ms(core, row.clock_mhz), 2),
        clocks,
        reason=NO_REASON_GIVEN,
        within=within,
        unit="ms",
        source="computed",
    )
    yield compare(
        f"{name}: time with a word more",
        printed_ms,
        round(longer, 2),
        guess,
        within=within,
        unit="ms",
        source="computed",
    )


def size_rows(design: ElementDesign, element: Element | None) -> Iterator[Row]:
    """Yield the size of the whole, and of what the paper's design has besides 32 elements of Table I."""
    _, *printed_sizes = HEADLINES[design]
    row, name = PRINTED_OF[design], NAMES[design]
    ones = element and (element.luts, element.registers)
    rests = element and (element.sequencer_luts, element.sequencer_registers)
    for place, (unit, printed, each) in enumerate(
        zip(("LUTs", "registers"), printed_sizes, (row.luts, row.registers), strict=True)
    ):
        one, rest = (ones[place], rests[place]) if ones and rests else (None, None)
        beside = printed - NUM_PE * each
        yield compare(
            f"{name}: {unit} less those of 32 elements of Table I",
            beside,
            None if rest is None else round(rest),
            "" if element else NOT_RECORDED,
            reason=OTHER_CONTROLLER if beside >= 0 else PER_ELEMENT.format(NUM_PE * each),
            within=SIZE_WITHIN,
            unit=unit,
            printed=False,
            source="recorded",
        )
        yield compare(
            f"{name}: {unit}",
            printed,
            None if one is None or rest is None else round(NUM_PE * one + rest),
            "" if element else NOT_RECORDED,
            reason="" if one is None or rest is None else OTHER_MAPPER.format(NUM_PE * one, rest),
            within=SIZE_WITHIN,
            unit=unit,
            source="recorded",
        )


def our_time_row(design: ElementDesign, element: Element | None) -> Row:
    """Return the time for 1024 bits at our own clock."""
    ms = None if element is None else round(exponentiation_ms(design.core(NUM_PE), element.fmax_mhz), 2)
    return compare(
        f"{NAMES[design]}: time at our clock",
        HEADLINES[design][0],
        ms,
        "" if element else NOT_RECORDED,
        reason=OTHER_DEVICE.format(element.fmax_mhz, spread(design)) if element else "",
        within=TIME_WITHIN,
        unit="ms",
        source="recorded",
    )


def errata_rows() -> Iterator[Row]:
    """Yield the statements of the text about Table I that the table's figures contradict."""
    left, plain = PRINTED_OF[BOOTH].clock_mhz, PRINTED_OF[PLAIN].clock_mhz
    yield compare(
        "clock reduced by Booth, left",
        29.0,
        round((1 - left / plain) * 100, 1),
        reason=f"a slip of [amberg08, §III-B]: Table I has {plain:g} and {left:g} MHz",
        within=0.005,
        unit="%",
        source="computed",
    )


def build(progress: Progress = silent) -> Table:
    """Compute the rows."""
    found = measured()
    rows: list[Row] = []
    for design in HEADLINES:
        element = found.get(design)
        rows += [*time_rows(design), *size_rows(design, element), our_time_row(design, element)]
    rows += [*conclusion_rows(found), *errata_rows()]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item(
    "amberg08.headline.table", f"A {BITS}-bit modular exponentiation, and the conclusions", "table", build
)

"""The claims of the text of [amberg08]: by Table I, and by the figures recorded for our elements."""

from monpro.flow.elements import Element, ElementDesign
from monpro.report.amberg08.conclusions import (
    BOOTH,
    PLAIN,
    PRINTED_OF,
    RADIX_8,
    RIGHT,
    ROUNDING,
    curve,
    design_name,
    slowdown,
)
from monpro.report.amberg08.conclusions import CLAIMS as CONCLUSIONS
from monpro.report.amberg08.cycles import GRID, formula
from monpro.report.amberg08.designs import (
    BITS,
    CLOCK_MHZ,
    NOT_RECORDED,
    PRODUCTS,
    exponentiation_ms,
    passes_cycles,
    spread,
)
from monpro.report.amberg08.designs import measured as elements
from monpro.report.amberg08.headline import HALF_OF_LAST_PLACE_MS, HEADLINES, NUM_PE
from monpro.report.finding import Finding, claim, found, measured, untested
from monpro.spec.amberg08 import Lengths

WORD_WIDTH = 16
WIDTHS = (4, 8, 16)
QUARTER = 0.25  # of a w-bit register: what control and rounding may add


def figures(*designs: ElementDesign) -> list[Element]:
    """Return the recorded figures of designs; empty if one is missing."""
    known = elements()
    return [known[design] for design in designs] if set(designs) <= set(known) else []


def headline(design: ElementDesign) -> Finding:
    """Return the time of an exponentiation at the printed clock."""
    core, clock_mhz = design.core(NUM_PE), PRINTED_OF[design].clock_mhz
    ms = exponentiation_ms(core, clock_mhz)
    longer = PRODUCTS * core.passes * (core.pass_cycles + 1) / clock_mhz * 1e-3
    reason = (
        f"{PRODUCTS} products of {passes_cycles(core)} clocks at {clock_mhz:g} MHz, with {NUM_PE} elements, "
        f"which fit the printed registers; a clock more in each pass would make {longer:.2f} ms"
    )
    return measured(round(ms, 2), reason, within=HALF_OF_LAST_PLACE_MS[design] / HEADLINES[design][0])


@claim(
    "amberg08.claim.time_plain",
    "Abstract",
    "The radix-4 design without Booth's digits takes 9.4 ms for an exponentiation of 1024 bits.",
    9.4,
    source="modelled",
    unit="ms",
)
def time_plain() -> Finding:
    """Compute the time without Booth's digits."""
    return headline(PLAIN)


@claim(
    "amberg08.claim.time_booth",
    "Abstract",
    "The radix-4 design with Booth's digits takes 13 ms for an exponentiation of 1024 bits.",
    13.0,
    source="modelled",
    unit="ms",
)
def time_booth() -> Finding:
    """Compute the time with Booth's digits."""
    return headline(BOOTH)


@claim(
    "amberg08.claim.lookup_tables",
    "§III",
    "Tenca's designs find the quotient digit by a look-up table from the result, X and Y.",
    "a table",
    source="computed",
)
def lookup_tables() -> Finding:
    """Say that these designs are not built."""
    return untested(
        "Tenca's multipliers of radix 4 and 8 are other papers' designs; of those before Orup's method "
        "only the improved radix-2 element is built"
    )


def saved_registers(saved_words: float, booth: ElementDesign, plain: ElementDesign) -> Finding:
    """Return the registers for multiples that Booth's digits save in an element, in words."""
    found_here = figures(booth, plain)
    if not found_here:
        return untested(NOT_RECORDED)
    width = booth.word_width
    ours = (found_here[1].registers - found_here[0].registers) / width
    table = ""
    if {booth, plain} <= set(PRINTED_OF):
        printed = (PRINTED_OF[plain].registers - PRINTED_OF[booth].registers) / width
        table = f"; Table I itself: {printed:.1f} w"
    reason = (
        f"{found_here[1].registers:.0f} − {found_here[0].registers:.0f} registers of our elements, w = "
        f"{width}{table}"
    )
    return measured(round(ours, 2), reason, within=QUARTER / saved_words)


@claim(
    "amberg08.claim.registers_left",
    "§III-B",
    "Left-shifting in radix 4, Booth's digits reduce the registers for multiples from 4w to 2w.",
    2.0,
    source="recorded",
    unit="w",
)
def registers_left() -> Finding:
    """Compare the elements of radix 4 that shift left."""
    return saved_registers(2, BOOTH, PLAIN)


@claim(
    "amberg08.claim.registers_right",
    "§III-B",
    "Right-shifting in radix 4, Booth's digits reduce the registers for multiples from 8w to 4w.",
    4.0,
    source="recorded",
    unit="w",
)
def registers_right() -> Finding:
    """Compare the elements of radix 4 that shift right."""
    return saved_registers(4, RIGHT, ElementDesign(2, WORD_WIDTH, left_shift=False, booth=False))


@claim(
    "amberg08.claim.registers_radix_8",
    "§III-B",
    "Right-shifting in radix 8, Booth's digits reduce the registers for multiples from 16w to 8w.",
    8.0,
    source="recorded",
    unit="w",
)
def registers_radix_8() -> Finding:
    """Compare the elements of radix 8 that shift right."""
    return saved_registers(8, RADIX_8, ElementDesign(3, WORD_WIDTH, left_shift=False, booth=False))


@claim(
    "amberg08.claim.booth_clock",
    "§III-B",
    "Left-shifting, Booth's encoder lengthens the path: the clock is 29 % slower.",
    29.0,
    source="recorded",
    unit="%",
)
def booth_clock() -> Finding:
    """Compare the clocks with and without Booth's digits: of Table I, and of ours."""
    table = 100 * (1 - PRINTED_OF[BOOTH].clock_mhz / PRINTED_OF[PLAIN].clock_mhz)
    if not (found_here := figures(PLAIN, BOOTH)):
        return untested(NOT_RECORDED)
    ours = 100 * (1 - found_here[1].fmax_mhz / found_here[0].fmax_mhz)
    reason = (
        f"two elements on an ECP5: {spread(PLAIN)} without Booth's digits, {spread(BOOTH)} with them; most "
        f"of a path there is routing. Table I has {PRINTED_OF[PLAIN].clock_mhz:g} and "
        f"{PRINTED_OF[BOOTH].clock_mhz:g} MHz, {table:.0f} % slower"
    )
    return measured(round(ours, 1), reason, within=0.04)


@claim(
    "amberg08.claim.radix_8_clock",
    "§III-B",
    "Radix 8 could in principle have a similar clock as radix 4.",
    "similar",
    source="recorded",
)
def radix_8_clock() -> Finding:
    """Compare the clocks of radix 8 and radix 4, right-shifting, words of 16 bits."""
    if not (found_here := figures(RADIX_8, RIGHT)):
        return untested(NOT_RECORDED)
    share = found_here[0].fmax_mhz / found_here[1].fmax_mhz
    table = PRINTED_OF[RADIX_8].clock_mhz / PRINTED_OF[RIGHT].clock_mhz
    reason = (
        f"two elements on an ECP5, w = {WORD_WIDTH}: {spread(RADIX_8)} in radix 8, {spread(RIGHT)} in "
        f"radix 4; by Table I it is {table:.2f}"
    )
    return found(share > 0.9, f"{share:.2f} of that of radix 4", reason)


@claim(
    "amberg08.claim.cycles",
    "§III-C",
    "With e = ⌈n₁/w⌉ words and f = ⌈n₂/v⌉ digits, a product takes T₁ or T₂ clocks.",
    len(GRID),
    source="modelled",
    unit="cases",
)
def cycles() -> Finding:
    """Count the cases for which the printed lengths give the clocks of a right array."""
    same = 0
    for core in GRID:
        printed = Lengths.printed(core.radix_log2, core.word_width, core.width_bits)
        same += formula(core, printed) == passes_cycles(core)
    reason = (
        "the formulas are right with the lengths that keep products bounded: f is one larger, and e has "
        "room for v + 1 bits more, which changes the clocks of the other cases; see amberg08.cycles.table"
    )
    return measured(same, reason)


@claim(
    "amberg08.claim.half_registers",
    "§III-C",
    "Left-shifting halves the number of pipeline registers, approximately.",
    0.5,
    source="recorded",
    unit="of right-shifting",
)
def half_registers() -> Finding:
    """Compare the registers of radix-4 Booth elements that shift left and right."""
    shares, table = [], []
    for width in WIDTHS:
        pair = [ElementDesign(2, width, left_shift=left, booth=True) for left in (True, False)]
        table.append(PRINTED_OF[pair[0]].registers / PRINTED_OF[pair[1]].registers)
        if recorded := figures(*pair):
            shares.append(recorded[0].registers / recorded[1].registers)
    if len(shares) < len(WIDTHS):
        return untested(NOT_RECORDED)
    each = ", ".join(
        f"{ours:.2f} ({printed:.2f} in Table I)" for ours, printed in zip(shares, table, strict=True)
    )
    reason = f"all registers of a radix-4 Booth element, w = 4, 8, 16: {each}; those for control stay"
    return measured(round(shares[-1], 2), reason, within=0.1)


@claim(
    "amberg08.claim.twelve_registers",
    "§IV",
    "A radix-8 element has twelve w-bit registers.",
    12.0,
    source="recorded",
    unit="w-bit registers",
)
def twelve_registers() -> Finding:
    """Return by how many registers an element grows for each bit of w."""
    designs = [ElementDesign(3, width, left_shift=False, booth=True) for width in WIDTHS]
    recorded = figures(*designs)
    if not recorded:
        return untested(NOT_RECORDED)
    ours = (recorded[-1].registers - recorded[0].registers) / (WIDTHS[-1] - WIDTHS[0])
    table = (PRINTED_OF[designs[-1]].registers - PRINTED_OF[designs[0]].registers) / (WIDTHS[-1] - WIDTHS[0])
    rest = recorded[0].registers - ours * WIDTHS[0]
    reason = f"growth from w = 4 to 16, with {rest:.0f} registers besides; Table I grows by {table:.1f}"
    return measured(round(ours, 2), reason, within=QUARTER / 12)


WHY = {  # the reason of each conclusion, by the designs that it compares
    "left better than right, radix 4 Booth": (
        "a left shift saves a clock at each element and costs one in each pass: it pays in long pipelines "
        "only; in Table I right shifts have the faster clock"
    ),
    "radix 4 left, without Booth, best of all": (
        "by Table I its element has the fewest LUTs for its clock; of our elements, those with Booth's "
        "digits have fewer"
    ),
    "radix 8 no better than radix 4, right": (
        "an element of radix 8 is 1.5 to 2 times as large as one of radix 4 and saves a third of the passes"
    ),
}


def conclusion(name: str) -> Finding:
    """Return whether the first design is best at each number of LUTs: by Table I, and by our figures."""
    first, others = CONCLUSIONS[name]
    recorded = figures(first, *others)
    if not recorded:
        return untested(NOT_RECORDED)
    sources = {
        "Table I": [(PRINTED_OF[design].luts, PRINTED_OF[design].clock_mhz) for design in (first, *others)],
        "ours": [(element.luts, element.fmax_mhz) for element in recorded],
    }
    holds: dict[str, bool] = {}
    nearests: list[str] = []
    for source, sizes in sources.items():
        best, *rest = (
            curve(design, luts, clock) for design, (luts, clock) in zip((first, *others), sizes, strict=True)
        )
        against = {
            design_name(design): slowdown(best, other) for design, other in zip(others, rest, strict=True)
        }
        nearest = min(against, key=lambda other: min(against[other]))
        holds[source] = min(against[nearest]) > 1 - ROUNDING
        nearests.append(f"{min(against[nearest]):.2f} of its time by {source} ({nearest})")
    yes = [source for source in sources if holds[source]]
    reason = (
        f"{WHY[name]}; with as many LUTs as {design_name(first)}, the fastest other design takes "
        f"{', '.join(nearests)}"
    )
    return found(len(yes) == len(sources), " and ".join(yes) or "neither", reason)


@claim(
    "amberg08.claim.left_better",
    "§VI",
    "Left-shifting designs are uniformly better than right-shifting designs.",
    "uniformly",
    source="recorded",
)
def left_better() -> Finding:
    """Compare radix-4 Booth designs that shift left and right."""
    return conclusion("left better than right, radix 4 Booth")


@claim(
    "amberg08.claim.plain_best",
    "§VI",
    "Radix 4, left-shifting, without Booth's digits has the best performance per unit of hardware.",
    "best",
    source="recorded",
)
def plain_best() -> Finding:
    """Compare the radix-4 design without Booth's digits with all others."""
    return conclusion("radix 4 left, without Booth, best of all")


@claim(
    "amberg08.claim.radix_8_no_better",
    "§V, §VI",
    "Radix 8 with Booth's digits is no better than radix 4, both shifting right.",
    "no better",
    source="recorded",
)
def radix_8_no_better() -> Finding:
    """Compare radix 8 and radix 4, right-shifting."""
    return conclusion("radix 8 no better than radix 4, right")


@claim(
    "amberg08.claim.virtually_identical",
    "§VI",
    "At one clock, Booth's digits have virtually the same performance per unit of hardware.",
    1.0,
    source="computed",
    unit="× the time at equal LUTs",
)
def virtually_identical() -> Finding:
    """Compare both designs at one clock, by Table I: at equal LUTs, and at equal LUTs and registers."""
    ratios = {}
    for registers in (False, True):
        plain, booth = (
            curve(design, PRINTED_OF[design].luts + registers * PRINTED_OF[design].registers, CLOCK_MHZ)
            for design in (PLAIN, BOOTH)
        )
        ratios[registers] = slowdown(plain, booth)
    luts, both = ratios[False], ratios[True]
    reason = (
        f"Table I, {BITS} bits: {min(luts):.2f} to {max(luts):.2f} times as long with as many LUTs, "
        f"{min(both):.2f} to {max(both):.2f} with as many LUTs and registers together"
    )
    return measured(round(max(luts), 2), reason, within=0.1)


CLAIMS = (
    time_plain,
    time_booth,
    lookup_tables,
    registers_right,
    registers_left,
    registers_radix_8,
    booth_clock,
    radix_8_clock,
    cycles,
    half_registers,
    twelve_registers,
    left_better,
    plain_best,
    radix_8_no_better,
    virtually_identical,
)

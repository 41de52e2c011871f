"""[blum01, Table 2]: CLBs and time of a full exponentiation: base, exponent and modulus of one length."""

from monpro.report.blum01.designs import (
    AREA_WITHIN,
    CLBS,
    CLOCKS,
    RADICES_LOG2,
    area_row,
    clbs,
    cycles,
    cycles_rows,
    design,
    label,
    time_rows,
)
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare

SIZES_BITS = (512, 768, 1024)
TIMES_MS = {
    (1, 512): 9.38,
    (1, 768): 22.71,
    (1, 1024): 40.05,
    (4, 512): 2.93,
    (4, 768): 6.25,
    (4, 1024): 11.95,
}
AREA_RATIO_NOTE = "ours counts every CLB as full, which makes radix 16 smaller by more than radix 2"


def ratio_rows(bits: int, counted: dict[int, int]) -> list[Row]:
    """Return the rows of radix 2 beside radix 16: printed, and by our clocks and areas."""
    times = TIMES_MS[1, bits] / TIMES_MS[4, bits]
    ours_cycles = counted[1] / counted[4]
    text = f"radix 2 : radix 16, {bits} bit"
    rows = [
        compare(
            f"{text}, ratio of times",
            round(times, 2),
            round(ours_cycles, 2),
            "ours: clocks alone",
            reason="the paper's clock is slower in radix 16",
            within=AREA_WITHIN,
            printed=False,
            source="counted",
        )
    ]
    areas = [clbs(design(k, bits)) for k in RADICES_LOG2]
    if areas[0] is not None and areas[1] is not None:
        printed = CLBS[1, bits] / CLBS[4, bits]
        ratio = areas[0] / areas[1]
        rows.append(
            compare(
                f"{text}, CLBs",
                round(printed, 2),
                round(ratio, 2),
                AREA_RATIO_NOTE,
                within=AREA_WITHIN,
                printed=False,
                source="recorded",
            )
        )
    return rows


def compared(progress: Progress, *, rtl: bool) -> Table:
    """Return the table, with clocks counted by RTL where that is quick, or by models only."""
    rows: list[Row] = []
    for done, bits in enumerate(SIZES_BITS):
        counted = {}
        for k in RADICES_LOG2:
            core = design(k, bits)
            text = label(k, bits, "full exponentiation")
            e = (1 << bits) - 1
            found = cycles(core, e, rtl=rtl)
            counted[k] = found.clocks
            rows.append(area_row(label(k, bits, "CLBs"), CLBS[k, bits], core))
            rows += cycles_rows(text, core, e, found)
            rows += time_rows(text, TIMES_MS[k, bits], counted[k], CLOCKS[k, bits], core)
        rows += ratio_rows(bits, counted)
        progress(done + 1, len(SIZES_BITS))
    return Table(ITEM.id, ITEM.title, tuple(rows))


def build(progress: Progress = silent) -> Table:
    """Count the clocks, of RTL up to 260 digits, and compare."""
    return compared(progress, rtl=True)


def preview(progress: Progress = silent) -> Table:
    """Count the clocks of the models."""
    return compared(progress, rtl=False)


ITEM = Item("blum01.table2", "CLB usage and execution time of a full exponentiation", "table", build, preview)

"""[blum01, Table 3]: RSA encryption with the exponent 2^16 + 1."""

from monpro.report.blum01.designs import (
    CLBS,
    CLOCKS,
    F4,
    RADICES_LOG2,
    Clock,
    area_row,
    cycles,
    cycles_rows,
    design,
    label,
    time_rows,
)
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table

SIZES_BITS = (512, 1024)
TIMES_MS = {(1, 512): 0.35, (1, 1024): 0.75, (4, 512): 0.11, (4, 1024): 0.22}
RADIX_2_CLOCK = Clock(40.05, 2_109_456, "Table 2; .75 ms would need 19.07 ns at least")


def compared(progress: Progress, *, rtl: bool) -> Table:
    """Return the table, with clocks counted by RTL where that is quick, or by models only."""
    rows: list[Row] = []
    for bits in SIZES_BITS:
        for k in RADICES_LOG2:
            core = design(k, bits)
            text = label(k, bits, "encryption")
            counted = cycles(core, F4, rtl=rtl)
            rows.append(area_row(label(k, bits, "CLBs"), CLBS[k, bits], core))
            rows += cycles_rows(text, core, F4, counted)
            clock = RADIX_2_CLOCK if (k, bits) == (1, 1024) else CLOCKS[k, bits]
            rows += time_rows(text, TIMES_MS[k, bits], counted.clocks, clock, core)
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


def build(progress: Progress = silent) -> Table:
    """Count the clocks, of RTL up to 260 digits, and compare."""
    return compared(progress, rtl=True)


def preview(progress: Progress = silent) -> Table:
    """Count the clocks of the models."""
    return compared(progress, rtl=False)


ITEM = Item("blum01.table3", "Application to RSA: encryption", "table", build, preview)

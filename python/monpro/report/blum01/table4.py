"""[blum01, Table 4]: RSA decryption by halves, in turn on one engine or at once on two; and its use in §6."""

from monpro.report.blum01.designs import (
    CLBS,
    CLOCK_OF_SECTION_7,
    CLOCKS,
    RADICES_LOG2,
    Clock,
    Counted,
    area_row,
    cycles,
    cycles_rows,
    design,
    label,
    time_rows,
)
from monpro.report.blum01.section6 import comparison
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table

HALVES_BITS = (256, 512)
WAYS = {"serial": 2, "parallel": 1}  # exponentiations, one after the other, of an engine
TIMES_MS = {
    ("serial", 1, 256): 4.69,
    ("parallel", 1, 256): 2.37,
    ("serial", 1, 512): 18.78,
    ("parallel", 1, 512): 10.18,
    ("serial", 4, 256): 1.62,
    ("parallel", 4, 256): 0.79,
    ("serial", 4, 512): 5.87,
    ("parallel", 4, 512): 3.10,
}
CLOCKS_TOLD_ELSEWHERE = {
    ("serial", 1, 512): Clock(9.38, 530_448, "Table 2"),
    ("parallel", 1, 512): Clock(40.05, 2_109_456, "Table 2, 1024 bit: the same device"),
    ("parallel", 4, 256): Clock(1.62, 76_368, "Table 4; .79 ms tell of 20.69 ns"),
    ("serial", 4, 512): Clock(2.93, 141_864, "Table 2"),
    ("parallel", 4, 512): CLOCK_OF_SECTION_7,
}


def rows_of(way: str, radix_log2: int, half: int, counted: Counted) -> list[Row]:
    """Return the rows of one entry of the table."""
    core = design(radix_log2, half)
    engines = 2 // WAYS[way]
    text = label(radix_log2, 2 * half, f"2 × {half} {way}")
    clock = CLOCKS_TOLD_ELSEWHERE.get((way, radix_log2, half), CLOCKS[radix_log2, half])
    rows = [
        area_row(f"{text}, CLBs", engines * CLBS[radix_log2, half], core, engines),
        *cycles_rows(text, core, (1 << half) - 1, counted, WAYS[way]),
    ]
    time = TIMES_MS[way, radix_log2, half]
    times = time_rows(text, time, WAYS[way] * counted.clocks, clock, core)
    return rows + times


def compared(progress: Progress, *, rtl: bool) -> Table:
    """Return the table, with clocks by RTL where that is quick and software measured, or with models only."""
    rows: list[Row] = []
    for half in HALVES_BITS:
        for k in RADICES_LOG2:
            counted = cycles(design(k, half), (1 << half) - 1, rtl=rtl)
            for way in WAYS:
                rows += rows_of(way, k, half, counted)
    rows += comparison(measured=rtl)
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


def build(progress: Progress = silent) -> Table:
    """Count the clocks, of RTL up to 260 digits, time OpenSSL for some seconds, and compare."""
    return compared(progress, rtl=True)


def preview(progress: Progress = silent) -> Table:
    """Count the clocks of the models."""
    return compared(progress, rtl=False)


ITEM = Item("blum01.table4", "Application to RSA: decryption", "table", build, preview)

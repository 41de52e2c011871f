"""[blum01, Table 1]: CLBs and clock cycle time. The table is lost; the rest of the paper is compared."""

from monpro.report.blum01.designs import (
    AREA_TARGET,
    AREA_WITHIN,
    CLBS,
    CLOCK_TARGET,
    CLOCKS,
    OTHER_DEVICE,
    RADICES_LOG2,
    area_row,
    clbs,
    clock_ns,
    design,
    label,
    not_recorded,
)
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare

SIZES_BITS = (256, 512, 768, 1024)
UNIT_CLBS = 24  # [blum01, §4.2]


def clock_row(radix_log2: int, bits: int) -> Row:
    """Return the row of a clock period."""
    clock = CLOCKS[radix_log2, bits]
    core = design(radix_log2, bits)
    ours = clock_ns(core)
    return compare(
        label(radix_log2, bits, "clock period"),
        round(clock.period_ns, 2),
        ours and round(ours, 2),
        f"print: {clock.source}; {'ours: ECP5' if ours else not_recorded(core, CLOCK_TARGET)}",
        reason=OTHER_DEVICE,
        within=AREA_WITHIN,
        unit="ns",
        printed=False,
        source="recorded",
    )


def unit_row() -> Row:
    """Return the row of the CLBs of one digit in radix 16, from the growth of a design by 128 digits."""
    cores = design(4, 512), design(4, 1024)
    small, large = map(clbs, cores)
    ours = None if small is None or large is None else round((large - small) / 128, 1)
    return compare(
        "radix 16, CLBs of a unit",
        UNIT_CLBS,
        ours,
        "from 512 to 1024 bits; print the same way: 25.2" if ours else not_recorded(cores[1], AREA_TARGET),
        reason="our units have no state but registers and memories",
        within=AREA_WITHIN,
        unit="CLBs",
        source="recorded",
    )


def build(progress: Progress = silent) -> Table:
    """Compare recorded areas and clocks with the print."""
    rows = []
    for bits in SIZES_BITS:
        for k in RADICES_LOG2:
            rows.append(area_row(label(k, bits, "CLBs"), CLBS[k, bits], design(k, bits)))
            rows.append(clock_row(k, bits))
    rows.append(unit_row())
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("blum01.table1", "CLB usage and clock cycle time of the exponentiators", "table", build)

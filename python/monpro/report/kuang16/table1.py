"""[kuang16, Table I]: area and critical path of the multipliers, from their cells.

The table itself is lost. The statements of the text about it and about the multipliers in it are checked
[kuang16, §II-C and §IV-A].
"""

from collections import Counter

from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.cells import (
    DESIGNS,
    FCS_MM_1,
    FCS_MM_2,
    FCS_MMM42,
    NEW,
    NEW_PLAIN,
    SCS_MM_1,
    SCS_MM_2,
    TABLE_1,
    area_row,
    delay_row,
)
from monpro.report.kuang16.library import NAME, area
from monpro.report.table import Row, Table, compare

LARGE_MUX = "three MUX2 make a MUX4; by the printed sums it is 2.28 A_FA − 1.5 A_REG, about 1 A_FA (derived)"
EQUAL_PATHS = "as long as those of the SCS multipliers in unit gates, too coarse to tell"


def claims() -> tuple[tuple[str, bool, str], ...]:
    """Return the statements of the text, whether each holds here, and why it might not."""
    return (
        ("SCS multipliers smaller than FCS", max(SCS_MM_1.area, SCS_MM_2.area) < FCS_MM_1.area, ""),
        ("FCS-MM-2 larger than FCS-MM-1", FCS_MM_2.area > FCS_MM_1.area, ""),
        ("FCS-MM-2's path shorter than FCS-MM-1's", FCS_MM_2.delay < FCS_MM_1.delay, ""),
        ("New larger than SCS-MM-2", NEW.area > SCS_MM_2.area, ""),
        ("New smaller than FCS-MM-1", NEW.area < FCS_MM_1.area, LARGE_MUX),
        ("New smaller than FCS-MM-2", NEW.area < FCS_MM_2.area, ""),
        ("New much smaller than FCS-MMM42", NEW.area < 0.8 * FCS_MMM42.area, ""),
        ("New's path the shortest of the table", NEW.delay < min(d.delay for d in TABLE_1), EQUAL_PATHS),
    )


def claim_row(claim: str, *, holds: bool, reason: str) -> Row:
    """Return the row of a statement of the text."""
    return compare(claim, "yes", "yes" if holds else "no", reason=reason or NAME, source="modelled")


def build(progress: Progress = silent) -> Table:
    """Sum the cells of every design and compare with the text."""
    rows = [area_row(design) for design in DESIGNS]
    rows += [delay_row(design) for design in DESIGNS if design is not NEW_PLAIN]
    rows += [claim_row(claim, holds=holds, reason=reason) for claim, holds, reason in claims()]
    larger = (NEW.area / NEW_PLAIN.area - 1) * 100
    rows.append(
        compare(
            "area of the configurable adder",
            5.0,
            round(larger, 1),
            f"NAND2 + MUXI2 are {area(Counter(NAND2=1, MUXI2=1)):.2f} A_FA in {NAME}, 0.48 in print",
            within=0.01,
            unit="%",
            source="modelled",
        )
    )
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("kuang16.table1", "Analysis of area and delay of different designs", "table", build)

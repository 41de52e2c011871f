"""[koc97, Table 3]: all operations of the exponentiations, for three word sizes and two ways to MULGF2."""

from collections.abc import Iterable, Mapping

from monpro.report.item import Item, Progress, silent
from monpro.report.koc97 import table2
from monpro.report.koc97.counts import LOST_FACTOR, Counts, W
from monpro.report.polynomial import Polynomial, constant
from monpro.report.table import Row, Table, compare

MULGF2_COST: dict[str, Polynomial] = {  # in XOR and SHIFT: 2w SHIFT and w XOR, or one instruction like them
    "Emulation": 3 * W,
    "Instruction": constant(1),
}
WIDTHS_BITS = (8, 16, 32)

PUBLISHED: dict[tuple[str, str, int], str] = {
    ("Standard", "Emulation", 8): "70.5ms² + 49ms",
    ("Standard", "Emulation", 16): "138.5ms² + 95ms",
    ("Standard", "Emulation", 32): "274.5ms² + 187ms",
    ("Standard", "Instruction", 8): "59ms² + 49ms",
    ("Standard", "Instruction", 16): "115ms² + 95ms",
    ("Standard", "Instruction", 32): "227ms² + 187ms",
    ("Montgomery", "Emulation", 8): "(52m + 109)s² + (70m + 37)s + 189",
    ("Montgomery", "Emulation", 16): "(100m + 209)s² + (138m + 73)s + 765",
    ("Montgomery", "Emulation", 32): "(196m + 409)s² + (274m + 145)s + 3069",
    ("Montgomery", "Instruction", 8): "(6m + 40)s² + (35.5m + 14)s + 28",
    ("Montgomery", "Instruction", 16): "(6m + 68)s² + (67.5m + 26)s + 60",
    ("Montgomery", "Instruction", 32): "(6m + 124)s² + (131.5m + 50)s + 124",
}


def total(steps: Iterable[Counts], mulgf2: str, w: int) -> Polynomial:
    """Return all operations of the steps of an exponentiation, with MULGF2 counted at its cost."""
    everything = constant(0)
    for counts in steps:
        everything += counts["MULGF2"] * MULGF2_COST[mulgf2] + counts["XOR/AND"] + counts["SHIFT"]
    return everything.at(w=w)


def rows_of(label: str, published: str, counted: Polynomial, printed: Polynomial) -> Iterable[Row]:
    """Return the row of our count and, if it differs, a row of the sum of the printed Table 2."""
    reason = LOST_FACTOR if label.startswith("Standard") else ""
    yield compare(label, published, str(counted), reason=reason, source="counted")
    if counted != printed:
        yield compare(f"{label}, Table 2 as printed", published, str(printed), source="computed")


def build(progress: Progress = silent) -> Table:
    """Sum the steps of Table 2, as counted and as printed, and compare."""
    counted: dict[str, Mapping[str, Counts]] = {}
    for done, method in enumerate(table2.METHODS):
        progress(done, len(table2.METHODS))
        counted[method] = table2.counted(method)
    progress(len(counted), len(counted))
    rows = [
        row
        for (method, mulgf2, w), published in PUBLISHED.items()
        for row in rows_of(
            f"{method}, {mulgf2}, w = {w}",
            published,
            total(counted[method].values(), mulgf2, w),
            total(table2.PUBLISHED[method].values(), mulgf2, w),
        )
    ]
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc97.table3", "Comparing the Montgomery and standard exponentiation algorithms", "table", build)

"""[koc97, Table 4]: the largest speed-up of the Montgomery exponentiation, by the operations of Table 3."""

from fractions import Fraction

from monpro.report.item import Item, Progress, silent
from monpro.report.koc97 import table2
from monpro.report.koc97.table3 import total
from monpro.report.polynomial import Polynomial
from monpro.report.table import Table, compare

PUBLISHED: dict[tuple[str, int], float] = {
    ("Emulation", 8): 1.36,
    ("Emulation", 16): 1.39,
    ("Emulation", 32): 1.40,
    ("Instruction", 8): 9.83,
    ("Instruction", 16): 19.17,
    ("Instruction", 32): 37.83,
}


def operations(mulgf2: str, w: int) -> tuple[Polynomial, Polynomial]:
    """Return the operations of the standard and of the Montgomery exponentiation, by the printed Table 2."""
    standard, montgomery = (
        total(table2.PUBLISHED[method].values(), mulgf2, w) for method in ("Standard", "Montgomery")
    )
    return standard, montgomery


def speedup(mulgf2: str, w: int, m: int, s: int) -> Fraction:
    """Return the ratio of the operations for an exponent of m bits and operands of s words."""
    standard, montgomery = (count.number(m=m, s=s) for count in operations(mulgf2, w))
    return standard / montgomery


def limit(mulgf2: str, w: int) -> Fraction:
    """Return the limit of the ratio for large m and s, from the leading terms; ValueError if they differ."""
    (powers, standard), (others, montgomery) = (count.leading() for count in operations(mulgf2, w))
    if powers != others:
        raise ValueError("the ratio has no limit")
    return standard / montgomery


def build(progress: Progress = silent) -> Table:
    """Compute the limits and compare."""
    rows = [
        compare(f"{mulgf2}, w = {w}", published, round(float(limit(mulgf2, w)), 2), source="computed")
        for (mulgf2, w), published in PUBLISHED.items()
    ]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc97.table4", "Estimated speedup values of Montgomery exponentiation", "table", build)

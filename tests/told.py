"""What every table, figure and claim of the report tells, as lines of text, and where the tests keep it.

`.venv/bin/python tests/told.py` writes the kept text anew. The difference to the last commit then shows what
a change of the code, or a new recording under results/, changed for the readers of the report. Of a drawing
there is a digest: one that changed has to be looked at.
"""

import hashlib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from monpro.files import write_whole
from monpro.report import Claim, Figure, Item, Progress, Table, catalogue
from monpro.report.item import silent
from monpro.report.koc97.table5 import ON_VECTORS
from monpro.report.outcome import compute, of_print, with_unit

FOLDER = Path(__file__).parent / "report" / "told"
MEASURED = {"koc97.table5.figure"}  # a run on this machine draws it, in seconds; it has tests of its own
ITEMS = tuple(item for item in catalogue() if item.id not in MEASURED)
OF_THIS_MACHINE = ("timed", "compiled")


def main() -> None:
    """Write the text of each paper."""
    for paper, items in groupby(sorted(ITEMS, key=lambda item: item.id), lambda item: item.paper):
        text = "\n\n".join("\n".join(told(item)) for item in items)
        write_whole(FOLDER / f"{paper}.txt", f"{text}\n")


def kept(item: Item) -> list[str]:
    """Return the lines of an item that are kept; none if there are none."""
    blocks = (FOLDER / f"{item.paper}.txt").read_text(encoding="utf-8").split("\n\n")
    return next((block.splitlines() for block in blocks if block.startswith(f"{item.id}: ")), [])


def told(item: Item, progress: Progress = silent) -> list[str]:
    """Return what an item tells now: its id and title, then a line for each row or part."""
    match compute(item, quick=True, progress=progress).result:
        case Table() as table:
            return [f"{item.id}: {table.title}", *rows_of(table)]
        case Claim() as claim:
            return [f"{item.id}: {item.title}", *parts_of(claim)]
        case Figure() as figure:
            drawn = f"drawing {digest(figure)}"
            return [f"{item.id}: {figure.title}", figure.reconstructed or "as printed", drawn]


def digest(figure: Figure) -> str:
    """Return the digest of a drawing."""
    return hashlib.sha256(figure.svg.encode()).hexdigest()


def rows_of(table: Table) -> Iterator[str]:
    """Yield each row; of one that depends on this machine, only what does not.

    Rows beside vectors are left out: there are some only where the CPU has AVX2.
    """
    for row in table.rows:
        if row.source not in OF_THIS_MACHINE:
            ours = f"{with_unit(row.ours, row.unit)} | {row.verdict} | {row.tolerance} | {row.note}"
            yield f"{row.label} | {of_print(row)} | {row.source or 'no source'} | {ours}"
        elif ON_VECTORS not in row.label:
            yield f"{row.label} | {of_print(row)} | {row.source}"


def parts_of(claim: Claim) -> Iterator[str]:
    """Yield where a claim stands, its two sides, and the reason of the verdict."""
    yield claim.section
    yield of_print(claim)
    yield f"{claim.source} | {with_unit(claim.ours, claim.unit)} | {claim.verdict} | {claim.tolerance}"
    yield claim.reason


if __name__ == "__main__":
    main()

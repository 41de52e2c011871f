"""What every table and claim of the report tells, as lines of text, and where the tests keep it.

`.venv/bin/python tests/told.py` writes the kept text anew. The difference to the last commit then shows what
a change of the code, or a new recording under results/, changed for the readers of the report.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from monpro.report import Claim, Figure, Item, Row, Table, catalogue
from monpro.report.koc97.table5 import ON_VECTORS
from monpro.report.outcome import compute, show

FOLDER = Path(__file__).parent / "report" / "told"
ITEMS = tuple(item for item in catalogue() if item.kind != "figure")


def main() -> None:
    """Write the text of each paper."""
    FOLDER.mkdir(exist_ok=True)
    for paper, items in groupby(sorted(ITEMS, key=lambda item: item.id), lambda item: item.paper):
        text = "\n\n".join("\n".join(told(item)) for item in items)
        (FOLDER / f"{paper}.txt").write_text(f"{text}\n", encoding="utf-8")


def kept(item: Item) -> list[str]:
    """Return the lines of an item that are kept; none if there are none."""
    blocks = (FOLDER / f"{item.paper}.txt").read_text(encoding="utf-8").split("\n\n")
    return next((block.splitlines() for block in blocks if block.startswith(f"{item.id}: ")), [])


def told(item: Item) -> list[str]:
    """Return what an item tells now: its id and title, then a line for each row, or each part of a claim."""
    match compute(item, quick=True).result:
        case Table() as table:
            return [f"{item.id}: {table.title}", *rows_of(table)]
        case Claim() as claim:
            return [f"{item.id}: {item.title}", *parts_of(claim)]
        case Figure():
            raise ValueError(f"{item.id} is a figure: it tells no text")


def rows_of(table: Table) -> Iterator[str]:
    """Yield each row; of one that is timed just now only what does not depend on the machine.

    Times of vectors are left out: there are some only where the CPU has AVX2.
    """
    for row in table.rows:
        if row.source == "timed" and row.label.endswith(ON_VECTORS):
            continue
        yield f"{row.label} | {print_of(row)} | {row.source or 'no source'} | {ours_of(row)}"


def ours_of(row: Row) -> str:
    """Return our side of a row: the entry, the verdict and its tolerance, and the note."""
    if row.source == "timed":
        return row.unit
    return f"{show(row.ours)} {row.unit} | {row.verdict} | {row.tolerance} | {row.note}"


def parts_of(claim: Claim) -> Iterator[str]:
    """Yield where a claim stands, its two sides, and the reason of the verdict."""
    yield f"{claim.section} | {claim.statement}"
    yield f"{print_of(claim)} {claim.unit}"
    yield f"{claim.source} | {show(claim.ours)} {claim.unit} | {claim.verdict} | {claim.tolerance}"
    yield claim.reason


def print_of(found: Row | Claim) -> str:
    """Return the published entry, marked where it follows from the print and was never printed."""
    return f"{show(found.published)}{'' if found.printed else ' (derived)'}"


if __name__ == "__main__":
    main()

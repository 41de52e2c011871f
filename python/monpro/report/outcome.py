"""An item of the catalogue once it is computed: its result, in a line and in full, and its origin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from monpro.report.claim import Claim
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress, silent
from monpro.report.papers import published_ids
from monpro.report.provenance import Provenance, of, opened_recordings
from monpro.report.table import UNEXPLAINED, Entry, Row, Table

# agrees: all that can be compared is as in print. differs: something is not, and a reason is given.
# reconstructed: the paper's own drawing is lost. open: nothing can be compared.
Mark = Literal["agrees", "differs", "reconstructed", "open"]
MARKS: dict[Mark, tuple[str, str]] = {
    "agrees": ("✓", "as in print"),
    "differs": ("≠", "differs from print, and says why"),
    "reconstructed": ("◇", "reconstructed: the paper's own drawing is lost"),
    "open": ("–", "nothing to compare"),
}
AS_IN_PRINT = "as in print"  # of a figure that survives: tests compare it with the print
OURS_ALONE = "a drawing that the paper does not have"
CLAIM_MARKS: dict[str, Mark] = {
    "agreed": "agrees",
    "refuted": "differs",
    "differs": "differs",
    "not tested": "open",
}


@dataclass(frozen=True)
class Outcome:
    """An item, its table, figure or claim, and where that comes from."""

    item: Item
    result: Table | Figure | Claim
    provenance: Provenance

    @property
    def _is_printed(self) -> bool:
        return self.item.id in published_ids()

    @property
    def mark(self) -> Mark:
        """Return the verdict in a word."""
        match self.result:
            case Table(rows=rows):
                verdicts = {row.verdict for row in rows}
                compared = verdicts - {"not compared"}
                return "differs" if "differs" in verdicts else "agrees" if compared else "open"
            case Figure(reconstructed=reason):
                return "reconstructed" if reason else "agrees" if self._is_printed else "open"
            case Claim(verdict=verdict):
                return CLAIM_MARKS[verdict]

    @property
    def unexplained(self) -> list[str]:
        """Return the labels of the rows that differ without a reason: a defect, which tests look for."""
        rows = self.result.rows if isinstance(self.result, Table) else ()
        return [row.label for row in rows if row.note == UNEXPLAINED]

    @property
    def verdict(self) -> str:
        """Return the verdict in a few words: `25/25 exact`, `reconstructed`, `refuted`."""
        match self.result:
            case Table(rows=rows):
                return verdict_of_rows(rows)
            case Figure(reconstructed=reason):
                return "reconstructed" if reason else AS_IN_PRINT if self._is_printed else OURS_ALONE
            case Claim(verdict=verdict):
                return verdict

    @property
    def published(self) -> str:
        """Return what the paper says, in a few words: of a table, its row that is furthest from ours."""
        match self.result:
            case Table(rows=rows):
                row = furthest(rows)
                return of_print(row) if row else ""
            case Claim() as claim:
                return of_print(claim)
        return "a drawing"

    @property
    def ours(self) -> str:
        """Return what was found here, in a few words: of a table, in the row that is furthest from print."""
        match self.result:
            case Table(rows=rows):
                row = furthest(rows)
                return f"{with_unit(row.ours, row.unit)} ({row.label})" if row else ""
            case Claim(ours=ours, unit=unit):
                return with_unit(ours, unit)
        return "a drawing"

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as plain data, for JSON."""
        head = {
            "id": self.item.id,
            "paper": self.item.paper,
            "kind": self.item.kind,
            "title": self.item.title,
            "summary": self.verdict,
            "mark": self.mark,
        }
        return head | self.result.as_dict() | {"provenance": self.provenance.as_dict()}


def compute(item: Item, *, quick: bool, progress: Progress = silent) -> Outcome:
    """Compute an item; if `quick`, from a small sample where all of it takes long.

    ValueError where a measurement that it needs is missing.
    """
    build = item.preview if quick and item.preview else item.build
    with opened_recordings() as files:
        result = build(progress)
    return Outcome(item, result, of(item.id, files, is_sample=build is not item.build))


def verdict_of_rows(rows: Sequence[Row]) -> str:
    """Return how many rows have which verdict: `25/25 exact`, `4 exact, 9 within tolerance, 2 differ`."""
    counts = Counter(row.verdict for row in rows)
    compared = len(rows) - counts["not compared"]
    if not compared:
        return "nothing to compare"
    if counts["exact"] == compared:
        return f"{compared}/{compared} exact"
    parts = [
        (counts["exact"], "exact"),
        (counts["within"], "within tolerance"),
        (counts["derived"], "as derived from print"),
        (counts["differs"], "differs" if counts["differs"] == 1 else "differ"),
    ]
    return ", ".join(f"{count} {word}" for count, word in parts if count)


def furthest(rows: Sequence[Row]) -> Row | None:
    """Return the row whose numbers are furthest apart, else one that differs, else the first compared."""
    compared = [row for row in rows if row.verdict != "not compared"]
    numbers = [row for row in compared if row.deviation is not None]
    differing = [row for row in compared if row.verdict == "differs"]
    far = max(numbers, key=lambda row: abs(row.deviation or 0), default=None)
    if far is not None and (far.verdict == "differs" or not differing):
        return far
    return next(iter([*differing, *compared]), None)


def of_print(found: Row | Claim) -> str:
    """Return the published entry with its unit, marked if it was never printed but follows from the print."""
    text = with_unit(found.published, found.unit)
    return text if found.printed or not text else f"{text} (derived)"


def with_unit(entry: Entry, unit: str) -> str:
    """Return an entry with its unit."""
    return f"{text} {unit}".strip() if (text := show(entry)) else ""


def show(entry: Entry) -> str:
    """Return an entry as text with all its digits that mean something; nothing where there is none."""
    if entry is None:
        return ""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, int):
        return f"{entry:,}" if abs(entry) >= 10_000 else str(entry)
    return f"{entry:,.6g}" if abs(entry) >= 10_000 else f"{entry:.6g}"

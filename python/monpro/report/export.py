"""Outcomes as rows of CSV: one for each row of a table, and one for each claim and figure."""

from collections.abc import Iterator

from monpro.report.claim import Claim
from monpro.report.outcome import Outcome
from monpro.report.table import Table

CSV_COLUMNS = (
    *("id", "kind", "title", "label", "published", "ours", "unit", "difference", "tolerance", "verdict"),
    *("printed", "source", "why", "commit", "seed", "machine", "date", "sample", "recorded"),
)


def csv_rows(outcome: Outcome) -> Iterator[dict[str, object]]:
    """Yield the rows of an outcome by the names of the columns."""
    item, origin = outcome.item, outcome.provenance
    recorded = "; ".join(f"{file.file} ({file.machine}, {file.date})" for file in origin.recorded)
    head: dict[str, object] = {
        "id": item.id,
        "kind": item.kind,
        "title": item.title,
        "commit": origin.commit,
        "seed": origin.seed,
        "machine": origin.machine,
        "date": origin.date,
        "sample": origin.sample,
        "recorded": recorded,
    }
    match outcome.result:
        case Table(rows=rows):
            for row in rows:
                entries = row.as_dict()
                entries["why"] = entries.pop("note")
                yield head | {name: entries[name] for name in CSV_COLUMNS if name in entries}
        case Claim() as claim:
            entries = claim.as_dict() | {"label": claim.section, "why": claim.reason}
            yield head | {name: entries[name] for name in CSV_COLUMNS if name in entries} | {"id": item.id}
        case _:
            yield head | {"verdict": outcome.verdict}

"""`monpro reproduce`: published tables, figures and claims, recomputed."""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as RichTable

from monpro import report
from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.output import console, print_json, telling
from monpro.files import write_whole
from monpro.report import citation
from monpro.report.export import CSV_COLUMNS, csv_rows
from monpro.report.outcome import MARKS, Outcome, compute, with_unit
from monpro.report.papers import published_ids


def choices() -> list[str]:
    """Return the papers, their claims, tables and figures, which a shell completes."""
    items = report.catalogue()
    papers = dict.fromkeys(item.paper for item in items)
    return [*papers, *(f"{paper}.claims" for paper in papers), *(item.id for item in items), "all"]


def command(
    id_or_paper: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help=(
                "What to recompute: a paper, such as koc96; one item, such as koc96.table1; the claims of a "
                "paper, such as koc96.claims; or all. Without it, every item is computed from a small sample "
                "and gets one line."
            ),
            autocompletion=choices,
            show_default=False,
        ),
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="The folder for figures. By default report; with --json or --csv, none are written.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Use small samples where a whole computation takes minutes.")
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="Print everything as JSON: entries, verdicts, drawings, origin."),
    ] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the rows and the claims as CSV.")] = False,
    bibtex: Annotated[
        bool, typer.Option("--bibtex", help="Print the papers as BibTeX and compute nothing.")
    ] = False,
) -> int:
    """Recompute the papers' tables, figures and claims, and set them beside the print."""
    if json + as_csv + bibtex > 1:
        raise InputError("--json, --csv, --bibtex: give one of them")
    try:
        items = report.select(id_or_paper or "all")
    except ValueError as error:
        raise InputError(str(error)) from None
    if bibtex:
        sys.stdout.write(citation.bibtex(sorted({item.paper for item in items})))
        return 0
    if output and (json or as_csv):
        raise InputError("--output: --json and --csv write no figures; --json prints them")
    outcomes = computed(items, quick=quick or not id_or_paper)
    if json:
        print_json([outcome.as_dict() for outcome in outcomes])
    elif as_csv:
        write_csv(outcomes)
    elif id_or_paper:
        print_whole(list(outcomes), output or Path("report"))
    else:
        print_lines(outcomes, max(len(item.id) for item in items))
    return 0


def computed(items: Sequence[report.Item], *, quick: bool) -> Iterator[Outcome]:
    """Compute one item after the other, and tell the progress on the error output."""
    for place, item in enumerate(items, 1):
        announced = len(items) > 1 or (not quick and item.preview is not None)
        with telling(f"{item.id} ({place} of {len(items)})", announced=announced) as progress:
            try:
                outcome = compute(item, quick=quick, progress=progress)
            except ValueError as error:
                raise CheckFailed(f"{item.id}: {error}") from None
        yield outcome


def print_lines(outcomes: Iterable[Outcome], width: int) -> None:
    """Print a line for each item as soon as it is computed, and how many have which verdict."""
    out = console(widest=None)
    counts, published, claims = Counter[str](), 0, 0
    for outcome in outcomes:
        counts[outcome.mark] += 1
        published += outcome.item.id in published_ids()
        claims += outcome.item.kind == "claim"
        sign, _ = MARKS[outcome.mark]
        line = f"{sign} {outcome.item.id:{width}}  {outcome.verdict}: {outcome.item.title}"
        out.print(line, no_wrap=True, overflow="ellipsis", crop=True)
    out.print(
        f"{published} of {len(published_ids())} published tables and figures, {claims} claims of the text:"
    )
    for mark, (sign, meaning) in MARKS.items():
        if counts[mark]:
            out.print(f"{sign} {counts[mark]} {meaning}")
    out.print("`monpro reproduce ID` prints one of them whole; `monpro report` writes all on a page.")


def print_whole(outcomes: list[Outcome], folder: Path) -> None:
    """Print tables and claims row by row, and write the figures into the folder."""
    written = write_figures([outcome.result for outcome in outcomes], folder)
    out = console(widest=None)
    for outcome in outcomes:
        if isinstance(outcome.result, report.Table):
            out.print(render(outcome.result))
            if outcome.provenance.sample:
                out.print(outcome.provenance.sample)
    if claims := [outcome.result for outcome in outcomes if isinstance(outcome.result, report.Claim)]:
        out.print(render_claims(claims))
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)


def write_csv(outcomes: Iterable[Outcome]) -> None:
    """Print a line of CSV for each row of a table and for each claim."""
    writer = csv.DictWriter(sys.stdout, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for outcome in outcomes:
        writer.writerows(csv_rows(outcome))


def write_figures(results: Iterable[object], folder: Path) -> list[Path]:
    """Write each figure as <id>.svg into the folder and return the paths."""
    paths = []
    for figure in results:
        if not isinstance(figure, report.Figure):
            continue
        path = folder / f"{figure.id}.svg"
        try:
            write_whole(path, figure.svg)
        except OSError as error:
            raise InputError(f"--output: cannot write {path}: {error.strerror}") from None
        paths.append(path)
    return paths


def render(table: report.Table) -> RichTable:
    """Return the table for the terminal."""
    rich_table = RichTable(title=f"{table.id}: {table.title}")
    for heading in ("", "published", "ours", "difference", "tolerance", "verdict", "why"):
        right = heading in ("published", "ours", "difference", "tolerance")
        rich_table.add_column(heading, justify="right" if right else "left", overflow="fold")
    for row in table.rows:
        entries = (with_unit(entry, row.unit) for entry in (row.published, row.ours))
        rich_table.add_row(row.label, *entries, row.difference, row.tolerance, row.verdict, row.note)
    return rich_table


def render_claims(claims: Sequence[report.Claim]) -> RichTable:
    """Return the claims for the terminal."""
    rich_table = RichTable(title="Claims of the text")
    for heading in ("claim", "published", "ours", "verdict", "why"):
        rich_table.add_column(heading, overflow="fold")
    for claim in claims:
        entries = (with_unit(entry, claim.unit) for entry in (claim.published, claim.ours))
        rich_table.add_row(f"{claim.section} {claim.statement}", *entries, claim.verdict, claim.reason)
    return rich_table

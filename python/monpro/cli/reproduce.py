"""`monpro reproduce`: published tables, figures and claims, recomputed."""

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable

from monpro import report
from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.output import console, is_width_known, print_json, telling
from monpro.files import write_whole
from monpro.report import citation
from monpro.report.export import CSV_COLUMNS, csv_rows
from monpro.report.outcome import MARKS, Outcome, compute, of_print, with_unit
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
    unexplained: list[str] = []
    outcomes = computed(items, unexplained, quick=quick or not id_or_paper)
    if json:
        print_json([outcome.as_dict() for outcome in outcomes])
    elif as_csv:
        write_csv(outcomes)
    elif id_or_paper:
        print_whole(list(outcomes), output or Path("report"))
    else:
        print_lines(outcomes, max(len(item.id) for item in items))
    if unexplained:
        differ = "1 row differs" if len(unexplained) == 1 else f"{len(unexplained)} rows differ"
        raise CheckFailed(f"{differ} without a reason: {'; '.join(unexplained)}")
    return 0


def computed(items: Sequence[report.Item], unexplained: list[str], *, quick: bool) -> Iterator[Outcome]:
    """Compute one item after the other, and tell the progress on the error output.

    The rows that differ without a reason are added to `unexplained`.
    """
    for place, item in enumerate(items, 1):
        announced = len(items) > 1 or (not quick and item.preview is not None)
        with telling(f"{item.id} ({place} of {len(items)})", announced=announced) as progress:
            try:
                outcome = compute(item, quick=quick, progress=progress)
            except ValueError as error:
                raise CheckFailed(f"{item.id}: {error}") from None
        unexplained += [f"{item.id}, {label}" for label in outcome.unexplained]
        yield outcome


def print_lines(outcomes: Iterable[Outcome], width: int) -> None:
    """Print a line for each item as soon as it is computed, and how many have which verdict.

    A line is cut at the width of a terminal, and whole in a file.
    """
    out, cut = console(widest=None), is_width_known()
    counts, published, claims = Counter[str](), 0, 0
    for outcome in outcomes:
        counts[outcome.mark] += 1
        published += outcome.item.id in published_ids()
        claims += outcome.item.kind == "claim"
        sign, _ = MARKS[outcome.mark]
        line = f"{sign} {outcome.item.id:{width}}  {outcome.verdict}: {outcome.item.title}"
        out.print(line, no_wrap=True, overflow="ellipsis" if cut else "ignore", crop=cut)
    out.print(
        f"{published} of {len(published_ids())} published tables and figures, "
        f"{claims} claim{'' if claims == 1 else 's'} of the text:"
    )
    for mark, (sign, meaning) in MARKS.items():
        if counts[mark]:
            out.print(f"{sign} {counts[mark]} {meaning}")
    out.print("`monpro reproduce ID` prints one of them whole; `monpro report` writes all on a page.")


def print_whole(outcomes: list[Outcome], folder: Path) -> None:
    """Print tables row by row and claims line by line, and write the figures into the folder."""
    written = write_figures([outcome.result for outcome in outcomes], folder)
    out = console(widest=None)
    for outcome in outcomes:
        if isinstance(outcome.result, report.Table):
            print_table(out, outcome.result)
            if outcome.provenance.sample:
                out.print(outcome.provenance.sample)
        elif isinstance(outcome.result, report.Claim):
            head, *lines = claim_lines(outcome, outcome.result)
            out.print(head)
            for line in lines:
                out.print(Padding(line, (0, 0, 0, 4), expand=False))
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


def print_table(out: Console, table: report.Table) -> None:
    """Print a table; the reasons, which many rows share, stand below it by their numbers."""
    reasons = list(dict.fromkeys(row.note for row in table.rows if row.note))
    rich_table = RichTable(title=f"{table.id}: {table.title}", box=box.SIMPLE_HEAD)
    for heading in ("", "published", "ours", "difference", "tolerance", "verdict", "why"):
        right = heading in ("published", "ours", "difference", "tolerance", "why")
        rich_table.add_column(heading, justify="right" if right else "left", min_width=len(heading))
    for row in table.rows:
        entries = of_print(row), with_unit(row.ours, row.unit)
        why = str(reasons.index(row.note) + 1) if row.note else ""
        rich_table.add_row(row.label, *entries, row.difference, row.tolerance, row.verdict, why)
    out.print(rich_table)
    below = RichTable.grid(padding=(0, 1))
    below.add_column(justify="right")
    below.add_column()
    for number, reason in enumerate(reasons, 1):
        below.add_row(str(number), reason)
    out.print(below)


def claim_lines(outcome: Outcome, claim: report.Claim) -> Iterator[str]:
    """Yield the lines of a claim for the terminal: what it says, what both sides are, and why."""
    sign, _ = MARKS[outcome.mark]
    yield f"{sign} {claim.id}, {claim.section}: {claim.statement}"
    parts = {
        "published": of_print(claim),
        "ours": with_unit(claim.ours, claim.unit),
        "difference": claim.difference,
        "tolerance": claim.tolerance,
    }
    told = [f"{name} {text}" for name, text in parts.items() if text]
    yield "; ".join([*told, claim.verdict])
    yield claim.reason

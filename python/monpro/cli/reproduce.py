"""`monpro reproduce`: published tables, figures and claims, recomputed."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table as RichTable

from monpro import report
from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.output import console, print_json, progress_bar
from monpro.files import write_whole


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
                "A paper, such as koc96, one of its tables, figures or claims, such as koc96.table1, all of "
                "its claims, koc96.claims, or all."
            ),
            autocompletion=choices,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="The folder for figures. By default report; with --json, none are written."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> int:
    """Recompute the tables, figures and claims of a paper, print both, and explain differences."""
    try:
        items = report.select(id_or_paper)
    except ValueError as error:
        raise InputError(str(error)) from None
    built = [build(item) for item in items]
    tables = [result for result in built if isinstance(result, report.Table)]
    figures = [result for result in built if isinstance(result, report.Figure)]
    claims = [result for result in built if isinstance(result, report.Claim)]
    folder = output or (None if json else Path("report"))
    written = write_figures(figures, folder) if folder else []
    if json:
        print_json([*(table.as_dict() for table in tables), *(claim.as_dict() for claim in claims)])
        return 0
    out = console()
    for table in tables:
        out.print(render(table))
    if claims:
        out.print(render_claims(claims))
    for path in written:
        out.print(f"wrote {path}", soft_wrap=True)
    return 0


def build(item: report.Item) -> report.Table | report.Figure | report.Claim:
    """Compute one table, figure or claim behind a progress bar."""
    with progress_bar() as progress:
        task = progress.add_task(item.id, total=None)
        try:
            return item.build(lambda done, total: progress.update(task, completed=done, total=total))
        except ValueError as error:
            raise CheckFailed(f"{item.id}: {error}") from None


def write_figures(figures: list[report.Figure], folder: Path) -> list[Path]:
    """Write each figure as <id>.svg into the folder and return the paths."""
    paths = []
    for figure in figures:
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
    for heading in ("", "published", "ours", "difference", "why"):
        rich_table.add_column(heading, justify="left" if heading in ("", "why") else "right", overflow="fold")
    for row in table.rows:
        rich_table.add_row(row.label, show(row.published), show(row.ours), row.difference, row.note)
    return rich_table


def render_claims(claims: list[report.Claim]) -> RichTable:
    """Return the claims for the terminal."""
    rich_table = RichTable(title="Claims of the text")
    for heading in ("claim", "published", "ours", "verdict", "why"):
        rich_table.add_column(heading, overflow="fold")
    for claim in claims:
        text = f"{claim.section} {claim.statement}"
        unit = f" {claim.unit}" if claim.unit else ""
        entries = (f"{show(entry)}{unit}" if show(entry) else "" for entry in (claim.published, claim.ours))
        rich_table.add_row(text, *entries, claim.verdict, claim.reason)
    return rich_table


def show(entry: str | float | None) -> str:
    """Return an entry of a table as text: nothing where there is none."""
    return "" if entry is None else entry if isinstance(entry, str) else f"{entry:.4g}"

"""`monpro report`: everything that was recomputed, on one page."""

from pathlib import Path
from typing import Annotated

import typer

from monpro import report
from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.output import console, print_json, telling
from monpro.files import write_whole
from monpro.page import build


def command(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")] = Path(
        "report.html"
    ),
    json: Annotated[bool, typer.Option("--json", help="Print the page's path and size as JSON.")] = False,
) -> int:
    """Write one page: what was recomputed, which method is fastest, and the errors in print."""
    html = write_page(output)
    if json:
        print_json({"file": str(output), "bytes": len(html.encode())})
        return 0
    out = console()
    out.print(f"The page: {output.resolve().as_uri()} ({len(html.encode()) // 1000:,} kB)", soft_wrap=True)
    return 0


def write_page(target: Path) -> str:
    """Build the page, tell the progress, write the page and return it."""
    total = len(report.catalogue())
    done = 0
    with telling("the papers' items", announced=False) as progress:

        def advance(_item_id: str) -> None:
            nonlocal done
            progress(done, total)
            done += 1

        try:
            html = build.page(build.recompute(advance))
        except ValueError as error:
            raise CheckFailed(str(error)) from None
    try:
        write_whole(target, html)
    except OSError as error:
        raise InputError(f"--output: cannot write {target}: {error.strerror}") from None
    return html

"""`monpro demo`: the main job."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from monpro import curves, demo, page, report
from monpro.cli.errors import InputError
from monpro.cli.output import console, print_json, progress_bar
from monpro.engines import RING_TITLES
from monpro.files import write_whole
from monpro.timing import format_seconds


def command(
    bits: Annotated[
        int, typer.Option(min=1024, max=4096, help="Size of the RSA key and of the polynomial.")
    ] = 2048,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the page, index.html.")] = Path(
        "report"
    ),
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> int:
    """Give one real exponentiation to every engine there is: check, compare, and draw a page."""
    target = output / "index.html"
    sections, html = run(bits)
    try:
        write_whole(target, html)
    except OSError as error:
        raise InputError(f"--output: cannot write {target}: {error.strerror}") from None
    correct = all(section.correct for section in sections)
    if json:
        data = {
            "correct": correct,
            "page": str(target),
            "sections": [section.as_dict() for section in sections],
        }
        print_json(data)
    else:
        show(sections, target)
    return 0 if correct else 1


def run(bits: int) -> tuple[list[demo.Section], str]:
    """Do everything that takes time, behind a progress bar; return the results and the page."""
    with progress_bar() as progress:
        total = demo.count_measurements(bits) + curves.count_measurements() + len(page.PAPER_ITEMS)
        task = progress.add_task("", total=total)

        def advance() -> None:
            progress.advance(task)

        sections = []
        for ring, make_job in demo.JOBS.items():
            progress.update(task, description=f"preparing a job over {RING_TITLES[ring]}")
            job = make_job(bits)
            progress.update(task, description=job.title)
            sections.append(demo.run(job, advance))
        progress.update(task, description="Montgomery products by size")
        product_curves = curves.measure(advance)
        progress.update(task, description="the paper's tables and figures")
        paper_items = []
        for item in page.PAPER_ITEMS:
            paper_items.append(report.select(item)[0].build())
            advance()
        progress.update(task, description="drawing the page")
        return sections, page.render(sections, product_curves, paper_items)


def show(sections: list[demo.Section], target: Path) -> None:
    """Print the table of results and where the page is."""
    out = console()
    out.print(results_table(sections))
    for section in sections:
        verdict = "all right" if section.correct else "NOT ALL RIGHT"
        out.print(f"{section.job.title}: {verdict}, compared with {section.job.checked_against}.")
    out.print("mults: word multiplications, 2s² + s for one Montgomery product of s words [koc96, Table 1].")
    out.print(f"The page with the plots: {target.resolve().as_uri()}", soft_wrap=True)


def results_table(sections: list[demo.Section]) -> Table:
    """Return one table of all engines, a section a job."""
    table = Table(title="One exponentiation, every engine")
    for heading in ("engine", "paper", "word bits", "mults", "time", "spread", "ratio", "result"):
        left = heading in ("engine", "paper", "result")
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for section in sections:
        table.add_section()
        table.add_row(Text(section.job.title, style="bold"))
        for outcome in section.outcomes:
            table.add_row(*cells(outcome), style="green" if outcome.ratio == 1 else None)
    return table


def cells(outcome: demo.Outcome) -> list[str | Text]:
    """Return a row of the table."""
    engine, timing = outcome.engine, outcome.timing
    known: list[str | Text] = [
        engine.name,
        engine.paper,
        str(engine.radix_bits),
        f"{outcome.word_multiplications:,}",
    ]
    if timing is None or outcome.ratio is None:
        return [*known, "", "", "", Text("WRONG", style="bold red")]
    times = [format_seconds(timing.seconds), f"±{timing.spread / 2:.1%}", f"{outcome.ratio:.2f}"]
    return [*known, *times, "right"]

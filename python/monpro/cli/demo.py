"""`monpro demo`: the main job."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from monpro.cli.errors import InputError
from monpro.cli.hardware import failures_of_tools
from monpro.cli.output import console, print_json, progress_bar
from monpro.demo import core_jobs, jobs, page, product_times
from monpro.files import write_whole
from monpro.page import build
from monpro.report import catalogue
from monpro.results import sweep
from monpro.results.durations import format_seconds

DEFAULT_BITS = 2048


def command(
    bits: Annotated[
        int | None,
        typer.Option(
            metavar="BITS",
            min=1024,
            max=4096,
            help=f"Bits of every job; by default {DEFAULT_BITS}, and {core_jobs.DEFAULT_BITS} for the cores.",
            show_default=False,
        ),
    ] = None,
    core_bits: Annotated[
        int | None,
        typer.Option(
            metavar="BITS",
            min=8,
            max=4096,
            help="Bits of the job for the hardware cores.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder for the pages, index.html and report.html.")
    ] = Path("report"),
    json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> int:
    """Run one real exponentiation through every engine, compare the results, and draw a page."""
    target, report = output / "index.html", output / page.REPORT
    results, html = run(bits or DEFAULT_BITS, core_bits or bits or core_jobs.DEFAULT_BITS)
    try:
        write_whole(target, html)
        write_whole(report, build.page(results.papers))
    except OSError as error:
        raise InputError(f"--output: cannot write {error.filename or target}: {error.strerror}") from None
    if json:
        data = {
            "correct": results.correct,
            "page": str(target),
            "report": str(report),
            "sections": [section.as_dict() for section in results.sections],
            "cores": results.cores.as_dict(),
        }
        print_json(data)
    else:
        show(results, target, report)
    return 0 if results.correct else 1


def run(bits: int, core_bits: int) -> tuple[page.Results, str]:
    """Do all the work behind a progress bar; return the results and the page."""
    with progress_bar() as progress, failures_of_tools():
        task = progress.add_task("choosing the jobs")
        plans = jobs.plan(bits)
        total = (
            jobs.count_measurements(plans) + product_times.count_measurements() + len(core_jobs.runnable())
        )
        total += len(catalogue())
        progress.update(task, total=total)

        def advance() -> None:
            progress.advance(task)

        sections = []
        for plan in plans:
            progress.update(task, description=f"preparing {plan.title}")
            job = plan.make_job()
            progress.update(task, description=job.title)
            sections.append(jobs.run(job, plan.engines, advance))
        core_job = core_jobs.make_job(core_bits)
        progress.update(task, description=core_job.title)
        cores = core_jobs.run(core_job, advance)
        area_times = core_jobs.area_times()
        progress.update(task, description="Montgomery products by size")
        product_curves = product_times.measure(advance)
        progress.update(task, description="the papers' tables and figures")
        papers = build.recompute(lambda _item_id: advance())
        progress.update(task, description="drawing the page")
        results = page.Results(sections, cores, area_times, product_curves, papers, sweep.recorded())
        return results, page.render(results)


def show(results: page.Results, target: Path, report: Path) -> None:
    """Print the results of each job and where the page is."""
    out = console()
    for section in results.sections:
        out.print(results_table(section))
        verdict = "all right" if section.correct else "NOT ALL RIGHT"
        out.print(f"{verdict}, compared with {section.job.checked_against}\n")
    out.print(cores_table(results.cores))
    out.print(decryption_line(results.cores.decryption))
    verdict = "all right" if results.cores.correct else "NOT ALL RIGHT"
    out.print(f"{verdict}, compared with {results.cores.job.checked_against}")
    if results.cores.reason:
        out.print(f"RTL NOT RUN: it {results.cores.reason}", soft_wrap=True)
    out.print(
        "\nw: bits of a word; mults: word multiplications, 2s² + s for one Montgomery product of s words"
    )
    out.print("[koc96, Table 1], where the method makes so many.")
    out.print(
        f"The papers' tables, figures and claims, recomputed: {report.resolve().as_uri()}", soft_wrap=True
    )
    out.print(f"The page with the plots of this run: {target.resolve().as_uri()}", soft_wrap=True)


def results_table(section: jobs.Section) -> Table:
    """Return the table of the engines that did a job."""
    table = Table(title=Text(section.job.title, style="bold"), title_justify="left")
    for heading in ("engine", "paper", "w", "mults", "time", "spread", "ratio", "result"):
        left = heading in ("engine", "paper", "result")
        table.add_column(heading, justify="left" if left else "right", no_wrap=True)
    for outcome in section.outcomes:
        table.add_row(*cells(outcome), style="green" if outcome.ratio == 1 else None)
    return table


def cores_table(section: core_jobs.CoreSection) -> Table:
    """Return the table of the hardware cores."""
    title = Text(f"One {section.job.title}", style="bold")
    table = Table(title=title, title_justify="left")
    for heading in ("engine", "paper", "what ran", "clock cycles", "ratio", "result"):
        right = heading in ("clock cycles", "ratio")
        table.add_column(heading, justify="right" if right else "left", no_wrap=True)
    for outcome in section.outcomes:
        table.add_row(
            outcome.engine.name,
            outcome.engine.architecture.paper,
            "RTL" if outcome.engine.rtl else "model",
            f"{outcome.cycles:,}",
            f"{outcome.ratio:.2f}",
            "right" if outcome.correct else Text("WRONG", style="bold red"),
            style="green" if outcome.ratio == 1 else None,
        )
    return table


def decryption_line(decryption: core_jobs.Decryption) -> str:
    """Return the RSA decryption in words."""
    what = f"RSA-{decryption.bits} decryption by halves on {decryption.engine}"
    if not decryption.correct:
        return f"{what}: WRONG"
    serial, parallel = decryption.serial_cycles, decryption.parallel_cycles
    return f"{what}: {serial:,} clock cycles on one, {parallel:,} on two; software's result"


def cells(outcome: jobs.Outcome) -> list[str | Text]:
    """Return a row of the table."""
    engine, timing = outcome.engine, outcome.timing
    known: list[str | Text] = [
        engine.name,
        engine.paper,
        str(engine.radix_bits),
        "" if outcome.word_multiplications is None else f"{outcome.word_multiplications:,}",
    ]
    if timing is None or outcome.ratio is None:
        return [*known, "", "", "", Text("WRONG", style="bold red")]
    times = [format_seconds(timing.seconds), f"±{timing.spread / 2:.1%}", f"{outcome.ratio:.2f}"]
    return [*known, *times, "right"]

"""The output of the commands: tables, progress on the error output, data as JSON."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

COLUMNS = 100
SECONDS_BETWEEN_LINES = 15.0  # of progress, where there is no terminal


def console(*, widest: int | None = COLUMNS) -> Console:
    """Return a console for results: as wide as the terminal, or as COLUMNS says, at most `widest` columns.

    It has 100 columns where there is no terminal and COLUMNS is not set.
    """
    width = Console().width if is_width_known() else COLUMNS
    return Console(width=min(width, widest) if widest else width, highlight=False, markup=False)


def is_width_known() -> bool:
    """Return whether results go to a terminal, or COLUMNS says how wide they are to be."""
    return Console().is_terminal or "COLUMNS" in os.environ


@contextmanager
def telling(title: str, *, announced: bool = True) -> Iterator[Callable[[int, int], None]]:
    """Tell the progress of a computation on the error output: by a bar, or by lines if that is no terminal.

    The function that is yielded takes the steps done and the steps in all. If `announced`, the first line
    comes at once.
    """
    with progress_bar() as bar:
        task = bar.add_task(title, total=None)
        last = time.monotonic()
        if bar.disable and announced:
            sys.stderr.write(f"{title}\n")

        def progress(done: int, total: int) -> None:
            nonlocal last
            bar.update(task, completed=done, total=total)
            if bar.disable and total and time.monotonic() - last >= SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                sys.stderr.write(f"{title}: {100 * done // total} %\n")

        yield progress


def progress_bar(*, counts: bool = True) -> Progress:
    """Return a progress bar on the error output; an invisible one if that is not a terminal.

    It `counts` its steps unless their number is unknown.
    """
    steps = [MofNCompleteColumn()] if counts else []
    terminal = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), *steps, TimeElapsedColumn())
    return Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)


def print_json(data: object) -> None:
    """Print data as JSON, with escapes where the output's encoding lacks a sign."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2)
    sys.stdout.write(f"{text}\n")

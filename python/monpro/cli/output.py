"""The output of the commands: tables of at most 100 columns, progress on the error output, data as JSON."""

import json
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

COLUMNS = 100


def console() -> Console:
    """Return a console for results: as wide as the terminal, at most 100 columns; 100 without a terminal."""
    terminal = Console()
    return Console(
        width=min(terminal.width, COLUMNS) if terminal.is_terminal else COLUMNS, highlight=False, markup=False
    )


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

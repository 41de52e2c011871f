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


def progress_bar() -> Progress:
    """Return a progress bar on the error output; an invisible one if that is not a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    terminal = Console(stderr=True)
    return Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal)


def print_json(data: object) -> None:
    """Print data as JSON."""
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")

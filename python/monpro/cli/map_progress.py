"""What `monpro map` tells while it runs: a bar on a terminal, plain lines elsewhere, or events as JSON."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from monpro.cli.errors import CheckFailed
from monpro.cli.output import SECONDS_BETWEEN_LINES
from monpro.scale.driver import Event, Tell

LEAST_SECONDS = 0.5  # after which a rate means something


class Told:
    """Keeps the counts of a job and tells them.

    The rate is that of this run: rows of an earlier run took no time.
    """

    def __init__(self, bar: Progress, task: TaskID) -> None:
        """Begin without a row."""
        self.bar, self.task = bar, task
        self.total = self.before = self.done = 0
        self.started = self.last = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Take an event."""
        match event:
            case {"event": "start", "rows": int(rows), "rows_done": int(rows_done)}:
                self.total, self.before, self.done = rows, rows_done, rows_done
                self.started = self.last = time.monotonic()
                if event["damaged"]:
                    self.line(f"{event['damaged']} damaged parts are computed anew")
            case {"event": "wait"}:
                self.line("there is no worker yet")
            case {"event": "part", "rows": int(rows)}:
                self.done += rows
            case {"event": "quarantine"}:
                self.done += 1
                self.line(f"quarantined: {event['file']}, row {event['row']}: {event['reason']}")
        self.bar.update(self.task, completed=self.done, total=self.total or None, rate=self.rate())
        if self.bar.disable and time.monotonic() - self.last >= SECONDS_BETWEEN_LINES:
            self.last = time.monotonic()
            self.line(f"{100 * self.done // max(1, self.total)} %, {self.rate()}")

    def line(self, text: str) -> None:
        """Write a line on the error output, above the bar."""
        self.bar.console.print(f"map: {text}", markup=False, highlight=False, soft_wrap=True)

    def rate(self) -> str:
        """Return the rows a second, and how long the rest will take."""
        seconds = time.monotonic() - self.started
        new = self.done - self.before
        if not new or seconds < LEAST_SECONDS:
            return ""
        left = timedelta(seconds=round((self.total - self.done) * seconds / new))
        return f"{new / seconds:,.0f} rows/s, {left} left"


@contextmanager
def telling(*, json_events: bool) -> Iterator[Tell]:
    """Yield what takes the events of a job: it draws, or writes each as a line of JSON."""
    if json_events:
        yield print_line
        return
    terminal = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
    )
    with Progress(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as bar:
        yield Told(bar, bar.add_task("map", total=None, rate=""))


def print_line(event: Event) -> None:
    """Print an event as one line of JSON, at once. If that fails, the folder of results is not at fault."""
    try:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()
    except OSError as error:
        raise CheckFailed(f"cannot write the output: {error.strerror}") from None

"""Long computations outside Python's reach, made interruptible by Ctrl-C."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from monpro.cli.output import progress_bar

T = TypeVar("T")
SILENT_SECONDS = 1.0  # before a terminal shows that something is computed
POLL_SECONDS = 0.1


def interruptibly(function: Callable[[], T], title: str = "computing") -> T:
    """Return what the function returns, or raise what it raises; KeyboardInterrupt as soon as it comes.

    The native module releases the GIL and then runs to its end. So the function runs in a thread of its own,
    which does not keep the process alive, while the main thread waits for the thread or for Ctrl-C.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(function())
        except BaseException as error:  # raised again below, in the main thread
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    shown_from = time.monotonic() + SILENT_SECONDS
    while thread.is_alive() and time.monotonic() < shown_from:
        thread.join(POLL_SECONDS)
    if thread.is_alive():
        with progress_bar(counts=False) as progress:
            progress.add_task(title, total=None)
            while thread.is_alive():  # a signal just before a join without a limit would not end it
                thread.join(POLL_SECONDS)
    if errors:
        raise errors[0]
    return results[0]

"""Long computations outside Python's reach, made interruptible by Ctrl-C."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def interruptibly(function: Callable[[], T]) -> T:
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
    thread.join()
    if errors:
        raise errors[0]
    return results[0]

"""Long computations outside Python's reach that Ctrl-C can end all the same."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def interruptibly(function: Callable[[], T]) -> T:
    """Return what the function returns, or raise what it raises; KeyboardInterrupt at once when it comes.

    The native module releases the GIL and then runs to its end. So it does that in a thread of its own, which
    does not keep the process alive, while the main thread waits for it or for Ctrl-C.
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

"""Files written whole or not at all, and folders that one process at a time works in."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, content: str | bytes, *, secret: bool = False) -> None:
    """Write the content beside `path`, then rename it into place; makes missing folders; OSError on failure.

    If it is `secret`, only the owner can read and write the file, at every moment.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    octets = content.encode() if isinstance(content, str) else content
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(octets)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Make a folder and keep other processes that ask for it waiting, until this one has left it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)

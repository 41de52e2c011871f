"""Files written whole or not at all, and folders that one process at a time works in."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")  # links to what a process has open


def write_whole(path: Path, content: str | bytes, *, secret: bool = False) -> None:
    """Write the content beside `path`, then rename it into place; makes missing folders; OSError on failure.

    A link stays, and the file that it leads to is written. What is no plain file, such as a device or a pipe,
    is written through. If the content is `secret`, only the owner can read and write the file, always.
    """
    octets = content.encode() if isinstance(content, str) else content
    if is_stream(path):
        with path.open("wb") as stream:
            stream.write(octets)
        return
    path = Path(os.path.realpath(path))
    if path.is_symlink():  # to itself, by way of others
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if secret else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(octets)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Return whether the path leads to a device, a pipe or an open file, which no new file must replace."""
    if path.exists() and not path.is_file() and not path.is_dir():
        return True
    return os.path.abspath(path).startswith(STREAMS)  # noqa: PTH100  (links must stay as they are)


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

"""Files written whole or not at all."""

import os
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

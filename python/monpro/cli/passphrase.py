"""Passphrases: from the terminal, the environment or a file, and never from the command line.

A passphrase among the arguments could be read by everybody on the machine, in the list of processes.
"""

import getpass
import os
import sys
from pathlib import Path

from monpro.cli.errors import InputError

SOURCES = "prompt, env:NAME or file:FILE"
MOST_BYTES = 1 << 16


def read_passphrase(source: str, option: str, subject: str, *, twice: bool = False) -> bytes:
    """Return the passphrase from a source; InputError if there is none.

    The terminal asks for that of the `subject`, two times if it is a new one.
    """
    match source.partition(":"):
        case "prompt", "", "":
            return ask(option, subject, twice=twice)
        case "env", ":", name if name:
            return from_environment(name, option)
        case "file", ":", path if path:
            return from_file(Path(path), option)
        case _:
            raise InputError(
                f"{option}: give {SOURCES}; a passphrase itself could be read in the list of processes"
            )


def ask(option: str, subject: str, *, twice: bool = False) -> bytes:
    """Return what is typed at the terminal, unseen; InputError without a terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        raise InputError(
            f"{option}: no terminal is there to ask the passphrase of {subject}: give env:NAME or file:FILE"
        ) from None
    try:
        typed = getpass.getpass(f"Passphrase of {subject}: ")
        if twice and getpass.getpass("The same again: ") != typed:
            raise InputError(f"{option}: the two passphrases are not the same: try again")
    except EOFError:
        raise InputError(f"{option}: no passphrase was typed") from None
    return typed.encode(errors="surrogateescape")


def from_environment(name: str, option: str) -> bytes:
    """Return the value of a variable; InputError if it is not set."""
    value = os.environb.get(os.fsencode(name))
    if value is None:
        raise InputError(f"{option}: the environment has no variable {name}")
    return value


def from_file(path: Path, option: str) -> bytes:
    """Return the first line of a file, or of standard input, without its end; InputError if there is none."""
    try:
        if path == Path("-"):
            line = sys.stdin.buffer.readline(MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                line = file.readline(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror}") from None
    if len(line) > MOST_BYTES:
        raise InputError(f"{option}: the first line of {path} is longer than any passphrase")
    return line.rstrip(b"\r\n")

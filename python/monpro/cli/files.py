"""The files that a verb reads and writes. A single `-` is standard input or standard output."""

import os
import sys
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

from monpro.cli.errors import InputError
from monpro.files import is_stream, write_whole
from monpro.rsa import is_private_key

STANDARD = Path("-")
# In texts with private keys: the ends of labels of PKCS#1, PKCS#8, EC and OpenSSH; OpenPGP; SSH2; PuTTY.
TEXTS_OF_PRIVATE_KEYS = (
    b"PRIVATE KEY-----",
    b"PRIVATE KEY BLOCK-----",
    b"PRIVATE KEY ----",
    b"PuTTY-User-Key-File",
)


def output_file(text: str) -> Path:
    """Return the path of a file to be written; InputError if the text can only be that of a folder."""
    if text.endswith("/"):
        raise InputError(f"{text} is the name of a folder: give that of a file, or -")
    return Path(text)


def read(path: Path, option: str) -> bytes:
    """Return the content of a file or of standard input; InputError if it cannot be read."""
    try:
        return sys.stdin.buffer.read() if path == STANDARD else path.read_bytes()
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror}") from None


def write(
    path: Path, content: str | bytes, option: str, *, secret: bool = False, force: bool = False
) -> None:
    """Write a file, whole or not at all, or standard output.

    InputError if it cannot be written or, without `force`, if the file holds a private key.
    """
    octets = content.encode() if isinstance(content, str) else content
    try:
        if not force and holds_private_key(path):
            raise InputError(f"{option}: {path} holds a private key: choose another file, or remove this one")
        if path == STANDARD:
            sys.stdout.buffer.write(octets)
            sys.stdout.buffer.flush()
        else:
            write_whole(path, octets, secret=secret)
    except OSError as error:
        raise InputError(f"{option}: cannot write {path}: {error.strerror}") from None


def refuse_present(files: Mapping[str, Path]) -> None:
    """Raise InputError if one of these files, by their options, is there already."""
    for option, path in files.items():
        if is_kept(path):
            raise InputError(f"{option}: {path} is there already: choose another file, or add --force")


def is_kept(path: Path) -> bool:
    """Return whether the path leads to a plain file, which is there to be lost."""
    return path != STANDARD and os.path.isfile(path) and not is_stream(path)  # noqa: PTH113  (raises nothing)


def refuse_equal(outputs: Mapping[str, Path], inputs: Mapping[str, Path] | None = None) -> None:
    """Raise InputError if one file is to be written twice, or read and written.

    Standard input can be read once, and standard output can be written once.
    """
    inputs = inputs or {}
    for (one, path), (other, second) in combinations({**outputs, **inputs}.items(), 2):
        both_read = one in inputs and other in inputs
        standard = path == second == STANDARD and (both_read or (one in outputs and other in outputs))
        if standard or (not both_read and is_same_file(path, second)):
            raise InputError(f"{one} and {other} name one file, {path}: choose two")


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one plain file, which may be yet to be made."""
    if STANDARD in {one, other}:
        return False
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)


def holds_private_key(path: Path) -> bool:
    """Return whether a plain file holds a private key of any kind; OSError if it cannot be read."""
    if not is_kept(path):
        return False
    octets = path.read_bytes()
    return any(text in octets for text in TEXTS_OF_PRIVATE_KEYS) or is_private_key(octets)

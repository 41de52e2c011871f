"""What `monpro rsa` reads: keys, messages in pieces, and what is short."""

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.files import STANDARD
from monpro.cli.interrupt import interruptibly
from monpro.cli.passphrase import ask, read_passphrase
from monpro.rsa import PassphraseNeeded, PrivateKey, PublicKey

MOST_BYTES = (1 << 20) + 1  # of a document; one more than the library takes, so that it says so
PIECE_BYTES = 1 << 20
Key = TypeVar("Key", PrivateKey, PublicKey)


@contextmanager
def refusals(option: str) -> Iterator[None]:
    """Turn an error in an option's value into an InputError, and a withheld result into a CheckFailed."""
    try:
        yield
    except (ValueError, OverflowError, MemoryError) as error:
        raise InputError(f"{option}: {error}") from None
    except RuntimeError as error:
        raise CheckFailed(str(error)) from None


@contextmanager
def opened(path: Path, option: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input; InputError if it cannot be opened or read."""
    try:
        if path == STANDARD:
            yield sys.stdin.buffer
        else:
            with path.open("rb") as file:
                yield file
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror}") from None


def read_short(path: Path, option: str) -> bytes:
    """Return the content of a file, of which the beginning counts; InputError if it cannot be read.

    A key, a signature, a ciphertext and a message to encrypt are far shorter than what is read.
    """
    with opened(path, option) as file:
        return file.read(MOST_BYTES)


def read_key(kind: type[Key], path: Path, passphrase: str | None) -> Key:
    """Return the key in a file, in PEM or DER; InputError if there is none."""
    return parse_key(kind, read_short(path, "--key"), path, passphrase)


def parse_key(kind: type[Key], document: bytes, path: Path, passphrase: str | None) -> Key:
    """Return the key in the content of a file; the terminal is asked for a passphrase that is not given."""
    with refusals("--key"):
        try:
            return kind.load(document)
        except PassphraseNeeded:
            if passphrase is None:
                secret = ask("--passphrase", str(path))
            else:
                secret = read_passphrase(passphrase, "--passphrase", str(path))
            return interruptibly(partial(kind.load, document, passphrase=secret))


def hash_file(path: Path, name: str) -> "hashlib._Hash":
    """Return the hash object of a file, which is read piece by piece; InputError if it cannot be read."""
    hashed = hashlib.new(name)
    with opened(path, "--in") as file:
        while piece := file.read(PIECE_BYTES):
            hashed.update(piece)
    return hashed


def warn_if_short(key: PublicKey) -> None:
    """Say on the error output that a key is short, which is all that is done about it."""
    if key.is_short:
        sys.stderr.write(
            f"monpro: warning: the key has {key.bits} bits, which protect nothing that matters today: "
            "use 2048 or more\n"
        )

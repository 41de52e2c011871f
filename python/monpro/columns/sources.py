"""Where an operand comes from: a column of the batch, a constant, or a file."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro import _native, numerals

MOST_FILE_BYTES = 300_000


class ColumnsError(ValueError):
    """What is wrong with an operation or its columns, and how to mend it, in one line."""


class FileError(ColumnsError):
    """The file of an operand cannot be read, or holds no number or key: no row can be computed.

    The message has the path and nothing of the file's contents. So `monpro.scale` ends a job with it.
    """

    ends_job = True


@dataclass(frozen=True)
class Column:
    """The column of this name: a number in each row."""

    name: str

    def description(self) -> dict[str, Any]:
        """Return the name as JSON."""
        return {"column": self.name}


@dataclass(frozen=True)
class Constant:
    """One public number for all rows: an int ≥ 0, or big-endian bytes with any leading zeros.

    It stands in descriptions, pickles and messages. A secret belongs in a `File`.
    """

    value: int | bytes

    def __post_init__(self) -> None:
        """Refuse what is no number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | bytes):
            raise TypeError(f"a constant is an int or bytes, not {type(self.value).__name__}")
        if isinstance(self.value, int) and self.value < 0:
            raise ColumnsError("a constant is negative: give a number of at least 0")

    def octets(self) -> bytes:
        """Return the number as big-endian bytes: those given, or as few as an int needs."""
        if isinstance(self.value, bytes):
            return self.value
        return self.value.to_bytes((self.value.bit_length() + 7) // 8)

    def description(self) -> dict[str, Any]:
        """Return the number in hexadecimal, with its length, as JSON."""
        return {"constant": self.octets().hex()}


@dataclass(frozen=True)
class File:
    """One number for all rows, in a file that is read where the operation runs: in decimal or 0x hexadecimal.

    Its value is in no description, pickle or message, only its path. The description of a `public` file has a
    SHA-256 of its bytes besides, by which a job that goes on notices a change. Of any other file it does not.
    For rsa-private it is a key in PEM or DER.
    """

    path: str
    public: bool = False

    def content(self) -> bytes:
        """Return the bytes of the file."""
        try:
            with Path(self.path).open("rb") as file:
                content = file.read(MOST_FILE_BYTES + 1)
        except OSError as error:
            raise FileError(f"{self.path} cannot be read: {error.strerror}") from None
        if len(content) > MOST_FILE_BYTES:
            raise FileError(f"{self.path} has more than {MOST_FILE_BYTES:,} bytes: give a file with a number")
        return content

    def octets(self) -> bytes:
        """Return the number in the file as big-endian bytes, as few as it needs."""
        number = numerals.parsed(self.content().strip().decode("ascii", errors="replace"))
        if number is None:
            raise FileError(f"{self.path} holds no number: give one in decimal (42) or hexadecimal (0x2a)")
        return number.to_bytes((number.bit_length() + 7) // 8)

    def private_key(self) -> _native.RsaPrivateKey:
        """Return the private key of RSA in the file, a document in PEM or DER without a passphrase."""
        content = self.content()
        try:
            return _native.RsaPrivateKey.load(content)
        except _native.PassphraseNeeded:
            raise FileError(f"{self.path}: the key is encrypted: give one without a passphrase") from None
        except ValueError as error:
            raise FileError(f"{self.path}: {error}") from None

    def description(self) -> dict[str, Any]:
        """Return the path, and the SHA-256 of a public file, as JSON."""
        if not self.public:
            return {"file": self.path}
        return {"file": self.path, "sha256": hashlib.sha256(self.content()).hexdigest()}


Source = Column | Constant | File

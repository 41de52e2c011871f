"""Numbers on the command line: decimal or 0x hexadecimal, directly or in a file; polynomials as numbers."""

import sys
from pathlib import Path

from monpro import numerals
from monpro.cli.errors import InputError

MAX_CHARACTERS = 300_000
MAX_EXPONENT = 4 * MAX_CHARACTERS  # the degree that MAX_CHARACTERS hexadecimal digits can reach


def read_number(argument: str, option: str) -> int:
    """Return the number in an option's argument.

    `@file` is read, `@-` is standard input, and white space is trimmed.
    """
    text = _read_file(argument[1:], option) if argument.startswith("@") else argument
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"{option} is longer than {MAX_CHARACTERS:,} characters: give a smaller number")
    number = numerals.parsed(text.removeprefix("-"))
    if number is None:
        raise InputError(
            f"{option} is {_excerpt(text)}: give a number in decimal (42), in hexadecimal (0x2a), or as @file"
        )
    return -number if text.startswith("-") else number


def read_polynomial(argument: str, option: str) -> int:
    """Return the polynomial over GF(2) in an option's argument; bit i of a number is the coefficient of xⁱ.

    Numbers with commas between them are the exponents of its terms; anything else is read as a number.
    """
    if "," not in argument:
        return read_number(argument, option)
    exponents = [read_number(text.strip(), option) for text in argument.split(",")]
    if min(exponents) < 0:
        raise InputError(f"{option}: an exponent is negative: give exponents from 0 up")
    if max(exponents) > MAX_EXPONENT:
        raise InputError(f"{option}: an exponent is larger than {MAX_EXPONENT:,}: give a smaller polynomial")
    if len(set(exponents)) < len(exponents):
        raise InputError(f"{option}: an exponent is listed more than once: list each exponent once")
    return sum(1 << exponent for exponent in exponents)


def _read_file(name: str, option: str) -> str:
    if not name:
        raise InputError(f"{option} is a bare @: name a file, as in @file")
    most = MAX_CHARACTERS + 1_000  # bounds what an endless file can cost
    try:
        if name == "-":
            head = sys.stdin.buffer.read(most)
        else:
            with Path(name).open("rb") as file:
                head = file.read(most)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{option}: cannot read the file {_excerpt(name)}: {reason}") from None
    return head.decode("ascii", errors="replace").strip()


def _excerpt(text: str) -> str:
    """Return the text in quotes and without control characters, cut if it is long."""
    if not text:
        return "empty"
    return ascii(text) if len(text) <= 40 else f"{text[:40]!a}… ({len(text):,} characters)"

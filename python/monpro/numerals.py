"""Numbers as texts of any length: in decimal or 0x hexadecimal.

Python refuses decimal texts above a limit, which belongs to the process: whoever lifts it lifts it for all
threads. Here long texts are cut in halves until each piece is below every limit that can be set.
"""

import re
import sys

_PIECE = sys.int_info.str_digits_check_threshold  # decimal digits that no limit refuses
_NUMBER = re.compile(r"(?:0[xX]([0-9a-fA-F]+)|([0-9]+))")


def parsed(text: str) -> int | None:
    """Return the number in a text, decimal (42) or hexadecimal (0x2a); None for any other text."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    hexadecimal, decimal = match.groups()
    return int(hexadecimal, 16) if hexadecimal else from_decimal(decimal)


def from_decimal(digits: str) -> int:
    """Return the number with these decimal digits, at least one."""
    if len(digits) <= _PIECE:
        return int(digits)
    half = len(digits) // 2
    power: int = 10 ** (len(digits) - half)
    return from_decimal(digits[:half]) * power + from_decimal(digits[half:])


def to_decimal(number: int) -> str:
    """Return the decimal digits of a number ≥ 0."""
    digits = _PIECE
    while number >= 10**digits:
        digits *= 2
    return _padded(number, digits).lstrip("0") or "0"


def _padded(number: int, digits: int) -> str:
    """Return the decimal digits of a number with zeros before them; `digits` are _PIECE·2^k."""
    if digits == _PIECE:
        return str(number).zfill(digits)
    high, low = divmod(number, 10 ** (digits // 2))
    return _padded(high, digits // 2) + _padded(low, digits // 2)

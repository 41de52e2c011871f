"""Long numbers as texts: Python's own conversions agree, and the limit of the process is never touched."""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import Cli
from monpro import numerals

PIECE = sys.int_info.str_digits_check_threshold
LENGTHS = [1, 2, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1, 5 * PIECE - 1, 10_007, 60_001]


@pytest.fixture(name="lowest_limit")
def with_the_lowest_limit() -> Iterator[None]:
    """Set the limit on decimal digits as low as Python allows."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(PIECE)
    yield
    sys.set_int_max_str_digits(limit)


def pythons(lengths: list[int]) -> list[tuple[str, int]]:
    """Return texts of random digits, of nines, and of a one and zeros, with the numbers that they are."""
    rng = random.Random(1)
    texts = [
        text
        for length in lengths
        for text in (
            str(rng.randrange(1, 10)) + "".join(rng.choices("0123456789", k=length - 1)),
            "9" * length,
            "1" + "0" * (length - 1),
        )
    ]
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    pairs = [(text, int(text)) for text in texts]
    sys.set_int_max_str_digits(limit)
    return pairs


PAIRS = pythons(LENGTHS)


@pytest.mark.usefixtures("lowest_limit")
def test_decimal_digits_are_pythons_whatever_the_limit() -> None:
    for text, number in PAIRS:
        assert numerals.from_decimal(text) == number
        assert numerals.from_decimal(f"000{text}") == number
        assert numerals.to_decimal(number) == text
        assert numerals.parsed(text) == number == numerals.parsed(hex(number))
    assert numerals.to_decimal(0) == "0"


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1\n", "0x", "x1", "1_0", "٣", "0b1", "1.0", "0x-1"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert numerals.parsed(text) is None


def test_hexadecimal_digits_and_zeros_before_a_number() -> None:
    assert numerals.parsed("0X00fF") == 255
    assert numerals.parsed("007") == 7


@pytest.mark.usefixtures("lowest_limit")
def test_the_limit_of_the_process_is_never_touched(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit belongs to all threads, so that even lifting it for a moment would be a race."""
    pytest.importorskip("pyarrow")
    from monpro.columns import File  # noqa: PLC0415
    from monpro.scale.inputs import octets_of  # noqa: PLC0415

    def touched(_digits: int) -> None:
        raise AssertionError

    monkeypatch.setattr(sys, "set_int_max_str_digits", touched)
    text, number = PAIRS[-3]
    octets = number.to_bytes((number.bit_length() + 7) // 8)
    (tmp_path / "x").write_text(text)
    assert File(str(tmp_path / "x")).octets() == octets == octets_of(text)
    words = ("--base", f"@{tmp_path / 'x'}", "--exp", "1", "--mod", hex(number + 1))
    assert cli("pow", *words) == (0, f"{text}\n", "")

"""Times in words."""

import pytest

from monpro.results.durations import format_seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "1.00 s"),
        (123.4, "123 s"),
        (0.0532, "53.2 ms"),
        (0.1, "100 ms"),
        (2.5e-6, "2.50 µs"),
        (999.7e-9, "1.00 µs"),
        (3e-10, "0.30 ns"),
    ],
)
def test_times_have_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text

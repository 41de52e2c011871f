"""What a verb of `monpro rsa` reads: errors of the library become one line."""

import pytest

from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.rsa_input import refusals


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError, InputError),
        (OverflowError, InputError),
        (MemoryError, InputError),
        (RuntimeError, CheckFailed),
    ],
)
def test_errors_of_the_library_become_a_line(error: type[Exception], expected: type[Exception]) -> None:
    with pytest.raises(expected, match="too little"), refusals("--key"):
        raise error("too little")

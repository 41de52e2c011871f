"""The size of compiled code."""

import ctypes

import pytest

from monpro import _native
from monpro.report.koc96.code_size import code_size_bytes


@pytest.mark.parametrize("kernel", ["sos", "cios", "fios", "fips", "cihs"])
def test_kernels_have_a_plausible_size(kernel: str) -> None:
    for operation in ("mul", "sqr"):
        assert 100 < code_size_bytes(_native.code_address(kernel, operation)) < 20_000


def test_an_address_without_a_file_is_said_to_be_one() -> None:
    with pytest.raises(LookupError, match="no file is mapped"):
        code_size_bytes(1)


def test_memory_that_is_no_code_is_refused() -> None:
    buffer = ctypes.create_string_buffer(16)
    with pytest.raises(LookupError):
        code_size_bytes(ctypes.addressof(buffer))

"""The size of compiled code."""

import ctypes
import mmap
import shutil
import subprocess
from pathlib import Path

import pytest

from monpro import _native
from monpro.report.koc96.code_size import code_size_bytes

FUNCTIONS = """
__asm__(".text\\n.balign 64\\n"
        ".globl three\\n.type three, @function\\nthree:\\n.skip 3\\n.size three, 3\\n"
        ".globl five\\n.type five, @function\\nfive:\\n.skip 5\\n.size five, 5\\n");
"""


def place_of(library: ctypes.CDLL, name: str) -> int:
    place = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert place is not None
    return place


@pytest.mark.parametrize("kernel", ["sos", "cios", "fios", "fips", "cihs"])
def test_kernels_have_a_plausible_size(kernel: str) -> None:
    for operation in ("mul", "sqr"):
        assert 100 < code_size_bytes(_native.code_address(kernel, operation)) < 20_000


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_every_byte_is_of_the_function_that_holds_it(tmp_path: Path) -> None:
    """Two functions of known sizes lie side by side, in a file whose folder has spaces in its name."""
    folder = tmp_path / "two functions side by side"
    folder.mkdir()
    (folder / "functions.c").write_text(FUNCTIONS)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "functions.so", "functions.c"], cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "functions.so"))
    three, five = place_of(library, "three"), place_of(library, "five")
    assert five == three + 3
    assert [code_size_bytes(three + i) for i in range(8)] == [3] * 3 + [5] * 5


def test_an_address_without_a_file_is_said_to_be_one() -> None:
    with pytest.raises(LookupError, match="no file is mapped"):
        code_size_bytes(1)


def test_memory_that_is_no_code_is_refused() -> None:
    buffer = ctypes.create_string_buffer(16)
    with pytest.raises(LookupError):
        code_size_bytes(ctypes.addressof(buffer))


def test_a_mapped_file_that_is_no_object_is_named(tmp_path: Path) -> None:
    """Neither a file of text has functions, nor one that is gone."""
    path = tmp_path / "text"
    path.write_bytes(b"text" * 1024)
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        held = ctypes.c_char.from_buffer(mapped)
        with pytest.raises(LookupError, match="text cannot be read as an ELF object: Magic"):
            code_size_bytes(ctypes.addressof(held))
        path.unlink()
        with pytest.raises(LookupError, match=r"text .*cannot be read as an ELF object: .*No such file"):
            code_size_bytes(ctypes.addressof(held))
        del held

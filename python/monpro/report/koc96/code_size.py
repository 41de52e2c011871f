"""The size of compiled code, read from the symbols of the object file it was loaded from."""

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


def code_size_bytes(address: int) -> int:
    """Return the size of the compiled function at `address` of this process.

    LookupError, with the reason, if the size is not known: on a system without /proc/self/maps or ELF, or for
    an object file without symbols.
    """
    path, file_offset = _mapped_file(address)
    try:
        with path.open("rb") as file:
            return _symbol_size(ELFFile(file), file_offset)
    except (OSError, ELFError) as error:
        raise LookupError(f"{path.name} cannot be read as an ELF object: {error}") from error


def _mapped_file(address: int) -> tuple[Path, int]:
    """Return the file that is mapped at `address`, and the offset in it."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        raise LookupError("this system does not list its mapped files in /proc/self/maps")
    for line in maps.read_text(encoding="utf-8").splitlines():
        extent, _, offset, _, _, *name = line.split(maxsplit=5)
        start, end = (int(part, 16) for part in extent.split("-"))
        if start <= address < end and name:
            return Path(name[0]), address - start + int(offset, 16)
    raise LookupError(f"no file is mapped at address {address:#x}")


def _symbol_size(elf: ELFFile, file_offset: int) -> int:
    """Return the size of the function that holds the byte at `file_offset`."""
    addresses = [
        segment["p_vaddr"] + file_offset - segment["p_offset"]
        for segment in elf.iter_segments("PT_LOAD")
        if 0 <= file_offset - segment["p_offset"] < segment["p_filesz"]
    ]
    tables = [section for section in elf.iter_sections() if isinstance(section, SymbolTableSection)]
    for symbol in (symbol for table in tables for symbol in table.iter_symbols()):
        start, size = symbol["st_value"], symbol["st_size"]
        if any(start <= address < start + size for address in addresses):
            return int(size)
    raise LookupError("the object file names no function there; its symbols may have been stripped")

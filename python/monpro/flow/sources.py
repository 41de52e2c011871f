"""The SystemVerilog sources: the list in dependency levels, and what a module needs of it."""

import re
import subprocess
from functools import cache
from pathlib import Path

LAYERS = ("cell", "pe", "mul", "exp")  # a module instantiates modules of lower layers only
FILE_LIST = "monpro.f"


def rtl_folder() -> Path:
    """Return the folder of the SystemVerilog sources; FileNotFoundError where they are not installed."""
    folder = Path(__file__).resolve().parents[3] / "rtl"
    if not (folder / FILE_LIST).is_file():
        raise FileNotFoundError(f"no SystemVerilog sources at {folder}: work in a checkout of monpro")
    return folder


def commit() -> str:
    """Return the commit of the sources, with -dirty where files differ from it; unknown without git."""
    command = ("git", "describe", "--always", "--dirty", "--exclude=*")
    try:
        described = subprocess.run(  # noqa: S603  # as it stands above
            command, cwd=rtl_folder(), capture_output=True, text=True, check=False
        )
    except OSError:
        return "unknown"
    return described.stdout.strip() or "unknown"


def all_sources() -> tuple[Path, ...]:
    """Return every source in the order of the list."""
    folder = rtl_folder()
    lines = (folder / FILE_LIST).read_text().splitlines()
    return tuple(folder / line for line in lines if line and not line.startswith("//"))


def instantiated(source: Path) -> frozenset[str]:
    """Return the names of the modules that a source file instantiates."""
    return _instantiated(source, source.stat().st_mtime_ns)


def needed(top: str) -> tuple[Path, ...]:
    """Return the sources of a module and of all it instantiates, in the order of the list."""
    by_name = {source.stem: source for source in all_sources()}
    names, waiting = set[str](), [top]
    while waiting:
        name = waiting.pop()
        names.add(name)
        waiting.extend(instantiated(by_name[name]) - names)
    return tuple(source for name, source in by_name.items() if name in names)


@cache
def _instantiated(source: Path, _changed_ns: int) -> frozenset[str]:
    text = re.sub(r"//.*", "", source.read_text())
    return frozenset(re.findall(r"^\s*(monpro_\w+)\s+(?:#\(|u_\w+)", text, re.MULTILINE))

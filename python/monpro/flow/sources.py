"""The SystemVerilog sources: all of them by layer, and the sources that a module needs."""

import re
import subprocess
from collections.abc import Collection
from functools import cache
from importlib import resources
from pathlib import Path

import monpro
from monpro._freshness import checkout_root

# A module instantiates modules of lower layers only.
LAYERS = ("cell", "pe", "array", "mul", "multiplier", "power", "exp")
FILE_LIST = "monpro.f"


def rtl_folder() -> Path:
    """Return the folder of the SystemVerilog sources, which are package data; in a checkout it is rtl/.

    FileNotFoundError if the sources are not there.
    """
    folder = Path(str(resources.files("monpro") / "rtl")).resolve()
    if not (folder / FILE_LIST).is_file():
        raise FileNotFoundError(f"no SystemVerilog sources at {folder}: install monpro anew")
    return folder


# A recording changes results/ itself, which holds no sources.
SOURCES = (":/", ":(top,exclude)results")


def commit() -> str:
    """Return the commit of the sources, with -dirty if they differ from it; `unknown` without git.

    An installed package has no commit, so its version is returned.
    """
    if checkout_root() is None:
        return f"v{monpro.__version__}"
    try:
        described = _git("describe", "--always", "--exclude=*").stdout.strip()
        is_dirty = _git("diff", "--quiet", "HEAD", "--", *SOURCES).returncode != 0
    except OSError:
        return "unknown"
    return f"{described}-dirty" if described and is_dirty else described or "unknown"


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # the arguments are those above
        ("git", *arguments),  # noqa: S607  # whichever git there is
        cwd=rtl_folder(),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def all_sources() -> tuple[Path, ...]:
    """Return every source, lower layers first; ValueError for a file that belongs to no layer."""
    return tuple(sorted(rtl_folder().glob("*.sv"), key=lambda source: (layer(source.stem), source.stem)))


def cells_of(technology: str = "*") -> tuple[Path, ...]:
    """Return the sources that replace those of the same name for a technology, such as `ecp5`, or for any.

    They are in the folder of rtl/ that has its name. Most technologies have none.
    """
    return tuple(sorted(rtl_folder().glob(f"{technology}/*.sv")))


def layer(module: str) -> int:
    """Return the position of a module's layer, which is the second part of its name."""
    name = module.split("_")[1] if module.startswith("monpro_") else ""
    if name not in LAYERS:
        layers = ", ".join(f"monpro_{layer}_…" for layer in LAYERS)
        raise ValueError(f"{module}.sv belongs to no layer: name it one of {layers}")
    return LAYERS.index(name)


def instantiated(source: Path) -> frozenset[str]:
    """Return the names of the modules that a source file instantiates."""
    return _instantiated(source, source.stat().st_mtime_ns)


def needed(top: str, replaced: Collection[Path] = ()) -> tuple[Path, ...]:
    """Return the sources of a module and of all modules below it, lower layers first.

    `replaced` are sources that replace the files of the same name in rtl/.
    """
    by_name = {source.stem: source for source in (*all_sources(), *replaced)}
    names, waiting = set[str](), [top]
    while waiting:
        name = waiting.pop()
        names.add(name)
        waiting.extend(instantiated(by_name[name]) - names)
    return tuple(source for name, source in by_name.items() if name in names)


@cache
def _instantiated(source: Path, _changed_ns: int) -> frozenset[str]:
    text = re.sub(r"//.*", "", source.read_text(encoding="utf-8"))
    return frozenset(re.findall(r"^\s*(monpro_\w+)\s+(?:#\(|u_\w+)", text, re.MULTILINE))

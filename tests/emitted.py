"""Folders that `emit` wrote."""

from pathlib import Path


def files_in(folder: Path) -> list[str]:
    """Return the paths of all files in a folder, relative to it."""
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


def portable(files: dict[str, str]) -> dict[str, str]:
    """Return the files without the cells of single technologies, which are in folders."""
    return {name: text for name, text in files.items() if "/" not in name}

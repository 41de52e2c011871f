"""Where a recomputed item comes from: the sources, the machine, and the recordings that were read."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from monpro.flow import sources
from monpro.results import machine
from monpro.results.recording import RESULTS

_opened: ContextVar[dict[Path, None] | None] = ContextVar(
    "files under results/ that were opened", default=None
)


@dataclass(frozen=True)
class Recorded:
    """A file under results/ that an item was computed from."""

    file: str
    machine: str
    date: str
    commits: tuple[str, ...]


@dataclass(frozen=True)
class Provenance:
    """Of an item: the command that recomputes it, the commit, this machine, and the recordings behind it.

    `sample` is empty, or tells that a part of the item was computed from a small sample, and which command
    computes the whole. `seed` tells how random operands were chosen.
    """

    command: str
    commit: str
    machine: str
    date: str
    seed: str
    sample: str
    recorded: tuple[Recorded, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the provenance as plain data, for JSON."""
        return asdict(self)


SEED = "fixed: each run gives the same numbers, and only times differ"


def of(item_id: str, files: Iterable[Path], *, is_sample: bool) -> Provenance:
    """Return the provenance of an item that was just computed, and that opened these files."""
    command = f"monpro reproduce {item_id}"
    return Provenance(
        command=command,
        commit=_commit(),
        machine=machine.cpu_model(),
        date=machine.today(),
        seed=SEED,
        sample=f"computed from a small sample; `{command}` computes all of it" if is_sample else "",
        recorded=tuple(recorded(path) for path in sorted(files)),
    )


@contextmanager
def opened_recordings() -> Iterator[dict[Path, None]]:
    """Note which files under results/ are opened inside the `with` block."""
    _listen()
    files: dict[Path, None] = {}
    token = _opened.set(files)
    try:
        yield files
    finally:
        _opened.reset(token)


def recorded(path: Path) -> Recorded:
    """Return what a recording says about itself."""
    recording = json.loads(path.read_text(encoding="utf-8"))
    about = recording.get("machine", {})
    figures = recording.get("figures", [])
    commits = {recording.get("commit"), about.get("commit"), *(figure.get("commit") for figure in figures)}
    return Recorded(
        file=f"results/{path.relative_to(RESULTS.resolve()).as_posix()}",
        machine=str(about.get("cpu", "not told")),
        date=str(about.get("date", "not told")),
        commits=tuple(sorted(filter(None, commits))),
    )


@cache  # git is asked once
def _commit() -> str:
    return sources.commit()


@cache
def _listen() -> None:
    """Hear of every file that this process opens; Python has no way to stop hearing."""
    folder = f"{RESULTS.resolve()}{os.sep}"

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and (files := _opened.get()) is not None:
            name = os.path.realpath(str(arguments[0]))
            if name.startswith(folder) and name.endswith(".json"):
                files[Path(name)] = None

    sys.addaudithook(hear)

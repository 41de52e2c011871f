"""The measurements that are recorded under results/: a folder for each CPU and day, a file for each kind."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from monpro._freshness import checkout_root
from monpro.files import write_whole
from monpro.results import machine

# In a checkout its own folder; an installed package reads and writes below the current folder.
RESULTS = Path(checkout_root() or "") / "results"


class Figure(TypedDict):
    """The time of one operation: the median over the rounds of a run."""

    operation: str
    bits: int
    shape: NotRequired[str]
    library: str
    engine: str
    median_ns: float
    median_cycles: float


class Floor(TypedDict):
    """A lower bound on the time of an operation."""

    operation: str
    bits: int
    shape: str
    floor_ns: float


class Limit(TypedDict):
    """A lower bound on the cycles of an operation in one way of computing it."""

    operation: str
    bits: int
    name: str
    cycles: float


class Machine(TypedDict):
    """The machine and the software of a run."""

    cpu: str
    rustc: NotRequired[str]
    python: NotRequired[str]  # where Python's libraries were measured
    date: str
    libraries: dict[str, str]


class Recording(TypedDict):
    """The parts of a file of `make bench` that tables and plots show."""

    machine: Machine
    rounds: int
    figures: list[Figure]
    floors: NotRequired[list[Floor]]
    limits: NotRequired[list[Limit]]


def newest(results: Path, file_name: str) -> Path:
    """Return the latest recorded file of this name under the folder; ValueError if there is none."""
    recorded = by_date(results, file_name)
    if not recorded:
        raise ValueError(f"no {file_name} is recorded under {results}: record one with bench's --record")
    return recorded[-1]


def required_of_each_cpu(results: Path, file_name: str) -> list[Path]:
    """Return what `newest_of_each_cpu` returns; ValueError if there is no such file."""
    newest(results, file_name)  # or no such file is recorded
    return newest_of_each_cpu(results, file_name)


def newest_of_each_cpu(results: Path, file_name: str) -> list[Path]:
    """Return the file of this name that each CPU recorded last, the latest first."""
    found: dict[str, Path] = {}
    for path in reversed(by_date(results, file_name)):
        found.setdefault(read(path)["machine"]["cpu"], path)
    return list(found.values())


def by_date(results: Path, file_name: str) -> list[Path]:
    """Return the recorded files of this name under the folder, the latest last."""
    return sorted(results.glob(f"*/{file_name}"), key=lambda path: (read(path)["machine"]["date"], path))


def read(recorded: Path) -> Recording:
    """Return the contents of a recorded file."""
    recording: Recording = json.loads(recorded.read_text(encoding="utf-8"))
    return recording


def keep(file_name: str, contents: Mapping[str, Any], results: Path = RESULTS) -> Path:
    """Write contents, and the machine that they are of, into today's file of this CPU; return the file."""
    path = results / machine.folder_of_today() / file_name
    recording = {"machine": machine.describe() | {"date": machine.today()}, **contents}
    write_whole(path, json.dumps(recording, indent=1, ensure_ascii=False) + "\n")
    return path


def keep_row(  # noqa: PLR0913  (which row of which file, and where)
    file_name: str,
    rows: str,
    row: Mapping[str, Any],
    key: Sequence[str],
    contents: Mapping[str, Any],
    *,
    results: Path = RESULTS,
) -> Path:
    """Write a row into the list `rows` of today's file; it replaces the one with the same values of `key`."""
    path = results / machine.folder_of_today() / file_name
    before = json.loads(path.read_text(encoding="utf-8"))[rows] if path.is_file() else []
    others = [other for other in before if any(other[name] != row[name] for name in key)]
    ordered = sorted([*others, row], key=lambda row: [str(row[name]) for name in key])
    return keep(file_name, {**contents, rows: ordered}, results)


def recordings(file_name: str, results: Path = RESULTS) -> list[dict[str, Any]]:
    """Return the contents of every recorded file of this name, the oldest first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob(f"*/{file_name}"))]
    return sorted(found, key=lambda recording: str(recording["machine"]["date"]))


def multipliers_of(engine: str) -> str:
    """Return what an engine of monpro over the integers multiplies by: IFMA, doubles or words.

    Words count as MULX, whose limit holds for every product of words.
    """
    if "ifma" in engine:
        return "IFMA"
    return "doubles" if "fma" in engine else "MULX"

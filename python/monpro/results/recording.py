"""The measurements that `make bench` records under results/."""

import json
from pathlib import Path
from typing import NotRequired, TypedDict

RESULTS = Path(__file__).resolve().parents[3] / "results"


class Figure(TypedDict):
    """What one operation took: the median over the rounds of a run."""

    operation: str
    bits: int
    shape: NotRequired[str]
    library: str
    engine: str
    median_ns: float
    median_cycles: float


class Floor(TypedDict):
    """A time below which an operation cannot come."""

    operation: str
    bits: int
    shape: str
    floor_ns: float


class Limit(TypedDict):
    """Cycles below which an operation cannot come by one way to compute it."""

    operation: str
    bits: int
    name: str
    cycles: float


class Machine(TypedDict):
    """Where and with what a run measured."""

    cpu: str
    rustc: str
    date: str
    libraries: dict[str, str]


class Recording(TypedDict):
    """The parts of a recorded file that tables and plots show."""

    machine: Machine
    rounds: int
    figures: list[Figure]
    floors: NotRequired[list[Floor]]
    limits: NotRequired[list[Limit]]


def newest(results: Path, file_name: str) -> Path:
    """Return the latest recorded file of this name under the folder; ValueError where there is none."""
    recorded = sorted(results.glob(f"*/{file_name}"), key=lambda path: (read(path)["machine"]["date"], path))
    if not recorded:
        raise ValueError(f"no {file_name} is recorded under {results}: record one with bench's --record")
    return recorded[-1]


def read(recorded: Path) -> Recording:
    """Return what a file holds."""
    recording: Recording = json.loads(recorded.read_text(encoding="utf-8"))
    return recording

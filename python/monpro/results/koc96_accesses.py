"""Recorded instructions and memory accesses of the kernels of [koc96]'s five methods, in units of s².

`python -m monpro.bench.koc96_accesses` counts and records them.
"""

from pathlib import Path
from typing import NamedTuple

from monpro.results.recording import RESULTS, recordings

FILE = "koc96_accesses.json"


class Executed(NamedTuple):
    """What a product of s words executes, divided by s²."""

    instructions: float
    accesses: float


def recorded(results: Path = RESULTS) -> dict[str, Executed]:
    """Return the last recorded counts by kernel; may be empty."""
    rows = [row for recording in recordings(FILE, results)[-1:] for row in recording["executed"]]
    return {row["kernel"]: Executed(row["instructions"], row["accesses"]) for row in rows}

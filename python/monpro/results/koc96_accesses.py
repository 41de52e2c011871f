"""Recorded instructions and memory accesses of the kernels of [koc96]'s five methods, in units of s².

`python -m monpro.bench.koc96_accesses` counts and records them.
"""

import json
from pathlib import Path
from typing import NamedTuple

from monpro.results.recording import RESULTS

FILE = "koc96_accesses.json"


class Executed(NamedTuple):
    """What a product of s words executes, divided by s²."""

    instructions: float
    accesses: float


def recorded(results: Path = RESULTS) -> dict[str, Executed]:
    """Return the last recorded counts by kernel; may be empty."""
    recordings = [json.loads(path.read_text(encoding="utf-8")) for path in results.glob(f"*/{FILE}")]
    if not recordings:
        return {}
    last = max(recordings, key=lambda recording: str(recording["machine"]["date"]))
    return {row["kernel"]: Executed(row["instructions"], row["accesses"]) for row in last["executed"]}

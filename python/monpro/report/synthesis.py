"""Recorded results of synthesis: area and delay of the cores, by configuration and target.

The newest `synthesis.json` under results/ holds a list `figures` of
`{"core": "scs-mm-new-1024", "target": "osu018", "area_um2": …, "delay_ns": …}`, and a date under `machine`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).resolve().parents[3] / "results"


@dataclass(frozen=True)
class Synthesised:
    """The area of a core and its critical path."""

    area_um2: float
    delay_ns: float


def recorded(target: str, results: Path = RESULTS) -> dict[str, Synthesised]:
    """Return what was recorded last for a target, by the name of the configuration; maybe nothing."""
    recordings = [json.loads(path.read_text(encoding="utf-8")) for path in results.glob("*/synthesis.json")]
    if not recordings:
        return {}
    newest = max(recordings, key=lambda recording: str(recording["machine"]["date"]))
    return {
        figure["core"]: Synthesised(figure["area_um2"], figure["delay_ns"])
        for figure in newest["figures"]
        if figure["target"] == target and figure["area_um2"] and figure["delay_ns"]
    }

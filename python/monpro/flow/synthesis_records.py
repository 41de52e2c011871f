"""Recorded results of synthesis: the figures of the cores, by configuration and target.

A `synthesis.json` under results/ describes the machine and holds a list `figures`. Its entries are `{"core":
"scs-mm-new-1024", "target": "osu018", "area_um2": …, "delay_ns": …, …, "commit": …, "tools": …}`.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from monpro.flow.synthesise import Figures
from monpro.results.recording import RESULTS, keep_row

FILE = "synthesis.json"


@dataclass(frozen=True)
class Synthesised:
    """The area of a core and its critical path."""

    area_um2: float
    delay_ns: float


def recorded(target: str, results: Path = RESULTS) -> dict[str, Synthesised]:
    """Return the last recorded areas and delays for a target, by configuration; may be empty."""
    return {
        name: Synthesised(figure["area_um2"], figure["delay_ns"])
        for name, figure in recorded_figures(target, results).items()
        if figure["area_um2"] and figure["delay_ns"]
    }


def recorded_figures(target: str, results: Path = RESULTS) -> dict[str, dict[str, Any]]:
    """Return all last recorded figures for a target, by configuration; may be empty."""
    return {figure["core"]: figure for _, figure in recorded_files(results) if figure["target"] == target}


def recorded_files(results: Path = RESULTS) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield every recorded figure with its file, the oldest first.

    Of the figures of one day, those for which nothing was placed come first, then those that say why there is
    no clock rate, then those with one: the last one tells most.
    """
    recordings = [
        (path, json.loads(path.read_text(encoding="utf-8"))) for path in sorted(results.glob(f"*/{FILE}"))
    ]
    figures = [
        (str(recording["machine"]["date"]), _told_of_the_clock(figure), path, figure)
        for path, recording in recordings
        for figure in recording["figures"]
    ]
    for *_, path, figure in sorted(figures, key=lambda entry: entry[:2]):
        yield path, figure


def _told_of_the_clock(figure: Mapping[str, Any]) -> int:
    """Return 2 for a figure with a clock rate, 1 for one that says why there is none, else 0."""
    if figure.get("fmax_mhz") is not None:
        return 2
    return int(figure.get("reason") is not None)


def record(  # noqa: PLR0913  (what a figure is of, and from where)
    configuration: str,
    target: str,
    figures: Figures,
    *,
    commit: str,
    tools: Mapping[str, str],
    results: Path = RESULTS,
) -> Path:
    """Write figures into today's file of this machine, replacing older ones; return the file."""
    row = (
        {"core": configuration, "target": target} | asdict(figures) | {"commit": commit, "tools": dict(tools)}
    )
    return keep_row(FILE, "figures", row, ("target", "core"), {}, results=results)

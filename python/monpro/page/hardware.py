"""The recorded areas and clocks of the hardware cores and of other designs, for the page."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from monpro.cores import (
    Core,
    Exponentiator,
    WordMultiplier,
    WordSerial,
    exponentiators_of_width,
    of_width,
    word_multipliers_of_width,
)
from monpro.cores.word_multiplier import KEPT
from monpro.flow import peers
from monpro.flow.synthesis_records import recorded_files
from monpro.flow.synthesise import TARGETS
from monpro.flow.trial import try_core
from monpro.results.recording import RESULTS

PEERS = "peers.json"
SAMPLES = 16  # products for the average clocks of a core that skips some


@dataclass(frozen=True)
class Point:
    """A synthesised design: its area, and the time of one of its products, where a clock is known.

    area_unit: `LUTs` or `mm²`. A product of an exponentiator is its share of an exponentiation, in which two
    run at once. clocks is the mean over random operands. clock_mhz is the median over so many `seeds` of
    place and route, beside the least and the greatest of several: None where nothing was placed.
    """

    name: str
    paper: str
    what: str
    kind: str  # multiplier, exponentiator
    source: str  # monpro, peer
    target: str
    bits: int
    area: float
    area_unit: str
    registers: int | None
    multipliers: int  # hard ones, such as DSP blocks
    brams: int | None
    extras: str
    clock_mhz: float | None
    clock_least_mhz: float | None
    clock_greatest_mhz: float | None
    seeds: int | None
    clocks: float | None
    constant_time: bool | None  # None: not checked
    commit: str
    tools: str
    file: str
    note: str = ""

    @property
    def time_us(self) -> float | None:
        """Return the time of a product in µs."""
        return self.clocks / self.clock_mhz if self.clocks and self.clock_mhz else None


def points(results: Path = RESULTS) -> list[Point]:
    """Return every recorded synthesis of a clean commit, and the peers; the newest of each configuration."""
    found: dict[tuple[str, str], Point] = {}
    for path, figure in recorded_files(results):
        if not str(figure["commit"]).endswith("-dirty") and (point := _ours(path, figure)):
            found[point.name, point.target] = point
    return [*found.values(), *_peers(results).values()]


def _ours(path: Path, figure: Mapping[str, Any]) -> Point | None:
    """Return the point of one of our cores; None for what has no area, or no longer exists."""
    name = str(figure["core"])
    widths = [int(digits) for digits in re.findall(r"-(\d+)", name)]
    design = next((known(width)[name] for width in widths if name in known(width)), None)
    if design is None or not (figure.get("area_um2") or figure.get("luts")):
        return None
    return Point(
        name=name,
        paper=design.paper,
        what=design.title,
        kind="exponentiator" if isinstance(design, Exponentiator) else "multiplier",
        source="monpro",
        bits=design.width_bits,
        clocks=clocks(design),
        constant_time=design.is_constant_time,
        file=f"results/{path.parent.name}/{path.name}",
        note=f"no clock, because it {figure['reason']}" if figure.get("reason") else "",
        **_measured(figure),
    )


def _measured(figure: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a point that are the same for every design of the flow."""
    is_chip = bool(figure.get("area_um2"))
    return {
        "target": str(figure["target"]),
        "area": figure["area_um2"] * 1e-6 if is_chip else tables(figure),
        "area_unit": "mm²" if is_chip else "LUTs",
        "registers": figure.get("ffs"),
        "multipliers": figure.get("dsps") or 0,
        "brams": figure.get("brams"),
        "extras": _extras(figure),
        "clock_mhz": 1e3 / figure["delay_ns"] if figure.get("delay_ns") else figure.get("fmax_mhz"),
        "clock_least_mhz": figure.get("fmax_least_mhz"),
        "clock_greatest_mhz": figure.get("fmax_greatest_mhz"),
        "seeds": figure.get("seeds") or (1 if figure.get("fmax_mhz") else None),  # an old record has one
        "commit": str(figure["commit"]),
        "tools": ", ".join(f"{tool} {version}" for tool, version in figure["tools"].items()),
    }


def _extras(figure: Mapping[str, Any]) -> str:
    parts = [
        (figure.get("dsps"), "DSP block"),
        (figure.get("brams"), "block RAM"),
    ]
    blocks = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in parts if count]
    memory = figure.get("memory_luts")
    return ", ".join([*blocks, *([f"{memory} of its LUTs as memory"] if memory else [])])


def tables(figure: Mapping[str, Any]) -> int:
    """Return the lookup tables that a core takes; older recordings count logic and memory only."""
    counted: int = figure.get("area_luts") or figure["luts"] + (figure.get("memory_luts") or 0)
    return counted


@cache
def known(width_bits: int) -> dict[str, Core | WordSerial]:
    """Return every design of a width by its name."""
    try:
        return {
            **of_width(width_bits),
            **word_multipliers_of_width(width_bits),
            **exponentiators_of_width(width_bits),
        }
    except ValueError:  # a width that is not offered
        return {}


@cache
def clocks(design: Core | WordSerial) -> float:
    """Return the mean clocks of a product, or a product's share of an exponentiation with a long exponent.

    A product of words is one of the last result with itself, up to the first word of the next.
    """
    if isinstance(design, Core):
        samples = 1 if design.is_constant_time else SAMPLES
        return float(try_core(design, samples, 1, lambda _: None, rtl=False, chained=False).cycles_mean)
    if isinstance(design, WordMultiplier):
        return design.cycles((1 << design.width_bits) - 1, KEPT)
    if not isinstance(design, Exponentiator):
        raise TypeError(f"{design!r} is neither a multiplier nor an exponentiator")
    steps = design.exponent_bits + 2
    return design.max_cycles / (2 * steps)


def _peers(results: Path) -> dict[tuple[str, str], Point]:
    """Return the designs of others by name and target: measured by hand, or newer ones by the flow."""
    found = {}
    unplaced = dict.fromkeys(("brams", "clock_least_mhz", "clock_greatest_mhz", "seeds"))
    for path in sorted(results.glob(f"*/{PEERS}")):
        for design in json.loads(path.read_text(encoding="utf-8"))["designs"]:
            file = f"results/{path.parent.name}/{path.name}"
            point = Point(**{"source": "peer", "file": file, "paper": "", **unplaced, **design})
            found[point.name, point.target] = point
    recordings = [
        (json.loads(path.read_text(encoding="utf-8")), path)
        for path in sorted(results.glob(f"*/{peers.FILE}"))
    ]
    for recording, path in sorted(recordings, key=lambda entry: str(entry[0]["machine"]["date"])):
        for figure in recording["figures"]:
            if not f"{figure['commit']}{figure['peer_commit']}".count("-dirty"):
                point = _peer(path, figure)
                found[point.name, point.target] = point
    return found


def _peer(path: Path, figure: Mapping[str, Any]) -> Point:
    """Return the point of another project's design that the flow has measured."""
    products = 2 * figure["bits"] if figure["kind"] == "exponentiator" else 1
    equal = figure["clocks_least"] == figure["clocks_greatest"]
    return Point(
        name=str(figure["design"]),
        paper="",
        what=str(figure["what"]),
        kind=str(figure["kind"]),
        source="peer",
        bits=figure["bits"],
        clocks=figure["clocks"] / products,
        constant_time=None if equal else False,
        file=f"results/{path.parent.name}/{path.name}",
        note="; ".join(
            part
            for part in (figure["note"], f"equal clocks of {figure['jobs']} jobs" if equal else "")
            if part
        ),
        **_measured(figure) | {"commit": f"{figure['peer_commit'][:7]}, measured at {figure['commit']}"},
    )


def target_titles() -> dict[str, str]:
    """Return the targets' names in words."""
    return {name: target.title for name, target in TARGETS.items()}


def architecture(point: Point) -> str:
    """Return the name by which `monpro emit` knows the core, with the parameters of its variant."""
    widths = [int(digits) for digits in re.findall(r"-(\d+)", point.name)]
    design = next((known(width)[point.name] for width in widths if point.name in known(width)), None)
    return "" if design is None else design.arguments

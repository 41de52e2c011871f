"""Functional coverage of bus slaves in cocotb: declared bins, counted clock by clock from signals."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly

COUNTS: dict[str, int] = {}  # of this simulation, over all its tests
See = Callable[[str], int]


class Watch:
    """The signals of a design in a clock and in the clock before, as numbers; 0 where unknown."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.handles: dict[str, Any] = {}
        self.before: dict[str, int] = {}
        self.now: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        """Return a signal in this clock; a dot leads into a module."""
        if name not in self.now:
            if name not in self.handles:
                self.handles[name] = reduce(getattr, name.split("."), self.dut)
            value = self.handles[name].value
            self.now[name] = int(value) if value.is_resolvable else 0
        return self.now[name]

    def was(self, name: str) -> int:
        """Return a signal in the clock before, if it was looked at there."""
        return self.before.get(name, 0)


Met = Callable[[Watch], object]


def inside(event: Met, state: Callable[[See], str], name: str) -> Met:
    """Return the bin of an event in a state."""
    return lambda see: event(see) and state(see) == name


def reset_in(state: Callable[[See], str], signals: Sequence[str], name: str) -> Met:
    """Return the bin of a reset that begins in a state, which a function tells from signals."""

    def is_met(see: Watch) -> bool:
        is_reset = not see("rst_ni") and bool(see.was("rst_ni"))
        for signal in signals:  # what is looked at in every clock is known in the next one
            see(signal)
        return is_reset and state(see.was) == name

    return is_met


async def count(dut: Any, bins: Mapping[str, Met]) -> None:
    """Count in how many clocks each bin is met."""
    for name in bins:
        COUNTS.setdefault(name, 0)
    see = Watch(dut)
    while True:
        await FallingEdge(dut.clk_i)
        await ReadOnly()
        see.before, see.now = see.now, {}
        for name, is_met in bins.items():
            COUNTS[name] += bool(is_met(see))


def start(dut: Any, bins: Mapping[str, Met]) -> None:
    """Begin to count; it ends with the test."""
    cocotb.start_soon(count(dut, bins))


def write_report() -> None:
    """Write the counts to the file that the environment names, for the test outside of the simulator."""
    Path(os.environ["COUNTS_OF_BINS"]).write_text(json.dumps(COUNTS, indent=2) + "\n")


def read_report(path: Path) -> Iterator[str]:
    """Yield the bins that are empty, after a table of all of them on the standard output."""
    counts: dict[str, int] = json.loads(path.read_text())
    for name, clocks in counts.items():
        print(f"{clocks:8}  {name}")
        if not clocks:
            yield name

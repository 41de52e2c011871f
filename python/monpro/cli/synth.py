"""`monpro synth`: area and speed of a core."""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, CoreName, Settings, failures_of_tools, make_core, require
from monpro.cli.output import console, print_json, progress_bar
from monpro.cores import Core
from monpro.flow.synthesise import TARGETS, Figures, Target, synthesise

FIGURES = {
    "area_um2": ("area", "µm²"),
    "cells": ("cells", ""),
    "delay_ns": ("shortest clock period", "ns"),
    "luts": ("lookup tables", ""),
    "ffs": ("flip-flops", ""),
    "brams": ("block RAMs", ""),
    "fmax_mhz": ("highest clock frequency", "MHz"),
}


def command(
    core: CoreName,
    target: Annotated[str, typer.Option(metavar="TARGET", help=f"One of {', '.join(TARGETS)}.")],
    bits: Bits = 1024,
    place: Annotated[
        bool, typer.Option("--place/--no-place", help="Place and route as well: ecp5, ice40; takes minutes.")
    ] = True,
    settings: Settings = [],  # noqa: B006  (typer's way to say: none)
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> int:
    """Synthesise a core in open tools: area, cells and delay, or lookup tables and clock frequency."""
    if target not in TARGETS:
        raise InputError(f"--target: there is no target {target!a}; there are: {', '.join(TARGETS)}")
    multiplier = make_core(core, bits, settings)
    require(*tools_of(TARGETS[target], place=place))
    figures = run(multiplier, target, place=place)
    if json:
        print_json({"core": multiplier.name, "bits": bits, "target": target, **asdict(figures)})
    else:
        show(multiplier, TARGETS[target], figures)
    return 0


def tools_of(target: Target, *, place: bool) -> list[str]:
    """Return the tools that the way to a target needs."""
    timing = ["opensta"] if target.name == "osu018" else []
    return ["yosys", *timing, *(target.place[:1] if place else [])]


def run(core: Core, target: str, *, place: bool) -> Figures:
    """Synthesise behind a progress bar that names the step."""
    with progress_bar() as progress, failures_of_tools():
        task = progress.add_task(core.name, total=None)
        return synthesise(
            core, target, place=place, progress=lambda step: progress.update(task, description=step)
        )


def show(core: Core, target: Target, figures: Figures) -> None:
    """Print the figures that the target has."""
    table = Table(title=f"{core.name}, {core.width_bits} bits: {target.title}", show_header=False)
    for name, value in asdict(figures).items():
        if value is not None:
            title, unit = FIGURES[name]
            table.add_row(title, f"{value:,}", unit)
    console().print(table)

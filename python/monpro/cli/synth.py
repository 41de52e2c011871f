"""`monpro synth`: area and speed of a core."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, Settings, core_names, failures_of_tools, make_core, require
from monpro.cli.output import console, print_json, progress_bar
from monpro.cores import (
    Core,
    WordSerial,
    architectures,
    exponentiators_of_width,
    of_width,
    word_multipliers_of_width,
)
from monpro.flow import sources, synthesis_records, tools
from monpro.flow.synthesise import TARGETS, Figures, Target, synthesise

ALL = "all"
FIGURES = {
    "area_um2": ("area", "µm²"),
    "cells": ("cells", ""),
    "delay_ns": ("shortest clock period", "ns"),
    "area_luts": ("lookup tables in all: logic, memory, carries", ""),
    "luts": ("lookup tables of logic", ""),
    "memory_luts": ("lookup tables that are memory", ""),
    "ffs": ("flip-flops", ""),
    "brams": ("block RAMs", ""),
    "dsps": ("DSP blocks", ""),
    "fmax_mhz": ("highest clock frequency", "MHz"),
    "fmax_least_mhz": ("the least of the seeds", "MHz"),
    "fmax_greatest_mhz": ("the greatest of the seeds", "MHz"),
    "seeds": ("seeds of place and route; the clock frequency is their median", ""),
}


def command(
    core: Annotated[
        str,
        typer.Argument(
            metavar="CORE",
            help="A core, see `monpro cores`; or all, for each multiplier in all variants.",
            show_default=False,
            autocompletion=lambda: [*core_names(), ALL],
        ),
    ],
    target: Annotated[
        str,
        typer.Option(
            metavar="TARGET", help=f"One of {', '.join(TARGETS)}.", autocompletion=lambda: list(TARGETS)
        ),
    ],
    bits: Bits = 1024,
    place: Annotated[
        bool,
        typer.Option(
            "--place/--no-place", help="For ecp5 and ice40, also place and route, which takes minutes."
        ),
    ] = True,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Place and route N times from other seeds: the median, least and greatest clock.",
        ),
    ] = 1,
    settings: Settings = [],  # noqa: B006  (typer's way to say: none)
    record: Annotated[bool, typer.Option("--record", help="Record the figures under results/.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> int:
    """Synthesise a core in open tools: print area, cells and delay, or lookup tables and clock."""
    if target not in TARGETS:
        raise InputError(f"--target: there is no target {target!a}; there are: {', '.join(TARGETS)}")
    check_seeds(seeds, TARGETS[target], place=place)
    multipliers = chosen(core, bits, settings)
    programs = tools_of(TARGETS[target])
    require(*programs)
    rows: list[dict[str, object]] = []
    for name, multiplier in multipliers.items():
        figures = run(multiplier, target, place=place, seeds=seeds)
        if record:
            keep(name, target, figures, programs)
        if json:
            rows.append(
                {"configuration": name, "core": multiplier.name, "bits": bits, "target": target}
                | asdict(figures)
            )
        else:
            show(name, TARGETS[target], figures)
    if json:
        print_json(rows if core == ALL else rows[0])
    return 0


def check_seeds(seeds: int, target: Target, *, place: bool) -> None:
    """Raise InputError unless place and route can run from as many seeds."""
    if seeds < 1:
        raise InputError(f"--seeds: give 1 or more, not {seeds}")
    if seeds > 1 and not target.place:
        placed = ", ".join(name for name, other in TARGETS.items() if other.place)
        raise InputError(f"--seeds: {target.name} is not placed and routed; these are: {placed}")
    if seeds > 1 and not place:
        raise InputError("--seeds: with --no-place nothing is placed; leave one of the two out")


def chosen(name: str, bits: int, settings: Sequence[str]) -> dict[str, Core | WordSerial]:
    """Return the cores that the options name, by the names of their configurations."""
    if name == ALL:
        if settings:
            raise InputError("--set: all means all variants; name a core to set a parameter")
        make_core(architectures()[0].name, bits, ())
        return dict(of_width(bits))
    chosen = make_core(name, bits, settings)
    known = {**of_width(bits), **word_multipliers_of_width(bits), **exponentiators_of_width(bits)}
    named = (configuration for configuration, core in known.items() if core == chosen)
    return {next(named, "-".join([name, str(bits), *settings])): chosen}


def keep(name: str, target: str, figures: Figures, programs: Sequence[str]) -> None:
    """Record the figures of a configuration, with the programs and versions that made them."""
    versions = {program: tools.version_of(program) for program in programs}
    try:
        path = synthesis_records.record(name, target, figures, commit=sources.commit(), tools=versions)
    except OSError as error:
        raise InputError(f"--record: cannot write {error.filename}: {error.strerror}") from None
    sys.stderr.write(f"recorded {name} for {target} in {path}\n")


def tools_of(target: Target) -> list[str]:
    """Return the tools that synthesis for a target needs; nextpnr counts the area, placed or not."""
    timing = ["opensta"] if target.name == "osu018" else []
    return ["yosys", *timing, *target.place[:1]]


def run(core: Core | WordSerial, target: str, *, place: bool, seeds: int) -> Figures:
    """Synthesise behind a progress bar that names the step."""
    with progress_bar(counts=False) as progress, failures_of_tools():
        task = progress.add_task(core.name, total=None)
        return synthesise(
            core,
            target,
            place=place,
            seeds=seeds,
            progress=lambda step: progress.update(task, description=step),
        )


def show(name: str, target: Target, figures: Figures) -> None:
    """Print the figures that the target has."""
    table = Table(title=f"{name}: {target.title}", show_header=False)
    spread = {"fmax_least_mhz", "fmax_greatest_mhz", "seeds"} if figures.seeds == 1 else set()
    for figure, (title, unit) in FIGURES.items():
        if figure not in spread and (value := getattr(figures, figure)) is not None:
            table.add_row(title, f"{value:,}", unit)
    out = console()
    out.print(table)
    if figures.reason:
        out.print(f"no clock frequency: it {figures.reason}", soft_wrap=True)

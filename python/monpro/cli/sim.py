"""`monpro sim`: a core tried on random operands."""

from typing import Annotated

import typer

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, CoreName, Settings, failures_of_tools, make_core, require
from monpro.cli.output import console, print_json, progress_bar
from monpro.cores import Core, WordSerial
from monpro.flow.trial import Trial, try_design


def command(
    core: CoreName,
    bits: Bits = 1024,
    count: Annotated[
        int,
        typer.Option(metavar="COUNT", min=1, max=1_000_000, help="How many products, or powers, to compute."),
    ] = 1000,
    seed: Annotated[int, typer.Option(metavar="NUMBER", min=0, help="The seed of the random operands.")] = 1,
    rtl: Annotated[
        bool, typer.Option("--rtl/--model", help="Run the RTL, compiled by Verilator, or the Python model.")
    ] = True,
    chained: Annotated[
        bool, typer.Option("--chained", help="Use results as the operands of the next squares and products.")
    ] = False,
    settings: Settings = [],  # noqa: B006  (typer's way to say: none)
    json: Annotated[bool, typer.Option("--json", help="Print cycles and mismatches as JSON.")] = False,
) -> int:
    """Run a core on random operands, check every result against plain arithmetic, and count cycles."""
    engine = make_core(core, bits, settings)
    if rtl:
        require("verilator")
    with progress_bar() as progress, failures_of_tools():
        task = progress.add_task(f"compiling {core}", total=count)

        def advance(done: int) -> None:
            progress.update(task, completed=done, description=f"{core}, {bits} bits")

        try:
            trial = try_design(engine, count, seed, advance, rtl=rtl, chained=chained)
        except ValueError as error:
            raise InputError(f"--chained: {error}") from None
    if json:
        print_json(
            {
                "core": engine.name,
                "bits": bits,
                "count": count,
                "mismatches": trial.mismatches,
                "cycles_mean": trial.cycles_mean,
                "cycles_min": min(trial.cycles),
                "cycles_max": max(trial.cycles),
            }
        )
    else:
        show(engine, trial, by="RTL" if rtl else "model")
        total = sum(trial.cycles)
        rate = total / trial.seconds / 1e6
        console().print(f"{total:,} cycles in {trial.seconds:.1f} s, {rate:.2f} million a second")
    return 1 if trial.mismatches else 0


def show(core: Core | WordSerial, trial: Trial, *, by: str) -> None:
    """Print the result in words."""
    verdict = f"{trial.mismatches:,} WRONG" if trial.mismatches else "all right"
    out = console()
    out.print(f"{core.name}, {core.width_bits} bits, {by}: {len(trial.cycles):,} {core.computes}s, {verdict}")
    fewest, most = min(trial.cycles), max(trial.cycles)
    out.print(f"cycles of a {core.computes}: {trial.cycles_mean:.1f} on average, {fewest} to {most}")

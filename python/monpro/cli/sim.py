"""`monpro sim`: a core tried on random operands."""

import time
from typing import Annotated

import typer
from rich.progress import Progress

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, CoreName, Settings, failures_of_tools, make_core, require
from monpro.cli.output import console, print_json, progress_bar
from monpro.cores import Core, Exponentiator
from monpro.flow.exponentiate import word_ports
from monpro.flow.simulate import build
from monpro.flow.trial import Trial, try_core, try_exponentiator


def command(
    core: CoreName,
    bits: Bits = 1024,
    count: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="How many products, or powers, to compute.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the random operands.")] = 1,
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
    if chained and isinstance(engine, Exponentiator):
        raise InputError(f"--chained: {core} computes powers, which are chains of products already")
    if rtl:
        require("verilator")
    with progress_bar() as progress, failures_of_tools():
        trial, seconds = run(engine, count, seed, progress, rtl=rtl, chained=chained)
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
        rate = total / seconds / 1e6
        console().print(f"{total:,} cycles in {seconds:.1f} s, {rate:.2f} million a second")
    return 1 if trial.mismatches else 0


def run(
    core: Core | Exponentiator, count: int, seed: int, progress: Progress, *, rtl: bool, chained: bool
) -> tuple[Trial, float]:
    """Build what is to be built, then try the core; return the seconds that the results took, too."""
    task = progress.add_task(f"compiling {core.name}", total=count)

    def advance(done: int) -> None:
        progress.update(task, completed=done)

    if rtl:
        word_ports(core).compile() if isinstance(core, Exponentiator) else build(core)
    progress.update(task, description=f"{core.name}, {core.width_bits} bits")
    started = time.perf_counter()
    if isinstance(core, Exponentiator):
        trial = try_exponentiator(core, count, seed, advance, rtl=rtl)
    else:
        trial = try_core(core, count, seed, advance, rtl=rtl, chained=chained)
    return trial, time.perf_counter() - started


def show(core: Core | Exponentiator, trial: Trial, *, by: str) -> None:
    """Print the result in words."""
    verdict = f"{trial.mismatches:,} WRONG" if trial.mismatches else "all right"
    kind = "power" if isinstance(core, Exponentiator) else "product"
    out = console()
    out.print(f"{core.name}, {core.width_bits} bits, {by}: {len(trial.cycles):,} {kind}s, {verdict}")
    out.print(
        f"cycles of a {kind}: {trial.cycles_mean:.1f} on average, {min(trial.cycles)} to {max(trial.cycles)}"
    )

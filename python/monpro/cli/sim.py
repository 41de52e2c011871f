"""`monpro sim`: a core tried on random operands."""

from dataclasses import dataclass
from typing import Annotated

import typer

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, CoreName, Settings, failures_of_tools, make_core, require
from monpro.cli.output import console, print_json, progress_bar
from monpro.cores import Core, WordSerial
from monpro.flow.netlists import SIMULATED, netlists
from monpro.flow.simulate import Netlist
from monpro.flow.trial import Trial, try_design


@dataclass(frozen=True)
class Order:
    """What is computed: on which core, how many products or powers, from which seed, chained or not."""

    core: Core | WordSerial
    count: int
    seed: int
    chained: bool

    def run(self, *, rtl: bool = True, netlist: Netlist | None = None) -> Trial:
        """Run it behind a progress bar, on the model, the RTL or a netlist."""
        what = f"{self.core.name}, {self.core.width_bits} bits"
        with progress_bar() as progress, failures_of_tools():
            task = progress.add_task(
                f"compiling {netlist.name if netlist else self.core.name}", total=self.count
            )

            def advance(done: int) -> None:
                progress.update(task, completed=done, description=what)

            options = {"rtl": rtl, "chained": self.chained}
            try:
                return try_design(self.core, self.count, self.seed, advance, **options, netlist=netlist)
            except ValueError as error:
                raise InputError(f"--chained: {error}") from None


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
    netlist: Annotated[
        str,
        typer.Option(
            metavar="TARGET",
            help=f"Also run what Yosys makes of the RTL, and compare: {' or '.join(SIMULATED)}.",
            show_default=False,
            autocompletion=lambda: list(SIMULATED),
        ),
    ] = "",
    chained: Annotated[
        bool, typer.Option("--chained", help="Use results as the operands of the next squares and products.")
    ] = False,
    settings: Settings = [],  # noqa: B006  (typer's way to say: none)
    json: Annotated[bool, typer.Option("--json", help="Print cycles and mismatches as JSON.")] = False,
) -> int:
    """Run a core on random operands, check every result against plain arithmetic, and count cycles."""
    order = Order(make_core(core, bits, settings), count, seed, chained)
    if netlist and netlist not in SIMULATED:
        raise InputError(f"--netlist: there is no netlist for {netlist!a}; there are: {', '.join(SIMULATED)}")
    if netlist and not rtl:
        raise InputError("--netlist: a netlist is compared with the RTL: leave out --model")
    if rtl:
        require("verilator", *(["yosys"] if netlist else []))
    trial = order.run(rtl=rtl)
    mapped = gates(order, netlist) if netlist else {}
    unlike = {name: differences(trial, of_gates) for name, of_gates in mapped.items()}
    if json:
        extra = {
            "netlists": [
                summary(mapped[name]) | {"netlist": name, "unlike_rtl": unlike[name]} for name in mapped
            ]
        }
        print_json(
            {"core": order.core.name, "bits": bits, "count": count}
            | summary(trial)
            | (extra if netlist else {})
        )
    else:
        show(order.core, trial, by="RTL" if rtl else "model")
        total = sum(trial.cycles)
        rate = total / trial.seconds / 1e6
        console().print(f"{total:,} cycles in {trial.seconds:.1f} s, {rate:.2f} million a second")
        for name, of_gates in mapped.items():
            show(order.core, of_gates, by=f"netlist {name}")
            verdict = f"{unlike[name]:,} UNLIKE the RTL's" if unlike[name] else "each as the RTL's"
            console().print(f"values and cycles: {verdict}")
    return 1 if any(run.mismatches for run in (trial, *mapped.values())) or any(unlike.values()) else 0


def gates(order: Order, target: str) -> dict[str, Trial]:
    """Run every netlist of a target; return the trials by the names of the netlists."""
    with progress_bar(counts=False) as progress, failures_of_tools():
        progress.add_task(f"Yosys maps {order.core.name} to {target}", total=None)
        found = netlists(order.core, target)
    return {netlist.name: order.run(netlist=netlist) for netlist in found}


def differences(trial: Trial, other: Trial) -> int:
    """Return how many results differ in value or in cycles."""
    pairs = zip(trial.values, trial.cycles, other.values, other.cycles, strict=True)
    return sum((z, cycles) != (other_z, other_cycles) for z, cycles, other_z, other_cycles in pairs)


def summary(trial: Trial) -> dict[str, object]:
    """Return the figures of a trial by name."""
    return {
        "mismatches": trial.mismatches,
        "cycles_mean": trial.cycles_mean,
        "cycles_min": min(trial.cycles),
        "cycles_max": max(trial.cycles),
    }


def show(core: Core | WordSerial, trial: Trial, *, by: str) -> None:
    """Print the result in words."""
    verdict = f"{trial.mismatches:,} WRONG" if trial.mismatches else "all right"
    out = console()
    out.print(f"{core.name}, {core.width_bits} bits, {by}: {len(trial.cycles):,} {core.computes}s, {verdict}")
    fewest, most = min(trial.cycles), max(trial.cycles)
    out.print(f"cycles of a {core.computes}: {trial.cycles_mean:.1f} on average, {fewest} to {most}")

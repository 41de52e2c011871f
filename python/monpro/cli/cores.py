"""`monpro cores`: the hardware multipliers and exponentiators."""

from dataclasses import fields
from typing import Annotated

import typer
from rich.table import Table

from monpro.cli.output import console, print_json
from monpro.cores import WIDTHS_BITS, BinaryExponentiator, Design, everything, verified
from monpro.flow import tools


def command(
    json: Annotated[bool, typer.Option("--json", help="Print a list of objects as JSON.")] = False,
) -> int:
    """List the hardware cores: paper, parameters, cycles, and whether their RTL runs here."""
    if json:
        print_json([describe(architecture) for architecture in everything()])
        return 0
    table = Table(title=f"Cores, {WIDTHS_BITS[0]} to {WIDTHS_BITS[-1]} bits")
    for heading in ("name", "paper", "what it is", "parameters, for --set", "cycles of a product, or power"):
        table.add_column(heading, overflow="fold", no_wrap=heading in ("name", "paper"))
    for architecture in everything():
        settings = "\n".join(f"{name}={value}" for name, value in parameters(architecture).items())
        shown = (architecture.name, architecture.paper, architecture.title, settings, architecture.latency)
        table.add_row(*shown)
    out = console()
    out.print(table)
    out.print("K: width in bits, K' = K + 2. Each core has a cycle model, and RTL in rtl/.")
    out.print(f"{BinaryExponentiator.name}:MULTIPLIER is the exponentiator around a multiplier with parallel")
    out.print("ports; --set takes ladder=0, word_width=32 and what the multiplier takes.")
    reason = missing("verilator")
    out.print(f"Simulation of the RTL here: {'no: ' + reason if reason else 'yes'}.", soft_wrap=True)
    return 0


def describe(architecture: type[Design]) -> dict[str, object]:
    """Return a core as plain data: `model` is its Python class, `rtl` its SystemVerilog module."""
    reason = missing("verilator")
    return {
        "name": architecture.name,
        "title": architecture.title,
        "paper": architecture.paper,
        "source": architecture.source,
        "parameters": parameters(architecture),
        "widths": [WIDTHS_BITS[0], WIDTHS_BITS[-1]],
        "latency": architecture.latency,
        "letters": architecture.letters,
        "model": f"{architecture.__module__}.{architecture.__qualname__}",
        "rtl": architecture(WIDTHS_BITS[0]).top,
        "verified": verified(architecture),
        "available": reason is None,
        "reason": reason,
    }


def parameters(architecture: type[Design]) -> dict[str, int]:
    """Return the parameters of an architecture besides its width, with their defaults."""
    narrowest = architecture(WIDTHS_BITS[0])
    names = (field.name for field in fields(architecture) if field.name != "width_bits")
    return {name: int(getattr(narrowest, name)) for name in names}


def missing(tool: str) -> str | None:
    """Return why a tool cannot be used here, or None if it can."""
    try:
        tools.find(tool)
    except tools.ToolError as error:
        return str(error)
    return None

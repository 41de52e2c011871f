"""`monpro kernels`: the software kernels."""

from typing import Annotated

import typer
from rich.table import Table

from monpro.cli.output import console, print_json
from monpro.engines import RING_TITLES, kernel_engines

FIELDS = ("name", "paper", "ring", "radix_bits", "bound", "available", "reason")


def command(
    json: Annotated[bool, typer.Option("--json", help="Print a list of objects as JSON.")] = False,
) -> int:
    """List the kernels: paper, ring, word size, bound of operands, and why one cannot run here."""
    rows = [{field: getattr(engine, field) for field in FIELDS} for engine in kernel_engines()]
    if json:
        print_json(rows)
        return 0
    table = Table(title="Kernels")
    for heading in ("name", "paper", "ring", "word bits", "bound", "runs here"):
        table.add_column(heading, no_wrap=heading == "name")
    for engine in kernel_engines():
        here = "yes" if engine.available else f"no: {engine.reason}"
        table.add_row(
            engine.name, engine.paper, RING_TITLES[engine.ring], str(engine.radix_bits), engine.bound, here
        )
    console().print(table)
    return 0

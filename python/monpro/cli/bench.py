"""`monpro bench`: software timings."""

from itertools import groupby
from operator import attrgetter
from typing import Annotated

import typer
from rich.table import Table

from monpro.bench import race
from monpro.cli.errors import CheckFailed
from monpro.cli.output import console, print_json, progress_bar
from monpro.engines import Ring
from monpro.results.durations import format_seconds

DEFAULT_BITS = [1024, 2048]


def command(
    bits: Annotated[
        list[int], typer.Option(metavar="BITS", min=2, max=16384, help="Bits of the modulus; repeatable.")
    ] = DEFAULT_BITS,
    ring: Annotated[Ring, typer.Option(help="What to compute in.")] = "integers",
    rounds: Annotated[
        int,
        typer.Option(metavar="COUNT", min=3, max=1000, help="How often each figure is measured, in turns."),
    ] = 7,
    json: Annotated[bool, typer.Option("--json", help="Print every figure as JSON.")] = False,
) -> int:
    """Time products and squares by each kernel, and exponentiations beside other libraries."""
    with progress_bar() as progress:
        task = progress.add_task("timing", total=race.count_measurements(ring, bits, rounds))
        try:
            report = race.bench(ring, bits, rounds, lambda: progress.advance(task))
        except ArithmeticError as error:
            raise CheckFailed(str(error)) from None
    if json:
        print_json(report.as_dict())
        return 0
    out = console()
    out.print(f"CPU: {report.machine['cpu']}; processor time, medians of {rounds} interleaved rounds")
    for size, products in groupby(report.products, attrgetter("bits")):
        out.print(product_table(size, list(products)))
    for (size, form), powers in groupby(report.powers, attrgetter("bits", "form")):
        out.print(power_table(f"One exponentiation, {size} bits{form}", list(powers)))
    out.print(
        "Times of exponentiations include the modulus's constants and conversions of Python's integers."
    )
    return 0


def product_table(bits: int, rows: list[race.ProductTime]) -> Table:
    """Return the table of products and squares of one size, one row for each kernel."""
    table = Table(title=f"One Montgomery product, {bits} bits")
    for heading in ("kernel", "product", "spread", "square", "spread", "square / product"):
        table.add_column(heading, justify="left" if heading == "kernel" else "right", no_wrap=True)
    squares = {row.kernel: row for row in rows if row.operation == "sqr"}
    for row in (row for row in rows if row.operation == "mul"):
        square = squares[row.kernel]
        table.add_row(
            row.kernel,
            format_seconds(row.time_ns * 1e-9),
            f"±{row.spread / 2:.1%}",
            format_seconds(square.time_ns * 1e-9),
            f"±{square.spread / 2:.1%}",
            f"{square.time_ns / row.time_ns:.2f}",
        )
    return table


def power_table(title: str, rows: list[race.PowerTime]) -> Table:
    """Return the table of exponentiations with one modulus, the fastest first, slow ones without times."""
    table = Table(title=title)
    for heading in ("engine", "version", "constant\ntime", "time", "spread", "ratio"):
        table.add_column(
            heading, justify="right" if heading in ("time", "spread", "ratio") else "left", no_wrap=True
        )
    for row in sorted(rows, key=lambda row: row.seconds or float("inf")):
        constant_time = "yes" if row.constant_time else "no"
        if row.seconds is None or row.spread is None:
            times = ["slow", "", ""]
        else:
            times = [format_seconds(row.seconds), f"±{row.spread / 2:.1%}", f"{row.ratio:.2f}"]
        table.add_row(row.engine, row.version, constant_time, *times)
    return table

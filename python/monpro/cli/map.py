"""`monpro map`: one operation on the rows of many files, on one core or on many machines."""

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import typer
from rich.table import Table

from monpro import is_prime, scale
from monpro.cli.errors import CheckFailed, InputError
from monpro.cli.map_progress import telling
from monpro.cli.number import read_number
from monpro.cli.output import console, print_json
from monpro.columns import OPERANDS, Column, ColumnsError, Constant, File, Operation, Source
from monpro.scale.mapping import recorded_job
from monpro.scale.storage import folder_at, is_remote
from monpro.scale.verify import verify as verified

OPERAND = "a column, @file (read where the work runs), or a number in decimal or 0x hexadecimal"
OPTIONS = {  # of the operands, by their names in `monpro.columns`
    "base": "base",
    "exponent": "exp",
    "factor": "factor",
    "number": "number",
    "modulus": "mod",
    "key": "key",
}
Json = Annotated[bool, typer.Option("--json", help="Print what is told as JSON, an event a line.")]
JsonDocument = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
Folder = Annotated[str, typer.Argument(metavar="OUT", help="The folder of results.")]

app = typer.Typer(
    help="Compute on the rows of Parquet, CSV or JSON lines, on one machine or many; resume what was killed.",
    no_args_is_help=True,
)


def template(
    source: Annotated[
        list[str],
        typer.Option("--in", metavar="FILES", help="Files, by a path, a pattern or a folder; may be repeated."),
    ],
    out: Annotated[str, typer.Option("--out", metavar="FOLDER", help="The folder for the results, as Parquet.")],
    base: Annotated[str, typer.Option(metavar="OPERAND", help=f"The base: {OPERAND}.")],
    exp: Annotated[str, typer.Option(metavar="OPERAND", help=f"The exponent: {OPERAND}.")],
    factor: Annotated[str, typer.Option(metavar="OPERAND", help=f"The second factor: {OPERAND}.")],
    number: Annotated[str, typer.Option(metavar="OPERAND", help=f"The number: {OPERAND}.")],
    mod: Annotated[str, typer.Option(metavar="OPERAND", help=f"The modulus: {OPERAND}.")],
    key: Annotated[str, typer.Option(metavar="@FILE", help="The private key: @file, in PEM or DER.")],
    executor: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            help="Where to compute: local, processes:N, dask:ADDRESS, mpi, or MODULE:FACTORY.",
        ),
    ] = "local",
    rows: Annotated[
        int | None,
        typer.Option(min=1, help="Rows of a chunk, which is what a worker gets. By default it is measured."),
    ] = None,
    width: Annotated[
        int | None, typer.Option(min=1, help="Octets of a result. By default those of the modulus.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of a worker. By default all cores are shared out.")
    ] = None,
    tries: Annotated[
        int, typer.Option(min=1, help="How often a chunk is tried before it is halved, down to one row.")
    ] = 3,
    most_quarantined: Annotated[
        int, typer.Option(min=0, help="How many rows may fail and be quarantined before the job stops.")
    ] = 100,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the job that the folder holds.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, say what is to do, and change nothing.")
    ] = False,
    json: Json = False,
) -> int:
    """Give the options of every operation; the operands are those of each."""
    raise AssertionError


def command_of(name: str) -> Callable[..., int]:
    """Return the command of an operation, with its own operands."""

    def command(
        *,
        source: list[str],
        out: str,
        executor: str,
        rows: int | None,
        width: int | None,
        threads: int | None,
        tries: int,
        most_quarantined: int,
        resume: bool,
        dry_run: bool,
        json: bool,
        **operands: str,
    ) -> int:
        request = {"operation": name, "width": width, "operands": absolute(operands)}
        with refusals():
            operation = operation_of(request, threads or threads_of(executor))
            if dry_run:
                show_plan(scale.plan(operation, source, out, resume=resume), json=json)
                return 0
            limits = scale.Limits(tries, most_quarantined)
            with telling(json_events=json) as tell:
                report = scale.map_columns(
                    operation,
                    source,
                    out,
                    executor=executor,
                    rows=rows,
                    resume=resume,
                    limits=limits,
                    request=request,
                    tell=tell,
                )
        if not json:
            show_report(report)
        return 1 if report.quarantined else 0

    wanted = {OPTIONS[operand] for operand in OPERANDS[name]}
    parameters = [
        parameter
        for parameter in inspect.signature(template).parameters.values()
        if parameter.name not in OPTIONS.values() or parameter.name in wanted
    ]
    command.__signature__ = inspect.Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command

"""`monpro map`: one operation on the rows of many files, on one core or on many machines."""

import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_type_hints

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
HELP = {
    "base": f"The base: {OPERAND}.",
    "exponent": f"The exponent: {OPERAND}.",
    "factor": f"The second factor: {OPERAND}.",
    "number": f"The number: {OPERAND}.",
    "modulus": f"The modulus: {OPERAND}.",
    "key": "The private key: @file, in PEM or DER, which is read where the work runs.",
}
JsonDocument = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
Folder = Annotated[str, typer.Argument(metavar="OUT", help="The folder of results.")]

app = typer.Typer(
    help="Compute on the rows of Parquet, CSV or JSON lines, on one machine or many.",
    no_args_is_help=True,
)


@dataclass(kw_only=True)
class Options:
    """The options of every operation, besides its operands."""

    source: Annotated[
        list[str],
        typer.Option(
            "--in", metavar="FILES", help="Files, by a path, a pattern or a folder; may be repeated."
        ),
    ]
    out: Annotated[str, typer.Option(metavar="FOLDER", help="The folder for the results, as Parquet.")]
    executor: Annotated[
        str,
        typer.Option(
            metavar="PLACE",
            help="Where to compute: local, processes:N, dask:ADDRESS, mpi, or MODULE:FACTORY.",
        ),
    ] = "local"
    rows: Annotated[
        int | None,
        typer.Option(min=1, help="Rows of a chunk, which is what a worker gets. By default it is measured."),
    ] = None
    width: Annotated[
        int | None, typer.Option(min=1, help="Octets of a result. By default those of the modulus.")
    ] = None
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of a worker. By default all cores are shared out.")
    ] = None
    tries: Annotated[
        int, typer.Option(min=1, help="How often a chunk is tried before it is halved, down to one row.")
    ] = 3
    most_quarantined: Annotated[
        int, typer.Option(min=0, help="How many rows may fail and be quarantined before the job stops.")
    ] = 100
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the job that the folder holds.")] = (
        False
    )
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything, say what is to do, and change nothing.")
    ] = False
    json: Annotated[bool, typer.Option("--json", help="Print events as JSON, one a line.")] = False


def command_of(name: str) -> Callable[..., int]:
    """Return the command of an operation: its operands and the options of all."""
    operands = {OPTIONS[operand]: HELP[operand] for operand in OPERANDS[name]}

    def command(**given: Any) -> int:  # noqa: ANN401
        return run(name, {option: given.pop(option) for option in operands}, Options(**given))

    annotations = {
        option: Annotated[str, typer.Option(metavar="OPERAND", help=text)]
        for option, text in operands.items()
    } | get_type_hints(Options, include_extras=True)
    defaults = {field.name: field.default for field in fields(Options) if field.default is not MISSING}
    keyword, nothing = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
    parameters = [
        inspect.Parameter(option, keyword, default=defaults.get(option, nothing), annotation=annotation)
        for option, annotation in annotations.items()
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    command.__annotations__ = dict(annotations)
    return command


def run(name: str, operands: dict[str, str], options: Options) -> int:
    """Compute an operation on all rows; return 1 if some are in quarantine."""
    request = {"operation": name, "width": options.width, "operands": absolute(operands)}
    with refusals():
        operation = operation_of(request, options.threads or threads_of(options.executor))
        if options.dry_run:
            found = scale.plan(operation, options.source, options.out, resume=options.resume)
            show_plan(found, json=options.json)
            return 0
        # A pipe to a worker that was killed would end this process, as one that is closed ends other verbs.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        if "" not in sys.path:
            sys.path.append("")  # the working folder, for MODULE:FACTORY, as `python -m` has it
        with telling(json_events=options.json) as tell:
            report = scale.map_columns(
                operation,
                options.source,
                options.out,
                executor=options.executor,
                rows=options.rows,
                resume=options.resume,
                limits=scale.Limits(options.tries, options.most_quarantined),
                request=request,
                tell=tell,
            )
    if not options.json:
        show_report(report)
    return 1 if report.quarantined else 0


for _name in OPERANDS:
    app.command(_name, help=f"Compute {_name} of {', '.join(OPERANDS[_name])} in every row.")(
        command_of(_name)
    )


@app.command()
def status(out: Folder, json: JsonDocument = False) -> int:
    """Say how far the job in a folder is, by its parts; look at nothing else and change nothing."""
    with refusals():
        found = scale.status(out)
    if json:
        print_json(asdict(found))
        return 0
    share = 100 * found.rows_done // max(1, found.rows)
    show(
        {
            "rows": f"{found.rows_done:,} of {found.rows:,} ({share} %)",
            "parts": f"{found.parts:,}, of {found.rows_per_chunk:,} rows at most",
            "not right": f"{found.failed:,} rows, of which {found.quarantined:,} are in quarantine",
            "damaged parts": f"{found.damaged:,}",
            "a driver works on it": "yes" if found.is_running else "no",
        }
    )
    return 0


@app.command()
def verify(
    out: Folder,
    sample: Annotated[int, typer.Option(min=0, help="Rows drawn at random, which are computed anew.")] = 1000,
    json: JsonDocument = False,
) -> int:
    """Read all parts with their checksums, and compute a sample of rows anew, by plain Python, too."""
    with refusals():
        request = recorded_job(folder_at(out)).request
        try:
            operation = operation_of(request, None)
        except (LookupError, TypeError, AttributeError):
            raise InputError(f"{out}: was not made by `monpro map`") from None
        found = verified(out, operation, sample=sample, oracle=partial(plain, operation))
    if json:
        print_json(asdict(found))
    else:
        rows = f"{found.rows - found.missing:,} of {found.rows:,}"
        show({"rows": rows, "parts read": f"{found.parts:,}", "rows computed anew": f"{found.sampled:,}"})
    if found.wrong:
        raise CheckFailed(f"{out}: {len(found.wrong)} are wrong, such as {found.wrong[0]}")
    if found.missing:
        raise CheckFailed(f"{out}: {found.missing} rows have no result yet")
    return 0


@contextmanager
def refusals() -> Iterator[None]:
    """Turn what refuses or stops a job into one line and status 2."""
    try:
        yield
    except (scale.JobError, ColumnsError) as error:
        raise InputError(str(error)) from None


def absolute(operands: Mapping[str, str]) -> dict[str, str]:
    """Return operands with the names of their files made absolute, since workers may stand elsewhere."""
    return {
        name: f"@{Path(text[1:]).absolute()}" if text.startswith("@") and not is_remote(text) else text
        for name, text in operands.items()
    }


def operation_of(request: Mapping[str, Any], threads: int | None) -> Operation:
    """Return the operation that a command line asks for; ColumnsError or InputError if there is none."""
    name, given = request["operation"], request["operands"]
    operands = {operand: source_of(given[OPTIONS[operand]], operand) for operand in OPERANDS[name]}
    return Operation(name, operands, width=request["width"], threads=threads)


def source_of(text: str, operand: str) -> Source:
    """Return where an operand comes from. A modulus is public, and so are the digests of its file."""
    if text.startswith("@"):
        return File(text[1:], public=operand == "modulus")
    if operand == "key":
        raise InputError("--key: give @file, which is read where the work runs")
    if text[:1].isdigit() or text.startswith("-"):
        option = f"--{OPTIONS[operand]}"
        number = read_number(text, option)
        if number < 0:
            raise InputError(f"{option} is negative: give a number from 0 up")
        return Constant(number)
    return Column(text)


def threads_of(executor: str) -> int | None:
    """Return the threads of a worker, if several workers share this machine's cores."""
    kind, _, count = executor.partition(":")
    if kind != "processes" or not count.isdecimal():
        return None
    return max(1, (os.cpu_count() or 1) // max(1, int(count)))


def plain(operation: Operation, rows: pa.RecordBatch, results: pa.RecordBatch) -> list[bool]:
    """Return for each row whether Python's own integers give the same result."""
    computed = PLAIN.get(operation.name.removesuffix("-vartime"))
    if computed is None:  # only the key's owner could tell
        return [True] * rows.num_rows
    columns = [operand_values(source, rows) for source in dict(operation.operands).values()]
    pairs = zip(zip(*columns, strict=True), results.to_pylist(), strict=True)
    return [
        result["status"] != 0 or number_of(result["result"]) == computed(*values) for values, result in pairs
    ]


def operand_values(source: Source, rows: pa.RecordBatch) -> list[int | None]:
    """Return an operand's number in every row."""
    if isinstance(source, Column):
        return [number_of(cell) for cell in rows.column(source.name).to_pylist()]
    return [number_of(source.octets())] * rows.num_rows


def number_of(cell: bytes | bool | None) -> int | None:
    """Return the number in a cell, big-endian; a truth is 0 or 1."""
    return int.from_bytes(cell) if isinstance(cell, bytes) else cell


PLAIN: dict[str, Callable[..., int]] = {  # each in the order of its operands
    "pow": pow,
    "modexp": lambda base, exponent, modulus: pow(base, exponent, modulus) if modulus else 0,
    "product": lambda base, factor, modulus: base * factor % modulus,
    "inverse": lambda number, modulus: pow(number, -1, modulus),
    "prime": is_prime,
}


def show_plan(found: scale.Plan, *, json: bool) -> None:
    """Say what a job would do."""
    if json:
        print_json(asdict(found))
        return
    size = (
        "measured when the job begins" if found.rows_per_chunk is None else f"{found.rows_per_chunk:,} rows"
    )
    show(
        {
            "files": f"{found.files:,}",
            "rows": f"{found.rows:,}, of which {found.rows_done:,} are done",
            "a chunk": size,
        }
    )


def show_report(report: scale.Report) -> None:
    """Say what a job has come to."""
    show(
        {
            "rows": f"{report.rows:,} in {report.parts:,} parts, {report.reused:,} of them from earlier",
            "not right": f"{report.failed:,} rows, of which {report.quarantined:,} are in quarantine",
            "tried again": f"{report.retried:,} chunks",
            "seconds": f"{report.seconds:.1f}",
        }
    )


def show(facts: Mapping[str, str]) -> None:
    """Print facts with their names."""
    table = Table.grid(padding=(0, 2))
    for name, fact in facts.items():
        table.add_row(name, fact)
    console().print(table)

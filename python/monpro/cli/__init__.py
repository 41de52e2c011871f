"""The command `monpro`: one file a verb, listed here.

Every verb ends with status 0 for success, 1 for a failed check or for output that cannot be written, and 2
for bad input. One clear line on the error output says what is wrong, or which package is not installed.
"""

import io
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Annotated, Any

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]  # documented, not listed
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

import monpro
from monpro.cli.errors import CheckFailed, InputError

__all__ = ["VERBS", "load", "main", "root"]

NAME = "monpro"
INTERRUPTED = 130  # the status
COMPLETION = "_MONPRO_COMPLETE"  # set by the script of a shell that asks for completions
VERBS = {  # each with the first line of its help
    "demo": "Run one real exponentiation through every engine, compare the results, and draw a page.",
    "pow": "Compute base^exp modulo the number --mod, or modulo the polynomial --poly over GF(2).",
    "map": "Compute on the rows of Parquet, CSV or JSON lines, on one machine or many.",
    "kernels": "List the kernels: paper, ring, word size, bound of operands, and why one cannot run here.",
    "cores": "List the hardware cores: paper, parameters, cycles, and whether their RTL runs here.",
    "bench": "Time products and squares by each kernel, and exponentiations beside other libraries.",
    "sim": "Run a core on random operands, check every result against plain arithmetic, and count cycles.",
    "synth": "Synthesise a core in open tools: print area, cells and delay, or lookup tables and clock.",
    "emit": "Write a core to a folder: SystemVerilog, lists, constraints, manifest, and a test bench.",
    "reproduce": "Recompute the papers' tables, figures and claims, and set them beside the print.",
    "report": "Write one page: what was recomputed, which method is fastest, and the errors in print.",
    "rsa": "Make RSA keys, encrypt, decrypt, sign and verify. Keys are files in PEM or DER.",
    "doctor": "Say what runs here, what is missing, and which command gets it.",
    "completion": "Print the script by which a shell completes the words of this command.",
}

app = typer.Typer(
    help="Montgomery arithmetic: modular products and powers in software and hardware, checked and timed.",
    epilog="Some verbs need more packages or programs: `monpro doctor` says which are here.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Verb(TyperCommand):
    """A verb as the list of verbs shows it. Its module is imported when the verb itself is asked for."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401
        """Return the context of the command in the verb's module."""
        command = load(str(self.name))
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # which ends an import at once
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return command.make_context(info_name, args, parent, **extra)


def load(verb: str) -> TyperCommand | TyperGroup:
    """Return the command, or the group of commands, in a verb's module."""
    module = import_module(f"monpro.cli.{verb}")
    above = typer.Typer(add_completion=False)
    if hasattr(module, "app"):
        above.add_typer(module.app, name=verb)
    else:
        above.command(verb)(module.command)
        above.callback()(lambda: None)  # without one, a single command is not a group of one
    command = group_of(above).commands[verb]
    assert isinstance(command, TyperCommand | TyperGroup)  # noqa: S101  (typer makes no others)
    return command


def group_of(described: typer.Typer) -> TyperGroup:
    """Return the group that typer makes of a description with several commands, or with a callback."""
    group = get_command(described)
    assert isinstance(group, TyperGroup)  # noqa: S101
    return group


def show_version(asked: bool) -> None:
    """Print the version and end, if it is asked for."""
    if asked:
        typer.echo(f"{NAME} {monpro.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Take the options of the command itself."""


def root() -> TyperGroup:
    """Return the command with all its verbs."""
    group = group_of(app)
    for verb, summary in VERBS.items():
        group.add_command(Verb(verb, help=summary))
    return group


def remedy(error: ModuleNotFoundError) -> str:
    """Say which package is missing and how to get it. Raise the error again where a module of monpro is."""
    if error.name is None or error.name.partition(".")[0] == NAME:
        raise error
    extra = "columns" if error.name == "pyarrow" else "lab"
    return f"{error.name} is not installed: pip install 'monpro[{extra}]'"


def explained(error: InputError | CheckFailed | typer.TyperException) -> str:
    """Return the message of an error, with the help of a verb that was called wrongly.

    It is empty where the help was printed instead.
    """
    message, context = error.format_message(), getattr(error, "ctx", None)
    if not message or context is None:
        return message
    return f"{message.removesuffix('.')}; see `{context.command_path} --help`"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line (of this process, unless given) and return its exit status."""
    if arguments is None:
        prepare_process()
        arguments = sys.argv[1:]
    try:
        status = root().main(arguments or ["--help"], prog_name=NAME, standalone_mode=False)
        sys.stdout.flush()
    except (InputError, CheckFailed, typer.TyperException) as error:
        message = explained(error)
        return complain(message, error.exit_code) if message else 0
    except ModuleNotFoundError as error:
        return complain(remedy(error), 2)
    except OSError as error:
        if error.filename is not None:
            return complain(f"{os.fsdecode(error.filename)}: {error.strerror}", 2)
        return complain(f"cannot write the output: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        return INTERRUPTED
    return status or 0


def complain(message: str, status: int) -> int:
    """Print one line on the error output, if that can be written at all, and return the status."""
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(str(message).split()))
    with suppress(OSError):
        sys.stderr.write(f"{NAME}: {line}\n")
    for output in (sys.stdout, sys.stderr):
        try:
            output.flush()
        except OSError:
            abandon(output)
    return status


def prepare_process() -> None:
    """Let a closed pipe end the process, as any Unix tool, and print `?` for what an encoding lacks."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number, stream in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, unusable_stream(number))
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="replace")
    if COMPLETION in os.environ:
        completion_init()


def unusable_stream(number: int) -> IO[str]:
    """Return a stream for a closed standard one, so that no file gets its number.

    To read standard input or to write standard output is an OSError. Errors have nowhere to go.
    """
    opened = os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_WRONLY)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)


def abandon(output: IO[str]) -> None:
    """Send what is still buffered nowhere, since Python would try to write it again at its end."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), output.fileno())

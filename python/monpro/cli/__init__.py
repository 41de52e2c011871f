"""The command `monpro`: one file a verb, listed here.

Every verb ends with status 0 for success, 1 for a failed check or for output that cannot be written, and 2
for bad input. One clear line on the error output says what is wrong, or which package is not installed.
"""

import io
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import typer

from monpro.cli import rsa
from monpro.cli.errors import CheckFailed, InputError

__all__ = ["app", "main"]

VERBS = ("demo", "pow", "kernels", "cores", "bench", "sim", "synth", "emit", "reproduce")
ANYTHING = {"ignore_unknown_options": True, "allow_extra_args": True}


def lacking(error: ModuleNotFoundError) -> Callable[[], int]:
    """Return the command of a verb that lacks a package. It raises the error, whatever its arguments."""

    def command() -> int:
        raise error

    command.__doc__ = f"Not here: {remedy(error)}.".replace("[", r"\[")  # Rich takes a bare [lab] for a style
    return command


def remedy(error: ModuleNotFoundError) -> str:
    """Say which package is missing and how to get it. Raise the error again where a module of monpro is."""
    if error.name is None or error.name.partition(".")[0] == "monpro":
        raise error
    return f"{error.name} is not installed: pip install 'monpro[lab]'"


app = typer.Typer(
    help="Montgomery arithmetic: modular products and powers in software and hardware, checked and timed.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
for verb in VERBS:
    try:
        app.command(verb)(import_module(f"monpro.cli.{verb}").command)
    except ModuleNotFoundError as missing:
        app.command(verb, add_help_option=False, context_settings=ANYTHING)(lacking(missing))
app.add_typer(rsa.app, name="rsa")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line (of this process, unless given) and return its exit status."""
    if arguments is None:
        prepare_process()
        arguments = sys.argv[1:]
    try:
        status = app(arguments or ["--help"], prog_name="monpro", standalone_mode=False)
        sys.stdout.flush()
    except (InputError, CheckFailed, typer.TyperException) as error:
        line = " ".join(str(error.format_message()).split())
        sys.stderr.write(f"monpro: {line}\n")
        return error.exit_code
    except ModuleNotFoundError as error:
        sys.stderr.write(f"monpro: {remedy(error)}\n")
        return 2
    except OSError as error:  # of standard output: a verb turns those of its files into InputErrors
        sys.stderr.write(f"monpro: cannot write the output: {error.strerror}\n")
        abandon_output()
        return 1
    except KeyboardInterrupt:
        return 130
    return status or 0


def prepare_process() -> None:
    """Let a closed pipe end the process, as any Unix tool, and print `?` for what an encoding lacks."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def abandon_output() -> None:
    """Send what is still buffered nowhere, since Python would try to write it again at its end."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())

"""The command `monpro`: one file a verb, listed here.

Every verb ends with status 0 for success, 1 for a failed check, and 2 for bad input. One clear line on the
error output says what is wrong, or which package is not installed.
"""

import signal
import sys
from collections.abc import Callable
from importlib import import_module

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
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has enough ends us, as any Unix tool
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
    except KeyboardInterrupt:
        return 130
    return status or 0

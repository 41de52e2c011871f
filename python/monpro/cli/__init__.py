"""The command `monpro`: one file a verb, listed here.

Every verb ends with status 0 for success, 1 for a failed check, and 2 for bad input. One clear line on the
error output says what is wrong.
"""

import signal
import sys

import typer

from monpro.cli import bench, cores, demo, emit, kernels, pow, reproduce, rsa, sim, synth
from monpro.cli.errors import CheckFailed, InputError

__all__ = ["app", "main"]

app = typer.Typer(
    help="Montgomery arithmetic: modular products and powers in software and hardware, checked and timed.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.command)
app.command("pow")(pow.command)
app.command("kernels")(kernels.command)
app.command("cores")(cores.command)
app.command("bench")(bench.command)
app.command("sim")(sim.command)
app.command("synth")(synth.command)
app.command("emit")(emit.command)
app.command("reproduce")(reproduce.command)
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
    except KeyboardInterrupt:
        return 130
    return status or 0

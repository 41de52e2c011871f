"""Shared by the commands for hardware cores: the core that the options name, and the tools it needs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

import typer

from monpro.cli.errors import CheckFailed, InputError
from monpro.cores import BinaryExponentiator, Core, WordSerial, architectures, design, everything
from monpro.flow import sources, tools


def core_names() -> list[str]:
    """Return the names of all cores, which a shell completes."""
    around = [f"{BinaryExponentiator.name}:{architecture.name}" for architecture in architectures()]
    return [*(architecture.name for architecture in everything()), *around]


CoreName = Annotated[
    str,
    typer.Argument(
        metavar="CORE",
        help="A core: see `monpro cores`.",
        show_default=False,
        autocompletion=core_names,
    ),
]
Bits = Annotated[int, typer.Option(metavar="K", help="Bits of the largest modulus, 8 to 4096.")]
Settings = Annotated[
    list[str],
    typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter, such as constant_time=1; repeatable."),
]


def make_core(name: str, bits: int, settings: Sequence[str]) -> Core | WordSerial:
    """Return the core that the options name; InputError if there is none."""
    parameters = {}
    for setting in settings:
        parameter, _, value = setting.partition("=")
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise InputError(f"--set {setting!a}: give NAME=VALUE with a number, such as constant_time=1")
        parameters[parameter] = int(value)
    try:
        return design(name, bits, parameters)
    except ValueError as error:
        raise InputError(str(error)) from None


def require(*names: str) -> None:
    """Check for SystemVerilog sources and tools; InputError says how to get what is missing or too old."""
    try:
        sources.rtl_folder()
        for name in names:
            tools.find(name)
    except (FileNotFoundError, tools.ToolError) as error:
        raise InputError(str(error)) from None


@contextmanager
def failures_of_tools() -> Iterator[None]:
    """Turn the failure of an installed tool into one line with its message; status 1."""
    try:
        yield
    except tools.ToolError as error:
        raise CheckFailed(str(error)) from None
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror}") from None

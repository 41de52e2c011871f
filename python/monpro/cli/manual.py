"""The manual page of the command, made from its help: `python -m monpro.cli.manual` prints it."""

import sys
import textwrap
from collections.abc import Iterator

from typer.core import TyperArgument, TyperCommand, TyperGroup

import monpro
from monpro.cli import NAME, VERBS, load, root

MAX_COLUMNS = 78
STATUS = {
    "0": "Success.",
    "1": "A check failed, or the output cannot be written.",
    "2": "Bad input, or a package or program that is not installed. One line says what to do.",
    "130": "Ctrl-C ended it.",
}
ENVIRONMENT = {
    "MONPRO_KERNEL": "The kernel for every modulus that is made without one.",
    "XDG_CACHE_HOME": "The folder for what the hardware flow compiles; by default .cache in the home folder.",
    "NO_COLOR": "If it is set, the output has no colours.",
}


def page() -> str:
    """Return the page, in the macros man(7)."""
    return "\n".join(lines()) + "\n"


def lines() -> Iterator[str]:
    """Yield the lines of the page."""
    group = root()
    yield f'.TH MONPRO 1 "" "{NAME} {monpro.__version__}" "User Commands"'
    yield ".ad l"
    yield from (".SH NAME", f"{NAME} \\- modular products and powers by Montgomery's method")
    yield from (
        ".SH SYNOPSIS",
        f".B {NAME}",
        r".I verb",
        r"[\fIoptions\fR]",
        ".br",
        f".B {NAME} \\-\\-version",
    )
    yield from (".SH DESCRIPTION", text(str(group.help)), ".PP", text(str(group.epilog)))
    yield ".SH VERBS"
    for verb in VERBS:
        yield from of_command(f"{NAME} {verb}", load(verb))
    yield from (".SH EXIT STATUS", *of_terms(STATUS))
    yield from (".SH ENVIRONMENT", *of_terms(ENVIRONMENT))
    yield from (".SH EXAMPLES", ".nf")
    for example in (
        f"{NAME} pow --base 3 --exp 200 --mod 1001",
        f"{NAME} rsa genkey --bits 3072 --out key.pem --public public.pem",
        f"{NAME} emit scs-mm-new --bits 256 -o core",
        f"{NAME} doctor",
    ):
        yield text(example)
    yield ".fi"


def of_command(path: str, command: TyperCommand | TyperGroup) -> Iterator[str]:
    """Yield the section of a verb, or the sections of a group of verbs."""
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            if isinstance(inner, TyperCommand | TyperGroup):
                yield from of_command(f"{path} {name}", inner)
        return
    context = command.make_context(path, [], resilient_parsing=True)
    arguments = [parameter for parameter in command.params if isinstance(parameter, TyperArgument)]
    names = "".join(f" {text(str(argument.metavar or argument.name))}" for argument in arguments)
    yield f".SS {text(path)}{names}"
    first, *more = [" ".join(paragraph.split()) for paragraph in str(command.help).split("\n\n")]
    yield text(first)
    for paragraph in more:
        yield from (".PP", text(paragraph))
    records = (parameter.get_help_record(context) for parameter in command.params)
    yield from of_terms(dict(record for record in records if record))


def of_terms(terms: dict[str, str]) -> Iterator[str]:
    """Yield a list of terms and what they mean."""
    for term, meaning in terms.items():
        yield from (".TP", rf"\fB{text(term)}\fR".replace("\n", " "), text(meaning))


def text(plain: str) -> str:
    """Return a text in short lines, in which no sign is a command to the formatter."""
    escaped = plain.replace("\\", r"\e").replace("-", r"\-").replace("|", r"|\:")  # may break after a bar
    lines = textwrap.wrap(escaped, MAX_COLUMNS, break_long_words=False, break_on_hyphens=False)
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)


if __name__ == "__main__":
    sys.stdout.write(page())

"""Errors that end a command early, with one clear line."""

import typer


class InputError(typer.TyperException):
    """The input is wrong; the message says what is wrong and how to mend it."""

    exit_code = 2


class CheckFailed(typer.TyperException):
    """Something was computed and found to be wrong."""

    exit_code = 1

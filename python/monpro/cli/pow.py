"""`monpro pow`: one exponentiation."""

import time
from functools import partial
from typing import Annotated

import typer

import monpro
from monpro.cli.errors import InputError
from monpro.cli.hardware import failures_of_tools
from monpro.cli.interrupt import interruptibly
from monpro.cli.number import decimal, read_number
from monpro.cli.output import print_json
from monpro.engines import Engine, Method, find_engine

NUMBER = "decimal, 0x hexadecimal, or @file"


def command(
    base: Annotated[str, typer.Option(metavar="NUMBER", help=f"The base x: {NUMBER}.")],
    exp: Annotated[
        str, typer.Option(metavar="NUMBER", help="The exponent e; negative where x has an inverse.")
    ],
    mod: Annotated[str, typer.Option(metavar="NUMBER", help="The modulus n ≥ 1, odd or even.")],
    engine: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="See `monpro kernels`, `monpro cores`; else the fastest."),
    ] = None,
    method: Annotated[
        Method | None,
        typer.Option(help="How the exponent is scanned; else fixed_window, for a core binary_vartime."),
    ] = None,
    hex_: Annotated[bool, typer.Option("--hex", help="Print the result as 0x hexadecimal.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print result, engine and seconds as JSON.")] = False,
) -> int:
    """Compute base^exp mod modulus; the result is printed in decimal."""
    x, e, n = read_number(base, "--base"), read_number(exp, "--exp"), read_number(mod, "--mod")
    chosen = choose_engine(engine, n)
    started = time.perf_counter()
    try:
        with failures_of_tools():
            result = interruptibly(partial(chosen.power, x, e, n, method=method))
    except (ValueError, OverflowError, MemoryError) as error:
        raise InputError(str(error) or "the numbers are too large for this machine") from None
    seconds = time.perf_counter() - started
    if json:
        print_json({"result": hex(result), "engine": chosen.name, "seconds": seconds})
    else:
        typer.echo(hex(result) if hex_ else decimal(result))
    return 0


def choose_engine(name: str | None, n: int) -> Engine:
    """Return the engine of that name, or the fastest one for n; InputError where there is none."""
    if n < 1:
        raise InputError("--mod must be at least 1")
    if name is None:
        odd_part = n // (n & -n)  # an even modulus is computed through its odd part
        name = monpro.Modulus(odd_part).kernel.name
    try:
        return find_engine(name, "integers")
    except ValueError as error:
        raise InputError(f"--engine: {error}") from None

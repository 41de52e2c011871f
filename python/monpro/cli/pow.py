"""`monpro pow`: one exponentiation."""

import time
from functools import partial
from typing import Annotated

import typer

import monpro
from monpro.cli.errors import InputError
from monpro.cli.hardware import failures_of_tools
from monpro.cli.interrupt import interruptibly
from monpro.cli.number import read_number, read_polynomial
from monpro.cli.output import print_json
from monpro.engines import Engine, Method, Ring, engines, find_engine
from monpro.numerals import to_decimal

NUMBER = "decimal, 0x hexadecimal, @file, or @- for standard input"


def command(
    base: Annotated[str, typer.Option(metavar="NUMBER", help=f"The base x: {NUMBER}.")],
    exp: Annotated[
        str, typer.Option(metavar="NUMBER", help="The exponent e. It may be negative if x has an inverse.")
    ],
    mod: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="The modulus n ≥ 1 over the integers, odd or even.")
    ] = None,
    poly: Annotated[
        str | None,
        typer.Option(
            metavar="EXPONENTS",
            help="The modulus over GF(2): exponents, as 571,10,5,2,0, or a number, bit by coefficient.",
        ),
    ] = None,
    ring: Annotated[
        Ring | None, typer.Option(help="What to compute in. By default --mod or --poly decides.")
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A kernel or a core: see `monpro kernels`, `monpro cores`. By default the fastest.",
            autocompletion=lambda: [engine.name for engine in engines()],
        ),
    ] = None,
    method: Annotated[
        Method | None,
        typer.Option(help="How to scan the exponent. By default fixed_window; binary_vartime for a core."),
    ] = None,
    hex_: Annotated[bool, typer.Option("--hex", help="Print the result as 0x hexadecimal.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print result, engine and seconds as JSON.")] = False,
) -> int:
    """Compute base^exp modulo the number --mod, or modulo the polynomial --poly over GF(2).

    Over GF(2), bit i of a number is the coefficient of xⁱ.
    """
    x, e = read_number(base, "--base"), read_number(exp, "--exp")
    ring, n = read_modulus(ring, mod, poly)
    if ring == "gf2" and x < 0:
        raise InputError("--base is negative: a polynomial is given by a number from 0 up")
    chosen = choose_engine(engine, ring, n)
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
        typer.echo(hex(result) if hex_ else to_decimal(result))
    return 0


def read_modulus(ring: Ring | None, mod: str | None, poly: str | None) -> tuple[Ring, int]:
    """Return the ring and its modulus; InputError unless exactly one of --mod and --poly fits the ring."""
    match mod, poly:
        case str(), None if ring != "gf2":
            n = read_number(mod, "--mod")
            if n < 1:
                raise InputError("--mod must be at least 1")
            return "integers", n
        case None, str() if ring != "integers":
            n = read_polynomial(poly, "--poly")
            if n < 1 or n % 2 == 0:
                raise InputError("--poly has no term 1: give a polynomial that x does not divide")
            return "gf2", n
    raise InputError("give --mod for the integers, or --poly for polynomials over GF(2) (--ring gf2)")


def choose_engine(name: str | None, ring: Ring, n: int) -> Engine:
    """Return the engine of that name, or the fastest one for n; InputError if there is none."""
    if name is None:
        odd_part = n // (n & -n)  # an even modulus is computed through its odd part
        name = monpro.Modulus(odd_part, ring=ring).kernel.name
    try:
        return find_engine(name, ring)
    except ValueError as error:
        raise InputError(f"--engine: {error}") from None

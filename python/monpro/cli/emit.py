"""`monpro emit`: a core to take away."""

from pathlib import Path
from typing import Annotated

import typer

from monpro.cli.errors import InputError
from monpro.cli.hardware import Bits, CoreName, Settings, make_core, require
from monpro.cli.output import console, print_json
from monpro.flow.buses import Bus
from monpro.flow.emit import emit


def command(
    core: CoreName,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder; it must be new or empty.")],
    bits: Bits = 1024,
    bus: Annotated[Bus, typer.Option(help="The ports: the core's own, or a bus slave.")] = "none",
    settings: Settings = [],  # noqa: B006  (typer's way to say: none)
    json: Annotated[bool, typer.Option("--json", help="Print folder and files as JSON.")] = False,
) -> int:
    """Write a core to a folder: SystemVerilog, lists, constraints, manifest, and a test bench."""
    engine = make_core(core, bits, settings)
    require()
    try:
        files = emit(engine, bus, output)
    except ValueError as error:
        raise InputError(str(error)) from None
    except OSError as error:
        reason = f"cannot write {output}: {error.strerror}" if error.strerror else str(error)
        raise InputError(f"--output: {reason}") from None
    if json:
        print_json({"folder": str(output), "files": files})
        return 0
    out = console()
    out.print(f"wrote {len(files)} files to {output}", soft_wrap=True)
    out.print(
        "manifest.json describes the core; `fusesoc --cores-root . run --target sim` runs the test bench"
    )
    return 0

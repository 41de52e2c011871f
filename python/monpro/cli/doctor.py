"""`monpro doctor`: what runs here, and the one command that gets what is missing."""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

import monpro
from monpro import _native
from monpro.cli.interrupt import interruptibly
from monpro.cli.output import console, print_json
from monpro.engines import RING_TITLES, Engine, kernel_engines
from monpro.flow import sources, tools
from monpro.flow.simulate import cache_folder
from monpro.results import machine
from monpro.spec import reference

BITS = 521  # of the moduli with which the kernels are tried
BASE, EXPONENT = 3, 2**64 - 59


@dataclass(frozen=True)
class Finding:
    """One thing that was looked for: what it serves, what was found and, if it is not right, what to do."""

    group: str
    name: str
    serves: str
    found: str  # a version, a place or a number; empty where it is missing
    right: bool
    remedy: str = ""


def command(
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> int:
    """Say what runs here, what is missing, and which command gets it.

    The status is 0 if the library computes right, whatever else is missing, and 1 if it does not.
    """
    findings = interruptibly(examine)
    healthy = all(finding.right for finding in findings if finding.group == "library")
    facts = {"monpro": str(monpro.__version__), **machine.describe()}
    if json:
        print_json({"healthy": healthy, "machine": facts, "findings": list(map(asdict, findings))})
    else:
        show(facts, findings)
    return 0 if healthy else 1


def examine() -> list[Finding]:
    """Look for everything."""
    return [*library(), *packages(), *programs(), *places()]


def library() -> Iterator[Finding]:
    """Try every kernel that runs here on one power, and compare it with plain Python's."""
    yield Finding("library", "native module", "everything", str(_native.__file__), right=True)
    engines = kernel_engines()
    for ring, title in RING_TITLES.items():
        here = [engine for engine in engines if engine.ring == ring and engine.available]
        wrong = [engine.name for engine in here if not is_right(engine)]
        found = f"{len(here) - len(wrong)} of {sum(engine.ring == ring for engine in engines)} run here"
        remedy = f"WRONG: {', '.join(wrong)}: run `make test` in a checkout, and report it" if wrong else ""
        yield Finding("library", f"kernels, {title}", "everything", found, not wrong, remedy)
    chosen = monpro.Modulus(2**2048 - 1).kernel.name
    forced = " by MONPRO_KERNEL" if "MONPRO_KERNEL" in os.environ else ""
    yield Finding("library", "kernel for 2048 bits", "pow, RSA", chosen + forced, right=True)
    lacking = sorted({str(engine.reason) for engine in engines if not engine.available})
    if lacking:
        yield Finding("library", "other kernels", "", "; ".join(lacking), right=True)


def is_right(engine: Engine) -> bool:
    """Return whether a kernel computes the power that plain Python computes."""
    modulus = engine.example_modulus(BITS) or engine.example_modulus(64)
    if modulus is None:
        return True
    power = pow if engine.ring == "integers" else reference.power
    return engine.power(BASE, EXPONENT, modulus) == power(BASE, EXPONENT, modulus)


def packages() -> Iterator[Finding]:
    """Look for the Python packages of the extras."""
    serves = {"cli": "the command monpro", "lab": "demo, reproduce", "columns": "map"}
    serves |= {"dask": "map --executor dask", "mpi": "map --executor mpi"}
    for requirement in metadata.requires("monpro") or ():
        found = re.match(r"([\w.-]+)[^;]*; extra == ['\"](\w+)['\"]", requirement)
        if found is None or found[1] == "monpro":
            continue
        name, extra = found.groups()
        version = ""
        with suppress(metadata.PackageNotFoundError):
            version = metadata.version(name)
        remedy = "" if version else f"pip install 'monpro[{extra}]'"
        yield Finding("packages", name, serves.get(extra, extra), version, bool(version), remedy)


def programs() -> Iterator[Finding]:
    """Look for the programs of the hardware flow, and those that others use beside monpro."""
    for name, tool in tools.TOOLS.items():
        try:
            tools.find(name)
            remedy = ""
        except tools.ToolError as error:
            remedy = str(error).rpartition(": ")[2]
        yield Finding("programs", tool.program, tool.serves, tools.version_of(name), not remedy, remedy)


def places() -> Iterator[Finding]:
    """Look for the SystemVerilog sources, and whether builds can be kept."""
    try:
        found, remedy = str(sources.rtl_folder()), ""
    except FileNotFoundError:
        found, remedy = "", "pip install --force-reinstall monpro"
    yield Finding("places", "SystemVerilog", "emit, sim, synth", found, not remedy, remedy)
    serves, remedy = "sim, synth, pow --engine", ""
    try:
        folder = cache_folder()
    except tools.ToolError as error:
        yield Finding("places", "cache of builds", serves, "", right=False, remedy=str(error))
        return
    above = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        remedy = "set XDG_CACHE_HOME to a folder that can be written"
    yield Finding("places", "cache of builds", serves, str(folder), not remedy, remedy)


def show(facts: dict[str, str], findings: list[Finding]) -> None:
    """Print the findings as a table for each group."""
    out = console()
    out.print(", ".join(f"{name} {value}" for name, value in facts.items()))
    for group in dict.fromkeys(finding.group for finding in findings):
        table = Table(title=group, title_justify="left", show_header=False, expand=False)
        for finding in (finding for finding in findings if finding.group == group):
            state = "ok" if finding.right else Text("missing", style="bold red")
            if not finding.right and finding.found:
                state = Text("not right", style="bold red")
            told = finding.found if finding.right else " ".join(filter(None, [finding.found, finding.remedy]))
            table.add_row(finding.name, state, told, finding.serves)
        out.print(table)
    missing = [finding for finding in findings if not finding.right]
    out.print(f"{len(missing)} of {len(findings)} are missing or not right." if missing else "All is here.")

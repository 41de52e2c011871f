"""Ports, and paths through logic alone, as Yosys finds them."""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from monpro.flow import tools

REGISTERS = "-$dff,$adff,$dffe,$adffe,$memrd,$memrd_v2,$mem_v2"


def elaborate(folder: Path, top: str, sources: Iterable[str], script: str) -> None:
    """Run Yosys's commands on a module and what it holds."""
    script = f"read_verilog -sv {' '.join(sources)}; hierarchy -check -top {top}; proc; {script}"
    subprocess.run([tools.find("yosys"), "-q", "-p", script], cwd=folder, check=True, capture_output=True)


def ports(folder: Path, top: str, sources: Iterable[str]) -> list[dict[str, object]]:
    """Return the ports of a module, inputs first: name, direction and width."""
    elaborate(folder, top, sources, "write_json ports.json")
    modules = json.loads((folder / "ports.json").read_text())["modules"]
    found = modules[next(name for name in modules if name == top or name.endswith(f"\\{top}"))]["ports"]
    return [
        {"name": name, "direction": direction, "width": len(port["bits"])}
        for direction in ("input", "output")
        for name, port in found.items()
        if port["direction"] == direction
    ]


def outputs_within_a_clock(folder: Path, top: str, sources: Iterable[str], inputs: str) -> list[str]:
    """Return the outputs of a module that some of these inputs (a pattern) reach past no register."""
    cone = f"i:{inputs} %coe*:{REGISTERS} o:* %i"
    script = f"flatten; opt_clean; cd {top}; select -assert-any i:{inputs}; select -write reached {cone}"
    elaborate(folder, top, sources, script)
    return sorted(line.rpartition("/")[2] for line in (folder / "reached").read_text().splitlines())

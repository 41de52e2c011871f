"""Area and delay of the cells of [kuang16, Table II], in the flow's library, OSU 0.18 µm.

A cell that the library lacks is made of cells that it has: its multiplexers invert and have two inputs. The
delay of a cell is what one more of it adds to a chain, through its slowest input, as OpenSTA computes it.

`python -m monpro.flow.cells` measures the cells and records them in results/. It takes a minute.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from monpro.files import working_in
from monpro.flow import sources, tools
from monpro.flow.simulate import cache_folder
from monpro.flow.synthesise import CLOCK_PERIOD_NS, LIBERTY
from monpro.results.recording import RESULTS, keep, recordings

FILE = "cells.json"
SHORT, LONG = 4, 12  # cells in a chain; a delay is the difference, for each cell more
PROGRAMS = ("opensta",)

MUX, INVERTER, SUM = "MUX2X1", "INVX1", "YS"
Gate = tuple[str, Mapping[str, str]]  # a library cell, and the net at each pin

# Each cell as gates: inputs i0, i1, …, output y.
GATES: dict[str, tuple[Gate, ...]] = {
    "NAND2": (("NAND2X1", {"A": "i0", "B": "i1", "Y": "y"}),),
    "AND2": (("AND2X1", {"A": "i0", "B": "i1", "Y": "y"}),),
    "XOR2": (("XOR2X1", {"A": "i0", "B": "i1", "Y": "y"}),),
    "XOR3": (
        ("XOR2X1", {"A": "i0", "B": "i1", "Y": "n0"}),
        ("XOR2X1", {"A": "n0", "B": "i2", "Y": "y"}),
    ),
    "MUXI2": ((MUX, {"A": "i0", "B": "i1", "S": "i2", "Y": "y"}),),
    "MUX2": (
        (MUX, {"A": "i0", "B": "i1", "S": "i2", "Y": "n0"}),
        (INVERTER, {"A": "n0", "Y": "y"}),
    ),
    "MUX3": (
        (MUX, {"A": "i0", "B": "i1", "S": "i3", "Y": "n0"}),
        (INVERTER, {"A": "i2", "Y": "n1"}),
        (MUX, {"A": "n0", "B": "n1", "S": "i4", "Y": "y"}),
    ),
    "MUX4": (
        (MUX, {"A": "i0", "B": "i1", "S": "i4", "Y": "n0"}),
        (MUX, {"A": "i2", "B": "i3", "S": "i4", "Y": "n1"}),
        (MUX, {"A": "n0", "B": "n1", "S": "i5", "Y": "y"}),
    ),
    "SM3": (
        (MUX, {"A": "i0", "B": "i1", "S": "i3", "Y": "n0"}),
        ("NAND2X1", {"A": "i2", "B": "i4", "Y": "n1"}),
        (MUX, {"A": "n0", "B": "n1", "S": "i5", "Y": "y"}),
    ),
    "FA": (("FAX1", {"A": "i0", "B": "i1", "C": "i2", SUM: "y", "YC": "open"}),),
}
REGISTER = "DFFPOSX1"


@dataclass(frozen=True)
class Cells:
    """The areas of the cells in µm², and the delays of those that are not registers in ns."""

    areas: dict[str, float]
    delays: dict[str, float]


def library_areas(liberty: Path = LIBERTY) -> dict[str, float]:
    """Return the area of each cell of the library in µm²."""
    text = liberty.read_text(encoding="utf-8", errors="replace")
    found = re.findall(r"\n\s*cell \((\w+)\) \{.*?area : ([\d.]+)", text, re.DOTALL)
    return {name: float(area) for name, area in found}


def areas(library: Mapping[str, float]) -> dict[str, float]:
    """Return the areas of the cells, from those of the library."""
    known = {name: sum(library[gate] for gate, _ in gates) for name, gates in GATES.items()}
    known["REG"] = library[REGISTER]
    known["SR"] = known["REG"] + known["MUX2"]  # a bit of a shift register
    known["CFA"] = known["FA"] + known["NAND2"] + known["MUXI2"]
    return known


def inputs(name: str) -> list[str]:
    """Return the inputs of a cell."""
    nets = {net for _, pins in GATES[name] for net in pins.values()}
    return sorted(net for net in nets if net.startswith("i"))


def chain(name: str, through: str, length: int) -> str:
    """Return Verilog: cells in a row, each driving one input of the next; the other inputs are ports."""
    others = [net for net in inputs(name) if net != through]
    lines = [f"module chain (input x, {', '.join(f'input {net}' for net in others)}, output y);"]
    lines.append(f"  wire {', '.join(f'w{i}' for i in range(length + 1))};")
    lines.append("  assign w0 = x;")
    lines.append(f"  assign y = w{length};")
    for i in range(length):
        for place, (gate, pins) in enumerate(GATES[name]):
            inner = {through: f"w{i}", "y": f"w{i + 1}"}
            nets = {net: inner.get(net, net if net in others else f"{net}_{i}") for net in pins.values()}
            lines += [f"  wire {net};" for net in nets.values() if net.endswith(f"_{i}") and place == 0]
            connections = ", ".join(f".{pin}({nets[net]})" for pin, net in pins.items())
            lines.append(f"  {gate} g{i}_{place} ({connections});")
    return "\n".join([*lines, "endmodule", ""])


def chain_ns(name: str, through: str, length: int, folder: Path) -> float:
    """Return the delay of a chain from its first input to its output."""
    (folder / "chain.v").write_text(chain(name, through, length), encoding="utf-8")
    (folder / "time.tcl").write_text(
        f"read_liberty {LIBERTY}\nread_verilog chain.v\nlink_design chain\n"
        f"create_clock -name clk -period {CLOCK_PERIOD_NS}\nset_input_delay 0 -clock clk [get_ports x]\n"
        "set_input_transition 0.1 [get_ports x]\nset_output_delay 0 -clock clk [get_ports y]\n"
        "report_checks -path_delay max -from x -to y\nexit\n",
        encoding="utf-8",
    )
    report = tools.run("opensta", ["-exit", "time.tcl"], log=folder / "opensta.log", cwd=folder)
    slack = re.search(r"(-?[\d.]+) +slack", report)
    if slack is None:
        raise tools.ToolError(f"sta failed: {tools.complaint(report)} (log: {folder / 'opensta.log'})")
    return CLOCK_PERIOD_NS - float(slack[1])


def delay_ns(name: str, folder: Path) -> float:
    """Return what one more cell adds to a chain, through the slowest input."""
    slowest = max(
        chain_ns(name, through, LONG, folder) - chain_ns(name, through, SHORT, folder)
        for through in inputs(name)
    )
    return round(slowest / (LONG - SHORT), 4)


def measure() -> Cells:
    """Return areas and delays; ToolError if a tool or the library is missing."""
    if not LIBERTY.is_file():
        raise tools.ToolError(f"{LIBERTY} is not installed: apt-get install qflow-tech-osu018")
    folder = cache_folder() / "cells"
    with working_in(folder):
        delays = {name: delay_ns(name, folder) for name in GATES}
    return Cells(areas(library_areas()), delays)


def recorded(results: Path = RESULTS) -> Cells | None:
    """Return the last recorded cells, if there are any."""
    kept = recordings(FILE, results)
    return Cells(kept[-1]["areas_um2"], kept[-1]["delays_ns"]) if kept else None


def record(cells: Cells, results: Path = RESULTS) -> Path:
    """Write the cells into today's file of this machine and return it."""
    contents = {
        "commit": sources.commit(),
        "tools": {program: tools.version_of(program) for program in PROGRAMS},
        "areas_um2": cells.areas,
        "delays_ns": cells.delays,
    }
    return keep(FILE, contents, results)


def main(say: Callable[[str], object] = print) -> int:
    """Measure and record."""
    cells = measure()
    say(str(cells))
    say(f"recorded in {record(cells)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Clocks of the scalable multiplier's kernel alone: two elements, as [amberg08, §V] took its critical paths.

The kernel stands between two registers, so that it needs few pins and all its paths end in registers. It is
placed and routed on a Lattice ECP5 with several seeds: one seed alone may be a tenth from the middle.

`python -m monpro.flow.kernels` measures the designs that results/ lacks and records them. It takes an hour.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from monpro.files import working_in
from monpro.flow import sources, tools
from monpro.flow.elements import DESIGNS, PROGRAMS, ElementDesign
from monpro.flow.simulate import cache_folder
from monpro.flow.synthesise import TARGETS
from monpro.results.recording import RESULTS, keep_row, recordings

FILE = "kernels.json"
NUM_PE = 2
SEEDS = (1, 2, 3)
TOP = "kernel"
_HEADER = re.compile(
    r"^module (?P<name>\w+) #\((?P<parameters>.*?)\n\) \((?P<ports>.*?)\n\);", re.MULTILINE | re.DOTALL
)
_PORT = re.compile(
    r"(?P<way>input|output)\s+logic\s*(?P<range>\[.*?\])?\s*(?P<name>\w+?)_[io]\b|(?P<reset>rst_ni)"
)
OUTSIDE = ("clk", "rst_n")


def element_of(design: ElementDesign) -> str:
    """Return the module of a design's element."""
    kind = ("left" if design.left_shift else "right") if design.parallel else "improved"
    return f"monpro_pe_scalable_{kind}"


def parameters(design: ElementDesign) -> dict[str, str]:
    """Return the parameters of a design's element."""
    if not design.parallel:
        return {"WordWidth": str(design.word_width)}
    return {
        "RadixLog2": str(design.radix_log2),
        "WordWidth": str(design.word_width),
        "Booth": f"1'b{int(design.booth)}",
    }


def kernel_source(design: ElementDesign) -> str:
    """Return SystemVerilog: two elements in a row, between two registers.

    An output of an element goes to the input of the same name of the next. The other inputs come from a shift
    register, and the last outputs are summed up in another one, bit by bit.
    """
    module = element_of(design)
    text = next(path for path in sources.needed(module) if path.stem == module).read_text(encoding="utf-8")
    header = _HEADER.search(text)
    if header is None:
        raise ValueError(f"{module} has no header that can be read")
    ports = [match.groupdict() for match in _PORT.finditer(header["ports"]) if match["name"]]
    widths = {port["name"]: port["range"] or "" for port in ports if port["name"] not in OUTSIDE}
    chained = [port["name"] for port in ports if port["way"] == "output"]
    fed = [port["name"] for port in ports if port["way"] == "input" and port["name"] in widths]
    wires = [
        f"  logic {widths[name]} {name}_{i};"
        for name in dict.fromkeys([*fed, *chained])
        for i in range(NUM_PE + 1 if name in chained else 1)
    ]
    inputs = ", ".join(f"{name}_0" for name in fed)
    outputs = ", ".join(f"{name}_{NUM_PE}" for name in chained)
    elements = [_instance(module, design, i, fed, chained) for i in range(NUM_PE)]
    declared = header["parameters"].replace("localparam", "parameter")
    return "\n".join(
        [
            f"module {TOP} #({declared}\n) (input logic clk_i, rst_ni, serial_i, output logic serial_o);",
            *wires,
            f"  logic [$bits({{{inputs}}})-1:0] in_q;",
            f"  logic [$bits({{{outputs}}})-1:0] out_q;",
            f"  assign {{{inputs}}} = in_q;",
            "  always_ff @(posedge clk_i) in_q <= {in_q, serial_i};",
            f"  always_ff @(posedge clk_i) out_q <= {{{outputs}}} ^ {{1'b0, out_q[$bits(out_q)-1:1]}};",
            "  assign serial_o = out_q[0];",
            *elements,
            "endmodule",
            "",
        ]
    )


def _instance(module: str, design: ElementDesign, i: int, fed: Sequence[str], chained: Sequence[str]) -> str:
    values = dict(parameters(design))
    if design.left_shift:
        values["Offset"] = str(i * design.radix_log2 % design.word_width)
    settings = ", ".join(f".{name}({value})" for name, value in values.items())
    connections = [
        ".clk_i(clk_i)",
        ".rst_ni(rst_ni)",
        *(f".{name}_i({name}_{i if name in chained else 0})" for name in fed),
        *(f".{name}_o({name}_{i + 1})" for name in chained),
    ]
    return f"  {module} #({settings}) u_pe_{i} ({', '.join(connections)});"


def measure(design: ElementDesign, seeds: Sequence[int] = SEEDS) -> list[float]:
    """Return the clock of a kernel in MHz for each seed; ToolError if a tool is missing or fails."""
    target = TARGETS["ecp5"]
    values = parameters(design)
    name = "-".join([element_of(design), *(f"{key}{value}" for key, value in values.items())]).replace(
        "1'b", ""
    )
    folder = cache_folder() / "kernels" / name
    files = " ".join(map(str, sources.needed(element_of(design))))
    settings = " ".join(f"-set {key} {value}" for key, value in values.items())
    with working_in(folder):
        (folder / "kernel.sv").write_text(kernel_source(design), encoding="utf-8")
        script = (
            f"read_verilog -sv {files} kernel.sv; chparam {settings} {TOP}; hierarchy -top {TOP}; "
            f"{target.synthesis.format(top=TOP)}"
        )
        tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=folder)
        return [_fmax_mhz(folder, seed) for seed in seeds]


def _fmax_mhz(folder: Path, seed: int) -> float:
    program, *options = TARGETS["ecp5"].place
    arguments = [*options, "--json", "netlist.json", "--seed", str(seed), "--freq", "400"]
    log = folder / f"nextpnr-{seed}.log"
    report = tools.run(program, [*arguments, "--timing-allow-fail"], log=log, cwd=folder)
    return float(re.findall(r"Max frequency for clock .*: ([\d.]+) MHz", report)[-1])


def recorded(results: Path = RESULTS) -> dict[ElementDesign, list[float]]:
    """Return the last recorded clocks of each kernel in MHz, one for each seed; may be empty."""
    return {
        ElementDesign(**row["design"]): row["fmax_mhz"]
        for recording in recordings(FILE, results)
        for row in recording["kernels"]
    }


def record(design: ElementDesign, clocks: Sequence[float], results: Path = RESULTS) -> Path:
    """Write the clocks of a kernel into today's file of this machine and return it."""
    row = {"design": asdict(design), "fmax_mhz": list(clocks), "commit": sources.commit()}
    contents = {
        "tools": {program: tools.version_of(program) for program in PROGRAMS},
        "elements_in_a_kernel": NUM_PE,
        "seeds": list(SEEDS),
    }
    return keep_row(FILE, "kernels", row, ("design",), contents, results=results)


def main(say: Callable[[str], object] = print) -> int:
    """Measure every design that is not recorded yet; record each, so that an interruption loses little."""
    for design in DESIGNS:
        if design not in recorded():
            clocks = measure(design)
            say(f"{design}: {clocks}")
            record(design, clocks)
    return 0


if __name__ == "__main__":
    sys.exit(main())

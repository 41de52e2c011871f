"""The files that every emitted folder holds: sources with their defaults, lists, constraints, a manifest."""

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import monpro
from monpro.cores import Design
from monpro.flow import multiplier, sources
from monpro.flow.buses import FRONT_ENDS, Bus
from monpro.flow.simulate import parameter_values

MANIFEST_VERSION = 1  # rises when a program that read the manifest before may no longer understand it
CLOCK_PERIOD_NS = 10.0
OUTSIDE = 0.3  # the share of a clock period that the logic before an input, and behind an output, may take
KINDS = {"mul": "multiplier", "exp": "exponentiator"}  # by layer of the RTL


def rtl_of(core: Design) -> dict[str, str]:
    """Return the sources of a core by name, with its parameters as the defaults of its module."""
    rtl = {source.name: source.read_text(encoding="utf-8") for source in multiplier.sources_of(core)}
    rtl[f"{core.top}.sv"] = with_defaults(rtl[f"{core.top}.sv"], core)
    return rtl


def cells_of(rtl: Collection[str]) -> dict[str, str]:
    """Return by path the cells of technologies that replace files of the RTL."""
    return {
        f"{cell.parent.name}/{cell.name}": cell.read_text(encoding="utf-8")
        for cell in sources.cells_of()
        if cell.name in rtl
    }


def ports(inputs: Mapping[str, int], outputs: Mapping[str, int]) -> list[dict[str, object]]:
    """Return the ports of a top module for its manifest: clock, reset, and these, from widths by name."""
    return [
        {"name": name, "direction": direction, "width": width}
        for direction, group in (("input", {"clk_i": 1, "rst_ni": 1, **inputs}), ("output", outputs))
        for name, width in group.items()
    ]


def bus_ports(
    bus: Bus,
    address_bits: int,
    more_inputs: Mapping[str, int] = {},
    more_outputs: Mapping[str, int] = {},
) -> list[dict[str, object]]:
    """Return the ports of a bus slave, with more before them: widths by name."""
    front_end = FRONT_ENDS[bus]
    inputs = {**more_inputs, **front_end.widths(front_end.inputs, address_bits)}
    outputs = {**more_outputs, **front_end.widths(front_end.outputs, address_bits)}
    return ports(inputs, {**outputs, "irq_o": 1})


def package(
    core: Design,
    rtl: Mapping[str, str],
    bench: Mapping[str, str],
    host: Mapping[str, str],
    description: Mapping[str, Any],
) -> dict[str, str]:
    """Return all files by name: these, the source list, the constraints, the FuseSoC file, the manifest.

    host: what software needs, which no tool of the hardware reads.
    """
    top, cells = description["top"], cells_of(rtl)
    texts = {
        **rtl,
        **cells,
        **bench,
        **host,
        f"{top}.f": "".join(f"{name}\n" for name in rtl),
        **constraints(top, description["ports"]),
        f"{top}.core": fusesoc(core, top, list(rtl), list(bench)),
    }
    checksums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}
    replaces = {path: path.partition("/")[2] for path in cells}
    files = {
        "files": [*texts, "manifest.json"],
        "sources": list(rtl),
        "replaces": replaces,
        "sha256": checksums,
    }
    manifest = {"manifest": MANIFEST_VERSION, **description, **files}
    return texts | {"manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}


def constraints(top: str, ports: Sequence[Mapping[str, object]]) -> dict[str, str]:
    """Return the timing constraints by file name: for OpenSTA and Quartus, for Vivado, for the ECP5.

    Every path is constrained: between registers, from the inputs, to the outputs. The reset is asynchronous.
    """

    def names(direction: str) -> str:
        listed = (port for port in ports if port["direction"] == direction)
        signals = {str(port["name"]): "" if port["width"] == 1 else "[*]" for port in listed}
        return " ".join(name + bits for name, bits in signals.items() if name != "clk_i")

    text = f"""# The clock in nanoseconds: set it to yours.
set period {CLOCK_PERIOD_NS}
create_clock -name clk_i -period $period [get_ports clk_i]
# The logic outside the core takes {OUTSIDE:.0%} of a period before each input and as much behind each output.
set_input_delay -clock clk_i [expr {{{OUTSIDE} * $period}}] [get_ports {{{names("input")}}}]
set_output_delay -clock clk_i [expr {{{OUTSIDE} * $period}}] [get_ports {{{names("output")}}}]
# The reset may come at any time; release it in step with the clock.
set_false_path -from [get_ports rst_ni]
"""
    lattice = f'FREQUENCY PORT "clk_i" {1000 / CLOCK_PERIOD_NS} MHZ;\n'
    return {f"{top}.sdc": text, f"{top}.xdc": text, f"{top}.lpf": lattice}


def with_defaults(source: str, core: Design) -> str:
    """Return the module with the core's parameters as its defaults."""
    for name, value in parameter_values(core).items():
        source, count = re.subn(rf"(\bparameter +\w+ +{name} *= *)[^,\n]+", rf"\g<1>{value}", source, count=1)
        if count != 1:
            raise ValueError(f"{core.top} has no parameter {name}")
    return source


def fusesoc(core: Design, top: str, rtl: list[str], bench: list[str]) -> str:
    """Return the FuseSoC file: the sources, a lint by Verilator, the test bench in Icarus."""
    listed = "".join(f"      - {name}\n" for name in rtl)
    modules = "".join(f"      - {name}\n" for name in bench if name.endswith(".sv"))
    return f"""CAPI=2:
name: "monpro:{KINDS[core.layer]}:{top}:{monpro.__version__}"
description: "Montgomery {KINDS[core.layer]} {core.name}, {core.width_bits} bits"

filesets:
  rtl:
    files:
{listed}    file_type: systemVerilogSource
  testbench:
    files:
{modules}      - vectors.hex: {{file_type: user, copyto: vectors.hex}}
    file_type: systemVerilogSource

targets:
  default:
    filesets: [rtl]
    toplevel: {top}
  lint:
    default_tool: verilator
    filesets: [rtl]
    toplevel: {top}
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim:
    default_tool: icarus
    filesets: [rtl, testbench]
    toplevel: monpro_testbench
    tools:
      icarus:
        iverilog_options: [-g2012]
"""

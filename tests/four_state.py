"""The emitted test bench of a design in Icarus, whose bits begin unknown, on the RTL or on a netlist."""

import re
from collections.abc import Mapping
from pathlib import Path

from emitted import portable
from monpro.cores import BinaryExponentiator, Core, Design, WordSerial, design, everything
from monpro.flow import tools
from monpro.flow.emit import contents
from monpro.flow.simulate import Netlist

# Each architecture as small as its parameters allow, so that its gates are simulated in seconds.
SMALL: dict[str, dict[str, int]] = {
    "scalable": {"radix_log2": 1, "word_width": 4, "num_pe": 4},
    "quotient-pipelined": {"radix_log2": 3, "word_width": 15},
    "dsp": {"fold": 8},
    "scalable-exp": {"radix_log2": 1, "word_width": 4, "num_pe": 4},
    "dsp-exp": {"word_width": 7, "fold": 8, "window_width": 4},
    "window-exp": {"radix_log2": 3, "word_width": 15, "window_width": 4},
    "systolic": {"radix_log2": 1, "word_width": 8},
}
AROUND = f"{BinaryExponentiator.name}:mm"


def small(name: str, width_bits: int = 8) -> Core | WordSerial:
    """Return a small design of an architecture."""
    return design(name, width_bits, SMALL.get(name))


NAMES = [*(architecture.name for architecture in everything()), AROUND]


def files(core: Core | WordSerial) -> dict[str, str]:
    """Return the files of a core that a simulation needs, by name."""
    return portable(contents(core, "none"))


def bench_output(core: Core | WordSerial, folder: Path, given: Mapping[str, str] | None = None) -> str:
    """Return what the test bench prints, on these files."""
    texts = given or files(core)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    sources = [name for name in texts if name.endswith((".sv", ".v"))]
    arguments = ["-g2012", "-s", "monpro_testbench", "-o", "bench", *sources]
    tools.run("iverilog", arguments, log=folder / "iverilog.log", cwd=folder)
    return tools.run("vvp", ["-n", "bench"], log=folder / "vvp.log", cwd=folder)


def around_netlist(core: Core | WordSerial, netlist: Netlist) -> dict[str, str]:
    """Return the files of a simulation of a netlist. Its registers begin with 0 or 1, at random.

    A simulator of four states does not know that x & ~x is 0, so in gates an unknown spreads where none is.
    """
    bench = re.sub(r" #\(.*?\n  \)", "", files(core)["monpro_testbench.sv"], flags=re.DOTALL)
    gates = {path.name: path.read_text(encoding="utf-8") for path in netlist.files}
    gates["cells.v"] = re.sub(
        r"^  reg (\w+);", r"  reg \1; initial \1 = $random;", gates["cells.v"], flags=re.MULTILINE
    )
    known = bench.replace(" = 'x;", " = '1;")
    return gates | {"vectors.hex": files(core)["vectors.hex"], "monpro_testbench.sv": known}


def passes(core: Design, printed: str) -> bool:
    """Return whether every result of the bench was right, and nothing unknown was seen."""
    return bool(re.search(rf"^PASS: [1-9]\d* {core.computes}s$", printed, re.MULTILINE))

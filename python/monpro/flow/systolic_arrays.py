"""Area of the systolic array alone, in radix 2 to 256, on a Xilinx Virtex-II [blum01, §4.1].

The exponentiator exists in radix 2, 4 and 16, whose digits fill a port word. The array has no such limit.

`python -m monpro.flow.systolic_arrays` measures the arrays and records them in results/. It takes minutes.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from monpro.files import working_in
from monpro.flow import sources, tools
from monpro.flow.simulate import cache_folder
from monpro.flow.synthesise import TARGETS, matching, statistics
from monpro.results.recording import RESULTS, keep, recordings

TOP = "monpro_mul_systolic"
FILE = "systolic_arrays.json"
BITS = 256
RADICES_LOG2 = (1, 2, 4, 6, 8)
PROGRAMS = ("yosys",)


@dataclass(frozen=True)
class Area:
    """The lookup tables of four inputs of an array, those of them that are memory, and its flip-flops."""

    luts: int
    memory_luts: int
    ffs: int

    @property
    def clbs(self) -> int:
        """Return the CLBs, of two tables and two flip-flops, as if all were packed."""
        return -(-max(self.luts + self.memory_luts, self.ffs) // 2)


def digits(radix_log2: int, bits: int = BITS) -> int:
    """Return the digits of a modulus."""
    return -(-bits // radix_log2)


def without_block_ram(synthesis: str) -> str:
    """Return the commands of a target that make all memories of lookup tables, as the XC4000 does."""
    return synthesis.replace("synth_xilinx", "synth_xilinx -nobram", 1)


def measure(radix_log2: int, bits: int = BITS) -> Area:
    """Return the area of an array; in radix 2 with units of four bits. ToolError if a tool fails."""
    target = TARGETS["xc2v"]
    top, values = TOP, {"Digits": digits(radix_log2, bits), "RadixLog2": radix_log2}
    if radix_log2 == 1:
        top, values = f"{TOP}_radix2", {"Digits": bits, "UnitWidth": 4}
    settings = " ".join(f"-set {name} {value}" for name, value in values.items())
    folder = cache_folder() / "systolic-arrays" / f"{top}-{radix_log2}-{bits}"
    files = " ".join(map(str, sources.needed(top)))
    script = (
        f"read_verilog -sv {files}; chparam {settings} {top}; hierarchy -top {top}; "
        f"{without_block_ram(target.synthesis).format(top=top)}"
    )
    with working_in(folder):
        tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=folder)
        cells, _ = statistics(folder / "statistics.txt")
    memory = sum(cells.get(cell, 0) * tables for cell, tables in target.memory_luts.items())
    return Area(matching(cells, target.luts) or 0, memory, matching(cells, target.ffs) or 0)


def recorded(results: Path = RESULTS) -> dict[int, Area]:
    """Return the areas of the last recording by log2 of the radix; may be empty."""
    return {
        row["radix_log2"]: Area(**row["area"])
        for recording in recordings(FILE, results)
        for row in recording["arrays"]
    }


def record(measured: dict[int, Area], results: Path = RESULTS) -> Path:
    """Write the areas into today's file of this machine and return it."""
    contents = {
        "commit": sources.commit(),
        "tools": {program: tools.version_of(program) for program in PROGRAMS},
        "bits": BITS,
        "arrays": [{"radix_log2": k, "area": asdict(area)} for k, area in measured.items()],
    }
    return keep(FILE, contents, results)


def main(say: Callable[[str], object] = print) -> int:
    """Measure and record every radix."""
    measured: dict[int, Area] = {}
    for k in RADICES_LOG2:
        measured[k] = measure(k)
        say(f"radix {1 << k}: {measured[k]}, {measured[k].clbs} CLBs")
    say(f"recorded in {record(measured)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

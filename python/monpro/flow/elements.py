"""Area and speed of the scalable multiplier's elements: one design for each row of [amberg08, Table I].

The area of an element is the area that one more element adds to an array, on a Xilinx Virtex-II. The rest of
the array is its sequencer. The clock is the clock of the whole array, placed and routed on a Lattice ECP5.

`python -m monpro.flow.elements` measures the designs that results/ lacks and records them. It takes minutes.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from monpro.cores.scalable import Scalable
from monpro.files import working_in
from monpro.flow import sources, tools
from monpro.flow.simulate import cache_folder, parameter_values
from monpro.flow.synthesise import SEED, TARGETS, matching, statistics
from monpro.results.recording import RESULTS, keep_row, recordings

TOP = "monpro_array_scalable"
FILE = "elements.json"
WIDTH_BITS = 1024
RIGHT_ELEMENTS = 4  # elements of the smaller right-shifting array; any number fits
PROGRAMS = ("yosys", "nextpnr-ecp5")


@dataclass(frozen=True)
class ElementDesign:
    """A row of the table."""

    radix_log2: int
    word_width: int
    left_shift: bool
    booth: bool
    parallel: bool = True

    def core(self, num_pe: int, width_bits: int = WIDTH_BITS) -> Scalable:
        """Return the multiplier with `num_pe` of these elements."""
        v, w = self.radix_log2, self.word_width
        return Scalable(
            width_bits, v, w, num_pe, left_shift=self.left_shift, booth=self.booth, parallel=self.parallel
        )

    @property
    def step(self) -> int:
        """Return a number of elements whose multiples all fit an array."""
        return self.word_width // self.radix_log2 if self.left_shift else RIGHT_ELEMENTS


DESIGNS = (
    *(ElementDesign(3, w, left_shift=False, booth=True) for w in (4, 8, 16)),
    *(ElementDesign(2, w, left_shift=False, booth=True) for w in (4, 8, 16)),
    *(ElementDesign(2, w, left_shift=True, booth=True) for w in (4, 8, 16)),
    ElementDesign(2, 16, left_shift=True, booth=False),
    ElementDesign(1, 16, left_shift=True, booth=False),
    ElementDesign(1, 16, left_shift=True, booth=False, parallel=False),
    ElementDesign(4, 16, left_shift=True, booth=False),
    ElementDesign(4, 16, left_shift=True, booth=True),
    *(ElementDesign(v, 16, left_shift=False, booth=False) for v in (2, 3)),
)


@dataclass(frozen=True)
class Element:
    """The LUTs and registers of an element and of the sequencer, and the clock of the array."""

    luts: float
    registers: float
    sequencer_luts: float
    sequencer_registers: float
    fmax_mhz: float


def measure(design: ElementDesign) -> Element:
    """Return the figures of a design; ToolError if a tool is missing or fails."""
    step = design.step
    (small_luts, small_ffs), (luts, ffs) = (_counts(design.core(count)) for count in (step, 2 * step))
    element_luts, element_ffs = (luts - small_luts) / step, (ffs - small_ffs) / step
    return Element(
        luts=element_luts,
        registers=element_ffs,
        sequencer_luts=small_luts - step * element_luts,
        sequencer_registers=small_ffs - step * element_ffs,
        fmax_mhz=_fmax_mhz(design.core(step)),
    )


def recorded(results: Path = RESULTS) -> dict[ElementDesign, Element]:
    """Return the last recorded figures of each design; may be empty."""
    return {
        ElementDesign(**row["design"]): Element(**row["element"])
        for recording in recordings(FILE, results)
        for row in recording["elements"]
    }


def record(design: ElementDesign, element: Element, results: Path = RESULTS) -> Path:
    """Write the figures of a design into today's file of this machine and return it."""
    row = {"design": asdict(design), "element": asdict(element), "commit": sources.commit()}
    versions = {"tools": {program: tools.version_of(program) for program in PROGRAMS}}
    return keep_row(FILE, "elements", row, ("design",), versions, results=results)


def _synthesise(core: Scalable, target_name: str) -> tuple[dict[str, int], Path]:
    """Return the number of cells by type in a core's array, and the folder with the netlist."""
    target = TARGETS[target_name]
    values = {name: value for name, value in parameter_values(core).items() if name != "Width"}
    values["MaxWords"] = str(core.words)
    settings = "-".join(f"{name}{value}" for name, value in values.items()).replace("1'b", "")
    folder = cache_folder() / "elements" / f"{settings}-{target_name}"
    files = " ".join(map(str, sources.needed(TOP)))
    parameters = " ".join(f"-set {name} {value}" for name, value in values.items())
    script = (
        f"read_verilog -sv {files}; chparam {parameters} {TOP}; hierarchy -top {TOP}; proc; flatten; "
        f"{target.synthesis.format(top=TOP)}"
    )
    with working_in(folder):
        tools.run("yosys", ["-p", script], log=folder / "yosys.log", cwd=folder)
        return statistics(folder / "statistics.txt")[0], folder


def _counts(core: Scalable) -> tuple[int, int]:
    target = TARGETS["xc2v"]
    cells, _ = _synthesise(core, target.name)
    return matching(cells, target.luts) or 0, matching(cells, target.ffs) or 0


def _fmax_mhz(core: Scalable) -> float:
    program, *options = TARGETS["ecp5"].place
    _, folder = _synthesise(core, "ecp5")
    arguments = [*options, "--json", "netlist.json", "--seed", str(SEED), "--freq", "250"]
    log = folder / "nextpnr.log"
    with working_in(folder):
        report = tools.run(program, [*arguments, "--timing-allow-fail"], log=log, cwd=folder)
    return float(re.findall(r"Max frequency for clock .*: ([\d.]+) MHz", report)[-1])


def main(say: Callable[[str], object] = print) -> int:
    """Measure every design that is not recorded yet; record each, so that an interruption loses little."""
    for design in DESIGNS:
        if design not in recorded():
            element = measure(design)
            say(f"{design}: {element}")
            record(design, element)
    return 0


if __name__ == "__main__":
    sys.exit(main())

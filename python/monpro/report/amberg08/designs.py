"""The designs of [amberg08, Table I]: the printed figures, our measured figures, and their times."""

from dataclasses import dataclass, replace
from statistics import median

from monpro.cores.scalable import Scalable
from monpro.flow import kernels
from monpro.flow.elements import Element, ElementDesign, recorded

BITS = 1024
PRODUCTS = 2 * BITS + 2  # of an exponentiation [amberg08, §V]
CLOCK_MHZ = 200.0  # of all designs in Figure 7: the paper's is lost with the drawing
NOT_RECORDED = "not recorded: `python -m monpro.flow.elements` measures it"


@dataclass(frozen=True)
class Printed:
    """A row of the table, and our core of the same architecture."""

    name: str
    luts: float
    registers: float
    clock_mhz: float
    path: str
    word_width: int
    design: ElementDesign


def _rows(
    name: str, radix_log2: int, path: str, rows: dict[int, tuple[float, float, float]], **shape: bool
) -> list[Printed]:
    return [
        Printed(
            f"{name}, w = {w}", luts, registers, clock_mhz, path, w, ElementDesign(radix_log2, w, **shape)
        )
        for w, (luts, registers, clock_mhz) in rows.items()
    ]


BOOTH_8 = "radix 8 right Booth"
BOOTH_4_RIGHT = "radix 4 right Booth"
BOOTH_4_LEFT = "radix 4 left Booth"
PLAIN_4 = "radix 4 left"
PLAIN_2 = "radix 2 left"
IMPROVED_2 = "improved radix 2 left"

PRINTED = (
    *_rows(
        BOOTH_8,
        3,
        "INV + MUX9 + 2 CSA + MUX2 + REG",
        {4: (80, 71, 263), 8: (179, 130, 240), 16: (295, 222, 212)},
        left_shift=False,
        booth=True,
    ),
    *_rows(
        BOOTH_4_RIGHT,
        2,
        "INV + MUX5 + 2 CSA + MUX2 + REG",
        {4: (50, 49, 259), 8: (91, 87, 249), 16: (154, 149, 248)},
        left_shift=False,
        booth=True,
    ),
    *_rows(
        BOOTH_4_LEFT,
        2,
        "ENC + INV + MUX5 + 2 CSA + AND + 2 MUX2 + REG",
        {4: (54, 41, 216), 8: (102, 60, 213), 16: (176, 89, 186)},
        left_shift=True,
        booth=True,
    ),
    *_rows(PLAIN_4, 2, "2 CSA + BUF + MUX4 + REG", {16: (132, 120, 248)}, left_shift=True, booth=False),
    *_rows(PLAIN_2, 1, "AND + 2 CSA + BUF + REG", {16: (94, 72, 318)}, left_shift=True, booth=False),
    *_rows(
        IMPROVED_2,
        1,
        "2 AND + 2 CSA + BUF + MUX2 + REG",
        {16: (95, 72, 285)},
        left_shift=True,
        booth=False,
        parallel=False,
    ),
)


def measured() -> dict[ElementDesign, Element]:
    """Return the recorded figures of our cores.

    The clock is that of two elements alone, as in the paper: the middle one of several seeds. Where no kernel
    is recorded it is that of a whole array.
    """
    clocks = kernels.recorded()
    return {
        design: replace(element, fmax_mhz=median(clocks[design])) if design in clocks else element
        for design, element in recorded().items()
    }


def spread(design: ElementDesign) -> str:
    """Return what the recorded clock of a design is of: the least and the largest of several seeds."""
    clocks = kernels.recorded().get(design)
    if clocks is None:
        return "a whole array with its sequencer, by one seed"
    return f"{min(clocks):.0f} to {max(clocks):.0f} MHz by {len(clocks)} seeds"


def passes_cycles(core: Scalable) -> int:
    """Return the clocks of a product in a sequence of products: k passes of P clocks; the drain is hidden."""
    return core.passes * core.pass_cycles


def exponentiation_ms(core: Scalable, clock_mhz: float) -> float:
    """Return the time of 2n + 2 products."""
    return PRODUCTS * passes_cycles(core) / clock_mhz * 1e-3


def element_counts(design: ElementDesign) -> list[int]:
    """Return the numbers of elements of a curve: doubled until more elements no longer help."""
    counts = [design.step]
    while True:
        core = design.core(2 * counts[-1])
        if passes_cycles(core) >= passes_cycles(design.core(counts[-1])):
            return counts
        counts.append(2 * counts[-1])

"""T₁ and T₂ of [amberg08, §III-C] against the clocks of the array, simulated clock by clock.

The formulas are right with b = 1, the clock in which a word goes around the memory between the last element
and the first. They leave out the drain after the last pass, which a row of products hides.
"""

import random
from dataclasses import replace

from monpro.cores.scalable import Scalable
from monpro.cores.scalable_array import Array
from monpro.flow.operands import sample_modulus
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Row, Table, compare
from monpro.spec.amberg08 import Lengths, left_shifting_cycles, right_shifting_cycles


def case(width_bits: int, v: int, w: int, p: int, **shape: bool) -> Scalable:
    """Return the multiplier of one row of the table."""
    return Scalable(width_bits, v, w, p, **shape)


GRID = (
    case(160, 1, 8, 8),
    case(160, 1, 16, 16),
    case(160, 2, 4, 8, booth=True),
    case(160, 2, 8, 16),
    case(256, 2, 16, 8),
    case(256, 2, 16, 32, booth=True),
    case(256, 4, 16, 8),
    case(160, 1, 8, 5, left_shift=False),
    case(160, 2, 8, 8, left_shift=False, booth=True),
    case(160, 2, 8, 20, left_shift=False, booth=True),
    case(256, 3, 8, 7, left_shift=False, booth=True),
    case(256, 3, 16, 16, left_shift=False, booth=True),
    case(256, 4, 16, 12, left_shift=False, booth=True),
)
DRAIN = "without the drain of the last pass, {} clocks, which a row of products hides"


def formula(core: Scalable, lengths: Lengths) -> int:
    """Return T₁ or T₂ in clocks, b = 1 [amberg08, §III-C], for the elements of the core."""
    cycles = left_shifting_cycles if core.left_shift else right_shifting_cycles
    return cycles(lengths, core.num_pe, b=1)


def row(core: Scalable) -> Row:
    """Simulate a product and compare the clocks of its passes."""
    rng = random.Random(core.width_bits)  # noqa: S311  (a sample, no secret)
    n = sample_modulus(core.width_bits, rng)
    x, y = (rng.randrange(core.operand_bound(n)) for _ in range(2))
    run = Array(core, x, y, n).run()
    if run.z != core.run(x, y, n).z:
        raise ValueError(f"the array computes a wrong product with {core}")
    lengths = Lengths.corrected(core.radix_log2, core.word_width, core.width_bits)
    clocks = (run.starts[1] - run.starts[0]) * len(run.starts)
    shape = ("left" if core.left_shift else "right") + (", Booth" if core.booth else "")
    label = f"n = {core.width_bits}, v = {core.radix_log2}, w = {core.word_width}, p = {core.num_pe}, {shape}"
    drain = run.leavings[-1] + 1 - clocks
    return compare(
        label,
        formula(core, replace(lengths, e=core.words)),
        clocks,
        DRAIN.format(drain),
        unit="clocks",
        printed=False,
        source="counted",
    )


def build(progress: Progress = silent) -> Table:
    """Simulate every case of the grid."""
    rows = []
    for done, core in enumerate(GRID, 1):
        rows.append(row(core))
        progress(done, len(GRID))
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("amberg08.cycles.table", "Montgomery multiplication times T1 and T2, in clocks", "table", build)

"""[koc97, Table 2]: operations of the exponentiations, step by step, as polynomials in w, m and s."""

import linecache
from fractions import Fraction
from functools import cache
from itertools import product

from monpro.report.item import Item, Progress, silent
from monpro.report.koc97.counts import (
    LOST_FACTOR,
    NONE,
    OPERATIONS,
    Counts,
    M,
    S,
    W,
    as_counted,
    entry,
    fitted,
)
from monpro.report.table import Row, Table, compare
from monpro.spec import koc97
from monpro.spec.counting import Event
from monpro.spec.notation import KOC97, as_printed, listing

METHODS: dict[str, koc97.Method] = {
    "Montgomery": koc97.montgomery_exponentiation,
    "Standard": koc97.standard_exponentiation,
}
INVERSION = "Inv"

PUBLISHED: dict[str, dict[str, Counts]] = {
    method: {step: dict(zip(OPERATIONS, counts, strict=True)) for step, counts in steps.items()}
    for method, steps in {
        "Montgomery": {
            INVERSION: (W - 1, 3 * (W - 1) / 2, 3 * (W - 1) / 2),
            "Step 2": (S**2, 3 * (W / 2 + 1) * S**2 + W / 2 * S, 2 * (W + 1) * S**2 + (W + 1) * S),
            "Step 4": (M * S**2 + M * S, 2 * M * S**2 + (2 * W + 1) * M * S, (2 * W + 1) * M * S),
            "Step 5": (M * S**2 + M / 2 * S, 2 * M * S**2, NONE),
            "Step 6": (2 * S**2 + S, 4 * S**2, NONE),
        },
        "Standard": {
            "Step 3": (
                NONE,
                9 * W / 4 * M * S**2 + (2 * W + Fraction(3, 2)) * M * S,
                3 * W * M * S**2 + (3 * W + 1) * M * S,
            ),
            "Step 4": (
                M / 2 * S**2,
                (3 * W / 4 + Fraction(3, 2)) * M * S**2 + W / 4 * M * S,
                (W + 1) * M * S**2 + (W + 1) / 2 * M * S,
            ),
        },
    }.items()
}

REASONS = {("Standard", "Step 3", "XOR/AND"): LOST_FACTOR}

WIDTHS_BITS = (4, 8, 12)  # any three words, exponents and four sizes would do
EXPONENTS = (0b1, 0b10, 0b111)
SIZES = (1, 2, 3, 4)


def steps(method: koc97.Method, events: list[Event]) -> dict[str, list[Event]]:
    """Return the events of an exponentiation by the step of the printed algorithm they belong to."""
    by_line: dict[int, list[Event]] = {}
    for event in events:
        line = next(line for function, line in event.callers if function == method.__name__)
        by_line.setdefault(line, []).append(event)
    by_step: dict[str, list[Event]] = {}
    for line, executed in by_line.items():
        by_step.setdefault(step(method, line), []).extend(executed)
    return by_step


def step(method: koc97.Method, line: int) -> str:
    """Return the printed step of a line of the spec; only the inversion precedes Step 1."""
    statement = as_printed(linecache.getline(method.__code__.co_filename, line), KOC97)
    printed = [number for number, text in enumerate(listing(method, KOC97), 1) if statement in text]
    return f"Step {printed[0]}" if printed else INVERSION


@cache  # Table 3 sums what Table 2 lists
def counted(label: str) -> dict[str, Counts]:
    """Return the operations of each step that is published, from runs with the degree k = sw."""
    method = METHODS[label]
    grid = {}
    for w, e, s in product(WIDTHS_BITS, EXPONENTS, SIZES):
        run = koc97.run(method, 1, n=1 << w * s | 1, w=w, e=e)
        grid[w, e.bit_length(), s] = steps(method, as_counted(run.machine.events))
    return {
        name: fitted("wms", {point: executed[name] for point, executed in grid.items()})
        for name in PUBLISHED[label]
    }


def rows_of(label: str) -> list[Row]:
    """Return a row for each step and operation of an exponentiation."""
    return [
        compare(
            f"{label} {name}, {operation}",
            entry(published),
            entry(ours[operation]),
            reason=REASONS.get((label, name, operation), ""),
            source="counted",
        )
        for name, ours in counted(label).items()
        for operation, published in PUBLISHED[label][name].items()
    ]


def build(progress: Progress = silent) -> Table:
    """Count both exponentiations and compare."""
    rows: list[Row] = []
    for done, label in enumerate(METHODS):
        progress(done, len(METHODS))
        rows += rows_of(label)
    progress(len(METHODS), len(METHODS))
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item(
    "koc97.table2", "Operation counts for the Montgomery and the standard exponentiation", "table", build
)

"""[koc97, Table 1]: operations of the word-level products and squares, as polynomials in w and s."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from monpro.report.item import Item, Progress, silent
from monpro.report.koc97.counts import (
    LEADING_TERM,
    LOST_FACTOR,
    NONE,
    OPERATIONS,
    Counts,
    S,
    W,
    as_counted,
    entry,
    fitted,
)
from monpro.report.table import Row, Table, compare
from monpro.spec import koc97
from monpro.spec.counting import Event

METHODS: dict[str, tuple[koc97.Method, int]] = {  # with the number of operands
    "Montgomery MUL": (koc97.montgomery_multiplication, 2),
    "Montgomery SQU": (koc97.montgomery_squaring, 1),
    "Standard MUL": (koc97.standard_multiplication, 2),
    "Standard SQU": (koc97.standard_squaring, 1),
}

PUBLISHED: dict[str, Counts] = {
    label: dict(zip(OPERATIONS, counts, strict=True))
    for label, counts in {
        "Montgomery MUL": (2 * S**2 + S, 4 * S**2, NONE),
        "Montgomery SQU": (S**2 + S, 2 * S**2 + (2 * W + 1) * S, (2 * W + 1) * S),
        "Standard MUL": (S**2, (3 * W / 2 + 3) * S**2 + W / 2 * S, 2 * (W + 1) * S**2 + (W + 1) * S),
        "Standard SQU": (
            NONE,
            9 * W / 4 * S**2 + (2 * W + Fraction(3, 2)) * S,
            3 * W * S**2 + (3 * W + 1) * S,
        ),
    }.items()
}

REASONS = {("Standard SQU", "XOR/AND"): LOST_FACTOR}

WIDTHS_BITS = (8, 16, 32)
SIZES = (1, 2, 3, 4)


def runs(label: str) -> dict[tuple[int, ...], list[Event]]:
    """Return the events of a method for each w and s, for the degree k = sw that the paper assumes."""
    method, operands = METHODS[label]
    return {
        (w, s): koc97.run(method, *[1] * operands, n=1 << w * s | 1, w=w).machine.events
        for w, s in product(WIDTHS_BITS, SIZES)
    }


def rows_of(label: str, executed: dict[tuple[int, ...], list[Event]]) -> Iterable[Row]:
    """Return one row for each operation, and one more if the term x^(sw) of n(x) takes any."""
    counted = fitted("ws", {point: as_counted(events) for point, events in executed.items()})
    everything = fitted("ws", executed)
    for operation, published in PUBLISHED[label].items():
        ours = counted[operation]
        reason = REASONS.get((label, operation), "")
        yield compare(f"{label}, {operation}", entry(published), entry(ours), reason=reason, source="counted")
        if everything[operation] != ours:
            yield compare(
                f"{label}, {operation}, all",
                entry(published),
                entry(everything[operation]),
                reason=LEADING_TERM,
                source="counted",
            )


def build(progress: Progress = silent) -> Table:
    """Count the four methods and compare."""
    rows: list[Row] = []
    for done, label in enumerate(METHODS):
        progress(done, len(METHODS))
        rows += rows_of(label, runs(label))
    progress(len(METHODS), len(METHODS))
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc97.table1", "Operation counts for the multiplication and squaring algorithms", "table", build)

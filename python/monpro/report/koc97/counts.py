"""The counts in the tables of [koc97], found from runs of the spec: polynomials in w, m and s."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from monpro.report.polynomial import Polynomial, constant, letter
from monpro.spec.counting import Event, averages

W, M, S = (letter(name) for name in "wms")
NONE = constant(0)

OPERATIONS: dict[str, tuple[str, ...]] = {  # the columns, and what they sum
    "MULGF2": ("mulgf2",),
    "XOR/AND": ("xor", "and", "or"),
    "SHIFT": ("shift",),
}
UNCOUNTED = {"add_leading_term", "of_full_degree", "clear_padding"}  # errata E3 and E4 of the spec

LEADING_TERM = "if k = sw, n(x) has the term x^(sw)"
LOST_FACTOR = "its s/2 is likely ws/2 misprinted; ours is 3ws/4"

Counts = Mapping[str, Polynomial]


def as_counted(events: Iterable[Event]) -> list[Event]:
    """Return the events that the paper counts too."""
    return [event for event in events if not UNCOUNTED & {function for function, _ in event.callers}]


def columns(events: Iterable[Event]) -> dict[str, Fraction]:
    """Return the average number of each operation."""
    average = averages(events)
    return {
        column: sum((average.get(operation, Fraction(0)) for operation in operations), Fraction(0))
        for column, operations in OPERATIONS.items()
    }


def fitted(letters: str, runs: Mapping[tuple[int, ...], Iterable[Event]]) -> Counts:
    """Return each column as a polynomial in `letters`, from the events of a run at each point of a grid."""
    counts = {point: columns(events) for point, events in runs.items()}
    return {
        column: Polynomial.fit_grid(letters, {point: count[column] for point, count in counts.items()})
        for column in OPERATIONS
    }


def entry(count: Polynomial) -> str:
    """Return a count as the paper prints it; zero is a dash."""
    return str(count) if count.terms else "-"

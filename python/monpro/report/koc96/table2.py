"""[koc96, Table 2]: the operations of CIOS, statement by statement.

An entry is written `mult, add, read, write × iterations`.
"""

from collections import Counter
from collections.abc import Iterable

from monpro.report.item import Item, Progress, silent
from monpro.report.polynomial import Polynomial
from monpro.report.table import Row, Table, compare
from monpro.spec import koc96
from monpro.spec.counting import totals
from monpro.spec.notation import Statement, statements

OPERATIONS = ("mult", "add", "read", "write")

PUBLISHED = (
    ("C := 0", "0, 0, 0, 0 × s"),
    ("(C,S) := t[j] + b[j]*a[i] + C", "1, 2, 3, 0 × s²"),
    ("t[j] := S", "0, 0, 0, 1 × s²"),
    ("(C,S) := t[s] + C", "0, 1, 1, 0 × s"),
    ("t[s] := S", "0, 0, 0, 1 × s"),
    ("t[s+1] := C", "0, 0, 0, 1 × s"),
    ("m := t[0]*n'[0] mod W", "1, 0, 2, 1 × s"),
    ("(C,S) := t[0] + m*n[0]", "1, 1, 3, 0 × s"),
    ("(C,S) := t[j] + m*n[j] + C", "1, 2, 3, 0 × s² - s"),
    ("t[j-1] := S", "0, 0, 0, 1 × s² - s"),
    ("(C,S) := t[s] + C", "0, 1, 1, 0 × s"),
    ("t[s-1] := S", "0, 0, 0, 1 × s"),
    ("t[s] := t[s+1] + C", "0, 1, 1, 1 × s"),
)
PUBLISHED_SUBTRACTION = "0, 2s + 2, 2s + 2, s + 1 × 1"
PUBLISHED_TOTALS = ("2s² + s", "4s² + 4s + 2", "6s² + 7s + 2", "2s² + 5s + 1")

NAMES_SWAPPED = "printed with a and b swapped"
LITERAL_SUBTRACTION = "the last line, u[s] - B, has no n[s]"

SIZES = range(2, 9)  # from 2 on, for at s = 1 the inner loop of the reduction does not run


def entry(costs: Iterable[object], iterations: object) -> str:
    """Return one line of the table as text."""
    return f"{', '.join(str(cost) for cost in costs)} × {iterations}"


def statement_rows(runs: dict[int, list[Statement]]) -> list[Row]:
    """Return a row for each statement of CIOS, in the order of the source."""
    per_size = {s: [found for found in run if found.function == "cios"] for s, run in runs.items()}
    rows = []
    for index, (printed, published) in enumerate(PUBLISHED):
        statement = per_size[SIZES[0]][index]
        iterations = Polynomial.fit({s: found[index].iterations for s, found in per_size.items()})
        ours = entry((statement.counts[operation] for operation in OPERATIONS), iterations)
        note = "" if printed == statement.text else NAMES_SWAPPED
        rows.append(compare(statement.text, published, ours, note, source="counted"))
    return rows


def polynomials(counts: dict[int, Counter[str]]) -> list[Polynomial]:
    """Return the polynomial of each operation."""
    return [Polynomial.fit({s: count[operation] for s, count in counts.items()}) for operation in OPERATIONS]


def build(progress: Progress = silent) -> Table:
    """Run CIOS for several s and compare statement by statement."""
    events = {s: koc96.run(koc96.cios, 1, 1, n=3, w=8, s=s).machine.events for s in SIZES}
    progress(1, 2)
    rows = statement_rows({s: statements(run) for s, run in events.items()})

    subtraction = {s: [event for event in run if event.function == "step_3"] for s, run in events.items()}
    counted = polynomials({s: totals(run) for s, run in subtraction.items()})
    literal = polynomials(
        {s: totals(event for event in run if event.printed) for s, run in subtraction.items()}
    )
    rows.append(compare("Final Subtraction", PUBLISHED_SUBTRACTION, entry(counted, 1), source="counted"))
    rows.append(
        compare(
            "Final Subtraction, its statements",
            PUBLISHED_SUBTRACTION,
            entry(literal, 1),
            reason=LITERAL_SUBTRACTION,
            source="counted",
        )
    )

    sums = polynomials({s: totals(run) for s, run in events.items()})
    for operation, published, ours in zip(OPERATIONS, PUBLISHED_TOTALS, sums, strict=True):
        rows.append(compare(f"Total {operation}", published, str(ours), source="counted"))
    progress(2, 2)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc96.table2", "Calculating the operations of the CIOS method", "table", build)

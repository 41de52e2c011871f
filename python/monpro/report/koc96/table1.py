"""[koc96, Table 1]: operations and temporary space of the methods, as polynomials in s."""

from monpro.report.item import Item, Progress, silent
from monpro.report.polynomial import Polynomial
from monpro.report.table import Row, Table, compare
from monpro.spec import koc96
from monpro.spec.counting import totals

COLUMNS = {
    "mult": "multiplications",
    "add": "additions",
    "read": "reads",
    "write": "writes",
    "space": "space",
}

PUBLISHED = {
    "SOS": ("2s² + s", "4s² + 4s + 2", "6s² + 7s + 3", "2s² + 6s + 2", "2s + 2"),
    "CIOS": ("2s² + s", "4s² + 4s + 2", "6s² + 7s + 2", "2s² + 5s + 1", "s + 3"),
    "FIOS": ("2s² + s", "5s² + 3s + 2", "7s² + 5s + 2", "3s² + 4s + 1", "s + 3"),
    "FIPS": ("2s² + s", "6s² + 2s + 2", "9s² + 8s + 2", "5s² + 8s + 1", "s + 3"),
    "CIHS": ("2s² + s", "4s² + 4s + 2", "6.5s² + 6.5s + 2", "3s² + 5s + 1", "s + 3"),
}

CIHS_CORRECTED = "the cost of the carries that the printed code loses"
NO_COUNT = "not counted in the paper"

METHODS: tuple[tuple[str, koc96.Method, str | None, str], ...] = (  # label, spec, printed row, note
    ("SOS", koc96.sos, "SOS", ""),
    ("CIOS", koc96.cios, "CIOS", ""),
    ("FIOS", koc96.fios, "FIOS", ""),
    ("FIPS", koc96.fips, "FIPS", ""),
    ("CIHS as printed", koc96.cihs_as_printed, "CIHS", ""),
    ("CIHS corrected", koc96.cihs, "CIHS", CIHS_CORRECTED),
    ("CIOS unimproved", koc96.cios_unimproved, None, NO_COUNT),
)

SIZES = range(1, 9)  # three determine a polynomial; the others check it


def counted(method: koc96.Method) -> dict[str, Polynomial]:
    """Return each column of the table as a polynomial in s, from runs of the spec."""
    runs = {s: koc96.run(method, 1, 1, n=3, w=8, s=s).machine for s in SIZES}
    counts = {s: totals(machine.events) for s, machine in runs.items()}
    polynomials = {
        column: Polynomial.fit({s: counts[s][column] for s in SIZES})
        for column in COLUMNS
        if column != "space"
    }
    polynomials["space"] = Polynomial.fit({s: machine.temporary_words for s, machine in runs.items()})
    return polynomials


def rows_of(label: str, method: koc96.Method, printed: str | None, note: str) -> list[Row]:
    """Return the five rows of one method; the note explains a difference from the printed polynomial."""
    published = PUBLISHED[printed] if printed else (None,) * len(COLUMNS)
    entries = zip(COLUMNS, published, counted(method).values(), strict=True)
    return [
        compare(f"{label}, {column}", theirs, str(ours), reason=note, source="counted")
        for column, theirs, ours in entries
    ]


def build(progress: Progress = silent) -> Table:
    """Count every method and compare."""
    rows: list[Row] = []
    for done, method in enumerate(METHODS):
        progress(done, len(METHODS))
        rows += rows_of(*method)
    progress(len(METHODS), len(METHODS))
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc96.table1", "The time and space requirements of the methods", "table", build)

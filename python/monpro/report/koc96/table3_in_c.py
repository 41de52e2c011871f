"""[koc96, Table 3], its columns of C: products of words made of 16-bit halves, as in the paper's programs.

The times are recorded. The ratios to CIOS can be compared, not the times. The square, which the paper leaves
out [koc96, §4], has a row of its own.
"""

from monpro.report.item import Item, Progress, silent
from monpro.report.koc96.table3 import PUBLISHED_MS
from monpro.report.table import Entry, Row, Table, judge
from monpro.results.koc96_in_c import FLAT_ADD, HALVES, METHODS, SIZES_BITS, SQUARE, WHOLE, Times, recorded

TOLERANCE = 0.10
NOT_RECORDED = "not recorded: `python -m monpro.bench.koc96_in_c` measures it"
REASONS = {  # why a method's ratio is another one on a CPU of today
    "SOS": "the CPU overlaps the reduction with the product",
    "FIOS": "today's CPU predicts the branch of ADD wrongly; without branches {:.2f}",
    "FIPS": "today's CPU predicts the branches of ADD wrongly; without branches {:.2f}",
    "CIHS": "its last loop adds without a carry that is handed on, which a CPU of today overlaps",
}


def ratio_rows(bits: int, times: Times) -> list[Row]:
    """Return the ratio of each method to CIOS."""
    printed = dict(zip(METHODS, PUBLISHED_MS["C", bits], strict=True))
    rows = []
    for method in METHODS:
        if method == "CIOS":
            continue
        published = round(printed[method] / printed["CIOS"], 3)
        ours = round(times[HALVES, method, bits] / times[HALVES, "CIOS", bits], 3)
        flat = times[FLAT_ADD, method, bits] / times[FLAT_ADD, "CIOS", bits]
        near = abs(ours / published - 1) <= TOLERANCE
        rows.append(
            Row(
                f"{bits} bits, {method} / CIOS",
                published,
                ours,
                near,
                "" if near else REASONS[method].format(flat),
                within=TOLERANCE,
                printed=False,
                source="recorded",
            )
        )
    return rows


def other_rows(bits: int, times: Times) -> list[Row]:
    """Return who is first, and what the print does not have: the square, and what the halves cost."""
    printed = min(METHODS, key=dict(zip(METHODS, PUBLISHED_MS["C", bits], strict=True)).__getitem__)
    first = min(METHODS, key=lambda method: times[HALVES, method, bits])
    square = round(times[HALVES, SQUARE, bits] / times[HALVES, "SOS", bits], 3)
    cost = round(times[HALVES, "CIOS", bits] / times[WHOLE, "CIOS", bits], 2)
    found: list[tuple[str, Entry, Entry, str]] = [
        ("fastest", printed, first, REASONS.get(first, "").format(1)),
        ("square / product, SOS", None, square, "the paper leaves it out"),
        ("CIOS by halves / by whole words", None, cost, "what the halves cost"),
    ]
    return [
        Row(f"{bits} bits, {label}", theirs, ours, judge(theirs, ours, 0), note, source="recorded")
        for label, theirs, ours, note in found
    ]


def build(progress: Progress = silent) -> Table:
    """Compare the recorded times with the print."""
    times = recorded()
    rows = [Row("all methods", None, None, None, NOT_RECORDED)]
    if times:
        rows = [row for bits in SIZES_BITS for row in (*ratio_rows(bits, times), *other_rows(bits, times))]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("koc96.halves.table", "Table 3 in C, with products made of 16-bit halves", "table", build)

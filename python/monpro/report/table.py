"""A published table beside the one computed here.

Each row holds two entries, the published one and ours. The verdict of a row follows from its entries and its
tolerance:

    exact          both entries are equal
    within         the entries are two numbers, and their difference is within the tolerance
    differs        neither of these; the row's note gives the reason
    derived        exact or within, but the value beside ours was never printed: it follows from the print
    not compared   one of the two entries is missing
"""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

Entry = str | float | None
Verdict = Literal["exact", "within", "differs", "derived", "not compared"]
SOURCES = {  # how our entry was found
    "": "not told",
    "counted": "counted while a spec, a register model or the RTL ran",
    "modelled": "told by a model: of cycles, or of gates",
    "recorded": "measured before, and kept under results/",
    "timed": "timed just now, on this machine",
    "compiled": "counted in the machine code of this build",
    "computed": "computed from other entries",
}

PER_CENT = "%"
FACTOR = 10  # from here on a difference is told as a factor too
UNEXPLAINED = "no reason is known"  # of a difference: it is a defect, of ours or of the print
SAME = 1e-12  # what floating point may add to a difference


@dataclass(frozen=True)
class Row:
    """One published entry and ours, how far they are apart, and how far they may be.

    `within` is the tolerance: a share of the published number (0.1 is 10 %), or of 100 points if the unit is
    "%". It is 0 if the entries must be equal, and None if there is nothing to compare. `printed` is False if
    the published entry was never printed but follows from the print. `source` tells how our entry was found,
    by a word of `SOURCES`.

    ValueError is raised if `agrees` is not what entries and tolerance say, and if an entry differs and `note`
    gives no reason. Two entries are always compared.
    """

    label: str
    published: Entry
    ours: Entry
    agrees: bool | None
    note: str = ""
    _: KW_ONLY
    within: float | None = None
    unit: str = ""
    printed: bool = True
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse a verdict that the entries contradict, and a difference without a reason."""
        numbers = self.deviation is not None
        if self.source not in SOURCES:
            raise ValueError(
                f"row {self.label!r}: the source is one of {', '.join(SOURCES)}, not {self.source!r}"
            )
        if numbers and self.within is None:
            raise ValueError(f"row {self.label!r} compares two numbers and gives no tolerance")
        if self.agrees is not judge(self.published, self.ours, self.within or 0, self.unit):
            raise ValueError(f"row {self.label!r}: agrees is {self.agrees}; its entries say otherwise")
        if self.agrees is False and not self.note:
            raise ValueError(f"row {self.label!r} differs from print and gives no reason")

    @property
    def deviation(self) -> float | None:
        """Return the difference as a share of published, or in points divided by 100; None for words."""
        return deviation(self.published, self.ours, self.unit)

    @property
    def difference(self) -> str:
        """Return how far ours is from published: a number for two numbers, a word for anything else."""
        if self.published == self.ours or self.agrees is None:
            return "" if self.agrees is None else "none"
        if self.deviation is not None:
            return distance(self.deviation, self.unit)
        if isinstance(self.published, str) or isinstance(self.ours, str):
            return "differs"
        return f"{self.ours:+g}"  # from a published 0

    @property
    def tolerance(self) -> str:
        """Return the tolerance as text: `exact`, `± 10 %`, `± 1 point`; nothing if nothing is compared."""
        if self.agrees is None:
            return ""
        return f"± {amount(self.within, self.unit)}" if self.within else "exact"

    @property
    def verdict(self) -> Verdict:
        """Return whether ours is what was published."""
        if self.agrees is None:
            return "not compared"
        if not self.agrees:
            return "differs"
        if not self.printed:
            return "derived"
        return "exact" if self.published == self.ours else "within"

    def as_dict(self) -> dict[str, object]:
        """Return the row as plain data, for JSON."""
        return {
            "label": self.label,
            "published": self.published,
            "ours": self.ours,
            "unit": self.unit,
            "difference": self.difference,
            "deviation": self.deviation,
            "tolerance": self.tolerance,
            "within": self.within,
            "verdict": self.verdict,
            "printed": self.printed,
            "source": self.source,
            "note": self.note,
        }


def deviation(published: Entry, ours: Entry, unit: str = "") -> float | None:
    """Return how far ours is from published, as a share of published, or of 100 points for percentages.

    It is positive where ours is the larger number, beside a negative published one, too. None is returned
    if one of the two is no number, and if published is 0: nothing is a share of it.
    """
    if not isinstance(published, int | float) or not isinstance(ours, int | float):
        return None
    if unit == PER_CENT:
        return (ours - published) / 100
    return (ours - published) / abs(published) if published else None


def distance(share: float, unit: str = "") -> str:
    """Return a deviation as text: `-4.9 %`, `+1,400 %, × 15`, and for percentages `+0.8 points`."""
    return f"{_digits(100 * share)} points" if unit == PER_CENT else _per_cent(share)


def amount(within: float, unit: str = "") -> str:
    """Return a tolerance as text without its sign: `10 %`, and for percentages `1 point`."""
    number = f"{100 * within:.2g}"
    if unit == PER_CENT:
        return f"{number} point{'' if number == '1' else 's'}"
    return f"{number} %"


def judge(published: Entry, ours: Entry, within: float, unit: str = "") -> bool | None:
    """Return whether ours is within the tolerance of published; None if one is missing.

    Texts must be equal.
    """
    if published is None or ours is None:
        return None
    share = deviation(published, ours, unit)
    return published == ours if share is None else abs(share) <= within + SAME


def compare(  # noqa: PLR0913  # the properties of a row, all with defaults but for three
    label: str,
    published: Entry,
    ours: Entry,
    note: str = "",
    *,
    reason: str = "",
    within: float = 0,
    unit: str = "",
    printed: bool = True,
    source: str = "",
) -> Row:
    """Return the row of two entries, judged by the tolerance; a missing entry cannot be compared.

    The row's note is `note`, with `reason` after it if the entries differ. A difference without either is
    shown as `UNEXPLAINED`: a test fails if any row has that note.
    """
    agrees = judge(published, ours, within, unit)
    told = "; ".join(filter(None, (note, reason if agrees is False else "")))
    if agrees is False and not told:
        told = UNEXPLAINED
    tolerance = None if agrees is None else within
    return Row(
        label, published, ours, agrees, told, within=tolerance, unit=unit, printed=printed, source=source
    )


@dataclass(frozen=True)
class Table:
    """A recomputed table: its id, such as `koc96.table1`, the title in the paper, and its rows."""

    id: str
    title: str
    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the table as plain data, for JSON."""
        return {"id": self.id, "title": self.title, "rows": [row.as_dict() for row in self.rows]}


def _per_cent(share: float) -> str:
    """Return a share in per cent, and from a tenth or tenfold on as a factor too."""
    factor = 1 + share
    if factor >= FACTOR:
        return f"+{100 * share:,.0f} %, × {factor:.3g}"
    if 0 < factor <= 1 / FACTOR:
        return f"{100 * share:.2f} %, ÷ {1 / factor:,.0f}"
    return f"{_digits(100 * share)} %"


def _digits(percentage: float) -> str:
    """Return a signed percentage with as many digits as tell it apart from zero."""
    if abs(percentage) >= FACTOR:
        return f"{percentage:+.0f}"
    return f"{percentage:+.1f}" if abs(percentage) >= 0.1 else f"{percentage:+.1g}"

"""A published table beside the one computed here."""

from dataclasses import asdict, dataclass

Entry = str | float | None


@dataclass(frozen=True)
class Row:
    """One published entry and ours; `agrees` is None if there is nothing to compare.

    An entry that does not agree must have a note with the reason, or ValueError is raised.
    """

    label: str
    published: Entry
    ours: Entry
    agrees: bool | None
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse a difference without a reason."""
        if self.agrees is False and not self.note:
            raise ValueError(f"row {self.label!r} differs from print and gives no reason")

    @property
    def difference(self) -> str:
        """Return ours relative to published: in per cent for two numbers, in a word for anything else."""
        numbers = [entry for entry in (self.published, self.ours) if isinstance(entry, int | float)]
        if (
            len(numbers) == 2
            and self.published
            and (numbers[0] != numbers[1] or isinstance(numbers[0], float))
        ):
            return f"{(numbers[1] / numbers[0] - 1) * 100:+.0f} %"
        if self.agrees and self.published != self.ours:
            return "agrees"
        return {True: "none", False: "differs", None: ""}[self.agrees]


def compare(label: str, published: Entry, ours: Entry, note: str = "") -> Row:
    """Return the row of two entries that must be equal; a missing entry cannot be compared."""
    agrees = None if published is None or ours is None else published == ours
    return Row(label, published, ours, agrees, note)


@dataclass(frozen=True)
class Table:
    """A recomputed table: its id, such as `koc96.table1`, the title in the paper, and its rows."""

    id: str
    title: str
    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the table as plain data, for JSON."""
        return {"id": self.id, "rows": [asdict(row) for row in self.rows]}

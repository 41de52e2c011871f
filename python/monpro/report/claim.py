"""A claim of a paper's text beside what is found here."""

from dataclasses import asdict, dataclass
from typing import Literal

from monpro.report.table import Entry

Verdict = Literal["agreed", "refuted", "differs", "not tested"]
Source = Literal["counted", "modelled", "recorded", "timed", "computed"]


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and the verdict on it.

    statement: the claim in one plain sentence. published, ours: the number or the words that the claim comes
    down to, in `unit`. verdict: `differs` for a number that is another one here; `refuted` for a statement
    that is false here. source: where ours comes from. ValueError without a reason, or if an agreed or a
    refuted claim has nothing of ours beside it.
    """

    id: str
    section: str
    statement: str
    published: Entry
    ours: Entry
    verdict: Verdict
    reason: str
    source: Source
    unit: str = ""

    def __post_init__(self) -> None:
        """Refuse a verdict without a reason, or without anything behind it."""
        if not self.reason:
            raise ValueError(f"claim {self.id} gives no reason")
        if (self.ours is None) != (self.verdict == "not tested"):
            raise ValueError(f"claim {self.id} is {self.verdict}, and ours is {self.ours}")

    def as_dict(self) -> dict[str, object]:
        """Return the claim as plain data, for JSON."""
        return asdict(self)

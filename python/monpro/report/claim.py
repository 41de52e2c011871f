"""A claim of a paper's text beside what is found here."""

from dataclasses import asdict, dataclass
from typing import Literal

from monpro.report.table import SAME, Entry, amount, deviation, distance

Verdict = Literal["agreed", "refuted", "differs", "not tested"]
Source = Literal["counted", "modelled", "recorded", "timed", "computed"]


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, and the verdict on it.

    statement: the claim in one plain sentence. published, ours: the number or the words that the claim comes
    down to, in `unit`. verdict: `differs` for a number that is another one here; `refuted` for a statement
    that is false here. source: where ours comes from. within: the tolerance of a number, as in a `Row`, and
    None for a statement. at_least: ours may be any number that is no less. printed: False if the published
    number was never printed but follows from the print.

    ValueError is raised without a reason, if an agreed or a refuted claim has nothing of ours beside it, and
    if the verdict is not what two numbers and their tolerance say.
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
    within: float | None = None
    at_least: bool = False
    printed: bool = True

    def __post_init__(self) -> None:
        """Refuse a verdict without a reason, without anything behind it, or against its numbers."""
        if not self.reason:
            raise ValueError(f"claim {self.id} gives no reason")
        if (self.ours is None) != (self.verdict == "not tested"):
            raise ValueError(f"claim {self.id} is {self.verdict}, and ours is {self.ours}")
        share = self.deviation
        if share is None or self.verdict == "refuted":
            return
        if self.within is None:
            raise ValueError(f"claim {self.id} compares two numbers and gives no tolerance")
        if is_near(share, self.within, at_least=self.at_least) != (self.verdict == "agreed"):
            raise ValueError(f"claim {self.id} is {self.verdict}; its numbers say otherwise")

    @property
    def deviation(self) -> float | None:
        """Return the difference as a share of published, or in points divided by 100; None for words."""
        return deviation(self.published, self.ours, self.unit)

    @property
    def difference(self) -> str:
        """Return how far ours is from the published number; nothing for a statement."""
        if self.deviation is None:
            return ""
        return distance(self.deviation, self.unit) if self.deviation else "none"

    @property
    def tolerance(self) -> str:
        """Return the tolerance as text: `exact`, `± 10 %`, `no less`; nothing for a statement."""
        if self.within is None or self.ours is None:
            return ""
        if self.at_least:
            return "no less"
        return f"± {amount(self.within, self.unit)}" if self.within else "exact"

    def as_dict(self) -> dict[str, object]:
        """Return the claim as plain data, for JSON."""
        return asdict(self) | {
            "difference": self.difference,
            "deviation": self.deviation,
            "tolerance": self.tolerance,
        }


def is_near(share: float, within: float, *, at_least: bool = False) -> bool:
    """Return whether a deviation is inside the tolerance; with `at_least`, whether it is not negative."""
    return share >= -SAME if at_least else abs(share) <= within + SAME

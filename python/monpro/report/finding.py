"""What is found about a claim, and the item of the catalogue that looks for it."""

from collections.abc import Callable
from dataclasses import dataclass

from monpro.report.claim import Claim, Source, Verdict
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Entry


@dataclass(frozen=True)
class Finding:
    """Our side of a claim, the verdict on the claim, and the reason in one line."""

    ours: Entry
    verdict: Verdict
    reason: str


def found(holds: bool, ours: Entry, reason: str) -> Finding:  # noqa: FBT001  (the one thing that it decides)
    """Return that a statement is agreed or refuted."""
    return Finding(ours, "agreed" if holds else "refuted", reason)


def measured(near: bool, ours: Entry, reason: str) -> Finding:  # noqa: FBT001  (the one thing that it decides)
    """Return that a number is agreed or differs."""
    return Finding(ours, "agreed" if near else "differs", reason)


def untested(reason: str) -> Finding:
    """Return that nothing was found, and why."""
    return Finding(None, "not tested", reason)


def claim(  # noqa: PLR0913  (all that the paper says)
    identity: str, section: str, statement: str, published: Entry, *, source: Source, unit: str = ""
) -> Callable[[Callable[[], Finding]], Item]:
    """Return what makes an item out of a function that finds our side of a claim.

    `identity` is as in `koc96.claim.additions`. The function runs each time that the item is built.
    """

    def item(find: Callable[[], Finding]) -> Item:
        def build(progress: Progress = silent) -> Claim:
            finding = find()
            progress(1, 1)
            ours, verdict, reason = finding.ours, finding.verdict, finding.reason
            return Claim(identity, section, statement, published, ours, verdict, reason, source, unit)

        return Item(identity, statement, "claim", build)

    return item

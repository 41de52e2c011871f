"""What is found about a claim, and the item of the catalogue that looks for it."""

from collections.abc import Callable
from dataclasses import dataclass

from monpro.report.claim import Claim, Source, Verdict, is_near
from monpro.report.item import Item, Progress, silent
from monpro.report.table import Entry, deviation


@dataclass(frozen=True)
class Finding:
    """Our side of a claim, and the reason in one line.

    verdict: on the claim, or None if it follows from two numbers and their tolerance. within, at_least: that
    tolerance, as in a `Claim`.
    """

    ours: Entry
    verdict: Verdict | None
    reason: str
    within: float | None = None
    at_least: bool = False


def found(holds: bool, ours: Entry, reason: str) -> Finding:  # noqa: FBT001  (the one thing that it decides)
    """Return that a statement is agreed or refuted."""
    return Finding(ours, "agreed" if holds else "refuted", reason)


def measured(ours: float, reason: str, *, within: float = 0, at_least: bool = False) -> Finding:
    """Return a number, which agrees with the published one if it is near it, or with `at_least` no less."""
    return Finding(ours, None, reason, within, at_least)


def listed(near: bool, ours: str, reason: str, *, within: float) -> Finding:  # noqa: FBT001  (as above)
    """Return several numbers as text: all are within the tolerance, or the claim differs."""
    return Finding(ours, "agreed" if near else "differs", reason, within)


def untested(reason: str) -> Finding:
    """Return that nothing was found, and why."""
    return Finding(None, "not tested", reason)


def verdict_on(published: Entry, finding: Finding, unit: str) -> Verdict:
    """Return the verdict of a finding; ValueError if it has none, and nothing that it would follow from."""
    if finding.verdict is not None:
        return finding.verdict
    share = deviation(published, finding.ours, unit)
    if share is None or finding.within is None:
        raise ValueError(f"{finding.ours} has no number or no tolerance to compare it with {published}")
    return "agreed" if is_near(share, finding.within, at_least=finding.at_least) else "differs"


def claim(  # noqa: PLR0913  (all that the paper says)
    identity: str,
    section: str,
    statement: str,
    published: Entry,
    *,
    source: Source,
    unit: str = "",
    printed: bool = True,
) -> Callable[[Callable[[], Finding]], Item]:
    """Return what makes an item out of a function that finds our side of a claim.

    `identity` is as in `koc96.claim.additions`. The function runs each time that the item is built.
    """

    def item(find: Callable[[], Finding]) -> Item:
        def build(progress: Progress = silent) -> Claim:
            finding = find()
            progress(1, 1)
            return Claim(
                identity,
                section,
                statement,
                published,
                finding.ours,
                verdict_on(published, finding, unit),
                finding.reason,
                source,
                unit,
                finding.within,
                finding.at_least,
                printed,
            )

        return Item(identity, statement, "claim", build)

    return item

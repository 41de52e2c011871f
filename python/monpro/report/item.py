"""The interface of every published table, figure and claim to the catalogue."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from monpro.report.claim import Claim
from monpro.report.draw.figure import Figure
from monpro.report.table import Table

Progress = Callable[[int, int], None]  # steps done, steps in all


def silent(done: int, total: int) -> None:
    """Report progress to nobody."""


class Build(Protocol):
    """Computes a table, a figure or a claim, and reports its progress to `progress`."""

    def __call__(self, progress: Progress = silent) -> Table | Figure | Claim:
        """Return the table, the figure or the claim."""


@dataclass(frozen=True)
class Item:
    """A published table, figure or claim: its id, such as `koc96.table1`, its title, and how to compute it.

    The title of a claim is its statement. `preview` computes the item in seconds, from a small sample, if
    `build` takes minutes.
    """

    id: str
    title: str
    kind: Literal["table", "figure", "claim"]
    build: Build
    preview: Build | None = None

    @property
    def paper(self) -> str:
        """Return the key of the paper, such as `koc96`."""
        return self.id.partition(".")[0]

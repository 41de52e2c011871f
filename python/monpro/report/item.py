"""The interface of every published table and figure to the catalogue."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from monpro.report.draw.figure import Figure
from monpro.report.table import Table

Progress = Callable[[int, int], None]  # steps done, steps in all


def silent(done: int, total: int) -> None:
    """Report progress to nobody."""


class Build(Protocol):
    """Computes a table or figure, and reports its progress to `progress`."""

    def __call__(self, progress: Progress = silent) -> Table | Figure:
        """Return the table or figure."""


@dataclass(frozen=True)
class Item:
    """A published table or figure: its id, such as `koc96.table1`, its title, and how to compute it.

    `preview` computes it in seconds, from a small sample, if `build` takes minutes.
    """

    id: str
    title: str
    kind: Literal["table", "figure"]
    build: Build
    preview: Build | None = None

    @property
    def paper(self) -> str:
        """Return the key of the paper, such as `koc96`."""
        return self.id.partition(".")[0]

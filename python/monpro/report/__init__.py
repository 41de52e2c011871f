"""Every published table and figure, and the claims of the text, recomputed: listed here.

To add a table or figure, write `report/<paper>/<table or figure><number>.py` with an `ITEM`, and add its
name below. To add a claim, write a function in `report/<paper>/claims*.py`, and add it to the `CLAIMS` there.
A new paper is a folder, and an entry in PAPERS.toml.
"""

from difflib import get_close_matches
from importlib import import_module
from itertools import chain

from monpro.report.claim import Claim
from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress
from monpro.report.table import Row, Table

__all__ = ["Claim", "Figure", "Item", "Progress", "Row", "Table", "catalogue", "select"]

_NAMES = (
    "amberg08.table1",
    "amberg08.cycles",
    "amberg08.headline",
    "amberg08.figure1",
    "amberg08.figure2",
    "amberg08.figure3",
    "amberg08.figure4",
    "amberg08.figure5",
    "amberg08.figure6",
    "amberg08.figure7",
    "koc96.table1",
    "koc96.table2",
    "koc96.table3",
    "koc96.table3_in_c",
    "koc96.figure1",
    "koc96.figure2",
    "koc96.figure3",
    "koc97.table1",
    "koc97.table2",
    "koc97.table3",
    "koc97.table4",
    "koc97.table5",
    "koc97.table5_figure",
    "koc97.figure1",
    "kuang16.table1",
    "kuang16.table2",
    "kuang16.table3",
    "kuang16.figure1",
    "kuang16.figure2",
    "kuang16.figure3",
    "kuang16.figure4",
    "kuang16.figure5",
    "kuang16.figure6",
    "kuang16.figure7",
    "kuang16.figure8",
    "kuang16.figure9",
    "kuang16.figure10",
    "kuang16.figure11",
    "kuang16.figure12",
    "blum01.table1",
    "blum01.table2",
    "blum01.table3",
    "blum01.table4",
    "blum01.figure1",
    "blum01.figure2",
    "blum01.figure3",
)

_CLAIMS = (
    "koc96.claims",
    "koc96.claims_of_methods",
    "koc97.claims",
    "kuang16.claims",
    "amberg08.claims",
    "blum01.claims",
)

_ITEMS: tuple[Item, ...] = (
    *(import_module(f"{__name__}.{name}").ITEM for name in _NAMES),
    *chain.from_iterable(import_module(f"{__name__}.{name}").CLAIMS for name in _CLAIMS),
)


def catalogue() -> tuple[Item, ...]:
    """Return all tables, figures and claims."""
    return _ITEMS


def select(name: str) -> tuple[Item, ...]:
    """Return the item with that id, the items of that paper, its claims, or every item; ValueError if none.

    A paper is named as `koc96`, its claims as `koc96.claims` (so its tables and figures), all items as `all`.
    """
    found = tuple(
        item for item in _ITEMS if name in (item.id, item.paper, "all", f"{item.paper}.{item.kind}s")
    )
    if not found:
        papers = sorted({item.paper for item in _ITEMS})
        claims = [f"{paper}.claims" for paper in papers]
        near = get_close_matches(name, [*papers, *claims, *(item.id for item in _ITEMS)], n=5)
        hint = f"; close to it: {', '.join(near)}" if near else ""
        raise ValueError(
            f"there is no table, figure, claim or paper {name!r}{hint}; the papers are {', '.join(papers)}, "
            "and `monpro reproduce` names all their items"
        )
    return found

"""Every published table and figure, recomputed: one file each, listed here.

To add one, write `report/<paper>/<table or figure><number>.py` with an `ITEM`, and add its name below. A new
paper is a folder, and an entry in PAPERS.toml.
"""

from importlib import import_module

from monpro.report.draw.figure import Figure
from monpro.report.item import Item, Progress
from monpro.report.table import Row, Table

__all__ = ["Figure", "Item", "Progress", "Row", "Table", "catalogue", "select"]

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

_ITEMS: tuple[Item, ...] = tuple(import_module(f"{__name__}.{name}").ITEM for name in _NAMES)


def catalogue() -> tuple[Item, ...]:
    """Return all tables and figures."""
    return _ITEMS


def select(id_or_paper: str) -> tuple[Item, ...]:
    """Return the item with that id, the items of that paper, or every item for `all`; ValueError if none."""
    found = tuple(item for item in _ITEMS if id_or_paper in (item.id, item.paper, "all"))
    if not found:
        known = ["all", *sorted({item.paper for item in _ITEMS}), *(item.id for item in _ITEMS)]
        raise ValueError(f"there is no table, figure or paper {id_or_paper!r}; there are: {', '.join(known)}")
    return found

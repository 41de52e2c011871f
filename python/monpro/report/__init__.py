"""Every published table and figure, recomputed: one file each, listed here.

To add one, write `report/<paper>_<table or figure><number>.py` with an `ITEM`, and add its name below.
"""

from importlib import import_module

from monpro.report.figure import Figure
from monpro.report.item import Item, Progress
from monpro.report.table import Row, Table

__all__ = ["Figure", "Item", "Progress", "Row", "Table", "catalogue", "select"]

_NAMES = (
    "amberg08_table1",
    "amberg08_cycles",
    "amberg08_headline",
    "amberg08_figure6",
    "amberg08_figure7",
    "koc96_table1",
    "koc96_table2",
    "koc96_table3",
    "koc96_figure1",
    "koc96_figure2",
    "koc96_figure3",
    "koc97_table1",
    "koc97_table2",
    "koc97_table3",
    "koc97_table4",
    "koc97_table5",
    "koc97_table5_figure",
    "koc97_figure1",
    "kuang16_table1",
    "kuang16_table2",
    "kuang16_table3",
    "kuang16_figure1",
    "kuang16_figure2",
    "kuang16_figure3",
    "kuang16_figure4",
    "kuang16_figure5",
    "kuang16_figure6",
    "kuang16_figure7",
    "kuang16_figure8",
    "kuang16_figure9",
    "kuang16_figure10",
    "kuang16_figure11",
    "kuang16_figure12",
    "blum01_table1",
    "blum01_table2",
    "blum01_table3",
    "blum01_table4",
)

_ITEMS: tuple[Item, ...] = tuple(import_module(f"{__name__}.{name}").ITEM for name in _NAMES)


def catalogue() -> tuple[Item, ...]:
    """Return all tables and figures."""
    return _ITEMS


def select(id_or_paper: str) -> tuple[Item, ...]:
    """Return the item with that id, or all items of that paper; ValueError if there is none."""
    found = tuple(item for item in _ITEMS if id_or_paper in (item.id, item.paper))
    if not found:
        known = sorted({item.paper for item in _ITEMS}) + [item.id for item in _ITEMS]
        raise ValueError(f"there is no table, figure or paper {id_or_paper!r}; there are: {', '.join(known)}")
    return found

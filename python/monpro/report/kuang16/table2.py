"""[kuang16, Table II]: area and delay of standard cells, by our library, beside the figures of the text."""

from collections import Counter

from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.cells import DERIVED, FCS_MMM42, MSCS_MM, NEW, NEW_PLAIN, Datapath, compared
from monpro.report.kuang16.library import CELLS, NAME, area, delay, expression
from monpro.report.table import Row, Table

PRINTED_DELAYS = {"SM3": 0.68, "MUX3": 0.63, "MUXI2": 0.23, "XOR2": 0.34}  # / T_FA [kuang16, §III-B]
SLOW_FULL_ADDER = f"1 T_FA is 3 XOR2 in the paper's library, 2 in {NAME}; its multiplexers are single cells"


def printed(value: float | None) -> float:
    """Return a figure that the text states."""
    if value is None:
        raise ValueError("the text does not have this figure")
    return value


def without(design: Datapath, other: Counter[str]) -> Counter[str]:
    """Return the cells of a design that the other does not have, with the shift register and SM3 resolved."""
    parts = {"SR": Counter(REG=1, MUX2=1), "SM3": Counter(NAND2=1, MUXI2=1, MUX2=1)}
    resolved: Counter[str] = Counter()
    for cell, count in design.cells.items():
        for part, number in parts.get(cell, Counter({cell: 1})).items():
            resolved[part] += number * count
    return resolved - other


def derived_areas() -> list[Row]:
    """Return the areas that follow from the printed sums of cells."""
    new, plain, mmm42 = (printed(design.printed_area) for design in (NEW, NEW_PLAIN, FCS_MMM42))
    extra = Counter(NAND2=1, MUXI2=1)  # what a CFA has more than an FA, and SM3 more than a MUX2
    shared = without(NEW_PLAIN, extra + Counter(FA=1))
    mmm42_rest = without(FCS_MMM42, Counter(FA=2))
    found = (
        (extra, new - plain, "the configurable adder's share"),
        (shared, new - 1 - 2 * (new - plain), "New without FA, NAND2 and MUXI2"),
        (mmm42_rest, mmm42 - 2, "FCS-MMM42 without FA"),
        (mmm42_rest - shared, mmm42 - 2 - (new - 1 - 2 * (new - plain)), "the difference of the two"),
    )
    return [
        compared(f"{expression(cells)}, area / A_FA", value, area(cells), f"{DERIVED} {note}", "")
        for cells, value, note in found
    ]


def derived_delays() -> list[Row]:
    """Return the delays that follow from the printed paths."""
    mux4 = printed(MSCS_MM.printed_delay) - 1
    rest = printed(NEW.printed_delay) - PRINTED_DELAYS["XOR2"]
    return [
        compared(
            "MUX4, delay / T_FA",
            mux4,
            delay(["MUX4"]),
            f"{DERIVED} T_MUX4 + T_FA is printed",
            SLOW_FULL_ADDER,
        ),
        compared(
            "2 MUX2 + XOR3, delay / T_FA",
            rest,
            delay(["MUX2", "MUX2", "XOR3"]),
            f"{DERIVED} New's path without XOR2",
            "",
        ),
    ]


def build(progress: Progress = silent) -> Table:
    """Return the cells beside the printed and derived figures."""
    rows = [
        compared(f"{cell}, delay / T_FA", value, delay([cell]), "", SLOW_FULL_ADDER)
        for cell, value in PRINTED_DELAYS.items()
    ]
    rows += derived_delays() + derived_areas()
    rows += [
        compared(f"{cell}, area / A_FA", None, area(Counter({cell: 1})), "lost", "")
        for cell in CELLS.areas
        if cell != "FA"
    ]
    rows += [
        compared(f"{cell}, delay / T_FA", None, delay([cell]), "lost", "")
        for cell in CELLS.delays
        if cell not in {*PRINTED_DELAYS, "MUX4", "FA"}
    ]
    progress(1, 1)
    return Table(ITEM.id, ITEM.title, tuple(rows))


ITEM = Item("kuang16.table2", "Normalized area and delay of the standard cells", "table", build)

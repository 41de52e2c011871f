"""[blum01, Figure 2]: the array of units, drawn from the RTL module monpro_mul_systolic."""

from itertools import pairwise

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import LOGIC, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[blum01, Fig. 2] m + 3 units for a modulus of m digits of k bits. Dashed: one or two bits."
LOST = "the drawing is lost; this is the RTL, monpro_mul_systolic"
NOTES = (
    (
        "To the left go the command, a_{i} and q_{i}, a clock for each unit, and the carries of the "
        "additions and of the multiples."
    ),
    ("To the right go the digits of S, which divides by 2^{k}, and in the chain z the digits of a result."),
    (
        "Unit 0 has no B-RAM: its digit of S is always 0, and q_{i} is the digit that unit 1 hands it. "
        "Unit m + 2 has no M̃-RAM; its digit has k + 1 bits, and a register keeps the top bit of S for "
        "the next iteration."
    ),
    (
        "Unit j works on iteration i of the square in clock 2i + j, and on that of the product in the "
        "clock after."
    ),
)
UNITS = ((24, "m + 2"), (144, "m + 1"), (402, "2"), (514, "1"), (626, "0"))
UNIT_WIDTH, TOP, HEIGHT = 70, 166, 160
MIDDLE = (144 + UNIT_WIDTH + 402) / 2  # between the units that are drawn
LANES = (  # height within a unit, name, whether it goes left, dash
    (24, "command, a_{i}", True, "none"),
    (54, "q_{i}", True, "none"),
    (84, "carries", True, ONE_BIT),
    (114, "S", False, "none"),
    (144, "z", False, "none"),
)


def draw_units(plan: Schematic) -> None:
    """Draw the units and what goes from one to the next."""
    units = [plan.block(x, TOP, UNIT_WIDTH, "", LOGIC, HEIGHT) for x, _ in UNITS]
    for unit, (_, number) in zip(units, UNITS, strict=True):
        plan.drawing.text(unit.top()[0], TOP + 74, "unit", size=13)
        plan.drawing.text(unit.top()[0], TOP + 96, number, size=15, weight="600")
    for left, right in pairwise(units):
        for height, _, goes_left, dash in LANES:
            ends = [(right.x, TOP + height), (left.x + UNIT_WIDTH, TOP + height)]
            plan.wire(*(ends if goes_left else reversed(ends)), dash=dash)
    plan.drawing.text(MIDDLE, TOP - 8, "… units m to 3 …", size=13)
    for height, name, _, _ in LANES:
        plan.label(MIDDLE, TOP + height - 6, name, anchor="middle")


def build(progress: Progress = silent) -> Figure:
    """Draw the array."""
    drawing = Drawing(WIDTH, 520, "Array of units for a modular multiplication", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_units(plan)
    first = (626 + UNIT_WIDTH / 2, TOP)
    plan.wire((first[0], 122), first)
    plan.label(first[0], 114, "command, a_{i}", anchor="middle")
    plan.wire((626 + UNIT_WIDTH, TOP + 144), (716, TOP + 144))
    plan.label(712, TOP + 136, "z", anchor="end")
    plan.block(24, 350, UNIT_WIDTH, "overflow", REGISTER)
    plan.wire((44, TOP + HEIGHT), (44, 350), dash=ONE_BIT)
    plan.wire((74, 350), (74, TOP + HEIGHT), dash=ONE_BIT)
    plan.label(108, 372, "top bit of S")
    y = 414.0
    for note in NOTES:
        y = plan.note(24, y, note, WIDTH - 48) + 4
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("blum01.figure2", "Array of units for a modular multiplication", "figure", build)

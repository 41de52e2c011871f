"""[blum01, Figure 3]: the exponentiator, drawn from the RTL module monpro_exp_systolic."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import CHOICE, LOGIC, MEMORY, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[blum01, Fig. 3] Squares and products on one array. Solid: digits and words; dashed: control."
LOST = "the drawing is lost; this is the RTL, monpro_exp_systolic"
NOTES = (
    (
        "The words of M̃, of R² mod M and of the base come first, then those of the exponent. M̃ and R² "
        "go into the array, digit by digit; the base and 1 go into the memory of operands as Z and P."
    ),
    (
        "A pair of products multiplies Z and P by R², then by Z for each bit of the exponent, from the "
        "lowest on. P is kept where the bit is 0. The last pair multiplies P by 1."
    ),
    (
        "The paper halves the clock of its state machine and memories. Here all run at one clock; a "
        "digit of the base comes in, and a digit of the result goes out, in every second clock."
    ),
)


def draw_control(plan: Schematic) -> None:
    """Draw the exponent and the state machine."""
    exponent = plan.block(250, 130, 170, "exponent RAM", MEMORY, height=44)
    bit = plan.block(500, 135, 140, "scanned word", REGISTER)
    plan.block(250, 232, 380, "state machine: position, step", LOGIC, height=44)
    plan.wire((178, 152), exponent.left())
    plan.wire(exponent.right(), bit.left())
    plan.wire((600, 169), (600, 232), dash=ONE_BIT)
    plan.label(606, 206, "e_{i}")


def draw_operands(plan: Schematic) -> None:
    """Draw the word register, the memory of operands and the array."""
    word = plan.block(60, 135, 118, "word", REGISTER)
    plan.wire((24, 152), word.left())
    plan.label(24, 124, "in")
    plan.wire((119, 169), (119, 320), (250, 320))
    plan.label(126, 312, "base")
    memory = plan.block(250, 298, 170, "Z and P, dual-ported", MEMORY, height=44)
    choice = plan.block(500, 303, 140, "digit or command", CHOICE)
    plan.wire(memory.right(), choice.left())
    plan.label(430, 312, "Z, P")
    plan.wire((335, 276), memory.top(), dash=ONE_BIT)
    plan.wire((570, 276), choice.top(), dash=ONE_BIT)
    plan.wire((140, 169), (140, 366), (520, 366), (520, 337))
    plan.label(150, 384, "M̃, R²")
    array = plan.block(190, 410, 450, "array of m + 3 units (Fig. 2)", LOGIC, height=44)
    plan.wire((600, 337), (600, 410))
    plan.label(606, 380, "a_{i}")
    plan.wire((630, 254), (660, 254), (660, 432), array.right(), dash=ONE_BIT)
    plan.label(666, 348, "command")
    plan.wire((220, 410), (220, 334), (250, 334))
    plan.label(206, 400, "z")
    plan.wire((276, 342), (276, 354), (80, 354), (80, 169))
    plan.label(86, 348, "P")
    plan.wire((60, 160), (24, 160))
    plan.label(24, 180, "out")


def build(progress: Progress = silent) -> Figure:
    """Draw the exponentiator."""
    drawing = Drawing(WIDTH, 610, "Modular exponentiation", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_control(plan)
    draw_operands(plan)
    y = 486.0
    for note in NOTES:
        y = plan.note(24, y, note, WIDTH - 48) + 4
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("blum01.figure3", "Modular exponentiation", "figure", build)

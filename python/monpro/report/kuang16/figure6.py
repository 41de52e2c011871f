"""[kuang16, Figure 6]: the FCS-MM-1 multiplier, drawn from its description in the text."""

from itertools import pairwise

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 6] Three levels of carry-save adders, and the barrel register full adder (BRFA)"
LOST = "the drawing is lost; blocks and wires are those that the text tells of"


def draw_datapath(plan: Schematic) -> None:
    """Draw the operands, the adders, the result and its feedback."""
    operands = [plan.block(x, 96, 90, name, REGISTER) for x, name in ((250, "BS"), (380, "BC"), (510, "N"))]
    gates = [
        plan.block(block.x, y, 90, "AND", LOGIC) for block, y in zip(operands, (168, 248, 328), strict=True)
    ]
    levels = [
        plan.block(110, y, width, "carry-save adder", ADDER)
        for y, width in ((248, 240), (328, 370), (408, 500))
    ]
    ss, sc = (plan.block(x, 490, 120, name, REGISTER) for x, name in ((150, "SS"), (320, "SC")))
    for block, gate, level in zip(operands, gates, levels, strict=True):
        plan.wire(block.bottom(), gate.top())
        plan.wire(gate.bottom(), (gate.bottom()[0], level.y))
    for level, below in pairwise(levels):
        for fraction in (0.25, 0.6):
            plan.wire(level.bottom(fraction), (level.bottom(fraction)[0], below.y))
    for register in (ss, sc):
        plan.wire((register.top()[0], levels[-1].bottom()[1]), register.top())
    plan.note(218, 472, "one bit to the right")
    plan.wire(ss.left(), (70, ss.left()[1]), (70, 226), (140, 226), (140, 248))
    plan.wire(sc.bottom(0.2), (344, 546), (46, 546), (46, 206), (190, 206), (190, 248))
    for register, name in ((ss, "SS"), (sc, "SC")):
        plan.wire(register.bottom(), (register.bottom()[0], 584))
        plan.label(register.bottom()[0] + 8, 578, name)
    quotient = plan.block(510, 490, 100, "quotient", LOGIC)
    plan.wire(sc.right(), quotient.left(), dash=ONE_BIT)
    plan.label(446, 500, "SS₀, SC₀")
    plan.wire(quotient.right(), (664, 507), (664, 345), gates[2].right(), dash=ONE_BIT)
    plan.label(670, 420, "qᵢ")
    plan.wire((560, 468), quotient.top(), dash=ONE_BIT)
    plan.label(568, 480, "Aᵢ(BS₀ + BC₀)")


def draw_barrel(plan: Schematic) -> None:
    """Draw the BRFA, which delivers one bit of A = AS + AC in each iteration."""
    plan.drawing.text(816, 100, "BRFA", weight="600")
    registers = [
        plan.block(714, y, 110, name, REGISTER) for y, name in ((120, "AS, shifts"), (176, "AC, shifts"))
    ]
    adder = plan.block(858, 146, 60, "FA", ADDER)
    flip_flop = plan.block(858, 216, 60, "FF", REGISTER)
    for register, fraction in zip(registers, (0.25, 0.75), strict=True):
        y = adder.left(fraction)[1]
        plan.wire(register.right(), (840, register.right()[1]), (840, y), adder.left(fraction), dash=ONE_BIT)
    plan.wire(adder.bottom(0.3), (adder.bottom(0.3)[0], flip_flop.y), dash=ONE_BIT)
    plan.wire(flip_flop.right(), (936, 233), (936, 190), (900, 190), adder.bottom(0.7), dash=ONE_BIT)
    plan.label(882, 208, "carry")
    plan.wire(adder.right(0.3), (954, adder.right(0.3)[1]), dash=ONE_BIT)
    plan.label(958, 160, "Aᵢ")
    plan.note(714, 286, "Aᵢ opens the gates of BS and BC.")


def build(progress: Progress = silent) -> Figure:
    """Draw the multiplier."""
    drawing = Drawing(WIDTH, 812, "FCS-MM-1 multiplier", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_datapath(plan)
    with drawing.moved(-680, 512):
        draw_barrel(plan)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure6", "FCS-MM-1 multiplier", "figure", build)

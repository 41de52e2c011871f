"""[kuang16, Figure 3]: the SCS-MM-1 multiplier, drawn from its description in the text."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 3] Two levels of carry-save adders and a format converter; dashed: one bit"
LOST = "the drawing is lost; blocks and wires are those that the text tells of"


def build(progress: Progress = silent) -> Figure:
    """Draw the multiplier."""
    drawing = Drawing(760, 600, "SCS-MM-1 multiplier", SUBTITLE, LOST)
    plan = Schematic(drawing)
    shift = plan.block(250, 96, 110, "A, shifts", REGISTER)
    b = plan.block(400, 96, 100, "B", REGISTER)
    n = plan.block(580, 96, 100, "N", REGISTER)
    gate_b = plan.block(400, 168, 100, "AND", LOGIC)
    gate_n = plan.block(580, 248, 100, "AND", LOGIC)
    level_1 = plan.block(120, 248, 400, "carry-save adder", ADDER)
    level_2 = plan.block(120, 328, 560, "carry-save adder", ADDER)
    ss = plan.block(150, 410, 120, "SS", REGISTER)
    sc = plan.block(320, 410, 120, "SC", REGISTER)
    quotient = plan.block(560, 410, 120, "quotient", LOGIC)
    converter = plan.block(150, 490, 290, "CPA_FC: 32 or 64 bits a clock", ADDER)

    plan.wire(b.bottom(), gate_b.top())
    plan.wire(shift.bottom(), (shift.bottom()[0], gate_b.left()[1]), gate_b.left(), dash=ONE_BIT)
    plan.label(shift.bottom()[0] + 8, 178, "Aᵢ")
    plan.wire(gate_b.bottom(), (gate_b.bottom()[0], level_1.y))
    plan.label(458, 226, "Aᵢ·B")
    plan.wire(n.bottom(), gate_n.top())
    plan.wire(gate_n.bottom(), (gate_n.bottom()[0], level_2.y))
    plan.label(638, 306, "qᵢ·N")
    for x in (220, 420):
        plan.wire((x, level_1.bottom()[1]), (x, level_2.y))
    plan.wire((ss.top()[0], level_2.bottom()[1]), ss.top())
    plan.wire((sc.top()[0], level_2.bottom()[1]), sc.top())
    plan.note(218, 392, "one bit to the right")
    plan.wire(ss.left(), (70, ss.left()[1]), (70, 224), (160, 224), (160, level_1.y))
    plan.wire((sc.bottom(0.2)[0], sc.bottom()[1]), (344, 466), (46, 466), (46, 204), (240, 204), (240, 248))
    plan.wire(sc.right(), quotient.left(), dash=ONE_BIT)
    plan.label(450, 420, "SS₀, SC₀")
    plan.wire((620, 386), quotient.top(), dash=ONE_BIT)
    plan.label(628, 398, "Aᵢ·B₀")
    plan.wire(quotient.right(), (720, quotient.right()[1]), (720, 265), gate_n.right(), dash=ONE_BIT)
    plan.label(726, 330, "qᵢ")
    plan.wire(ss.bottom(), (ss.bottom()[0], converter.y))
    plan.wire(sc.bottom(), (sc.bottom()[0], converter.y))
    plan.wire(converter.bottom(), (295, 566))
    plan.label(303, 556, "S = SS + SC")
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure3", "SCS-MM-1 multiplier", "figure", build)

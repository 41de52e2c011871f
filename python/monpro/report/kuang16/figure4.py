"""[kuang16, Figure 4]: the SCS-MM-2 multiplier, drawn from its description in the text."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 4] The carry-save adder converts its own result; dashed: one bit"
LOST = "the drawing is lost; blocks and wires are those that the text tells of"


def build(progress: Progress = silent) -> Figure:
    """Draw the multiplier."""
    drawing = Drawing(760, 590, "SCS-MM-2 multiplier", SUBTITLE, LOST)
    plan = Schematic(drawing)
    shift = plan.block(330, 96, 110, "A, shifts", REGISTER)
    b = plan.block(470, 96, 90, "B", REGISTER)
    n = plan.block(600, 96, 90, "N", REGISTER)
    gate_b = plan.block(470, 190, 90, "AND", LOGIC)
    gate_n = plan.block(600, 270, 90, "AND", LOGIC)
    m1 = plan.multiplexer(120, 192, 96, "M1")
    m2 = plan.multiplexer(240, 192, 96, "M2")
    level_1 = plan.block(110, 270, 460, "carry-save adder", ADDER)
    level_2 = plan.block(110, 350, 580, "carry-save adder", ADDER)
    sc = plan.block(150, 432, 120, "SC", REGISTER)
    ss = plan.block(320, 432, 120, "SS", REGISTER)
    quotient = plan.block(570, 432, 120, "quotient", LOGIC)
    zero = plan.block(150, 502, 120, "Zero_D", LOGIC)

    plan.wire(b.bottom(), gate_b.top())
    plan.wire(shift.bottom(), (shift.bottom()[0], gate_b.left()[1]), gate_b.left(), dash=ONE_BIT)
    plan.label(shift.bottom()[0] + 8, 200, "Aᵢ")
    plan.wire(gate_b.bottom(), (gate_b.bottom()[0], level_1.y))
    plan.wire(n.bottom(), gate_n.top())
    plan.wire(gate_n.bottom(), (gate_n.bottom()[0], level_2.y))
    for mux in (m1, m2):
        plan.wire(mux.bottom(), (mux.bottom()[0], level_1.y))
    for x in (240, 460):
        plan.wire((x, level_1.bottom()[1]), (x, level_2.y))
    for register in (sc, ss):
        plan.wire((register.top()[0], level_2.bottom()[1]), register.top())
    plan.wire(sc.left(), (66, sc.left()[1]), (66, 152), (144, 152), m1.top(0.25))
    plan.wire((168, 152), (192, 152), m1.top(0.75))
    plan.drawing.line((144, 152), (168, 152), "#7b8794")
    plan.label(84, 178, "SC>>1")
    plan.label(198, 178, "SC")
    plan.wire(ss.bottom(0.15), (338, 484), (42, 484), (42, 128), (264, 128), m2.top(0.25))
    plan.wire((264, 128), (312, 128), m2.top(0.75), branch=True)
    plan.label(222, 178, "SS>>1")
    plan.label(318, 178, "SS")
    plan.wire(sc.bottom(), zero.top())
    plan.wire(zero.bottom(), (210, 566), dash=ONE_BIT)
    plan.label(218, 558, "SC = 0: done")
    plan.wire(ss.bottom(), (380, 566))
    plan.label(388, 558, "S")
    plan.wire(ss.right(), quotient.left(), dash=ONE_BIT)
    plan.label(460, 442, "SS₀, SC₀")
    plan.wire((630, 410), quotient.top(), dash=ONE_BIT)
    plan.label(638, 422, "Aᵢ·B₀")
    plan.wire(quotient.right(), (726, quotient.right()[1]), (726, 287), gate_n.right(), dash=ONE_BIT)
    plan.label(730, 360, "qᵢ")
    plan.note(470, 540, "Iteration: shifted by M1 and M2.")
    plan.note(470, 557, "Conversion: not shifted, both gates 0.")
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure4", "SCS-MM-2 multiplier", "figure", build)

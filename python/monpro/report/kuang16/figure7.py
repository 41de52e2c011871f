"""[kuang16, Figure 7]: (a) the modified SCS-based algorithm, (b) the MSCS-MM multiplier."""

from monpro.report.draw.drawing import RULE, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, Schematic
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import SUBTITLE, draw
from monpro.spec import kuang16


def draw_operands(plan: Schematic) -> None:
    """Draw the operands and the multiplexers above the adder."""
    for x, name in ((890, "N"), (975, "B"), (1060, "D")):
        register = plan.block(x, 124, 70, name, REGISTER)
        plan.down(register.bottom(), (945 + (x - 890) * 0.47, 226), 190)
    plan.wire((912, 202), (912, 226))
    plan.label(908, 196, "0", anchor="middle")
    m3 = plan.multiplexer(890, 226, 160, "M3")
    m1 = plan.multiplexer(640, 226, 96, "M1")
    m2 = plan.multiplexer(760, 226, 96, "M2")
    shift = plan.block(1180, 150, 90, "A, shifts", REGISTER)
    plan.wire(shift.bottom(), (1225, 240), (1036, 240), dash=ONE_BIT)
    plan.label(1231, 226, "Aᵢ")
    for mux in (m1, m2, m3):
        plan.wire(mux.bottom(), (mux.bottom()[0], 310))
    plan.label(978, 290, "x")


def draw_result(plan: Schematic) -> None:
    """Draw the adder, the result, its feedback and the decisions made from it."""
    adder = plan.block(620, 310, 440, "carry-save adder", ADDER)
    sc = plan.block(650, 392, 110, "SC", REGISTER)
    ss = plan.block(820, 392, 110, "SS", REGISTER)
    for register in (sc, ss):
        plan.wire((register.top()[0], adder.bottom()[1]), register.top())
    plan.wire(sc.left(), (590, 409), (590, 190), (664, 190), (664, 226))
    plan.wire((664, 190), (712, 190), (712, 226), branch=True)
    plan.label(660, 218, "SC>>1", anchor="end", size=11)
    plan.label(716, 218, "SC", size=11)
    plan.wire(ss.bottom(0.15), (836.5, 444), (566, 444), (566, 164), (784, 164), (784, 226))
    plan.wire((784, 164), (832, 164), (832, 226), branch=True)
    plan.label(780, 218, "SS>>1", anchor="end", size=11)
    plan.label(836, 218, "SS", size=11)
    zero = plan.block(650, 466, 110, "Zero_D", LOGIC)
    plan.wire(sc.bottom(), zero.top())
    plan.wire(zero.bottom(), (705, 534), dash=ONE_BIT)
    plan.label(713, 528, "SC = 0: done")
    plan.wire(ss.bottom(), (875, 534))
    plan.label(883, 528, "S")
    plan.wire(ss.bottom(0.85), (913.5, 460), (1300, 460), (1300, 141), (1130, 141))
    plan.label(1306, 300, "SS")
    quotient = plan.block(1090, 310, 110, "Q_L", LOGIC)
    plan.wire(adder.right(), quotient.left(), dash=ONE_BIT)
    plan.wire((1180, 376), (1180, 344), dash=ONE_BIT)
    plan.label(1188, 372, "Aᵢ₊₁·B₀")
    plan.wire(quotient.top(0.3), (quotient.top(0.3)[0], 262), (1044, 262), (1044, 250), dash=ONE_BIT)
    plan.label(1130, 276, "qᵢ₊₁, one ahead")
    plan.note(960, 500, "The adder also makes D = B + N and the binary result:")
    plan.note(960, 518, "x = 0, SS and SC not shifted, until SC = 0.")


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec and draw the multiplier."""
    title = "MSCS-MM: the modified SCS-based Montgomery multiplication"
    drawing = Drawing(1340, 580, title, SUBTITLE.format("Fig. 7", kuang16.mscs_mm.__name__))
    draw(
        drawing,
        kuang16.mscs_mm,
        inputs="A, B < 2N, N odd, of k bits",
        output="S = A × B × R⁻¹ modulo N, below 2N, R = 2ᵏ⁺²",
        width=496,
    )
    drawing.line((546, 90), (546, 550), RULE)
    drawing.text(566, 100, "One level of carry-save adders; dashed: one bit", anchor="start")
    plan = Schematic(drawing)
    draw_operands(plan)
    draw_result(plan)
    progress(1, 1)
    return Figure(ITEM.id, ITEM.title, drawing.svg())


ITEM = Item("kuang16.figure7", "Modified SCS-based algorithm and MSCS-MM multiplier", "figure", build)

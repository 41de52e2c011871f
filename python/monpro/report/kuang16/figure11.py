"""[kuang16, Figure 11]: the SCS-MM-New multiplier, drawn from its description in the text."""

from monpro.report.draw.drawing import GREY, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 11] One level of configurable carry-save adders (CCSA); dashed: one to three bits"
INPUTS = (0.14, 0.38, 0.62, 0.86)


def draw_selection(plan: Schematic) -> None:
    """Draw the multiplexers above the adder, and their inputs."""
    for x, y, channel, vector, operand in ((110, 152, 66, "SC", "N̂"), (300, 122, 40, "SS", "B̂")):
        mux = plan.multiplexer(x, 206, 150, "M1" if vector == "SC" else "M2")
        plan.drawing.line((channel, y), (mux.top(INPUTS[2])[0], y), GREY)
        for fraction, shift in zip(INPUTS, (">>2", ">>1", "", None), strict=True):
            point = mux.top(fraction)
            plan.wire((point[0], 180 if shift is None else y), point)
            name = operand if shift is None else shift
            plan.label(point[0] + (0 if shift is None else 4), 174 if shift is None else 194, name, size=11)
        plan.wire(mux.bottom(), (mux.bottom()[0], 300))
    sm3 = plan.multiplexer(520, 206, 150, "SM3")
    for place, name in enumerate(("N̂", "B̂", "D̂")):
        register = plan.block(500 + 72 * place, 112, 58, name, REGISTER)
        plan.down(register.bottom(), sm3.top((0.2, 0.5, 0.8)[place]), 172)
    plan.wire(sm3.bottom(), (sm3.bottom()[0], 300))
    plan.label(602, 272, "x")


def draw_result(plan: Schematic) -> None:
    """Draw the adder, the result and its feedback."""
    adder = plan.block(100, 300, 580, "one-level CCSA: 1F_CSA or 2H_CSA", ADDER)
    sc = plan.block(130, 384, 110, "SC", REGISTER)
    ss = plan.block(320, 384, 110, "SS", REGISTER)
    for register in (sc, ss):
        plan.wire((register.top()[0], adder.bottom()[1]), register.top())
    plan.drawing.line(sc.left(), (66, 401), GREY)
    plan.drawing.line((66, 401), (66, 152), GREY)
    plan.drawing.line((336, 418), (336, 440), GREY)
    plan.drawing.line((336, 440), (40, 440), GREY)
    plan.drawing.line((40, 440), (40, 122), GREY)
    zero = plan.block(130, 470, 110, "Zero_D", LOGIC)
    plan.wire(sc.bottom(), zero.top())
    plan.wire(zero.bottom(), (185, 540), dash=ONE_BIT)
    plan.label(193, 534, "SC = 0: done")
    plan.wire(ss.bottom(), (375, 540))
    plan.label(383, 534, "S")
    plan.wire(ss.bottom(0.85), (413.5, 440), (850, 440), (850, 129), (702, 129))
    plan.label(856, 320, "D̂")


def draw_skipping(plan: Schematic) -> None:
    """Draw the logic that selects the next iteration."""
    low = plan.multiplexer(500, 384, 120, "M4, M5")
    plan.wire((430, 372), (470, 372), (530, 372), (530, 384), dash=ONE_BIT)
    plan.drawing.line((430, 372), (430, 390), GREY, ONE_BIT)
    plan.label(440, 366, "SS, SC: bits 4–1, by skip", size=11)
    detector = plan.block(500, 470, 120, "Skip_D", LOGIC)
    plan.wire(low.bottom(), detector.top(), dash=ONE_BIT)
    shift = plan.block(700, 470, 100, "A, shifts", REGISTER)
    plan.wire(shift.left(), detector.right(), dash=ONE_BIT)
    plan.label(626, 480, "Aᵢ₊₁, Aᵢ₊₂", size=11)
    memory = plan.block(500, 546, 120, "skip, q̂, Â", REGISTER)
    plan.wire(detector.bottom(), memory.top(), dash=ONE_BIT)
    plan.wire(memory.right(), (820, 563), (820, 220), (664, 220), dash=ONE_BIT)
    plan.label(726, 214, "q̂, Â")
    plan.note(500, 604, "skip: shift by two in M1, M2, M4 and M5, and A by two.")


def build(progress: Progress = silent) -> Figure:
    """Draw the multiplier."""
    drawing = Drawing(900, 630, "SCS-MM-New multiplier", SUBTITLE)
    plan = Schematic(drawing)
    draw_selection(plan)
    draw_result(plan)
    draw_skipping(plan)
    progress(1, 1)
    return Figure(ITEM.id, ITEM.title, drawing.svg())


ITEM = Item("kuang16.figure11", "SCS-MM-New multiplier", "figure", build)

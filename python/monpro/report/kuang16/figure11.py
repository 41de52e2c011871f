"""[kuang16, Figure 11]: the SCS-MM-New multiplier, drawn from the RTL module monpro_mul_scs_mm_new."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 11] One level of configurable carry-save adders (CCSA); dashed: one to three bits"
LOST = "the drawing is lost; this is the RTL, monpro_mul_scs_mm_new"
NOTES = (
    (
        "As in the paper: six registers of operands and results, SM3, M4, M5, Skip_D and Zero_D. M1 and "
        "M2 shift by 2 after a skip. M4 and M5 choose the same bits of SC and SS for Skip_D."
    ),
    (
        "Otherwise than in the paper: M1 and M2 have 0 where the paper has N̂ and B̂. SM3 brings N̂, "
        "then B̂, in two clocks, and saves both multiplexers an input."
    ),
)
INPUTS = (0.14, 0.38, 0.62, 0.86)


def draw_selection(plan: Schematic) -> None:
    """Draw the multiplexers above the adder, and their inputs."""
    for x, channel, y, vector in ((70, 44, 172, "SC"), (250, 22, 142, "SS")):
        mux = plan.multiplexer(x, 226, 150, "M1" if vector == "SC" else "M2")
        start = (float(channel), y)
        for fraction, shift in zip(INPUTS[:3], (">>2", ">>1", ""), strict=True):
            point = mux.top(fraction)
            plan.wire(start, (point[0], y), point, branch=start[0] != channel)
            plan.label(point[0] + 4, 214, shift)
            start = (point[0], y)
        zero = mux.top(INPUTS[3])
        plan.wire((zero[0], 206), zero)
        plan.label(zero[0], 200, "0", anchor="middle")
        plan.label(mux.top(INPUTS[1])[0], y - 6, vector, anchor="middle")
        plan.wire(mux.bottom(), (mux.bottom()[0], 306))
    sm3 = plan.multiplexer(432, 226, 150, "SM3")
    registers = [plan.block(x, 112, 52, name, REGISTER) for x, name in ((430, "N̂"), (498, "B̂"), (566, "D̂"))]
    for register, fraction in zip(registers, (0.25, 0.5, 0.75), strict=True):
        plan.down(register.bottom(), sm3.top(fraction), 186)
    plan.wire(sm3.bottom(), (sm3.bottom()[0], 306))
    plan.label(sm3.bottom()[0] + 8, 286, "x")


def draw_result(plan: Schematic) -> None:
    """Draw the adder, the result and its feedback."""
    adder = plan.block(70, 306, 512, "one-level CCSA: 1F_CSA or 2H_CSA", ADDER)
    sc, ss = (plan.block(x, 384, 100, name, REGISTER) for x, name in ((90, "SC"), (250, "SS")))
    for register in (sc, ss):
        plan.wire((register.top()[0], adder.bottom()[1]), register.top())
    plan.wire(sc.left(), (44, 401), (44, 172), (91, 172), head=False)
    plan.wire(ss.bottom(0.15), (265, 436), (22, 436), (22, 142), (271, 142), head=False)
    zero = plan.block(90, 456, 100, "Zero_D", LOGIC)
    plan.wire(sc.bottom(), zero.top())
    plan.wire(zero.bottom(), (140, 526), dash=ONE_BIT)
    plan.label(148, 520, "SC = 0")
    plan.wire(ss.bottom(), (300, 526))
    plan.label(308, 520, "S")
    plan.wire((300, 436), (696, 436), (696, 129), (618, 129), branch=True)
    plan.label(690, 170, "SS: D̂", anchor="end")


def draw_skipping(plan: Schematic) -> None:
    """Draw the logic that selects the next iteration."""
    low = plan.multiplexer(400, 384, 140, "M4, M5")
    for register_right, height in ((190, 366), (350, 374)):
        x = 440 if height == 366 else 470
        plan.wire(
            (register_right - 15, 384), (register_right - 15, height), (x, height), (x, 384), dash=ONE_BIT
        )
    plan.label(480, 372, "SC, SS: bits 4 to 1")
    detector = plan.block(420, 460, 100, "Skip_D", LOGIC)
    plan.wire(low.bottom(), detector.top(), dash=ONE_BIT)
    shift = plan.block(590, 460, 74, "A, shifts", REGISTER)
    plan.wire(shift.left(), detector.right(), dash=ONE_BIT)
    plan.label(524, 470, "A_{i+1}, A_{i+2}")
    memory = plan.block(410, 526, 120, "skip, q̂, Â", REGISTER)
    plan.wire(detector.bottom(), memory.top(), dash=ONE_BIT)
    plan.wire(memory.right(), (680, 543), (680, 240), (570, 240), dash=ONE_BIT)
    plan.label(614, 232, "q̂, Â")
    plan.wire((410, 550), (380, 550), (380, 398), (404, 398), dash=ONE_BIT)
    plan.label(374, 496, "skip", anchor="end")
    plan.wire((380, 484), (420, 484), dash=ONE_BIT, branch=True)


def build(progress: Progress = silent) -> Figure:
    """Draw the multiplier."""
    drawing = Drawing(WIDTH, 672, "SCS-MM-New multiplier", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_selection(plan)
    draw_result(plan)
    draw_skipping(plan)
    y = 590.0
    for note in NOTES:
        y = plan.note(24, y, note, WIDTH - 48) + 4
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure11", "SCS-MM-New multiplier", "figure", build)

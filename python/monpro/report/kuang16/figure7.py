"""[kuang16, Figure 7]: (a) the modified SCS-based algorithm, (b) the MSCS-MM multiplier.

The multiplier is drawn from the RTL module monpro_mul_mscs_mm.
"""

from monpro.report.draw.drawing import MARGIN, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, Schematic
from monpro.report.item import Item, Progress, silent
from monpro.report.kuang16.listing import SUBTITLE, WIDTH, draw, height_of
from monpro.spec import kuang16

LOST = "the drawing is lost; (a) is told by the text, (b) is the RTL, monpro_mul_mscs_mm"
NOTES = (
    (
        "First clock: M2 takes B, M1 nothing, M3 takes N, and the adder begins B + N. Until SC = 0: x = "
        "0, and SS and SC are not shifted. Then SS is D. The result is converted in the same way."
    ),
    ("Q_L finds q of the next iteration from the sums of this one, and stores it with the next bit of A."),
)


def draw_operands(plan: Schematic, y: float) -> None:
    """Draw the operands and the multiplexers above the adder."""
    registers = [plan.block(x, y, 56, name, REGISTER) for x, name in ((416, "N"), (490, "B"), (564, "D"))]
    m1 = plan.multiplexer(70, y + 106, 116, "M1")
    m2 = plan.multiplexer(216, y + 106, 146, "M2")
    m3 = plan.multiplexer(410, y + 106, 150, "M3")
    for register, fraction in zip(registers, (0.37, 0.6, 0.83), strict=True):
        plan.down(register.bottom(), m3.top(fraction), y + 70)
    plan.wire((m3.top(0.15)[0], y + 90), m3.top(0.15))
    plan.label(m3.top(0.15)[0], y + 84, "0", anchor="middle")
    plan.wire((registers[1].bottom()[0], y + 50), (m2.top(0.88)[0], y + 50), m2.top(0.88), branch=True)
    plan.label(m2.top(0.88)[0] + 5, y + 96, "B")
    shift = plan.block(636, y, 76, "A, shifts", REGISTER)
    bits = plan.block(596, y + 103, 66, "Â, q̂", REGISTER)
    plan.wire(bits.left(), m3.right(), dash=ONE_BIT)
    plan.wire(shift.bottom(), (674, y + 190), (650, y + 190), dash=ONE_BIT)
    plan.label(680, y + 180, "A_{i+1}")
    for mux in (m1, m2, m3):
        plan.wire(mux.bottom(), (mux.bottom()[0], y + 176))
    plan.label(m3.bottom()[0] + 8, y + 160, "x")


def draw_feedback(plan: Schematic, y: float) -> None:
    """Draw how the result comes back to the multiplexers and to D."""
    sc, ss = (plan.block(x, y + 250, 110, name, REGISTER) for x, name in ((100, "SC"), (260, "SS")))
    for register in (sc, ss):
        plan.wire((register.top()[0], y + 210), register.top())
    for register, channel, height, places in (
        (sc, 44, y + 84, (70 + 116 * 0.25, 70 + 116 * 0.75)),
        (ss, 22, y + 64, (216 + 146 * 0.15, 216 + 146 * 0.5)),
    ):
        out = register.left() if register is sc else register.bottom(0.15)
        corner = (channel, out[1]) if register is sc else (out[0], y + 304)
        below = [] if register is sc else [(channel, y + 304)]
        plan.wire(out, corner, *below, (channel, height), (places[0], height), (places[0], y + 106))
        plan.wire((places[0], height), (places[1], height), (places[1], y + 106), branch=True)
        name = "SC" if register is sc else "SS"
        plan.label(places[0] - 4, y + 101, f"{name}>>1"[2:], anchor="end")
        plan.label(places[1] + 4, y + 101, name)
    zero = plan.block(100, y + 318, 110, "Zero_D", LOGIC)
    plan.wire(sc.bottom(), zero.top())
    plan.wire(zero.bottom(), (155, y + 378), dash=ONE_BIT)
    plan.label(163, y + 374, "SC = 0")
    plan.wire(ss.bottom(), (315, y + 378))
    plan.label(323, y + 374, "S")
    plan.wire(
        (315, y + 296),
        (708, y + 296),
        (708, y + 60),
        (628, y + 60),
        (628, y + 17),
        (620, y + 17),
        branch=True,
    )
    plan.label(560, y + 290, "SS: D")


def draw_multiplier(plan: Schematic, y: float) -> None:
    """Draw (b) with its upper edge here."""
    draw_operands(plan, y)
    adder = plan.block(70, y + 176, 490, "carry-save adder", ADDER)
    draw_feedback(plan, y)
    quotient = plan.block(590, y + 173, 60, "Q_L", LOGIC, height=40)
    plan.wire(adder.right(), quotient.left(), dash=ONE_BIT)
    plan.wire((629, y + 173), (629, y + 137), dash=ONE_BIT)
    plan.wire(
        (540, y + 34),
        (540, y + 42),
        (586, y + 42),
        (586, y + 160),
        (600, y + 160),
        (600, y + 173),
        dash=ONE_BIT,
        branch=True,
    )
    plan.label(582, y + 156, "B_{0}", anchor="end")


def build(progress: Progress = silent) -> Figure:
    """Write the algorithm from its spec and draw the multiplier."""
    title = "MSCS-MM: the modified SCS-based Montgomery multiplication"
    top = height_of(kuang16.mscs_mm, ()) + 6
    drawing = Drawing(WIDTH, top + 500, title, SUBTITLE.format("Fig. 7", kuang16.mscs_mm.__name__), LOST)
    draw(
        drawing,
        kuang16.mscs_mm,
        inputs="A, B < 2N, N odd, of k bits",
        output="S = A × B × R^{−1} modulo N, below 2N, R = 2^{k+2}",
    )
    drawing.text(MARGIN, top, "(b) One level of carry-save adders; dashed: one bit", anchor="start")
    draw_multiplier(Schematic(drawing), top + 28)
    y = top + 430.0
    for note in NOTES:
        y = drawing.paragraph(MARGIN, y, note, WIDTH - 2 * MARGIN, size=12) + 4
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure7", "Modified SCS-based algorithm and MSCS-MM multiplier", "figure", build)

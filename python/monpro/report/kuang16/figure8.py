"""[kuang16, Figure 8]: full adder, configurable full adder, two half adders, simplified multiplexer."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, CHOICE, LOGIC, WIDTH, Block, Point, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 8] One cell, of bit j, where the paper draws two"
LOST = "the drawing is lost; gates and their numbers are those that the text tells of"
CONFIGURATIONS = (
    "α = 1: one full adder. α = 0: G1 and G2 are HA1 j, G3 to G5 are HA2 j, which takes the carry of HA1 j−1."
)
SLIP = (
    "Corrected: in the text, G1 of CFA j and G2 of CFA j+1 are HA1 j. It is G2 of CFA j, whose "
    "inputs are those of G1; its carry enters HA2 j+1, through the multiplexer of CFA j+1."
)
GATE = 74


def gate(plan: Schematic, x: float, y: float, kind: str, *inputs: str) -> Block:
    """Draw a gate with the names of its outer inputs above it."""
    is_multiplexer = kind.startswith("MUX")
    block = plan.block(x, y, 108 if is_multiplexer else GATE, kind, CHOICE if is_multiplexer else LOGIC)
    for place, name in enumerate(inputs):
        point = block.top((place + 1) / (len(inputs) + 1))
        plan.wire((point[0], y - 20), point)
        plan.label(point[0], y - 25, name, anchor="middle")
    return block


def out(plan: Schematic, start: Point, name: str) -> None:
    """Draw an output with its name."""
    plan.wire(start, (start[0], start[1] + 26))
    plan.label(start[0], start[1] + 42, name, anchor="middle")


def draw_full_adder(plan: Schematic, left: float) -> None:
    """Draw (a), a conventional full adder."""
    plan.drawing.text(left, 108, "(a) full adder, FA", anchor="start", weight="600")
    g1, g2 = (
        gate(plan, left, 170, "G1 XOR", "SSⱼ", "SCⱼ"),
        gate(plan, left + 170, 170, "G2 NAND", "SSⱼ", "SCⱼ"),
    )
    g3 = plan.block(left, 290, GATE, "G3 XOR", LOGIC)
    g4 = plan.block(left + 85, 290, GATE, "G4 NAND", LOGIC)
    g5 = plan.block(left + 140, 370, GATE, "G5 NAND", LOGIC)
    plan.wire(g1.bottom(0.3), g3.top(0.3))
    plan.wire((g1.bottom(0.3)[0], 240), (g4.top(0.3)[0], 240), g4.top(0.3), branch=True)
    plan.label(g3.top(0.75)[0], 258, "xⱼ", anchor="middle")
    plan.wire((g3.top(0.75)[0], 264), g3.top(0.75))
    plan.label(g4.top(0.75)[0], 258, "xⱼ", anchor="middle")
    plan.wire((g4.top(0.75)[0], 264), g4.top(0.75))
    plan.down(g4.bottom(), g5.top(0.3))
    plan.wire(g2.bottom(0.4), (g2.bottom(0.4)[0], 370))
    out(plan, g3.bottom(), "sum")
    out(plan, g5.bottom(), "carry to j+1")


def draw_configurable(plan: Schematic, left: float) -> None:
    """Draw (b), the configurable full adder."""
    plan.drawing.text(left, 108, "(b) configurable full adder, CFA", anchor="start", weight="600")
    g1, g2 = (
        gate(plan, left, 170, "G1 XOR", "SSⱼ", "SCⱼ"),
        gate(plan, left + 240, 170, "G2 NAND", "SSⱼ", "SCⱼ"),
    )
    mux = gate(plan, left + 100, 170, "MUXI2", "~xⱼ", "α", "G2ⱼ₋₁")
    g3 = plan.block(left, 290, GATE, "G3 XOR", LOGIC)
    g4 = plan.block(left + 100, 290, GATE, "G4 NAND", LOGIC)
    extra = gate(plan, left + 240, 290, "NAND")
    g5 = plan.block(left + 170, 370, GATE, "G5 NAND", LOGIC)
    plan.wire(g1.bottom(0.3), g3.top(0.3))
    plan.wire((g1.bottom(0.3)[0], 232), (g4.top(0.3)[0], 232), g4.top(0.3), branch=True)
    plan.wire(mux.bottom(0.5), (mux.bottom(0.5)[0], 250), (g3.top(0.75)[0], 250), g3.top(0.75))
    plan.wire((mux.bottom(0.5)[0], 250), (mux.bottom(0.5)[0], 290), branch=True)
    plan.wire(g2.bottom(0.65), extra.top(0.65))
    plan.label(extra.top(0.65)[0] - 6, 250, "inverted", anchor="end")
    plan.label(extra.top(0.2)[0], 264, "α", anchor="middle")
    plan.wire((extra.top(0.2)[0], 270), extra.top(0.2))
    plan.down(g4.bottom(), g5.top(0.2))
    plan.down(extra.bottom(), g5.top(0.8))
    out(plan, g3.bottom(), "sum")
    out(plan, g5.bottom(), "carry to j+1")
    plan.note(left, 480, CONFIGURATIONS, 330)


def draw_half_adders(plan: Schematic, left: float) -> None:
    """Draw (c), two rows of half adders."""
    plan.drawing.text(left, 108, "(c) two serial half adders", anchor="start", weight="600")
    columns = (left + 120, left)
    first = [
        plan.block(x, 170, 84, f"HA1 {name}", ADDER) for x, name in zip(columns, ("j", "j+1"), strict=True)
    ]
    second = [
        plan.block(x, 280, 84, f"HA2 {name}", ADDER) for x, name in zip(columns, ("j", "j+1"), strict=True)
    ]
    for upper, lower, index in zip(first, second, ("ⱼ", "ⱼ₊₁"), strict=True):
        for fraction, vector in ((0.25, "SS"), (0.75, "SC")):
            point = upper.top(fraction)
            plan.wire((point[0], 150), point)
            plan.label(point[0], 145, vector + index, anchor="middle")
        plan.wire(upper.bottom(0.75), lower.top(0.75))
        out(plan, lower.bottom(0.75), "sum")
    plan.down(first[0].bottom(0.25), second[1].top(0.95), 240)
    plan.wire(second[0].bottom(0.25), (second[0].bottom(0.25)[0], 330), (second[1].right()[0] + 14, 330))
    plan.label(left + 94, 350, "carry")
    plan.wire((left + 204 + 24, 250), (left + 204 - 12, 250), (left + 204 - 12, 280))
    plan.label(left + 232, 254, "from HA1 j−1")
    plan.wire(first[1].bottom(0.25), (first[1].bottom(0.25)[0], 236), (left - 8, 236))


def draw_multiplexer(plan: Schematic, left: float) -> None:
    """Draw (d), the simplified multiplexer."""
    plan.drawing.text(left, 108, "(d) simplified multiplexer, SM3", anchor="start", weight="600")
    low = gate(plan, left, 170, "NAND", "q̂", "N̂ⱼ")
    high = gate(plan, left + 96, 170, "MUXI2", "B̂ⱼ", "q̂", "D̂ⱼ")
    choice = plan.block(left + 40, 280, 104, "MUX2", CHOICE)
    plan.down(low.bottom(), choice.top(0.3))
    plan.down(high.bottom(), choice.top(0.7))
    plan.wire((left + 180, 297), choice.right())
    plan.label(left + 186, 301, "Â")
    out(plan, choice.bottom(), "~xⱼ")
    plan.note(left, 392, "x = 0, N̂, B̂, D̂ for (Â, q̂) = 00, 01, 10, 11", 240)


def build(progress: Progress = silent) -> Figure:
    """Draw the four parts."""
    drawing = Drawing(WIDTH, 950, "Cells of the configurable carry-save adder", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_full_adder(plan, 32)
    draw_configurable(plan, 380)
    with drawing.moved(0, 440):
        draw_half_adders(plan, 48)
        draw_multiplexer(plan, 420)
        plan.note(24, 460, SLIP, WIDTH - 48)
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure8", "Full adder, configurable full adder, two half adders, SM3", "figure", build)

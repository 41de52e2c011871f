"""[kuang16, Figure 12]: the skip detector Skip_D, from equations (5), (7) and (8)."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import CHOICE, LOGIC, Block, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[kuang16, Fig. 12] Four XOR, one of three inputs, three AND, one NOR, two multiplexers"
LOST = "the drawing is lost; blocks and wires are those that the text tells of"
WIDTH = 84


def gate(plan: Schematic, x: float, y: float, kind: str, *inputs: str) -> Block:
    """Draw a gate with the names of its outer inputs on its left."""
    block = plan.block(x, y, WIDTH, kind, CHOICE if kind == "MUX2" else LOGIC)
    for place, name in enumerate(inputs):
        point = block.left((place + 1) / (len(inputs) + 1))
        plan.wire((x - 36, point[1]), point)
        plan.label(x - 42, point[1] + 4, name, anchor="end")
    return block


def across(plan: Schematic, source: Block, target: Block, fraction: float, at: float) -> None:
    """Draw a wire from the right of a gate to the left of another, crossing over at `at`."""
    start, end = source.right(), target.left(fraction)
    plan.wire(start, (at, start[1]), (at, end[1]), end)


def build(progress: Progress = silent) -> Figure:
    """Draw the detector."""
    drawing = Drawing(760, 540, "Skip detector Skip_D", SUBTITLE, LOST)
    plan = Schematic(drawing)
    first = [
        gate(plan, 140, y, kind, *inputs)
        for y, kind, inputs in (
            (100, "XOR", ("SS₂", "SC₂")),
            (160, "AND", ("q̂", "N̂₂")),
            (220, "AND", ("SS₁", "SC₁")),
            (300, "XOR", ("SS₁", "SC₁")),
            (380, "AND", ("SS₀", "SC₀")),
        )
    ]
    second = gate(plan, 320, 160, "XOR")
    one = gate(plan, 320, 300, "XOR")
    nor = gate(plan, 320, 400, "NOR")
    for source, fraction in zip(first[:3], (0.2, 0.5, 0.8), strict=True):
        across(plan, source, second, fraction, 270)
    across(plan, first[3], one, 0.3, 262)
    across(plan, first[4], one, 0.7, 290)
    for x, y, fraction in ((262, 317, 0.25), (290, 397, 0.5)):
        plan.wire((x, y), (x, nor.left(fraction)[1]), nor.left(fraction), branch=True)
    plan.label(236, 308, "δ₁")
    plan.label(236, 390, "δ₀")
    plan.wire((250, nor.left(0.75)[1]), nor.left(0.75))
    plan.label(244, 434, "Aᵢ₊₁", anchor="end")
    quotient, operand = gate(plan, 540, 230, "MUX2"), gate(plan, 540, 440, "MUX2")
    across(plan, second, quotient, 0.3, 450)
    across(plan, one, quotient, 0.7, 450)
    plan.label(412, 172, "qᵢ₊₂")
    plan.label(412, 312, "qᵢ₊₁")
    for fraction, name in ((0.3, "Aᵢ₊₂"), (0.7, "Aᵢ₊₁")):
        point = operand.left(fraction)
        plan.wire((504, point[1]), point)
        plan.label(498, point[1] + 4, name, anchor="end")
    plan.wire(nor.right(), (582, 417), operand.top())
    plan.wire((582, 417), quotient.bottom(), branch=True)
    plan.wire((582, 417), (680, 417))
    for block, name in ((quotient, "next q̂"), (operand, "next Â")):
        plan.wire(block.right(), (680, block.right()[1]))
        plan.label(686, block.right()[1] + 4, name)
    plan.label(686, 421, "skipᵢ₊₁")
    plan.note(32, 520, "Corrected: skip is held at 0 for i = k+4, or the product is shifted once too often.")
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("kuang16.figure12", "Skip detector Skip_D", "figure", build)

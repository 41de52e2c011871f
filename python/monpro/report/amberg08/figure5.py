"""[amberg08, Figure 5]: the radix-8 processing element, drawn from the RTL, monpro_pe_scalable_right."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, WIDTH, Block, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[amberg08, Fig. 5] Right-shifting, with Booth's recoding, v = 3. Dashed: one to four bits."
LOST = "the drawing is lost; this is the RTL, monpro_pe_scalable_right with RadixLog2 = 3 and Booth = 1"
NOTES = (
    "Twelve registers of w bits: sum, carry, Y, 3Y, M̂ and 3M̂ in each of the two stages.",
    (
        "SEL 9 chooses 0, ±1, ±2, ±3 or ±4 times the operand. Even multiples need the top bits of the "
        "word before: stage 2 holds it."
    ),
    (
        ">> 3 takes three bits of the next word, of the last word copies of the sign. Not drawn: the "
        "carries from one word to the next, the carry of Q's three bits, and the window of first and "
        "last word."
    ),
)
STAGE_1, STAGE_2 = 130, 200


def draw_operand(plan: Schematic, x: float, name: str) -> Block:
    """Draw the registers of an operand and its multiple by 3 in both stages; return the selector."""
    for place, label in enumerate((name, f"3{name}")):
        left = x + 68 * place
        stages = [plan.block(left, y, 60, label, REGISTER) for y in (STAGE_1, STAGE_2)]
        plan.wire((stages[0].top()[0], 104), stages[0].top())
        plan.wire(stages[0].bottom(), stages[1].top())
        plan.wire(stages[1].bottom(), (stages[1].bottom()[0], 258))
        plan.label(stages[0].top()[0], 100, label, anchor="middle")
    selector = plan.multiplexer(x, 300, 128, "SEL 9")
    for start in (x + 30, x + 98):
        plan.wire((start, 182), (x + 64, 182), (x + 64, 300), branch=True)
    plan.wire((x + 30, 246), (x + 44, 246), (x + 44, 300), dash=ONE_BIT, branch=True)
    return selector


def draw_sum(plan: Schematic) -> None:
    """Draw the registers of Z in stage 1, and the shift by three bits."""
    shift = plan.block(40, STAGE_2, 170, ">> 3", LOGIC)
    for x, name in ((40, "sum"), (130, "carry")):
        register = plan.block(x, STAGE_1, 80, name, REGISTER)
        plan.wire((register.top()[0], 104), register.top())
        plan.label(register.top()[0], 100, name, anchor="middle")
        plan.wire(register.bottom(), (register.bottom()[0], shift.y))
        plan.wire((register.bottom()[0], shift.bottom()[1]), (register.bottom()[0], 372))
    plan.wire((80, 112), (22, 112), (22, 217), shift.left(), dash=ONE_BIT, branch=True)


def draw_quotient(plan: Schematic, selector: Block) -> None:
    """Draw how Q is found from the word that arrives."""
    adder = plan.block(580, STAGE_1, 110, "CPA, 3 bits", ADDER)
    for x, height, fraction in ((80, 112, 0.7), (170, 120, 0.3)):
        plan.wire(
            (x, height), (adder.top(fraction)[0], height), adder.top(fraction), dash=ONE_BIT, branch=True
        )
    encoder = plan.block(580, STAGE_2, 110, "Booth", LOGIC)
    register = plan.block(580, 297, 110, "Q^{i}", REGISTER)
    plan.wire(adder.bottom(), encoder.top(), dash=ONE_BIT)
    plan.wire(encoder.bottom(), register.top(), dash=ONE_BIT)
    plan.wire(register.left(), selector.right(), dash=ONE_BIT)


def draw_adders(plan: Schematic, x_y: Block, q_m: Block) -> None:
    """Draw both rows of adders, and the registers of stage 2."""
    first = plan.block(40, 372, 350, "carry-save adder", ADDER)
    second = plan.block(40, 436, 530, "carry-save adder", ADDER)
    plan.wire(x_y.bottom(), (x_y.bottom()[0], first.y))
    plan.label(x_y.bottom()[0] + 8, 356, "X^{i}·Y")
    plan.wire(q_m.bottom(), (q_m.bottom()[0], second.y))
    plan.label(q_m.bottom()[0] + 8, 400, "Q^{i}·M̂")
    for fraction in (0.25, 0.6):
        plan.wire(first.bottom(fraction), (first.bottom(fraction)[0], second.y))
    for x, name in ((130, "sum"), (330, "carry")):
        register = plan.block(x, 500, 90, name, REGISTER)
        plan.wire((register.top()[0], second.bottom()[1]), register.top())
        plan.wire(register.bottom(), (register.bottom()[0], 556))
    plan.label(450, 552, "to the next element")


def build(progress: Progress = silent) -> Figure:
    """Draw the element."""
    drawing = Drawing(WIDTH, 690, "Radix-8 processing element", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_sum(plan)
    x_y, q_m = draw_operand(plan, 262, "Y"), draw_operand(plan, 420, "M̂")
    digit = plan.block(176, 297, 56, "X^{i}", REGISTER)
    plan.wire((204, 272), digit.top(), dash=ONE_BIT)
    plan.wire(digit.right(), x_y.left(), dash=ONE_BIT)
    draw_quotient(plan, q_m)
    draw_adders(plan, x_y, q_m)
    for y, name in ((STAGE_1, "stage 1"), (STAGE_2, "stage 2")):
        drawing.text(236, y + 22, name, size=12)
    below = 582.0
    for note in NOTES:
        below = plan.note(24, below, note, WIDTH - 48) + 6
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("amberg08.figure5", "Radix-8 PE", "figure", build)

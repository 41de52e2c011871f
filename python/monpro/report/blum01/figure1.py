"""[blum01, Figure 1]: the processing element, drawn from the RTL module monpro_pe_systolic."""

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, MEMORY, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent

SUBTITLE = "[blum01, Fig. 1] Digit j of S_{i+1} = (S_{i} + q_{i}·M̃)/2^{k} + a_{i}·B, k = 4. Dashed: one bit."
LOST = "the drawing is lost; this is the RTL, monpro_pe_systolic with RadixLog2 = 4"
NOTES = (
    (
        "Each memory holds digit j of 16 multiples. It is filled from b, one multiple a clock: the "
        "adder adds b to the multiple before, and its carry goes to the unit on the left."
    ),
    (
        "b is loaded as a digit of M̃ or of B, or taken from S when a square is the next B. z hands the "
        "digits of a result on to the right."
    ),
)
RIGHT, LEFT = 700, 20


def draw_multiples(plan: Schematic) -> None:
    """Draw the digit b and the adder that makes its multiples."""
    digit = plan.block(470, 112, 70, "b", REGISTER)
    adder = plan.block(220, 112, 190, "B/M̃ adder", ADDER)
    multiple = plan.block(262, 176, 106, "multiple", REGISTER)
    carry = plan.block(90, 112, 70, "carry", REGISTER)
    plan.wire((RIGHT, 129), digit.right())
    plan.label(RIGHT, 123, "a, to load", anchor="end")
    plan.wire(digit.left(), adder.right())
    plan.wire((RIGHT, 92), (390, 92), (390, 112), dash=ONE_BIT)
    plan.label(RIGHT, 86, "multiple's carry", anchor="end")
    plan.wire(adder.left(), carry.right(), dash=ONE_BIT)
    plan.wire(carry.left(), (LEFT, 129), dash=ONE_BIT)
    plan.wire(adder.bottom(), multiple.top())
    plan.wire(multiple.left(), (200, 193), (200, 96), (260, 96), (260, 112))


def draw_memories(plan: Schematic) -> None:
    """Draw the memories of multiples with their addresses, and the adder of both multiples."""
    memories = [
        plan.block(x, 262, 130, name, MEMORY, height=46) for x, name in ((160, "B-RAM"), (380, "M̃-RAM"))
    ]
    plan.wire((315, 162), (430, 162), (430, 236), (445, 236), memories[1].top(), branch=True)
    plan.wire((430, 236), (225, 236), memories[0].top(), branch=True)
    plan.label(440, 206, "16 × 4 bits")
    for memory, name, y in ((memories[0], "a_{i}", 330), (memories[1], "q_{i}", 285)):
        plan.wire((RIGHT, y), *((330, y), (330, 285))[: 2 * (memory is memories[0])], memory.right())
        plan.label(RIGHT, y - 6, name, anchor="end")
    adder = plan.block(180, 366, 300, "B + M̃ adder", ADDER)
    plan.wire(memories[0].bottom(), (225, 366))
    plan.wire(memories[1].bottom(), (445, 366))
    total = plan.block(180, 436, 300, "S + B + M̃ adder", ADDER)
    plan.wire(adder.bottom(), total.top())
    carry = plan.block(60, 401, 76, "carries", REGISTER)
    plan.wire(adder.left(), (98, 383), carry.top(), dash=ONE_BIT)
    plan.wire(total.left(), (98, 453), carry.bottom(), dash=ONE_BIT)
    plan.wire(carry.left(), (LEFT, 418), dash=ONE_BIT)
    plan.wire((RIGHT, 383), adder.right(), dash=ONE_BIT)
    plan.wire((RIGHT, 453), total.right(), dash=ONE_BIT)
    plan.label(RIGHT, 377, "carry 0", anchor="end")
    plan.label(RIGHT, 447, "carry 1", anchor="end")
    plan.wire((LEFT, 476), (160, 476), (160, 462), total.left(0.76))
    plan.label(LEFT, 470, "S_{i}")


def draw_outputs(plan: Schematic) -> None:
    """Draw the digit of the sum, the chain of results, and the registers of what goes to the left."""
    digit = plan.block(295, 506, 70, "S", REGISTER)
    plan.wire((330, 470), digit.top())
    plan.wire(digit.right(), (RIGHT, 523))
    plan.label(RIGHT, 514, "S_{i+1}", anchor="end")
    plan.wire((330, 488), (580, 488), (580, 172), (505, 172), (505, 146), branch=True)
    plan.label(586, 200, "a square")
    choice = plan.multiplexer(470, 572, 90, "last")
    result = plan.block(600, 569, 50, "z", REGISTER)
    plan.wire((500, 488), (500, 572), branch=True)
    plan.wire((LEFT, 556), (530, 556), (530, 572))
    plan.label(LEFT, 550, "z")
    plan.wire(choice.bottom(), (515, 612), (580, 612), (580, 586), result.left())
    plan.wire(result.right(), (RIGHT, 586))
    plan.label(RIGHT, 580, "z", anchor="end")
    command = plan.block(240, 630, 190, "command, a_{i}, q_{i}", REGISTER)
    plan.wire((RIGHT, 647), command.right())
    plan.label(RIGHT, 640, "command, a_{i}, q_{i}", anchor="end")
    plan.wire(command.left(), (LEFT, 647))
    plan.drawing.text(LEFT, 688, "← unit j + 1", size=13, anchor="start", weight="600")
    plan.drawing.text(RIGHT, 688, "unit j − 1 →", size=13, anchor="end", weight="600")


def build(progress: Progress = silent) -> Figure:
    """Draw the unit."""
    drawing = Drawing(WIDTH, 792, "Processing element (unit)", SUBTITLE, LOST)
    plan = Schematic(drawing)
    draw_multiples(plan)
    draw_memories(plan)
    draw_outputs(plan)
    y = 716.0
    for note in NOTES:
        y = plan.note(24, y, note, WIDTH - 48) + 4
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("blum01.figure1", "Processing element (unit)", "figure", build)

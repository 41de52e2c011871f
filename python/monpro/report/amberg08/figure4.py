"""[amberg08, Figure 4]: the datapaths of the elements, drawn from the RTL modules of this project."""

from dataclasses import dataclass

from monpro.report.draw.drawing import Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.schematic import ADDER, LOGIC, ONE_BIT, REGISTER, WIDTH, Schematic
from monpro.report.item import Item, Progress, silent
from monpro.spec.amberg08 import hard_multiples

SUBTITLE = "[amberg08, Fig. 4] Dashed: v bits, and a sign with Booth's recoding. Everything else has w bits."
LOST = (
    "the drawing is lost; these are the RTL modules monpro_pe_scalable_left, for (c) _right, and their cells"
)
NOTES = (
    "Z comes from the element before as a sum and a carry vector, without its lowest v bits.",
    (
        "Q is made of these v bits: a short adder (CPA) resolves them, and ENC recodes them for Booth. "
        "X is recoded before it reaches the elements."
    ),
    (
        "SEL chooses a multiple; it shifts Y and 3Y for even multiples and complements them for "
        "negative ones. The 1 that completes a complement enters the adders at a carry that is free."
    ),
)


@dataclass(frozen=True)
class Datapath:
    """One of the three datapaths."""

    title: str
    radix_log2: int
    booth: bool

    @property
    def stored(self) -> list[int]:
        """Return the multiples that have a register."""
        return [1, *hard_multiples(self.radix_log2, booth=self.booth)]

    @property
    def choices(self) -> int:
        """Return the number of multiples among which a selector chooses."""
        return (1 << self.radix_log2) + self.booth


DATAPATHS = (
    Datapath("(a) Radix 4, non-Booth", 2, booth=False),
    Datapath("(b) Radix 4, Booth", 2, booth=True),
    Datapath("(c) Radix 8, Booth", 3, booth=True),
)


def draw_multiples(plan: Schematic, x: float, y: float, name: str, path: Datapath) -> tuple[float, float]:
    """Draw the registers of an operand's multiples and their selector; return the middle of its output."""
    selector = plan.multiplexer(x, y + 66, 104, f"SEL {path.choices}")
    width = 48
    left = x + (104 - len(path.stored) * (width + 8) + 8) / 2
    for place, multiple in enumerate(path.stored):
        label = name if multiple == 1 else f"{multiple}{name}"
        register = plan.block(left + place * (width + 8), y, width, label, REGISTER)
        plan.wire(register.bottom(), (register.bottom()[0], selector.y))
    return selector.bottom()


def draw_datapath(plan: Schematic, x: float, y: float, path: Datapath) -> None:
    """Draw a datapath with its upper left corner here."""
    plan.drawing.text(x, y, path.title, anchor="start", weight="600")
    first = plan.block(x, y + 176, 160, "CSA", ADDER)
    second = plan.block(x, y + 238, 276, "CSA", ADDER)
    for line in (x + 8, x + 26):
        plan.wire((line, y + 24), (line, first.y))
    plan.label(x + 36, y + 24, "Z: sum, carry")
    x_y = draw_multiples(plan, x + 54, y + 54, "Y", path)
    q_m = draw_multiples(plan, x + 172, y + 54, "M̂", path)
    plan.wire(x_y, (x_y[0], first.y))
    plan.wire(q_m, (q_m[0], second.y))
    plan.label(x_y[0] + 6, y + 168, "X^{i}·Y")
    plan.label(q_m[0] + 6, y + 226, "Q^{i}·M̂")
    plan.wire((x + 38, y + 134), (x + 62, y + 134), dash=ONE_BIT)
    plan.label(x + 34, y + 126, "X^{i}")
    for fraction in (0.3, 0.75):
        plan.wire(first.bottom(fraction), (first.bottom(fraction)[0], second.y))
    adder = plan.block(x + 290, y + 54, 50, "CPA", ADDER)
    for line, height, fraction in ((x + 8, y + 34, 0.7), (x + 26, y + 42, 0.3)):
        plan.wire(
            (line, height), (adder.top(fraction)[0], height), adder.top(fraction), dash=ONE_BIT, branch=True
        )
    below = (adder.bottom()[0], y + 134)
    if path.booth:
        encoder = plan.block(x + 290, y + 117, 50, "ENC", LOGIC)
        plan.wire(adder.bottom(), encoder.top(), dash=ONE_BIT)
        plan.wire(encoder.left(), (x + 268, y + 134), dash=ONE_BIT)
    else:
        plan.wire(adder.bottom(), below, (x + 268, y + 134), dash=ONE_BIT)
    plan.label(x + 296, y + 166, "Q^{i}")
    for place, name in enumerate(("sum", "carry")):
        register = plan.block(x + 20 + 130 * place, y + 300, 100, name, REGISTER)
        plan.wire((register.top()[0], second.bottom()[1]), register.top())
        plan.wire(register.bottom(), (register.bottom()[0], y + 358))
    plan.label(x + 262, y + 354, "to the next")


def build(progress: Progress = silent) -> Figure:
    """Draw the three datapaths."""
    drawing = Drawing(WIDTH, 872, "Parallel high-radix datapaths", SUBTITLE, LOST)
    plan = Schematic(drawing)
    for path, (x, y) in zip(DATAPATHS, ((24, 110), (372, 110), (24, 500)), strict=True):
        draw_datapath(plan, x, y, path)
    below = 524.0
    for note in NOTES:
        below = plan.note(396, below, note, 300) + 10
    progress(1, 1)
    return drawing.figure(ITEM.id, ITEM.title)


ITEM = Item("amberg08.figure4", "Parallel high-radix datapaths", "figure", build)

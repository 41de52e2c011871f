"""An algorithm of [kuang16] as text, generated from its spec."""

from collections.abc import Callable

from monpro.report.draw.drawing import MARGIN, RULE, Drawing
from monpro.report.draw.figure import Figure
from monpro.report.draw.listing import LINE_HEIGHT, Line, write
from monpro.spec.numbered import steps

WIDTH = 720
TOP = 154
SUBTITLE = "[kuang16, {}], written from monpro.spec.kuang16.{}"
LOST = "the drawing is lost; steps, names and numbers are those that the text tells of"


def height_of(algorithm: Callable[..., object], notes: tuple[str, ...]) -> int:
    """Return the height that `draw` needs."""
    return TOP + LINE_HEIGHT * len(steps(algorithm)) + 22 * len(notes) + 40


def draw(
    drawing: Drawing,
    algorithm: Callable[..., object],
    *,
    inputs: str,
    output: str,
    notes: tuple[str, ...] = (),
) -> None:
    """Write the inputs, the output and the numbered steps of an algorithm, and notes below."""
    drawing.text(MARGIN, 100, f"Inputs: {inputs}", anchor="start")
    drawing.text(MARGIN, 122, f"Output: {output}", anchor="start")
    drawing.line((MARGIN, TOP - 18), (WIDTH - MARGIN, TOP - 18), RULE)
    lines = [Line(step.number, step.depth, step.text) for step in steps(algorithm)]
    y = write(drawing, lines, MARGIN, TOP + 4, names_width=30)
    drawing.line((MARGIN, y - 8), (WIDTH - MARGIN, y - 8), RULE)
    for note in notes:
        y += 22
        drawing.paragraph(MARGIN, y - 8, note, WIDTH - 2 * MARGIN, size=12)


def listing(  # noqa: PLR0913  # what a listing has around it
    item: tuple[str, str],
    figure: str,
    title: str,
    algorithm: Callable[..., object],
    *,
    inputs: str,
    output: str,
    notes: tuple[str, ...] = (),
) -> Figure:
    """Return an algorithm as a figure; `item` is its id and its title."""
    subtitle = SUBTITLE.format(figure, algorithm.__name__)
    drawing = Drawing(WIDTH, height_of(algorithm, notes), title, subtitle, LOST)
    draw(drawing, algorithm, inputs=inputs, output=output, notes=notes)
    return drawing.figure(*item)

"""An algorithm of [kuang16] as text, generated from its spec."""

from collections.abc import Callable

from monpro.report.draw.drawing import GREY, MONOSPACE, RULE, Drawing
from monpro.spec.numbered import steps

LINE = 23
TOP = 154
SUBTITLE = "[kuang16, {}], written from monpro.spec.kuang16.{}"


def height_of(algorithm: Callable[..., object], notes: tuple[str, ...]) -> int:
    """Return the height of the page that `draw` needs."""
    return TOP + LINE * len(steps(algorithm)) + 22 * len(notes) + 40


def draw(  # noqa: PLR0913  # what a listing has around it
    drawing: Drawing,
    algorithm: Callable[..., object],
    *,
    inputs: str,
    output: str,
    notes: tuple[str, ...] = (),
    left: float = 32,
    width: float = 656,
) -> None:
    """Write the inputs, the output and the numbered steps of an algorithm, and notes below."""
    drawing.text(left, 100, f"Inputs: {inputs}", anchor="start")
    drawing.text(left, 122, f"Output: {output}", anchor="start")
    drawing.line((left, TOP - 18), (left + width, TOP - 18), RULE)
    y = TOP + 4
    for step in steps(algorithm):
        drawing.text(left + 34, y, step.number, anchor="end", colour=GREY, font=MONOSPACE, size=13)
        drawing.text(left + 50 + 26 * step.depth, y, step.text, anchor="start", font=MONOSPACE, size=13)
        y += LINE
    drawing.line((left, y - 8), (left + width, y - 8), RULE)
    for note in notes:
        y += 22
        drawing.text(left, y - 8, note, anchor="start", size=12, colour=GREY)


def listing(  # noqa: PLR0913  # as above
    figure: str,
    title: str,
    algorithm: Callable[..., object],
    *,
    inputs: str,
    output: str,
    notes: tuple[str, ...] = (),
) -> str:
    """Return a page with an algorithm as SVG text."""
    subtitle = SUBTITLE.format(figure, algorithm.__name__)
    drawing = Drawing(720, height_of(algorithm, notes), title, subtitle)
    draw(drawing, algorithm, inputs=inputs, output=output, notes=notes)
    return drawing.svg()

"""A published figure, drawn again from a computation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure: its id, such as `koc96.figure1`, the title in the paper, and the drawing as SVG text."""

    id: str
    title: str
    svg: str

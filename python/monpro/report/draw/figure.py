"""A published figure, drawn again from a computation."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """A figure: its id, such as `koc96.figure1`, the title in the paper, and the drawing as SVG text.

    `reconstructed` tells why the figure is a reconstruction, if the paper's own drawing is lost.
    """

    id: str
    title: str
    svg: str
    reconstructed: str | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the figure as plain data, for JSON."""
        return {
            "id": self.id,
            "title": self.title,
            "svg": self.svg,
            "reconstructed": self.reconstructed,
        }

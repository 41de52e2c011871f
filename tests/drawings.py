"""What is written on a drawing, for tests."""

from xml.etree import ElementTree as ET

from monpro.report.draw.text import MONOSPACE, runs

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ET.Element:
    """Return the root of a drawing."""
    return ET.fromstring(svg)  # noqa: S314  # written by this package


def texts(root: ET.Element) -> list[str]:
    """Return the texts of a drawing, each with its subscripts and marks in one string."""
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def written(text: str) -> str:
    """Return a text as `texts` finds it on a drawing."""
    return "".join(run.text for run in runs(text, MONOSPACE))

"""Text with subscripts, superscripts, hats and tildes, as runs that an SVG text is made of.

A subscript is written `_{i+1}`, a superscript `^{k}`. Those of Unicode, such as ᵢ₊₁, are drawn in the
same way: fonts set them far apart. A letter with a combining circumflex or tilde, such as N̂, is drawn as the
letter and a mark above its middle: few fonts place the combining character themselves.
"""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as ET

FONT = "Arial, 'Liberation Sans', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
MONOSPACE = "'DejaVu Sans Mono', Menlo, Consolas, monospace"

MARKS = {"\u0302": "\u02c6", "\u0303": "\u02dc"}  # combining characters, and marks with a width of their own
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖ", "0123456789+−ijk")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ᵏ", "0123456789+−()k")
_TOKEN = re.compile(
    rf"([_^])\{{([^}}]*)\}}|([₀-₉₊₋ᵢⱼₖ]+)|([⁰¹²³⁴-⁹⁺⁻⁽⁾ᵏ]+)|(.)([{''.join(MARKS)}])", re.DOTALL
)

SMALL = 0.72  # the size of a subscript, in units of the text's
LOWERED, RAISED = 0.26, -0.36  # how far its base line is below that of the text
LIFT = 0.17  # of a mark above a capital letter
MONOSPACE_ADVANCE = 0.602
MARK_ADVANCE = 0.333
ADVANCES = {"A": 0.667, "B": 0.667, "M": 0.833, "X": 0.667, "Y": 0.667, "q": 0.556, "x": 0.5}
ADVANCE = 0.72  # of other letters that have a mark
AVERAGE_ADVANCE = 0.52  # of a proportional font's characters, to break lines


@dataclass(frozen=True)
class Run:
    """A piece of text, its size relative to the whole, and the steps before it, in units of the size."""

    text: str
    size: float = 1
    right: float = 0
    down: float = 0


def runs(string: str, font: str) -> list[Run]:
    """Return the runs of a text."""
    found: list[Run] = []
    right = down = 0.0  # to where the next run begins
    end = 0

    def add(text: str) -> None:
        nonlocal right, down
        if text:
            found.append(Run(text, 1, right, down))
            right = down = 0.0

    for token in _TOKEN.finditer(string):
        kind, braced, subscript, superscript, letter, mark = token.groups()
        add(string[end : token.start()] + (letter or ""))
        end = token.end()
        if kind or subscript or superscript:
            shift = RAISED if kind == "^" or superscript else LOWERED
            small = braced or (subscript or superscript).translate(SUBSCRIPTS | SUPERSCRIPTS)
            found.append(Run(small, SMALL, right, down + shift))
            right, down = 0.0, -shift
        else:
            width, over = _advances(letter, font)
            lift = LIFT if letter.isupper() else 0.0
            found.append(Run(MARKS[mark], 1, -(width + over) / 2, -lift))
            right, down = (width - over) / 2, lift
    add(string[end:])
    return found


def fill(element: ET.Element, string: str, size: float, font: str) -> None:
    """Give an SVG text its string, by runs if it has more than one."""
    pieces = runs(string, font)
    if len(pieces) <= 1:
        element.text = string
        return
    for piece in pieces:
        attributes = {"dx": piece.right * size, "dy": piece.down * size}
        shown = {name: f"{value:.2f}" for name, value in attributes.items() if value}
        if piece.size != 1:
            shown["font-size"] = f"{piece.size * size:.1f}"
        ET.SubElement(element, "tspan", shown).text = piece.text


def plain(string: str) -> str:
    """Return a text without the marks of subscripts and superscripts."""
    return _TOKEN.sub(lambda token: token[2] if token[1] else token[0], string)


def lines(string: str, size: float, width: float) -> list[str]:
    """Break a text into lines that are about this wide."""
    most = int(width / (AVERAGE_ADVANCE * size))
    broken = [""]
    for word in string.split():
        longer = f"{broken[-1]} {word}".strip()
        if len(longer) <= most:
            broken[-1] = longer
        else:
            broken.append(word)
    return broken


def _advances(letter: str, font: str) -> tuple[float, float]:
    """Return the widths of a letter and of the mark above it."""
    if font == MONOSPACE:
        return MONOSPACE_ADVANCE, MONOSPACE_ADVANCE
    return ADVANCES.get(letter, ADVANCE), MARK_ADVANCE

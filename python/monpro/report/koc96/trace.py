"""The traced run from which the figures of [koc96] are drawn: s = 4 words of w = 8 bits."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from monpro.spec import koc96
from monpro.spec.counting import Event

WIDTH_BITS, WORDS = 8, 4
X, Y, MODULUS = 0xC5A3_7F19, 0x9E42_D10B, 0xE7B5_4C21

LOST = "the drawing is lost; the caption tells what it shows, a traced run the words"
SUBTITLE = (
    f"drawn from a run of the spec with w = {WIDTH_BITS}: a = {X:x}, b = {Y:x}, n = {MODULUS:x} (hexadecimal)"
)

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def trace(method: koc96.Method) -> list[Event]:
    """Return every statement the method executes, in order."""
    return koc96.run(method, X, Y, n=MODULUS, w=WIDTH_BITS, s=WORDS).machine.events


def iterations(events: Sequence[Event]) -> list[list[Event]]:
    """Split the events of one loop into its iterations: all begin with the statement of the first event."""
    starts = [index for index, event in enumerate(events) if event.line == events[0].line]
    return [list(events[start:end]) for start, end in zip(starts, [*starts[1:], len(events)], strict=True)]


def index_of(word: str) -> int:
    """Return 3 for the word t[3]."""
    return int(re.findall(r"\d+", word)[0])


def memory(events: Iterable[Event]) -> dict[str, int]:
    """Return the words the events have written, with their last values."""
    return {name: value for event in events for name, value in event.writes}


def array(values: dict[str, int], name: str, length: int) -> dict[int, str]:
    """Return the words of an array, zero where nothing was written yet, as hexadecimal digits by index."""
    return {k: f"{values.get(f'{name}[{k}]', 0):0{WIDTH_BITS // 4}x}" for k in range(length)}


@dataclass(frozen=True)
class Product:
    """One executed product of two words, such as a[2] and b[1], and the first word its statement reads."""

    left: str
    right: str
    first_read: str
    order: int  # among the products of the events it was found in, from 1

    @property
    def label(self) -> str:
        """Return a₂b₁."""
        return letter(self.left) + letter(self.right)


def products(events: Iterable[Event]) -> list[Product]:
    """Return every product of two words, in order of execution."""
    found = [(*pair, event.reads[0]) for event in events for pair in event.products]
    return [Product(*names, order) for order, names in enumerate(found, 1)]


def letter(word: str) -> str:
    """Return a₂ for the word a[2], m for the variable m, S for a register."""
    if not word:
        return "S"
    return "m" if word == "m[0]" else word.partition("[")[0] + str(index_of(word)).translate(_SUBSCRIPTS)


def power(letter: str, iteration: int) -> str:
    """Return a letter with its iteration, as the captions write it: m⁽¹⁾."""
    return f"{letter}⁽{str(iteration).translate(_SUPERSCRIPTS)}⁾"

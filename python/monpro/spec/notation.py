"""The papers' notation: turns the source of a spec, and what it executed, back into printed pseudo-code."""

import inspect
import linecache
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from monpro.spec.counting import Event


def tight(bound: str) -> str:
    """Return a loop bound as printed: `2 * s - 1` as `2s-1`."""
    return bound.replace(" * ", "").replace(" ", "")


Replacement = str | Callable[[re.Match[str]], str]

CHANGES: tuple[tuple[str, Replacement], ...] = (  # made in this order, in one source line
    (r"\s*#.*$", ""),
    (r"machine\.register\((\w+)\)", r"\1"),
    (r"^(\w+), (\w+) = words\((.*?)(, extra_bits=1)?\)$", r"(\1,\2) := \3"),
    (r"^for (\w+) in to\((.+), (.+)\):$", lambda loop: f"for {loop[1]}={tight(loop[2])} to {tight(loop[3])}"),
    (r" = ", r" := "),
    (r" % W", r" mod W"),
    (r"\bn_prime\b", r"n'"),
    (r"\bm\[0\]", r"m"),  # the one-word variable m is an array here because it lives in memory
    (r" \* ", r"*"),
    (r" ([+-]) (?=[^\[\]]*\])", r"\1"),  # no spaces inside an index
    (r" ?:\]", r"]"),  # ADD(t[i :], C): the array that begins at t[i]
    (r"^ADD\((.*), C\)$", r"ADD(\1,C)"),
)


def as_printed(line: str) -> str:
    """Return one source line of a spec in the notation of [koc96]."""
    text = line.strip()
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    return text


def listing(function: Callable[..., object]) -> list[str]:
    """Return the pseudo-code of a spec function as the paper prints it: its loops and statements."""
    lines = [as_printed(line) for line in inspect.getsource(function).splitlines()]
    return [line for line in lines if re.match(r"for |ADD|\S+ := ", line) and "machine" not in line]


@dataclass
class Statement:
    """A line of pseudo-code: the cost of one execution, and how often it ran."""

    function: str
    text: str
    counts: Counter[str]
    iterations: int
    printed: bool


def statements(events: Iterable[Event]) -> list[Statement]:
    """Group `events` by source line: function after function as they were called, each in its own order."""
    found: dict[tuple[str, int], Statement] = {}
    for event in events:
        key = (event.file, event.line)
        if key not in found:
            text = as_printed(linecache.getline(event.file, event.line))
            found[key] = Statement(event.function, text, event.counts, 0, event.printed)
        statement = found[key]
        if statement.counts != event.counts:
            raise ValueError(f"the cost of `{statement.text}` changes from one execution to the next")
        statement.iterations += 1
    functions = [statement.function for statement in found.values()]
    return [found[key] for key in sorted(found, key=lambda key: (functions.index(found[key].function), key))]

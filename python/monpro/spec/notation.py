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

Changes = tuple[tuple[str, Replacement], ...]  # made in this order, in one source line

KOC96: Changes = (
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


KOC97: Changes = (
    (r"\s*#.*$", ""),
    (r"^(k|m|one|n_prime) = .*$", ""),  # what the paper defines in its text
    (r"\bmachine\.w\b", "w"),
    (
        r"^for (\w+) in (to|downto)\((.+), (.+)\):$",
        lambda loop: f"for {loop[1]} = {tight(loop[3])} {loop[2]} {tight(loop[4])} do",
    ),
    (r"^with machine\.when\((.+?)(, probability=ALWAYS)?\):$", r"if \1 then"),
    (r"\be >> i & 1 == 1", r"ei = 1"),
    (r"\bBIT\((\w), (\w)\) == 1", r"BIT(\1,\2)=1"),
    (r"^(\w) = machine\.temporary\(.*\)$", r"\1(x) := 0"),
    (r"^(\w) = machine\.array\(\"\w\", 1\)$", r"\1 := 0"),
    (r"^(\w+) = machine\.array\(.*, 1\)$", r"\1 := 1"),
    (r"^N0_prime := 1$", r"N0_prime[0] := 1"),
    (r"^return (?=\(|montgomery)", r"c = "),
    (r"^assign\((.*)\)$", lambda copy: copy[1].replace(", ", " = ", 1)),
    # whole polynomials
    (r"^c = \((.+)\) // (\w)$", r"c = [\1]/\2"),
    (r"^(\w) = .* \* .*$", lambda line: re.sub(r"\b(\w|n_prime)\b", r"\1(x)", line[0])),
    (r"(?<=\)) \* ", r""),
    (r" % ", r" mod "),
    # polynomials in words
    (r"^add_if\((.+), (\w), (\w)\)$", r"\2(x) := \2(x) + \1\3(x)"),
    (r"^add_\w+\(machine, (\w), (.+), (\w)\)$", r"\1(x) := \1(x) + \2\3(x)"),
    (r"(?<= )M(?=n\(x\))", r"M(x)"),
    (r"\bcoefficient\((\w), (\w)\)", r"\1\2"),
    (r"^divide_by_x\((\w)\)$", r"\1(x) := \1(x)/x"),
    (r"^divide_by_word\((\w)\)$", r"\1(x) := \1(x)/x^w"),
    (r"^spread\((\w), (\w)\)$", r"\1(x) := Σ \2ix^2i"),
    (r"^M = low_product\(machine, (.+), (.+)\)$", r"M(x) = \1\2 (mod x^w)"),
    (r"^t = remainder\(low_product\(machine, N0, (.+)\), i\)$", r"t(x) = N0(x)\1 mod x^i"),
    (r"\bt != 1\b", r"t(x) ≠ 1"),
    (r" \^ power_of_x\(machine, (.+)\)$", lambda power: f" + x^({tight(power[1])})"),
    (r"\bN0_prime\[0\]", r"N0'(x)"),
    (r"\b([HL])\[0\]", r"\1"),
    (r"\b([a-z])\[([0a-z])\](?!\[)", lambda word: f"{word[1].upper()}{word[2]}(x)"),
    # words
    (r" \^ ", r" XOR "),
    (r" & 0xFF$", r" AND 0xff"),
    (r"\b(SH[LR]|RCL)\((.+), (\d+)\)$", r"\1(\2,\3)"),
    # elements of the field
    (r"\bmontgomery_squaring\(machine, (\w+), n, N0_prime\)", r"\1·\1·r⁻¹"),
    (r"\bmontgomery_multiplication\(machine, (\w+), (\w+), n, N0_prime\)", r"\1·\2·r⁻¹"),
    (r"^a_bar = standard_multiplication\(machine, a, c_bar, n\)", r"a_bar = a·r"),  # c_bar is r
    (r"\bstandard_squaring\(machine, (\w+), n\)", r"\1·\1"),
    (r"\bstandard_multiplication\(machine, (\w+), (\w+), n\)", r"\1·\2"),
    (r"\bone_times_r\(machine, n\)", r"1·r"),
    (r"\bone\b", r"1"),
    (r"\ba_bar\b", "ā"),
    (r"\bc_bar\b", "c̄"),
    (r"\bn_prime\b", r"n'"),
    (r"^(\S+) = ", r"\1 := "),
)


def as_printed(line: str, changes: Changes = KOC96) -> str:
    """Return one source line of a spec in the notation of a paper."""
    text = line.strip()
    for pattern, replacement in changes:
        text = re.sub(pattern, replacement, text)
    return text


def listing(function: Callable[..., object], changes: Changes = KOC96) -> list[str]:
    """Return the pseudo-code of a spec function as the paper prints it: its loops and statements.

    A condition is on one line with the statement that depends on it.
    """
    source = inspect.getsource(function)
    text = "\n".join(as_printed(line, changes) for line in source.splitlines()).replace(" then\n", " then ")
    lines = text.splitlines()
    return [line for line in lines if re.match(r"for |if |ADD|\S+ := ", line) and "machine" not in line]


@dataclass
class Statement:
    """A line of pseudo-code: the cost of one execution, and how often it ran."""

    function: str
    text: str
    counts: Counter[str]
    iterations: int
    printed: bool


def statements(events: Iterable[Event]) -> list[Statement]:
    """Group `events` by source line: functions in order of calls, statements in order of lines."""
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

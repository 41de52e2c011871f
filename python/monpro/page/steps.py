"""Runs of the specs, recorded step by step, so that a reader can follow every word and every bit.

A trace is a run of the spec itself. The words-and-registers specs record their own events. The specs with
numbered steps are run under Python's tracer, which sees each line and the variables after it.
"""

import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from monpro.spec import koc96, koc97, kuang16
from monpro.spec.counting import Event
from monpro.spec.notation import KOC97, as_printed
from monpro.spec.numbered import steps as numbered_steps


@dataclass(frozen=True)
class Step:
    """One executed statement: how the paper prints it, the names it reads, and what it writes."""

    text: str
    reads: tuple[str, ...]
    writes: dict[str, str]
    phase: str = ""

    def as_list(self) -> list[object]:
        """Return the step as plain data, short because a page holds hundreds."""
        return [self.text, list(self.reads), self.writes, self.phase]


@dataclass(frozen=True)
class Trace:
    """A run: its name, what was computed, the cells that are shown in rows, its steps and its outcome."""

    id: str
    title: str
    about: str
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # the name of a row, and its cells from the left
    start: dict[str, str]  # the cells that are not empty before the first step
    steps: tuple[Step, ...]
    outcome: str
    alarms: dict[int, str] = field(default_factory=dict)  # what goes wrong, by the number of the step

    def as_dict(self) -> dict[str, object]:
        """Return the trace as plain data, for the page's script."""
        return {
            "id": self.id,
            "title": self.title,
            "about": self.about,
            "rows": [[name, list(cells)] for name, cells in self.rows],
            "start": self.start,
            "steps": [step.as_list() for step in self.steps],
            "outcome": self.outcome,
            "alarms": {str(number): text for number, text in self.alarms.items()},
        }


# ---- words: the methods of [koc96]


@dataclass(frozen=True)
class Operands:
    """The operands of a product of s words of w bits."""

    w: int
    s: int
    a: int
    b: int
    n: int

    @property
    def product(self) -> int:
        """Return a·b·r⁻¹ mod n, by Python's own arithmetic."""
        return self.a * self.b * pow(1 << self.w * self.s, -1, self.n) % self.n

    def word(self, number: int) -> str:
        """Return a word in hexadecimal digits."""
        return f"{number:0{-(-self.w // 4)}x}"


SMALL = Operands(w=8, s=3, a=0xC5A37F, b=0x9E42D1, n=0xE7B54D)
COUNTEREXAMPLE = Operands(w=4, s=3, a=0xFFE, b=0xFFE, n=0xFFF)  # the smallest for the printed CIHS


def words(name: str, method: koc96.Method, operands: Operands, title: str) -> Trace:
    """Return the run of a method of [koc96], a statement at a time."""
    run = koc96.run(method, operands.a, operands.b, n=operands.n, w=operands.w, s=operands.s)
    events = [
        event for event in run.machine.events if event.writes or event.reads
    ]  # not what is only charged
    names = {cell for event in events for cell, _ in event.writes}
    inputs = {
        f"{array}[{i}]": operands.word(number >> operands.w * i & (1 << operands.w) - 1)
        for array, number in (("a", operands.a), ("b", operands.b), ("n", operands.n))
        for i in range(operands.s)
    }
    inputs["n'[0]"] = operands.word(koc96.n0_prime(operands.n % 2**operands.w, operands.w))
    memory = {cell: operands.word(0) for cell in names}
    arrays = ["a", "b", "n", "n'", *sorted({cell.partition("[")[0] for cell in names})]
    rows = tuple((array, _cells(array, [*inputs, *names])) for array in arrays)
    right = run.result == operands.product
    verdict = (
        "which is right" if right else f"which is wrong: the product is {operands.product:x} (hexadecimal)"
    )
    about = (
        f"a = {operands.a:x}, b = {operands.b:x}, n = {operands.n:x} (hexadecimal), in {operands.s} words of "
        f"{operands.w} bits"
    )
    return Trace(
        name,
        title,
        about,
        rows,
        inputs | memory,
        tuple(_word_step(event, operands) for event in events),
        f"The result is {run.result:x}, {verdict}.",
    )


def _cells(array: str, names: list[str]) -> tuple[str, ...]:
    """Return the words of an array, the most significant first."""
    own = {name for name in names if name.partition("[")[0] == array}
    return tuple(sorted(own, key=lambda name: -int(name.partition("[")[2].rstrip("]"))))


def _word_step(event: Event, operands: Operands) -> Step:
    text = as_printed(linecache.getline(event.file, event.line).partition("#")[0])
    writes = {name: operands.word(number) for name, number in event.writes}
    return Step(text, tuple(event.reads), writes, event.function.replace("_", " "))


def printed_cihs() -> Trace:
    """Return the run of CIHS as printed on its counter-example, with an alarm where a carry is lost."""
    trace = words(
        "cihs-printed", koc96.cihs_as_printed, COUNTEREXAMPLE, "CIHS as printed, on its counter-example"
    )
    top = f"t[{COUNTEREXAMPLE.s + 1}]"
    alarms, held = {}, trace.start[top]
    for number, step in enumerate(trace.steps):
        written = step.writes.get(top)
        if written is not None:
            if step.text.endswith(":= C") and int(held, 16):
                alarms[number] = (
                    f"{top} held the carry {held}. The printed statement overwrites it with {written}. "
                    f"The right statement adds: {top} := {top} + C."
                )
            held = written
    return Trace(**{**vars(trace), "alarms": alarms})


# ---- lines: specs that are run under Python's tracer

Watch = Callable[[dict[str, Any]], dict[str, str]]


def lines(
    function: Callable[..., object], texts: dict[int, str], watch: Watch, arguments: tuple[object, ...]
) -> tuple[list[Step], object]:
    """Run a function; return a step for each of its lines that has a text, and the result.

    `watch` turns the function's variables into the cells that are shown.
    """
    found: list[Step] = []
    shown: dict[str, str] = {}
    running: list[str] = []

    def settle(frame: FrameType) -> None:
        changed = {name: value for name, value in watch(frame.f_locals).items() if shown.get(name) != value}
        if not running:
            return
        text, phase = running.pop(), str(getattr(frame.f_locals.get("adder"), "phase", ""))
        if found and found[-1].text == text and not found[-1].writes:
            found.pop()  # a step that the spec has on two lines
        found.append(Step(text, (), changed, phase))
        shown.update(changed)

    def local(frame: FrameType, kind: str, _: object) -> Any:  # noqa: ANN401  (the tracer's own type)
        settle(frame)
        if kind == "line" and frame.f_lineno in texts:
            running.append(texts[frame.f_lineno])
        return local

    def begin(frame: FrameType, _kind: str, _: object) -> Any:  # noqa: ANN401
        return local if frame.f_code is function.__code__ else None

    before = sys.gettrace()
    sys.settrace(begin)
    try:
        result = function(*arguments)
    finally:
        sys.settrace(before)
    return found, result


def source(function: Callable[..., object]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a function with their numbers."""
    first = function.__code__.co_firstlineno
    for place, line in enumerate(inspect.getsource(function).splitlines()):
        yield first + place, line.rstrip()


def numbered(function: Callable[..., object]) -> dict[int, str]:
    """Return the paper's text of each numbered step of a spec, by the line of the spec."""
    by_number = {step.number: step for step in numbered_steps(function)}
    texts = {}
    for place, line in source(function):
        code, _, number = line.rpartition("# ")
        if code.strip() and number in by_number:
            texts[place] = f"{number}. {by_number[number].text}"
        elif code.strip() and re.fullmatch(r"\d+-\d+", number):
            texts[place] = f"{number}. x is 0, N̂, B̂ or D̂, by the bits Â and q̂"
    return texts


K, A, B, N = 6, 0b101101, 0b110110, 0b111011  # N ≡ 3 (mod 4): the printed number of iterations is enough


def _carry_save(values: dict[str, Any]) -> dict[str, str]:
    """Return the registers of SCS-MM-New as bits."""
    width = K + 6
    shown = {}
    for name in ("SS", "SC"):
        vectors = values.get(name) or {}
        if vectors:
            shown[name] = f"{vectors[max(vectors)]:0{width}b}"
    for name, title in (("i", "i"), ("q_hat", "q̂"), ("A_hat", "Â"), ("x", "x"), ("D_hat", "D̂")):
        if name in values:
            wide = name in ("x", "D_hat")
            shown[title] = f"{values[name]:0{width}b}" if wide else str(int(values[name]))
    skip = values.get("skip") or {}
    if skip:
        shown["skip"] = str(int(skip[max(skip)]))
    return shown


def carry_save() -> Trace:
    """Return a run of SCS-MM-New, a step of Fig. 10 at a time."""
    adder = kuang16.Adder()
    spec = kuang16.scs_mm_new
    found, result = lines(spec, numbered(spec), _carry_save, (A, B, N, K, adder))
    assert isinstance(result, int)  # noqa: S101  (the spec's own type)
    right = A * B * pow(1 << K + 2, -1, N) % N
    verdict = "which is right" if result % N == right else "which is wrong"
    return Trace(
        "scs-mm-new",
        "SCS-MM-New: a carry-save product of [kuang16]",
        f"A = {A}, B = {B}, N = {N}, k = {K}: a product of {K} bits, a step of [kuang16, Fig. 10] at a time",
        (
            ("carry-save pair", ("SS", "SC")),
            ("addend and sum", ("x", "D̂")),
            ("control", ("i", "q̂", "Â", "skip")),
        ),
        {},
        tuple(found),
        f"The result is {result} after {adder.clocks.total()} clocks, {result % N} modulo N, {verdict}.",
    )


# ---- a product of words over GF(2)

HYBRID_A, HYBRID_B, HYBRID_BITS = 0x0001, 0x0100, 16


def printed_hybrid() -> Trace:
    """Return the run of MULGF2 by the hybrid method as printed, on its counter-example [koc97, §7]."""
    machine = koc97.Processor(HYBRID_BITS, 1)
    a, b = (machine.array(name, 1, word)[0] for name, word in (("a", HYBRID_A), ("b", HYBRID_B)))
    spec = koc97.hybrid_16_as_printed
    texts = {place: as_printed(line, KOC97) for place, line in source(spec) if re.match(r" +\w+ = ", line)}

    def watch(values: dict[str, Any]) -> dict[str, str]:
        short = {name: f"{int(values[name]):02x}" for name in ("a1", "a0", "b1", "b0") if name in values}
        return short | {name: f"{int(values[name]):04x}" for name in ("L", "H") if name in values}

    found, result = lines(spec, texts, watch, (a, b))
    assert isinstance(result, tuple)  # noqa: S101  (the spec's own type)
    high, low = map(int, result)
    right = [f"{int(word):04x}" for word in koc97.hybrid_16(a, b)]
    place = next(number for number, step in enumerate(found) if "L" in step.writes)
    return Trace(
        "hybrid-16-printed",
        "the hybrid product of 16 bits as printed, on its counter-example",
        f"a = {HYBRID_A:04x}, b = {HYBRID_B:04x} (hexadecimal polynomials over GF(2)); the product has the "
        f"words H = {right[0]} and L = {right[1]}",
        (("operands", ("a", "b")), ("bytes", ("a1", "a0", "b1", "b0")), ("product", ("H", "L"))),
        {"a": f"{HYBRID_A:04x}", "b": f"{HYBRID_B:04x}"},
        tuple(found),
        f"The result is H = {high:04x}, L = {low:04x}, which is wrong: H = {right[0]}, L = {right[1]}.",
        {place: f"The sum of table entries is shifted right and vanishes. Shifted left, L is {right[1]}."},
    )


# ---- chains of products

CHAIN_BITS, CHAIN_LENGTH, CHAIN_EXTRA = 8, 8, 2


def chain(k: int, extra: int) -> Iterator[int]:
    """Yield the results of squaring again and again by SCS-MM-New, N = 2^k − 3.

    The loop runs k + `extra` + 2 times: the paper's number of iterations for `extra` = 0.
    """
    modulus = 2**k - 3
    value = 2 * modulus - 1
    for _ in range(CHAIN_LENGTH):
        value = kuang16.scs_mm_new(value, value, modulus, k + extra, kuang16.Adder())
        yield value


def printed_chain() -> Trace:
    """Return a chain of squares whose results outgrow their bound with the printed iterations [kuang16]."""
    modulus = 2**CHAIN_BITS - 3
    bound = 2 * (kuang16.n_hat(modulus) - 1)
    pairs = list(zip(chain(CHAIN_BITS, 0), chain(CHAIN_BITS, CHAIN_EXTRA), strict=True))
    found = tuple(
        Step(f"S := S·S·R⁻¹, product {place}", (), {"as printed": str(short), "two more": str(enough)})
        for place, (short, enough) in enumerate(pairs, 1)
    )
    alarms = {
        place: f"{short} is not below the bound {bound}. The next product grows further."
        for place, (short, _) in enumerate(pairs)
        if short >= bound
    }
    return Trace(
        "chain-printed",
        "a chain of squares by SCS-MM-New that grows without bound",
        f"N = {modulus}, which is 1 modulo 4, so N̂ = 3N + 1. S begins at 2N − 1 = {2 * modulus - 1}. The "
        f"left cell has the printed k + 2 iterations, the right two more. The bound is 2·3N = {bound}.",
        (("S", ("as printed", "two more")), ("bound", ("2·3N",))),
        {"2·3N": str(bound)},
        found,
        f"As printed, S has reached {pairs[-1][0]}. With two more iterations, S stays below {bound}.",
        alarms,
    )


def all_traces() -> tuple[Trace, ...]:
    """Return every run that the page lets a reader step through."""
    titles = {
        "sos": "SOS: the whole product, then its reduction",
        "cios": "CIOS: product and reduction, a row of each in turn",
        "fios": "FIOS: both in one inner loop",
        "fips": "FIPS: one word of the result after the other",
        "cihs": "CIHS, corrected",
    }
    methods = (words(name, method, SMALL, titles[name]) for name, method in koc96.METHODS.items())
    return (*methods, carry_save(), printed_cihs(), printed_hybrid(), printed_chain())

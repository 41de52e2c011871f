# ruff: noqa: N802  (SHL, SHR, RCL and BIT are the papers' names of instructions)
"""A machine that runs a paper's pseudo-code and records each statement it executes.

A spec is written with the paper's own names: arrays `t`, `a`, `n` live in memory; registers such as `C` and
`S` are plain Python variables. The arrays (`Words`) and the numbers read from them (`Value`) count what is
done to them, so the cost of a statement comes from running it:

    t[j]         one read                      t[j] = S                  one write
    x * y        one multiplication            x + y, x - y              one addition
    2 * x        one addition (x + x)          x % W, any register       nothing
    x ^ y        one XOR                       SHL(x, j), SHR(x, j)      one shift
    x & y        one AND                       RCL(x, 1)                 one shift
    x | y        one OR                        BIT(x, j)                 nothing

A statement ends where it stores into an array, splits a value with `words`, sets a register to a constant
with `Machine.register`, or enters a branch with `Machine.when`. It then becomes one `Event`, tied to the
source line that was running. Operation counts, statement tables and figures are all read from the list of
events, so a source line holds one statement.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from types import FrameType
from typing import Self, overload

ALWAYS, HALF_THE_TIME = Fraction(1), Fraction(1, 2)


class WordOverflowError(ArithmeticError):
    """A value does not fit the word, or the two words, it is put into."""


@dataclass
class Event:
    """One executed statement: where it stands in the source, what it cost and which words it touched."""

    counts: Counter[str] = field(default_factory=Counter)
    reads: list[str] = field(default_factory=list)
    products: list[tuple[str, str]] = field(default_factory=list)
    writes: list[tuple[str, int]] = field(default_factory=list)
    function: str = ""
    file: str = ""
    line: int = 0
    printed: bool = True  # False: a cost the paper counts without printing a statement for it
    probability: Fraction = ALWAYS  # that it is executed, as the paper assumes
    callers: list[tuple[str, int]] = field(default_factory=list)  # function and line, innermost first


class Value(int):
    """An integer in the processor; `origin` names the word it was read from, if any."""

    machine: "Machine"
    origin: str

    def __new__(cls, number: int, machine: "Machine", origin: str = "") -> Self:
        """Put `number` into the processor of `machine`."""
        value = super().__new__(cls, number)
        value.machine = machine
        value.origin = origin
        return value

    def __add__(self, other: int, /) -> "Value":
        """Return the sum: one addition."""
        self.machine.running.counts["add"] += 1
        return Value(int(self) + int(other), self.machine)

    def __sub__(self, other: int, /) -> "Value":
        """Return the difference: one addition, as the literature counts."""
        self.machine.running.counts["add"] += 1
        return Value(int(self) - int(other), self.machine)

    def __mul__(self, other: "Value", /) -> "Value":  # type: ignore[override]  # words times words, nothing else
        """Return the product: one multiplication."""
        self.machine.running.counts["mult"] += 1
        self.machine.running.products.append((self.origin, other.origin))
        return Value(int(self) * int(other), self.machine)

    def __rmul__(self, factor: int, /) -> "Value":
        """Return the double: one addition."""
        if factor != 2:
            raise ValueError(f"a word can be doubled or multiplied by a word, not by the constant {factor}")
        self.machine.running.counts["add"] += 1
        return Value(2 * int(self), self.machine, self.origin)

    def __mod__(self, modulus: int, /) -> "Value":
        """Return the low word, which costs nothing."""
        return Value(int(self) % modulus, self.machine)

    def __xor__(self, other: int, /) -> "Value":
        """Return the sum over GF(2): one XOR."""
        self.machine.running.counts["xor"] += 1
        return Value(int(self) ^ int(other), self.machine)

    def __and__(self, other: int, /) -> "Value":
        """Return the common bits: one AND."""
        self.machine.running.counts["and"] += 1
        return Value(int(self) & int(other), self.machine)

    def __or__(self, other: int, /) -> "Value":
        """Return the bits of both: one OR."""
        self.machine.running.counts["or"] += 1
        return Value(int(self) | int(other), self.machine)


@dataclass
class Cell:
    """One word of memory."""

    name: str
    number: int


class Words:
    """An array of words in memory, least significant first; its slices and joins share cells, at no cost."""

    def __init__(self, machine: "Machine", cells: Sequence[Cell]) -> None:
        """Gather `cells` of the memory of `machine`."""
        self.machine = machine
        self.cells = cells

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.cells)

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> "Words": ...
    def __getitem__(self, index: int | slice) -> "Value | Words":
        """Read one word, or take a part of the array."""
        if isinstance(index, slice):
            return Words(self.machine, self.cells[index])
        cell = self._cell(index)
        self.machine.running.counts["read"] += 1
        self.machine.running.reads.append(cell.name)
        return Value(cell.number, self.machine, cell.name)

    def __setitem__(self, index: int, number: int) -> None:
        """Store one word, which ends the statement."""
        cell = self._cell(index)
        if not 0 <= number < 1 << self.machine.w:
            raise WordOverflowError(f"{cell.name} := {number:d} does not fit a word of {self.machine.w} bits")
        if self.machine.storing:
            cell.number = int(number)
            self.machine.running.writes.append((cell.name, cell.number))
        self.machine.running.counts["write"] += 1
        self.machine.end_statement()

    def __add__(self, more_significant: "Words") -> "Words":
        """Join two arrays into one."""
        return Words(self.machine, [*self.cells, *more_significant.cells])

    def __int__(self) -> int:
        """Return the number the words represent; this look is not counted."""
        return sum(cell.number << self.machine.w * index for index, cell in enumerate(self.cells))

    def _cell(self, index: int) -> Cell:
        if index < 0:  # a Python list would quietly count from its end
            raise IndexError(f"index {index} is below the array")
        return self.cells[index]


@dataclass
class Machine:
    """A processor with words of `w` bits, for operands of `s` words, and a record of all it executed."""

    w: int
    s: int
    events: list[Event] = field(default_factory=list)
    temporary_words: int = 0
    running: Event = field(default_factory=Event)
    carry: int = 0  # the flag that SHL sets and RCL reads
    probability: Fraction = ALWAYS  # of the branch that is being executed
    storing: bool = True  # False in a branch whose condition does not hold

    def array(self, name: str, length: int, number: int = 0) -> Words:
        """Return an array holding `number`: an operand or a result, not counted as temporary space."""
        if not 0 <= number < 1 << self.w * length:
            raise WordOverflowError(f"{name} = {number} does not fit {length} words of {self.w} bits")
        mask = (1 << self.w) - 1
        return Words(self, [Cell(f"{name}[{i}]", number >> self.w * i & mask) for i in range(length)])

    def temporary(self, name: str, length: int) -> Words:
        """Return a zeroed array that is counted as temporary space."""
        self.temporary_words += length
        return self.array(name, length)

    def register(self, number: int) -> Value:
        """Set a register to a constant: a statement that costs nothing."""
        self.end_statement()
        return Value(number, self)

    def charge(self, **counts: int) -> None:
        """Add a cost for which the paper prints no statement."""
        self.running.counts.update(counts)
        self.running.printed = False
        self.end_statement()

    def when(self, condition: bool, probability: Fraction = HALF_THE_TIME) -> AbstractContextManager[None]:  # noqa: FBT001
        """Begin a branch: its statements store only if `condition` holds, and count with `probability`.

        They are executed in either case, so the cost of a run is exactly the average that a paper states, and
        does not depend on the operands.
        """
        self.end_statement()
        return self._branch(taken=condition, probability=probability)

    @contextmanager
    def _branch(self, *, taken: bool, probability: Fraction) -> Iterator[None]:
        outside = self.probability, self.storing
        self.probability, self.storing = self.probability * probability, self.storing and taken
        try:
            yield
        finally:
            self.probability, self.storing = outside

    def end_statement(self) -> None:
        """Record what ran since the last statement as one event, at the line its user is executing."""
        frame = sys._getframe(2)  # noqa: SLF001  # the standard library's own way to a caller's line
        event, self.running = self.running, Event()
        event.function, event.file = frame.f_code.co_name, frame.f_code.co_filename
        event.line = frame.f_lineno
        event.callers = _callers(frame)
        event.probability = self.probability
        self.events.append(event)


def _callers(frame: FrameType) -> list[tuple[str, int]]:
    """Return the functions of the spec that are running, innermost first, each with its current line."""
    found: list[tuple[str, int]] = []
    outer: FrameType | None = frame
    while outer and outer.f_code.co_filename == frame.f_code.co_filename:
        found.append((outer.f_code.co_name, outer.f_lineno))
        outer = outer.f_back
    return found


def SHL(x: Value, places: int) -> Value:
    """Return the word x shifted left, and set the carry to the last bit shifted out: one shift."""
    machine = x.machine
    machine.running.counts["shift"] += 1
    machine.carry = int(x) << places >> machine.w & 1
    return Value(int(x) << places & (1 << machine.w) - 1, machine)


def SHR(x: Value, places: int) -> Value:
    """Return the word x shifted right: one shift."""
    x.machine.running.counts["shift"] += 1
    return Value(int(x) >> places, x.machine)


def RCL(x: Value, places: int) -> Value:
    """Return the word x rotated left through the carry, by one place: one shift."""
    if places != 1:
        raise ValueError(f"words are rotated through the carry by one place, not by {places}")
    low = x.machine.carry
    shifted = SHL(x, 1)
    return Value(int(shifted) + low, x.machine)


def BIT(x: Value, j: int) -> int:
    """Return bit j of x, which costs nothing: the test of a bit is part of the branch on it."""
    return int(x) >> j & 1


def words(value: Value, extra_bits: int = 0) -> tuple[Value, Value]:
    """Split a value into its high and low word, the (C,S) or (B,D) := of the papers; this ends the statement.

    A negative value gives the borrow 1 and the low word modulo 2^w. The high word may have `extra_bits` bits
    more than a word. If it does not fit, WordOverflowError is raised, so a run also proves that its carries
    are bounded.
    """
    machine = value.machine
    high, low = abs(value >> machine.w), int(value) & (1 << machine.w) - 1
    if high >> machine.w + extra_bits:
        raise WordOverflowError(f"the carry {high} of {value:d} does not fit {machine.w + extra_bits} bits")
    machine.end_statement()
    return Value(high, machine), Value(low, machine)


def counted_as(**counts: int) -> Callable[[Callable[[Words, Value], None]], Callable[[Words, Value], None]]:
    """Make each call of a routine on words `x` one statement of its caller, with a fixed cost.

    The cost of such a routine depends on the operands, and the paper counts an average.
    """

    def decorate(routine: Callable[[Words, Value], None]) -> Callable[[Words, Value], None]:
        @wraps(routine)
        def call(x: Words, value: Value) -> None:
            machine, start = x.machine, len(x.machine.events)
            routine(x, value)
            executed = machine.events[start:]
            del machine.events[start:]
            machine.running = Event(
                counts=Counter(counts),
                reads=[name for event in executed for name in event.reads],
                writes=[write for event in executed for write in event.writes],
            )
            machine.end_statement()

        return call

    return decorate


def to(first: int, last: int) -> range:
    """Return the papers' `first to last`, both included."""
    return range(first, last + 1)


def downto(first: int, last: int) -> range:
    """Return the papers' `first downto last`, both included."""
    return range(first, last - 1, -1)


def totals(events: Iterable[Event]) -> Counter[str]:
    """Return the operations of all `events` together."""
    total: Counter[str] = Counter()
    for event in events:
        total.update(event.counts)
    return total


def averages(events: Iterable[Event]) -> dict[str, Fraction]:
    """Return the operations of all `events` together, each event weighted by its probability."""
    total: dict[str, Fraction] = {}
    for event in events:
        for operation, count in event.counts.items():
            total[operation] = total.get(operation, Fraction(0)) + count * event.probability
    return total

"""The systolic array of the scalable multiplier, clock by clock.

The model shows which word is in which element at each clock. An element holds and computes in a clock what
monpro_pe_scalable_right, _left and _improved do, with one exception: a word of Z is a number here, but in the
RTL a pair whose carries are not yet propagated. The cycles of a product are therefore counted, not computed
from a formula.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from monpro.cores.scalable import Scalable
from monpro.spec.amberg08 import booth, number, top_bit, words

STAGES = 2  # between the sequencer and the first element: memory, multiples


@dataclass(frozen=True)
class Word:
    """Words of Y, M̂ and Z of the same index, as they pass the elements; Z may be negative at the top."""

    first: bool
    last: bool
    y: int
    m: int
    z: int


NOTHING = Word(first=False, last=False, y=0, m=0, z=0)


class Element(ABC):
    """One processing element; `digits` yields its digit of X for each pass."""

    def __init__(self, core: Scalable, digits: Iterator[int]) -> None:
        """Make an element that has taken no word yet."""
        self.v, self.w, self.booth = core.radix_log2, core.word_width, core.booth
        self.digits = digits
        self.x = self.q = self.carry = 0
        self.quotient = 0  # Q before it is recoded

    def take_quotient(self, z: int, quotient_before: int) -> None:
        """Set Q to the lowest digit of Z."""
        self.quotient = z % (1 << self.v)
        self.q = booth(self.quotient, quotient_before, self.v) if self.booth else self.quotient
        self.carry = 0

    def add(self, z: int, word: Word) -> int:
        """Return a word of Z + Q·M̂ + X·Y, and keep the carry for the next word."""
        total = z + self.carry + self.q * word.m + self.x * word.y
        self.carry = total >> self.w
        return total % (1 << self.w)

    def sign(self, z: int) -> int:
        """Return the sign that extends Z above its highest word: −1 or 0."""
        return -(z >> self.w - 1) if self.booth else 0

    @abstractmethod
    def clock(self, word: Word, quotient_before: int) -> Word:
        """Return the output of the element after a clock in which `word` is its input."""


class RightShifting(Element):
    """Each word waits for the word above it, whose lowest bits are shifted into it."""

    def __init__(self, core: Scalable, digits: Iterator[int]) -> None:
        """Make an element that has taken no word yet."""
        super().__init__(core, digits)
        self.waiting = NOTHING

    def clock(self, word: Word, quotient_before: int) -> Word:
        """Return the previous word of Z, shifted right, with Q·M̂ + X·Y added."""
        before, self.waiting = self.waiting, word
        above = self.sign(before.z) if before.last else word.z
        shifted = (above % (1 << self.v) << self.w | before.z) >> self.v
        result = replace(before, z=self.add(shifted, before))
        if word.first:
            self.x = next(self.digits)
            self.take_quotient(word.z, quotient_before)
        return result


class LeftShifting(Element):
    """Each word leaves after a clock. Y, M̂ and the borders of the words move left by a digit."""

    def __init__(self, core: Scalable, digits: Iterator[int], offset: int) -> None:
        """Make an element at whose input Z begins at bit `offset` of its lowest word."""
        super().__init__(core, digits)
        self.offset = offset
        self.before = NOTHING
        self.flags = (False, False)

    def clock(self, word: Word, quotient_before: int) -> Word:
        """Return the word of Z, with Q's digit taken off and Q·M̂ + X·Y added."""
        before, self.before = self.before, word
        z = word.z
        if word.last and self.offset == 0:
            z = self.sign(before.z)
        if word.first:
            self.x = next(self.digits)
            z = self.begin(word, quotient_before)
            before = NOTHING
        flags = (word.first, word.last)
        if self.offset + self.v == self.w:
            flags, self.flags = self.flags, flags
        return Word(*flags, self.left(word.y, before.y), self.left(word.m, before.m), self.add(z, word))

    def begin(self, word: Word, quotient_before: int) -> int:
        """Take Q from the lowest word and return this word without that digit."""
        end = self.offset + self.v
        self.take_quotient(word.z >> self.offset, quotient_before)
        return word.z >> end << end

    def left(self, word: int, before: int) -> int:
        """Return a word of the number shifted left by a digit."""
        return (word << self.v | before >> self.w - self.v) % (1 << self.w)


class Improved(LeftShifting):
    """Radix 2 only: Q is the lowest bit of Z + X·Y, and makes the lowest bit of Z + X·Y + Q·M zero."""

    def begin(self, word: Word, quotient_before: int) -> int:
        """Take Q and return the lowest word unchanged."""
        self.take_quotient(word.z + self.x * word.y >> self.offset, quotient_before)
        return word.z


@dataclass(frozen=True)
class Run:
    """A product z, the clocks in which passes started, and those in which words of z left the elements."""

    z: int
    starts: list[int]
    leavings: list[int]


class Array:
    """The elements in a row, the words of Z between two passes, and the sequencer."""

    def __init__(self, core: Scalable, x: int, y: int, n: int) -> None:
        """Load the operands."""
        self.core = core
        v, w, p, slots = core.radix_log2, core.word_width, core.num_pe, core.words + core.left_shift
        self.m_hat = core.modulus_input(n)
        left = v if core.left_shift and core.parallel else 0
        ends = zip(words(y << left, w, slots), words(self.m_hat << left, w, slots), strict=True)
        self.words = [Word(j == 0, j == slots - 1, *pair, 0) for j, pair in enumerate(ends)]
        digits = words(x, v, core.passes * p)
        if core.booth:
            digits = [booth(d, before, v) for d, before in zip(digits, [0, *digits], strict=False)]
        left_shifting = LeftShifting if core.parallel else Improved
        self.elements: list[Element] = [
            left_shifting(core, iter(digits[i::p]), i * v % w)
            if core.left_shift
            else RightShifting(core, iter(digits[i::p]))
            for i in range(p)
        ]
        self.between = [NOTHING] * p  # the output of each element
        self.z = [0] * core.words

    def run(self) -> Run:
        """Clock until all words of z have left the elements.

        A pass starts when all words of the pass before it have started, and the first word of Z has left the
        last element or leaves it in the next clock. That word then reaches the first element in time.
        """
        run = Run(0, [], [])
        pipeline = [(NOTHING, 0, 0)] * STAGES  # words, their indices, and the number of their pass
        clock, index, place = 0, len(self.words), self.core.words
        while len(run.leavings) < self.core.words * self.core.passes:
            leaving = self.between[-1]
            self.step(*pipeline.pop(0))
            place = 0 if leaving.first else place
            if place < self.core.words:
                self.z[place] = leaving.z
                run.leavings.append(clock)
                place += 1
            if index >= len(self.words) and self.may_start(run):
                index = 0
                run.starts.append(clock)
            word = self.words[index] if index < len(self.words) else NOTHING
            pipeline.append((word, index, len(run.starts)))
            clock, index = clock + 1, index + 1
        return Run(self.result(), run.starts, run.leavings[-self.core.words :])

    def may_start(self, run: Run) -> bool:
        """Return whether a pass remains whose first word of Z has left the array, or leaves in one clock."""
        begun = len(run.starts)
        if begun in {0, self.core.passes}:
            return begun == 0
        return self.between[-1].first or len(run.leavings) > self.core.words * (begun - 1)

    def step(self, word: Word, place: int, of_pass: int) -> None:
        """Clock all elements, with `word` as the input of the first element."""
        is_fresh = of_pass <= 1
        quotient = 0 if is_fresh else self.elements[-1].quotient
        before = replace(word, z=0 if is_fresh or place >= self.core.words else self.z[place])
        for i, element in enumerate(self.elements):
            after = element.clock(before, quotient)
            before, self.between[i], quotient = self.between[i], after, element.quotient

    def result(self) -> int:
        """Return Z, plus 2^v·M̂ if recoding made the last digit of Q negative [amberg08, Fig. 2]."""
        v, w = self.core.radix_log2, self.core.word_width
        z = number(self.z, w)
        if self.core.booth and top_bit(self.elements[-1].quotient, v):
            z += self.m_hat << v
        return z % (1 << w * self.core.words)

"""Engines whose ports carry numbers in words: what all of them have, whatever they compute."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Design, Result


@dataclass(frozen=True)
class WordSerial(Design, ABC):
    """A design for odd moduli 3 ≤ n < 2^width_bits whose ports carry words of `port_bits` bits.

    The lowest word of a number comes first. A job is three numbers: x, a second operand, and n. The input of
    a job is `words_in`; the output is `words_out` words of a result below `result_bound`.

    Cycles count rising clock edges. The edge that takes the last word of the input does not count; the edge
    after which the first word of the result is valid is the last that counts.
    """

    numbers_in: ClassVar[tuple[str, ...]]  # the numbers that `words_in` holds, in order
    # A first word w with w & mask == value is a whole job that clears the memories and has no result.
    wipe_word: ClassVar[tuple[int, int] | None] = None  # mask, where -1 means all bits, and value
    words_with_lengths: ClassVar[int] = 0  # at the beginning of a job, after which the lengths may be refused

    @property
    @abstractmethod
    def port_bits(self) -> int:
        """Return the bits of a port word."""

    @property
    @abstractmethod
    def is_constant_time(self) -> bool:
        """Return whether the cycles depend only on n and on the lengths of the numbers."""

    @property
    @abstractmethod
    def max_cycles(self) -> int:
        """Return an upper bound of the cycles of a job."""

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn; several if one build takes shorter moduli too."""
        return (self.width_bits,)

    @abstractmethod
    def operand_bound(self, n: int) -> int:
        """Return the exclusive bound of the operands that n reduces."""

    @abstractmethod
    def result_bound(self, n: int) -> int:
        """Return the exclusive bound of the result."""

    @abstractmethod
    def constants(self, n: int) -> dict[str, int]:
        """Return the constants of n for host software, by name."""

    @abstractmethod
    def words_in(self, x: int, second: int, n: int, /) -> list[int]:
        """Return the words that make the design compute the result."""

    @abstractmethod
    def words_out(self, n: int) -> int:
        """Return how many words a result modulo n has."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, object]:
        """Return what host software must know: constants, words of input and output, what the result is.

        Formulas are Python expressions of the numbers of a job and of the constants above them.
        """

    @property
    @abstractmethod
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return formulas of the exclusive bounds of the numbers of a job, by name."""

    @property
    @abstractmethod
    def cycles_formulas(self) -> dict[str, str]:
        """Return `exactly`, or `least` and `most`: the cycles of a job none of whose words had to wait."""

    @property
    def cycles_formulas_of_slow_words(self) -> dict[str, str]:
        """Return the same where words may have had to wait, as on a bus."""
        return self.cycles_formulas

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses a job. 0 if it refuses none."""
        return "0"

    @abstractmethod
    def run(self, x: int, second: int, n: int, /) -> Result:
        """Return the result and its cycles; ValueError if a number is out of bounds."""


def port_words(number: int, bits: int, count: int) -> list[int]:
    """Return a number as `count` words of `bits` bits, the lowest first."""
    return [number >> bits * i & (1 << bits) - 1 for i in range(count)]

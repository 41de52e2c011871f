"""A hardware exponentiator: what goes through its word ports, and a model exact in values and cycles."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Design, Result


@dataclass(frozen=True)
class Exponentiator(Design, ABC):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits.

    Numbers go through ports of `port_bits` bits, word by word, the lowest word first: `words_in` goes in,
    `words_out` words of a result come out, which is congruent to the power and below `result_bound`.

    Cycles: rising clock edges after the one that takes the last word of the exponent, up to and with the one
    after which the first word of the result is valid.
    """

    layer: ClassVar[str] = "exp"
    computes: ClassVar[str] = "power"
    numbers_in: ClassVar[tuple[str, ...]]  # what the words are of that go in

    radix_log2: int = 2

    @property
    @abstractmethod
    def port_bits(self) -> int:
        """Return the bits of a word at the ports."""

    @property
    @abstractmethod
    def exponent_bits(self) -> int:
        """Return the bits of the longest exponent."""

    @property
    @abstractmethod
    def is_constant_time(self) -> bool:
        """Return whether powers of one modulus take the same number of cycles for all exponents as long."""

    @property
    @abstractmethod
    def max_cycles(self) -> int:
        """Return an upper bound of the cycles of a power."""

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return widths of moduli to try in turn: others than its own where one build serves them."""
        return (self.width_bits,)

    @abstractmethod
    def operand_bound(self, n: int) -> int:
        """Return the bound below which the base must be."""

    @abstractmethod
    def result_bound(self, n: int) -> int:
        """Return the bound below which the result is."""

    @abstractmethod
    def constants(self, n: int) -> dict[str, int]:
        """Return what host software has to know of n, by name."""

    @abstractmethod
    def words_in(self, x: int, e: int, n: int) -> list[int]:
        """Return the words that make the exponentiator compute x^e mod n."""

    @abstractmethod
    def words_out(self, n: int) -> int:
        """Return how many words a result modulo n has."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, object]:
        """Return what host software has to know of the core; formulas are Python expressions in n and e."""

    def run(self, x: int, e: int, n: int) -> Result:
        """Return what leaves the ports for x^e, and the cycles; ValueError for what is not taken."""
        self._check_power(x, e, n)
        return self._run(x, e, n)

    def power(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n, reduced, and the cycles; as by `run`."""
        result = self.run(x, e, n)
        return Result(result.z % n, result.cycles)

    @abstractmethod
    def _run(self, x: int, e: int, n: int) -> Result:
        """Return the result for numbers that are within their bounds."""

    def _check_power(self, x: int, e: int, n: int) -> None:
        self._check_modulus(n)
        if not 0 <= x < self.operand_bound(n):
            raise ValueError(f"the base must be from 0 to {self.operand_bound(n) - 1}, not {x}")
        if not 0 <= e < 1 << self.exponent_bits:
            raise ValueError(
                f"{self.name} of {self.width_bits} bits takes exponents of up to {self.exponent_bits} bits"
            )


def port_words(number: int, bits: int, count: int) -> list[int]:
    """Return a number in so many words, the lowest first."""
    return [number >> bits * i & (1 << bits) - 1 for i in range(count)]

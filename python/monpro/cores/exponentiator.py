"""A hardware exponentiator: the words at its ports, and a model that is exact in values and clock cycles."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Design, Result


@dataclass(frozen=True)
class Exponentiator(Design, ABC):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits.

    The ports carry numbers in words of `port_bits` bits, the lowest word first. The input is `words_in`; the
    output is `words_out` words of a result that is congruent to the power and below `result_bound`.

    Cycles count rising clock edges. The edge that takes the last word of the exponent does not count; the
    edge after which the first word of the result is valid is the last that counts.
    """

    layer: ClassVar[str] = "exp"
    computes: ClassVar[str] = "power"
    numbers_in: ClassVar[tuple[str, ...]]  # the numbers that `words_in` holds, in order

    radix_log2: int = 2

    @property
    @abstractmethod
    def port_bits(self) -> int:
        """Return the bits of a port word."""

    @property
    @abstractmethod
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""

    @property
    @abstractmethod
    def is_constant_time(self) -> bool:
        """Return whether, for one modulus, the cycles depend only on the length of the exponent."""

    @property
    @abstractmethod
    def max_cycles(self) -> int:
        """Return an upper bound of the cycles of a power."""

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn; several if one build takes shorter moduli too."""
        return (self.width_bits,)

    @abstractmethod
    def operand_bound(self, n: int) -> int:
        """Return the exclusive bound of the base."""

    @abstractmethod
    def result_bound(self, n: int) -> int:
        """Return the exclusive bound of the result."""

    @abstractmethod
    def constants(self, n: int) -> dict[str, int]:
        """Return the constants of n for host software, by name."""

    @abstractmethod
    def words_in(self, x: int, e: int, n: int) -> list[int]:
        """Return the words that make the exponentiator compute x^e mod n."""

    @abstractmethod
    def words_out(self, n: int) -> int:
        """Return how many words a result modulo n has."""

    @property
    @abstractmethod
    def facts(self) -> dict[str, object]:
        """Return facts of the core for host software; formulas are Python expressions in n and e."""

    def run(self, x: int, e: int, n: int) -> Result:
        """Return the output for x^e, and the cycles; ValueError if x, e or n is out of bounds."""
        self._check_power(x, e, n)
        return self._run(x, e, n)

    def power(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n, fully reduced, and the cycles; ValueError if x, e or n is out of bounds."""
        result = self.run(x, e, n)
        return Result(result.z % n, result.cycles)

    @abstractmethod
    def _run(self, x: int, e: int, n: int) -> Result:
        """Return the result for numbers, which are within their bounds."""

    def _check_power(self, x: int, e: int, n: int) -> None:
        self._check_modulus(n)
        if not 0 <= x < self.operand_bound(n):
            raise ValueError(f"the base must be from 0 to {self.operand_bound(n) - 1}, not {x}")
        if not 0 <= e < 1 << self.exponent_bits:
            raise ValueError(
                f"{self.name} of {self.width_bits} bits takes exponents of up to {self.exponent_bits} bits"
            )


def port_words(number: int, bits: int, count: int) -> list[int]:
    """Return a number as `count` words of `bits` bits, the lowest first."""
    return [number >> bits * i & (1 << bits) - 1 for i in range(count)]

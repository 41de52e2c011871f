"""A hardware exponentiator: the words at its ports, and a model that is exact in values and clock cycles."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.word_serial import WordSerial


@dataclass(frozen=True)
class Exponentiator(WordSerial, ABC):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits; the second operand of a job is the exponent.

    The result is congruent to the power. The last word of the input is the last word of the exponent.
    """

    layer: ClassVar[str] = "exp"
    computes: ClassVar[str] = "power"

    @property
    @abstractmethod
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""

    @property
    def radix_bits(self) -> int:
        """Return the bits of a digit of an operand."""
        return self.parameters["RadixLog2"]

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of base, exponent and result: here, all numbers are reduced."""
        return {
            "base": {"below": "n"},
            "exponent": {"below": f"2**{self.exponent_bits}"},
            "z": {"below": "n"},
        }

    @abstractmethod
    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the words that make the exponentiator compute x^e mod n."""

    def run(self, x: int, e: int, n: int, /) -> Result:
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

"""MM: carry-propagate additions and a final subtraction [kuang16, Fig. 1]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import kuang16


@dataclass(frozen=True)
class Mm(Core):
    """One clock for each iteration, with two additions of full width, and one for the final subtraction.

    This is the only core of the family whose operands and results are reduced: x, y, z < n, R = 2^K.
    """

    name: ClassVar[str] = "mm"
    title: ClassVar[str] = "radix 2, carry propagation, final subtraction"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Fig. 1]"
    latency: ClassVar[str] = "K + 1"
    letters: ClassVar[dict[str, str]] = {"K": "width_bits, the bits of the largest modulus"}
    bound: ClassVar[str] = "n"

    @property
    def r_log2(self) -> int:
        """Return log2 R = K."""
        return self.width_bits

    @property
    def value_bits(self) -> int:
        """Return the bits of the largest operand, n − 1."""
        return self.width_bits

    @property
    def min_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.width_bits + 1

    @property
    def max_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.min_cycles

    def operand_bound(self, n: int) -> int:
        """Return n."""
        return n

    def _product(self, x: int, y: int, n: int) -> Result:
        return Result(kuang16.mm(x, y, n, self.width_bits), self.min_cycles)


ARCHITECTURE = Mm

"""FCS-MM-1: three levels of carry-save adders, operands as pairs [kuang16, Figs. 5 and 6]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.full_carry_save import FullCarrySaveCore
from monpro.spec import kuang16


@dataclass(frozen=True)
class FcsMm1(FullCarrySaveCore):
    """K + 2 iterations of a five-to-two adder; a barrel register full adder delivers the bits of x."""

    name: ClassVar[str] = "fcs-mm-1"
    title: ClassVar[str] = "three-level carry-save adder, pairs throughout"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Figs. 5 and 6]"
    latency: ClassVar[str] = "K + 2"
    letters: ClassVar[dict[str, str]] = {"K": "width_bits, the bits of the largest modulus"}
    variants: ClassVar[dict[str, dict[str, int]]] = {"": {}, "pairs": {"carry_save_ports": 1}}

    @property
    def min_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.width_bits + 2

    @property
    def max_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.min_cycles

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.width_bits + 3)
        pair = kuang16.fcs_mm_1(self.pair(x), self.pair(y), n, self.width_bits, adder)
        return Result(self.port(pair), adder.clocks.total())


ARCHITECTURE = FcsMm1

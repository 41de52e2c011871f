"""SCS-MM-2: the two-level carry-save adder converts its result itself [kuang16, Figs. 2 and 4]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import kuang16


@dataclass(frozen=True)
class ScsMm2(Core):
    """K + 2 iterations, then both levels of the adder compute (SS, SC) = SS + SC until SC is zero.

    The time of a product depends on the operands through the longest carry chain of SS + SC.
    """

    name: ClassVar[str] = "scs-mm-2"
    title: ClassVar[str] = "two-level carry-save adder, converts by itself"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Figs. 2 and 4]"
    latency: ClassVar[str] = "K + 2 + c; 1 ≤ c ≤ ⌈(K + 1) / 2⌉ clocks of two half adders until SC = 0"
    letters: ClassVar[dict[str, str]] = {
        "K": "width_bits, the bits of the largest modulus",
        "c": "clocks in which the result's carries are added",
        "SC": "the carries of the result",
    }

    @property
    def min_cycles(self) -> int:
        """Return K + 2, and one clock for the shift of the last iteration."""
        return self.width_bits + 2 + 1

    @property
    def max_cycles(self) -> int:
        """Return K + 2, and the clocks of the longest conversion: bits 0 to K, two a clock."""
        return self.width_bits + 2 + -(-(self.width_bits + 1) // 2)

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.width_bits + 3)
        z = kuang16.scs_mm_2(x, y, n, self.width_bits, adder)
        return Result(z, max(adder.clocks.total(), self.min_cycles))


ARCHITECTURE = ScsMm2

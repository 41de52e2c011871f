"""MSCS-MM: one level of carry-save adders for the product, B + N and the conversion [kuang16, Fig. 7]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import kuang16


@dataclass(frozen=True)
class MscsMm(Core):
    """The adder of the iterations also computes B + N and converts the result, one half adder a clock.

    The time of a product depends on the operands through the carry chains of B + N and of SS + SC. It is
    about 3K clocks at worst.
    """

    name: ClassVar[str] = "mscs-mm"
    title: ClassVar[str] = "one-level carry-save adder, D = B + N"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Fig. 7]"
    latency: ClassVar[str] = (
        "1 + p + (K + 2) + c; p ≤ K + 1 and 1 ≤ c ≤ K + 1 clocks of a half adder until SC = 0"
    )
    letters: ClassVar[dict[str, str]] = {
        "K": "width_bits, the bits of the largest modulus",
        "p": "clocks in which the carries of a sum of the operands are added",
        "c": "clocks in which the result's carries are added",
        "SC": "the carries of the result",
    }

    @property
    def min_cycles(self) -> int:
        """Return the cycles of a product that propagates no carry."""
        return 1 + self.width_bits + 2 + 1

    @property
    def max_cycles(self) -> int:
        """Return the cycles with the longest carry chains: to bit K + 1 of B + N, to bit K of the result."""
        return 1 + (self.width_bits + 1) + (self.width_bits + 2) + (self.width_bits + 1)

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.width_bits + 3)
        z = kuang16.mscs_mm(x, y, n, self.width_bits, adder)
        waiting = not adder.clocks[kuang16.CONVERSION]  # the shift of the last iteration takes a clock anyway
        return Result(z, adder.clocks.total() + waiting)


ARCHITECTURE = MscsMm

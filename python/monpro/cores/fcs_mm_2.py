"""FCS-MM-2: two levels of carry-save adders and D = B + N, operands as pairs [kuang16, §II-C]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.full_carry_save import FullCarrySaveCore
from monpro.spec import kuang16


@dataclass(frozen=True)
class FcsMm2(FullCarrySaveCore):
    """One clock for the pair D, then K + 2 iterations of a four-to-two adder."""

    name: ClassVar[str] = "fcs-mm-2"
    title: ClassVar[str] = "two-level carry-save adder, pairs throughout, D = B + N"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, §II-C]"
    latency: ClassVar[str] = "1 + K + 2"
    letters: ClassVar[dict[str, str]] = {"K": "width_bits, the bits of the largest modulus"}
    variants: ClassVar[dict[str, dict[str, int]]] = {"": {}, "pairs": {"carry_save_ports": 1}}

    @property
    def min_cycles(self) -> int:
        """Return the cycles of every product."""
        return 1 + self.width_bits + 2

    @property
    def max_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.min_cycles

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.width_bits + 3)
        pair = kuang16.fcs_mm_2(self.pair(x), self.pair(y), n, self.width_bits, adder)
        return Result(self.port(pair), adder.clocks.total())


ARCHITECTURE = FcsMm2

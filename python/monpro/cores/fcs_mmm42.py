"""FCS-MMM42: FCS-MM-2 that skips iterations with nothing to add [kuang16, §I and §IV-A]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.full_carry_save import FullCarrySaveCore
from monpro.spec import kuang16


@dataclass(frozen=True)
class FcsMmm42(FullCarrySaveCore):
    """One clock for the pair D̂, then one for each iteration that is not skipped.

    The last shift is in the path from the registers to z_o and takes no clock. The time of a product depends
    on the operands, because they determine which iterations are skipped.
    """

    name: ClassVar[str] = "fcs-mmm42"
    title: ClassVar[str] = "two-level carry-save adder, pairs throughout, skips iterations"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, §I and §IV-A]"
    latency: ClassVar[str] = "1 + (K' + 6 − skipped); about 1 + (K' + 6) / 1.25"
    letters: ClassVar[dict[str, str]] = {
        "K'": "K + 2, the bits of N̂",
        "skipped": "the iterations that are skipped, each beside another one",
    }
    uses_n_hat: ClassVar[bool] = True
    bound: ClassVar[str] = "2(N̂ − 1)"
    variants: ClassVar[dict[str, dict[str, int]]] = {"": {}, "pairs": {"carry_save_ports": 1}}
    slowly_proved: ClassVar[frozenset[str]] = frozenset({"pairs"})

    @property
    def min_cycles(self) -> int:
        """Return one clock, and one for every second iteration of −1 to K' + 4."""
        return 1 + -(-(self.iteration_bits + 6) // 2)

    @property
    def max_cycles(self) -> int:
        """Return one clock, and one for every iteration."""
        return 1 + self.iteration_bits + 6

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.iteration_bits + 6)
        pair = kuang16.fcs_mmm42(self.pair(x), self.pair(y), n, self.iteration_bits, adder)
        return Result(self.port(pair), adder.clocks.total())


ARCHITECTURE = FcsMmm42

"""SCS-MM-1: two levels of carry-save adders and a small carry-propagate adder [kuang16, Figs. 2 and 3]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import kuang16


@dataclass(frozen=True)
class ScsMm1(Core):
    """K + 2 iterations, then a CPA of `cpa_width` bits converts the pair, one slice a clock.

    The last slice is one bit wider, so that it includes bit K of the result.
    """

    cpa_width: int = 32

    name: ClassVar[str] = "scs-mm-1"
    title: ClassVar[str] = "two-level carry-save adder, carry-propagate converter"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Figs. 2 and 3]"
    latency: ClassVar[str] = "K + 2 + ⌈K / CpaWidth⌉"
    letters: ClassVar[dict[str, str]] = {
        "K": "width_bits, the bits of the largest modulus",
        "CpaWidth": "the bits that the carry-propagate adder adds in a clock",
    }
    variants: ClassVar[dict[str, dict[str, int]]] = {"": {}, "cpa64": {"cpa_width": 64}}

    def __post_init__(self) -> None:
        """Raise ValueError for a converter that the module does not have."""
        super().__post_init__()
        if self.cpa_width not in {32, 64}:
            raise ValueError(f"cpa_width of {self.name} is 32 or 64, not {self.cpa_width}")

    @property
    def proof_parameters(self) -> dict[str, int]:
        """Return the parameters of a converter with two slices."""
        return {"CpaWidth": (self.width_bits + 1) // 2}

    @property
    def min_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.width_bits + 2 + -(-self.width_bits // self.cpa_width)

    @property
    def max_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.min_cycles

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.width_bits + 3)
        return Result(kuang16.scs(x, y, n, self.width_bits, adder), self.max_cycles)


ARCHITECTURE = ScsMm1

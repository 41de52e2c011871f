"""SCS-MM-New: a one-level configurable carry-save adder that skips iterations [kuang16, Figs. 8, 10–12]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import kuang16


@dataclass(frozen=True)
class ScsMmNew(Core):
    """B̂ + N̂ and the conversion use two half adders a clock, and iterations with nothing to add are skipped.

    The time of a product depends on the operands through the carry chains and the skipped iterations, so it
    leaks secrets unless `constant_time` is set. With `constant_time`, no iteration is skipped, and both carry
    propagations take the clocks of the longest chain.

    A product takes five clocks more than in the paper. Step 2 of Fig. 10 takes two clocks, one to set N̂ + 0
    and one to add B̂, because an input for each of them in M1 and M2 costs more area than a clock is worth.
    Zero_D, which joins all bits of SC, passes two registers, so each of the two carry propagations ends two
    clocks late; these clocks change nothing.

    configurable: with configurable full adders. Otherwise one half adder a clock.
    consecutive_skip: two iterations in a row may be skipped, as in the paper's text.
    """

    configurable: bool = True
    consecutive_skip: bool = True
    constant_time: bool = False

    name: ClassVar[str] = "scs-mm-new"
    title: ClassVar[str] = "one-level configurable carry-save adder, skips iterations"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "[kuang16, Figs. 8, 10–12]"
    latency: ClassVar[str] = (
        "6 + p + (K' + 6 − skipped) + c; p ≤ C and 1 ≤ c ≤ C = ⌈(K' + 1) / h⌉ clocks of h half adders until "
        "SC = 0, h = 2 with Configurable, else 1; with ConstantTime 2 + C + (K' + 6) + C"
    )
    letters: ClassVar[dict[str, str]] = {
        "K'": "K + 2, the bits of N̂",
        "p": "clocks in which the carries of a sum of the operands are added",
        "c": "clocks in which the result's carries are added",
        "C": "the most clocks for that",
        "h": "half adders in a row",
        "skipped": "the iterations that are skipped, each beside another one",
        "SC": "the carries of the result",
    }
    uses_n_hat: ClassVar[bool] = True
    bound: ClassVar[str] = "2(N̂ − 1)"
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "plain-adder": {"configurable": 0},
        "no-consecutive-skip": {"consecutive_skip": 0},
        "constant-time": {"constant_time": 1},
    }
    slowly_proved: ClassVar[frozenset[str]] = frozenset({"", "plain-adder", "no-consecutive-skip"})

    @property
    def proof_parameters(self) -> dict[str, int]:
        """Return the parameters of a carry-save adder with two slices."""
        return {"SliceWidth": (self.modulus_bits + 7) // 2 + 1}

    @property
    def conversion_cycles(self) -> int:
        """Return the clocks of the longest carry chain.

        After m half adders no carry is left below bit m. B̂ and N̂ are multiples of 8 and 4, so their sum
        has no carry left below bit m + 4. The top bit of the result is K', that of D̂ is K' + 4: K' + 1 half
        adders are enough for both.
        """
        return -(-(self.iteration_bits + 1) // (2 if self.configurable else 1))

    @property
    def min_cycles(self) -> int:
        """Return the cycles without carries, with every second iteration of −1 to K' + 4 skipped."""
        if self.constant_time:
            return self.max_cycles
        return self._overhead_cycles + -(-(self.iteration_bits + 6) // 2) + 1

    @property
    def max_cycles(self) -> int:
        """Return the cycles with the longest carry chains and nothing skipped."""
        return self._overhead_cycles + 2 * self.conversion_cycles + self.iteration_bits + 6

    @property
    def _overhead_cycles(self) -> int:
        """Return the clocks of step 2 and of Zero_D's delay; constant time uses a counter, not Zero_D."""
        return 2 if self.constant_time else 2 + 2 * 2

    def _product(self, x: int, y: int, n: int) -> Result:
        adder = kuang16.Adder(self.iteration_bits + 6)
        z = kuang16.scs_mm_new(
            x,
            y,
            n,
            self.iteration_bits,
            adder,
            configurable=bool(self.configurable),
            consecutive_skips=bool(self.consecutive_skip),
        )
        if self.constant_time:
            return Result(z, self.max_cycles)
        waiting = not adder.clocks[kuang16.CONVERSION]  # the shift of the last iteration takes a clock anyway
        step_2 = 1  # of the overhead is among the adder's clocks
        return Result(z, self._overhead_cycles - step_2 + adder.clocks.total() + waiting)


ARCHITECTURE = ScsMmNew

"""Run the RTL exponentiator on any of the multipliers, in Verilator."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.cores import Core, Product
from monpro.flow.simulate import compile_bench, run_bench

BENCH = Path(__file__).with_name("power_bench.cpp")
TOP = "monpro_exp_binary"
MULTIPLIERS = (  # in the order of the parameter Multiplier
    *("mm", "scs-mm-1", "scs-mm-2", "fcs-mm-1", "fcs-mm-2", "fcs-mmm42", "mscs-mm"),
    *("scs-mm-new", "scs-mm-new-constant-time", "scalable"),
)


@dataclass(frozen=True)
class Exponentiator:
    """The module monpro_exp_binary around a multiplier: left-to-right binary, or the Montgomery ladder.

    Exponents have up to `exponent_bits` bits, the ladder always works through them all.
    """

    core: Core
    word_bits: int = 32
    ladder: bool = False

    @property
    def words(self) -> int:
        """Return the words of each number at the ports."""
        return -(-self.core.width_bits // self.word_bits)

    @property
    def exponent_bits(self) -> int:
        """Return the bits of the longest exponent."""
        return self.words * self.word_bits

    @property
    def parameters(self) -> dict[str, str]:
        """Return the parameters of the RTL module as SystemVerilog values."""
        return {
            "Width": str(self.core.width_bits),
            "WordWidth": str(self.word_bits),
            "Multiplier": str(multiplier_number(self.core)),
            "Ladder": f"1'b{int(self.ladder)}",
        }

    def run(self, powers: Sequence[tuple[int, int, int]], *, stall_seed: int = 0) -> list[Product]:
        """Return x^e mod n for each (x, e, n), x < n, and the cycles from the last word in to the result.

        ToolError where a tool is missing, the RTL does not compile or breaks its contract.
        """
        stimulus = b"".join(
            self._words(number) for x, e, n in powers for number in (n, self.core.constants(n)["r2"], x, e)
        )
        limit = 3 * (self.exponent_bits + 4) * (self.core.max_cycles + 4)
        program = compile_bench(TOP, self.parameters, BENCH, {"WORDS": self.words})
        options = [f"--limit={limit}", *([f"--stalls={stall_seed}"] if stall_seed else [])]
        results = run_bench(program, options, [stimulus], record_bytes=4 * (self.words + 2))
        return [self._result(record) for record in results]

    def _words(self, number: int) -> bytes:
        mask = (1 << self.word_bits) - 1
        return b"".join(
            (number >> self.word_bits * i & mask).to_bytes(4, "little") for i in range(self.words)
        )

    def _result(self, record: bytes) -> Product:
        words = [int.from_bytes(record[i : i + 4], "little") for i in range(0, len(record), 4)]
        value = sum(word << self.word_bits * i for i, word in enumerate(words[: self.words]))
        return Product(value, words[-2] | words[-1] << 32)


def multiplier_number(core: Core) -> int:
    """Return the parameter Multiplier of the exponentiator for a core."""
    constant_time = core.parameters.get("ConstantTime", 0)
    return MULTIPLIERS.index(f"{core.name}-constant-time" if constant_time else core.name)

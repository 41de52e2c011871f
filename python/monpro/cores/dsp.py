"""A product on the multipliers of an FPGA: radix 2^17, late quotient digits, redundant words [orup95]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.word_multiplier import NEW, Command, WordMultiplier
from monpro.cores.word_serial import port_words
from monpro.spec.orup95 import Constants

FOLDS = {1: 4, 2: 2, 4: 1, 8: 0}  # how many words share a multiplier: the steps by which q is late
WORD_WIDTHS = range(4, 18)  # a word of y has a bit more, and multipliers take 18 bits
_PIPELINE_CYCLES = 12  # from the first digit to its sum, from the last sum to the port


@dataclass(frozen=True)
class Dsp(WordMultiplier):
    """A digit of w bits of x in each step of `fold` clocks, with 2·words/fold multipliers.

    w = word_width, d = 4, 2, 1 or 0 for fold = 1, 2, 4 or 8, e = w(d + 1), M̃ = (−n⁻¹ mod 2^e)·n. All moduli
    have the same number of words, the least multiple of fold with w·words ≥ width_bits + e + 2, and
    R = 2^(w·words). The host gives N̂ = (M̃ + 1)/2^e, and reduces the last result.
    """

    word_width: int = 17
    fold: int = 1

    name: ClassVar[str] = "dsp"
    title: ClassVar[str] = "radix 2^17 on DSP blocks, late quotient digits, folded by 1 to 8"
    paper: ClassVar[str] = "orup95"
    source: ClassVar[str] = "[orup95, quotient pipelining]"
    bound: ClassVar[str] = "2M̃"
    numbers_in: ClassVar[tuple[str, ...]] = ("command", "n_hat", "y", "x")
    offered: ClassVar[Command] = NEW
    latency: ClassVar[str] = (
        "f·(words + d + 1) + 12 − d, from the last word of x to the first of z; words = "
        "f·⌈(K + w·(d + 1) + 2)/(w·f)⌉"
    )
    letters: ClassVar[dict[str, str]] = {
        "f": "fold",
        "K": "the width of the build",
        "w": "word_width",
        "d": "4, 2, 1, 0 for fold = 1, 2, 4, 8",
        "words": "the words of a number",
    }
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048)
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "fold2": {"fold": 2},
        "fold4": {"fold": 4},
        "fold8": {"fold": 8},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        if self.fold not in FOLDS:
            raise ValueError(f"fold of {self.name} is 1, 2, 4 or 8, not {self.fold}")
        if self.word_width not in WORD_WIDTHS:
            raise ValueError(f"word_width of {self.name} is from 4 to 17, not {self.word_width}")

    @property
    def delay(self) -> int:
        """Return d."""
        return FOLDS[self.fold]

    @property
    def words(self) -> int:
        """Return the words of every number."""
        least = -(-(self.width_bits + self.word_width * (self.delay + 1) + 2) // self.word_width)
        return self.fold * -(-least // self.fold)

    @property
    def port_bits(self) -> int:
        """Return the bits of a port word."""
        return self.word_width

    @property
    def radix_bits(self) -> int:
        """Return the bits of a digit."""
        return self.word_width

    @property
    def is_constant_time(self) -> bool:
        """Return that every product takes the same cycles."""
        return True

    @property
    def max_cycles(self) -> int:
        """Return the cycles of a product."""
        return self.fold * (self.words + self.delay + 1) + _PIPELINE_CYCLES - self.delay

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (self.width_bits, 8, 33, self.width_bits, 97))

    def modulus_words(self, n: int) -> list[int]:
        """Return the words of N̂."""
        return port_words(self.modulus_input(n), self.port_bits, self.words)

    def words_out(self, n: int) -> int:  # noqa: ARG002  (all moduli have as many)
        """Return `words`."""
        return self.words

    def r(self, n: int) -> int:  # noqa: ARG002
        """Return R = 2^(w·words)."""
        return 1 << self.word_width * self.words

    def m_tilde(self, n: int) -> int:
        """Return M̃, the multiple of n by which products are reduced."""
        return Constants.of(n, self.word_width, self.delay).M_tilde

    def modulus_input(self, n: int) -> int:
        """Return N̂, which the host gives in place of n."""
        return Constants.of(n, self.word_width, self.delay).M_hat

    def operand_bound(self, n: int) -> int:
        """Return 2·M̃."""
        return 2 * self.m_tilde(n)

    def cycles(self, n: int, command: Command) -> int:  # noqa: ARG002
        """Return the cycles of a product."""
        return self.max_cycles

    def constants(self, n: int) -> dict[str, int]:
        """Return `n_hat` = N̂, and for host software `r` = R mod n and `r2` = R² mod n."""
        self._check_modulus(n)
        r = self.r(n) % n
        return {"n_hat": self.modulus_input(n), "r": r, "r2": r * r % n}

    @property
    def facts(self) -> dict[str, object]:
        """Return the commands, the constants of n, and the words of a product."""
        w, e = self.word_width, self.word_width * (self.delay + 1)
        given = (("n_hat", Command.MODULUS), ("y", Command.Y), ("x", Command.X))
        return {
            "command": {(command.name or "").lower(): int(command) for command in self.offered},
            "constants": {
                "m_tilde": f"-pow(n, -1, {1 << e}) % {1 << e} * n",
                "n_hat": f"(m_tilde + 1) // {1 << e}",
                "words": str(self.words),
                "r_log2": str(w * self.words),
                "r": "2**r_log2 % n",
                "r2": "2**(2 * r_log2) % n",
            },
            "input": [
                {"number": "command", "words": "1"},
                *({"number": name, "words": "words", "if": f"command & {int(bit)}"} for name, bit in given),
            ],
            "output": {"number": "z", "words": "words"},
            "result": "z * 2**r_log2 % n == x * y % n",
            "to_montgomery": "the product of x and r2",
            "from_montgomery": "the product of z and 1, then reduced modulo n",
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of the operands and of the result."""
        return {name: {"below": "2 * m_tilde"} for name in ("x", "y", "z")}

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return the cycles of a product."""
        return {"exactly": str(self.max_cycles)}

    def _product(self, x: int, y: int, n: int) -> int:
        """Return (x·y + Q·M̃)/R, where Q < R makes this an integer."""
        m_tilde, r = self.m_tilde(n), self.r(n)
        return int(x * y + -x * y * pow(m_tilde, -1, r) % r * m_tilde) // r


ARCHITECTURE = Dsp

"""An exponentiator by windows of a fixed length on the multipliers of an FPGA."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.dsp import Dsp
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.word_serial import port_words

WINDOW_WIDTHS = range(4, 7)
_DIVISION_CYCLES = 6  # of a division by 2^w, beyond the words of a number
_READ_CYCLES = 4  # of a read of the table, beyond the clocks of its words
_CHAIN_CYCLES = 10  # from the last step of a product to the first of the next, and d more


@dataclass(frozen=True)
class DspExponentiator(Exponentiator):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits and x < n, from plain numbers to a plain number.

    The array is that of `Dsp` with the same width, word_width and fold: a product takes a digit of w bits in
    `fold` clocks, and squares follow each other without a pause for their words. The exponent is read in
    windows of window_width bits, from the highest. Each takes as many squares, and a product with an entry of
    a table, whose words are all read. The constants of n are computed on the core. The cycles depend on the
    bit length of n and on the number of words of the exponent.
    """

    word_width: int = 17
    fold: int = 1
    window_width: int = 5

    name: ClassVar[str] = "dsp-exp"
    title: ClassVar[str] = "exponentiator by fixed windows with masked reads on DSP blocks, folded by 1 to 8"
    paper: ClassVar[str] = "orup95"
    source: ClassVar[str] = "[orup95, quotient pipelining]; the method of fixed windows"
    bound: ClassVar[str] = "n"
    numbers_in: ClassVar[tuple[str, ...]] = ("exponent_words", "n", "base", "exponent")
    wipe_word: ClassVar[tuple[int, int] | None] = (-1, 0)
    words_with_lengths: ClassVar[int] = 1
    latency: ClassVar[str] = (
        "of a power: (doublings + 3)·(m + 1) + w + 6·words + 7 + 2·(d + 1)·(words + 6) + "
        "(constants + 2^c − 1)·product + 2·drain + f·words + 5 + ((windows − 1)·(c + 1) + 1)·product"
    )
    letters: ClassVar[dict[str, str]] = {
        "words": "f·⌈(width + w·(d + 1) + 2)/(w·f)⌉: the words of a number in the array",
        "m": "⌊width/w⌋ + 1, the words of a number at the ports, but 2 at least",
        "doublings": "w·words − K + 1",
        "constants": "the bits of w·words, and the ones among them, less 2",
        "product": "tail + f·(words + d + 1), the cycles of a product",
        "tail": "max(10 − d, f + 4)",
        "drain": "tail + f·(words − 1) + 1",
        "windows": "⌈w·exponent_words/c⌉",
        "exponent_words": "the words in which the exponent came",
        "width": "the width of the build",
        "K": "the bit length of the modulus",
        "d": "4, 2, 1, 0 for fold = 1, 2, 4, 8",
        "w": "word_width",
        "f": "fold",
        "c": "window_width",
    }
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048)
    variants: ClassVar[dict[str, dict[str, int]]] = Dsp.variants

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        words = self.multiplier.words
        if self.window_width not in WINDOW_WIDTHS:
            raise ValueError(f"window_width of {self.name} is from 4 to 6, not {self.window_width}")
        if words >> self.word_width:
            raise ValueError(
                f"numbers of {words} words need a word_width of {words.bit_length()} or more, "
                f"not {self.word_width}"
            )

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_dsp"

    @property
    def multiplier(self) -> Dsp:
        """Return the multiplier of which the core has the array; its __post_init__ checks the parameters."""
        return Dsp(self.width_bits, self.word_width, self.fold)

    @property
    def port_bits(self) -> int:
        """Return word_width."""
        return self.word_width

    @property
    def radix_bits(self) -> int:
        """Return word_width."""
        return self.word_width

    @property
    def number_words(self) -> int:
        """Return the words of n, of the base and of the result at the ports."""
        return self.width_bits // self.word_width + 1

    @property
    def _pass_cycles(self) -> int:
        """Return the cycles of a doubling or a reduction modulo n."""
        return max(self.number_words, 2) + 1

    @property
    def max_words(self) -> int:
        """Return the most words of an exponent."""
        return self.multiplier.words

    @property
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""
        return self.word_width * self.max_words

    @property
    def is_constant_time(self) -> bool:
        """Return that the cycles depend on lengths only."""
        return True

    @property
    def max_cycles(self) -> int:
        """Return the cycles of the longest exponent modulo the shortest n."""
        return self._cycles(3, self.max_words)

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (self.width_bits, 8, 33, self.width_bits, 97))

    def exponent_words(self, e: int, n: int) -> int:
        """Return the number of port words of the exponent."""
        return -(-max(e.bit_length(), n.bit_length()) // self.word_width)

    def operand_bound(self, n: int) -> int:
        """Return n, the exclusive bound of the base."""
        return n

    def result_bound(self, n: int) -> int:
        """Return n, because the result is reduced."""
        return n

    def constants(self, n: int) -> dict[str, int]:
        """Return nothing: the core finds all constants of n."""
        self._check_modulus(n)
        return {}

    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the length of the exponent, then the words of n, the base and the exponent."""
        count, w, exponent_words = self.number_words, self.word_width, self.exponent_words(e, n)
        numbers = (*port_words(n, w, count), *port_words(x, w, count), *port_words(e, w, exponent_words))
        return [exponent_words, *numbers]

    def words_out(self, n: int) -> int:  # noqa: ARG002  (all moduli have as many)
        """Return `number_words`."""
        return self.number_words

    def cycles(self, e: int, n: int) -> int:
        """Return the cycles of a power, which do not depend on the base."""
        return self._cycles(n, self.exponent_words(e, n))

    def _cycles(self, n: int, exponent_words: int) -> int:
        """Return the cycles of a power with an exponent of so many words."""
        windows = -(-self.word_width * exponent_words // self.window_width)
        doublings = self.exponent_bits - n.bit_length() + 1
        powers = ((windows - 1) * (self.window_width + 1) + 1) * self.product_cycles
        return self._fixed_cycles + doublings * self._pass_cycles + powers

    @property
    def product_cycles(self) -> int:
        """Return the clocks from the beginning of a product to the beginning of the next one."""
        core = self.multiplier
        return self._tail_cycles + core.fold * (core.words + core.delay + 1)

    @property
    def _tail_cycles(self) -> int:
        return max(_CHAIN_CYCLES - self.multiplier.delay, self.fold + 4)

    @property
    def _fixed_cycles(self) -> int:
        """Return the cycles of what depends neither on n nor on the exponent."""
        core, words = self.multiplier, self.multiplier.words
        passes = 3 * self._pass_cycles + 6 * words + 4 + self.word_width + 3
        divisions = 2 * (core.delay + 1) * (words + _DIVISION_CYCLES)
        r_log2 = self.exponent_bits
        constants = r_log2.bit_length() - 1 + r_log2.bit_count() - 1
        products = constants + 1 + (1 << self.window_width) - 2
        drains = 2 * (self._tail_cycles + self.fold * (words - 1) + 1)
        load = 1 + self.fold * words + _READ_CYCLES
        return passes + divisions + products * self.product_cycles + drains + load

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses a job."""
        return (
            f"exponent_words > {self.max_words} or n.bit_length() > {self.width_bits} or n % 2 == 0 or "
            "n < 3 or base >= n"
        )

    @property
    def facts(self) -> dict[str, object]:
        """Return the length of the exponent, and the words of a power."""
        w, count = self.word_width, str(self.number_words)
        return {
            "constants": {
                "exponent_words": f"-(-max(exponent.bit_length(), n.bit_length()) // {w})",
            },
            "input": [
                {"number": "exponent_words", "words": "1"},
                {"number": "n", "words": count},
                {"number": "base", "words": count},
                {"number": "exponent", "words": "exponent_words"},
            ],
            "wipe": "0 in place of exponent_words: all memories become zero, there is no output",
            "output": {"number": "z", "words": count},
            "result": "z == pow(base, exponent, n)",
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return `cycles` as a formula."""
        c, product = self.window_width, self.product_cycles
        windows = f"(-(-{self.word_width} * exponent_words // {c}) - 1)"
        doublings = f"({self.exponent_bits + 1} - n.bit_length()) * {self._pass_cycles}"
        powers = f"({windows} * {c + 1} + 1) * {product}"
        return {"exactly": f"{self._fixed_cycles} + {doublings} + {powers}"}

    def _run(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n by the products of the array, and the cycles."""
        core, c = self.multiplier, self.window_width

        def product(a: int, b: int) -> int:
            return core.run(a, b, n).z

        two = 2 * core.r(n) % n
        r2 = two
        for bit in f"{self.exponent_bits:b}"[1:]:
            r2 = product(r2, r2)
            r2 = product(two, r2) if bit == "1" else r2
        base = product(x, r2)
        table = [core.r(n) % n, base]
        for _ in range(2, 1 << c):
            table.append(product(base, table[-1]))
        windows = -(-self.word_width * self.exponent_words(e, n) // c)
        z = table[e >> c * (windows - 1)]
        for i in reversed(range(windows - 1)):
            for _ in range(c):
                z = product(z, z)
            z = product(table[e >> c * i & (1 << c) - 1], z)
        return Result(self._unscaled(z, n), self.cycles(e, n))

    def _unscaled(self, y: int, n: int) -> int:
        """Return y/R mod n: the product of y and 2^e, which is then divided by 2^w, d + 1 times."""
        core, radix = self.multiplier, 1 << self.word_width
        m_tilde, r = core.m_tilde(n), core.r(n)
        t = y << self.word_width * (core.delay + 1)
        t = (t + -t * pow(m_tilde, -1, r) % r * m_tilde) // r
        for _ in range(core.delay + 1):
            t = (t + -t * pow(n, -1, radix) % radix * n) // radix
        return t - n if t >= n else t


ARCHITECTURE = DspExponentiator

"""An exponentiator by windows of a fixed length, around the multiplier with late quotient digits."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.quotient_pipelined import DELAY, QuotientPipelined
from monpro.cores.word_multiplier import KEPT, Command
from monpro.cores.word_serial import port_words

LEAST_WINDOW_WIDTH = 4
MOST_RADIX_LOG2 = 5
_PASS_CYCLES = 2  # of a doubling, beyond its words
_FIND_CYCLES = 5  # of the search for the entry of a window, beyond the window's bits and all words


@dataclass(frozen=True)
class WindowExponentiator(Exponentiator):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits and x < n, from plain numbers to a plain number.

    The exponent is read in windows of window_width bits, from the highest. Each takes as many squares, and a
    product with an entry of a table, whose words are all read. The constants of n are computed on the core.
    A job has the words of the multiplier for n. The exponent has as many words as a plain n, or more if it is
    longer. The cycles depend on the bit length of n and on these numbers of words.
    """

    radix_log2: int = 4
    word_width: int = 32
    window_width: int = 5

    name: ClassVar[str] = "window-exp"
    title: ClassVar[str] = "exponentiator by fixed windows with masked reads, any length, radix 8 to 32"
    paper: ClassVar[str] = "orup95"
    source: ClassVar[str] = "[orup95, quotient pipelining]; the method of fixed windows"
    bound: ClassVar[str] = "n"
    numbers_in: ClassVar[tuple[str, ...]] = ("words", "exponent_words", "n", "base", "exponent")
    wipe_word: ClassVar[tuple[int, int] | None] = (-1, 0)
    words_with_lengths: ClassVar[int] = 2
    latency: ClassVar[str] = (
        "of a power: 2 + doublings·(words + 2) + constants + (2^c − 2)·multiply + 2^c·words + rest + 5 + "
        "both − square + (windows − 1)·(c·square + multiply) + last"
    )
    letters: ClassVar[dict[str, str]] = {
        "words": "⌈(K + 6k + 1)/w⌉, at least 2: the words of a number",
        "doublings": "w·words − K + 1 + w·words/2^s",
        "s": "the number of factors 2 of w",
        "constants": "both − 1 + (s − 1)·square + multiply, or both − 1 if s = 0",
        "square": "(w/k + 1)·words + 18 + max(0, 2^k − 4), the cycles of a square",
        "multiply": "(w/k + 2)·words + 18 + max(0, 2^k − words − 4), of a product with a new factor",
        "both": "(w/k + 3)·words + 18 + max(0, 2^k − words), of a product with two new factors",
        "rest": "the bits of the highest window: from 1 to c",
        "last": "(w/k + 9)·words + 67 + max(words, 8) + max(0, 2^k − words − 4), of the last product",
        "windows": "⌈w·exponent_words/c⌉",
        "exponent_words": "the words in which the exponent came",
        "K": "the bit length of the modulus",
        "k": "radix_log2",
        "w": "word_width",
        "c": "window_width",
    }
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048, 4096)
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "radix8": {"radix_log2": 3, "word_width": 24},
        "radix32": {"radix_log2": 5, "word_width": 30},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        digits = self.multiplier.word_width // self.radix_log2
        if self.radix_log2 > MOST_RADIX_LOG2:
            raise ValueError(
                f"radix_log2 of {self.name} is from 3 to {MOST_RADIX_LOG2}, not {self.radix_log2}"
            )
        if self.window_width < LEAST_WINDOW_WIDTH or 1 << self.window_width > self.window_width * (
            digits + 1
        ):
            raise ValueError(
                f"window_width of {self.name} is {LEAST_WINDOW_WIDTH}, or more if 2^window_width ≤ "
                f"window_width·(word_width/radix_log2 + 1), not {self.window_width}"
            )

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_window"

    @property
    def multiplier(self) -> QuotientPipelined:
        """Return the multiplier."""
        return QuotientPipelined(self.width_bits, self.radix_log2, self.word_width)

    @property
    def port_bits(self) -> int:
        """Return word_width."""
        return self.word_width

    @property
    def max_words(self) -> int:
        """Return the most words of a number, and of an exponent."""
        return self.multiplier.words_out((1 << self.width_bits) - 1)

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
        """Return an upper bound: the longest exponent, and the shortest modulus of most words."""
        longest = (1 << self.width_bits) - 1
        return self._cycles(longest, self.max_words) + self.word_width * (self.max_words + _PASS_CYCLES)

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (8, 33, 64, self.width_bits, 97, 8, 33, 64))

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
        """Return `words`, the length of a number."""
        self._check_modulus(n)
        return {"words": self.words_out(n)}

    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the lengths, then the words of n, the base and the exponent."""
        words, exponent_words, w = self.words_out(n), self.exponent_words(e, n), self.word_width
        numbers = (*port_words(n, w, words), *port_words(x, w, words), *port_words(e, w, exponent_words))
        return [words, exponent_words, *numbers]

    def words_out(self, n: int) -> int:
        """Return the words of a number modulo n."""
        return self.multiplier.words_out(n)

    def cycles(self, e: int, n: int) -> int:
        """Return the cycles of a power, which do not depend on the base."""
        return self._cycles(n, self.exponent_words(e, n))

    def _cycles(self, n: int, exponent_words: int) -> int:
        """Return the cycles of a power with an exponent of so many words."""
        words, c, exponent_bits = self.words_out(n), self.window_width, self.word_width * exponent_words
        square, multiply = self._turn(n, KEPT), self._turn(n, Command.X)
        both = self._turn(n, Command.Y | Command.X)
        conversion = both - 1 + (self._squares - 1) * square + multiply if self._squares else both - 1
        find = (words << c) + (exponent_bits % c or c) + _FIND_CYCLES
        windows = -(-exponent_bits // c)
        table = ((1 << c) - 2) * multiply
        powers = both - square + (windows - 1) * (c * square + multiply)
        last = 1 + words + self.multiplier.cycles(n, Command.X | Command.REDUCE)
        return 2 + self._doublings(n) * (words + _PASS_CYCLES) + conversion + table + find + powers + last

    def _turn(self, n: int, command: Command) -> int:
        """Return the cycles of a product, its command, its operands and its result."""
        words = self.words_out(n)
        operands = words * ((Command.Y in command) + (Command.X in command))
        return 1 + operands + self.multiplier.cycles(n, command) + words

    @property
    def _squares(self) -> int:
        """Return s, the number of factors 2 of word_width."""
        return (self.word_width & -self.word_width).bit_length() - 1

    def _doublings(self, n: int) -> int:
        """Return the doublings from 2^(K−1) to R·2^(w·words/2^s), where R = 2^(w·words)."""
        r_log2 = self.word_width * self.words_out(n)
        return r_log2 + 1 - n.bit_length() + (r_log2 >> self._squares)

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses a job."""
        spare, w, most = self.radix_log2 * (DELAY + 2) + 1, self.word_width, self.max_words
        return (
            f"words == 1 or words > {most} or exponent_words < 1 or exponent_words > {most} or "
            f"n.bit_length() + {spare} > {w} * words or n % 2 == 0 or n < 3 or base >= n"
        )

    @property
    def facts(self) -> dict[str, object]:
        """Return the lengths, and the words of a power."""
        w, spare = self.word_width, self.radix_log2 * (DELAY + 2) + 1
        return {
            "constants": {
                "words": f"max(2, -(-(n.bit_length() + {spare}) // {w}))",
                "exponent_words": f"-(-max(exponent.bit_length(), n.bit_length()) // {w})",
            },
            "input": [
                {"number": "words", "words": "1"},
                {"number": "exponent_words", "words": "1"},
                {"number": "n", "words": "words"},
                {"number": "base", "words": "words"},
                {"number": "exponent", "words": "exponent_words"},
            ],
            "wipe": "0 in place of words: all memories become zero, there is no output",
            "output": {"number": "z", "words": "words"},
            "result": "z == pow(base, exponent, n)",
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return `cycles` as a formula."""
        k, w, c = self.radix_log2, self.word_width, self.window_width
        digits, entries = w // k, 1 << c
        square = f"({digits + 1} * words + {18 + (1 << k) - 4})"
        multiply = f"({digits + 2} * words + 18 + max(0, {(1 << k) - 4} - words))"
        both = f"({digits + 3} * words + 18 + max(0, {1 << k} - words))"
        doublings = f"({w + (w >> self._squares)} * words + 1 - n.bit_length())"
        constants = f"{both} - 1"
        if self._squares:
            constants += f" + {self._squares - 1} * {square} + {multiply}"
        windows = f"-(-{w} * exponent_words // {c})"
        find = f"{entries} * words + ({w} * exponent_words - 1) % {c} + 1 + {_FIND_CYCLES}"
        powers = f"{both} - {square} + ({windows} - 1) * ({c} * {square} + {multiply})"
        last = f"{digits + 9} * words + 67 + max(words, 8) + max(0, {(1 << k) - 4} - words)"
        return {
            "exactly": f"2 + {doublings} * (words + {_PASS_CYCLES}) + {constants} + "
            f"{entries - 2} * {multiply} + {find} + {powers} + {last}"
        }

    def _run(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n by the products of the core, and the cycles."""
        core, c = self.multiplier, self.window_width
        r = core.r(n)

        def product(a: int, b: int, command: Command = KEPT) -> int:
            return core.run(a, b, n, command).z

        r2 = r * (1 << (self.word_width * self.words_out(n) >> self._squares)) % n
        for _ in range(self._squares):
            r2 = product(r2, r2)
        base = product(x, r2)
        table = [r % n, base]
        for _ in range(2, 1 << c):
            table.append(product(base, table[-1]))
        windows = -(-self.word_width * self.exponent_words(e, n) // c)
        z = table[e >> c * (windows - 1)]
        for i in reversed(range(windows - 1)):
            for _ in range(c):
                z = product(z, z)
            z = product(table[e >> c * i & (1 << c) - 1], z)
        return Result(product(1, z, Command.REDUCE), self.cycles(e, n))


ARCHITECTURE = WindowExponentiator

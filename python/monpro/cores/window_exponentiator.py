"""An exponentiator by windows of a fixed length, around the multiplier with late quotient digits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, ClassVar, Self, cast

from monpro.cores.blinding import T_BITS, Blinding, Key, blinded_power, blinding_of
from monpro.cores.core import Result
from monpro.cores.crt import CrtKey, crt_power
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.quotient_pipelined import DELAY, QuotientPipelined
from monpro.cores.word_multiplier import KEPT, Command, squares
from monpro.cores.word_serial import port_words

LEAST_WINDOW_WIDTH = 4
MOST_RADIX_LOG2 = 5
_FETCH_CYCLES = 1  # from a command to the first word of x; the multiplier takes y no earlier
_PASS_CYCLES = 3  # of a doubling, beyond its words
_FIND_CYCLES = 6  # of the search for the entry of a window, beyond the window's bits and all words
_SUM_CYCLES = 3  # of a pass of the blinded exponent, beyond its words
_LEAST_V = 3


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
    blinding: bool = False
    crt: bool = False

    name: ClassVar[str] = "window-exp"
    title: ClassVar[str] = "exponentiator by fixed windows with masked reads, any length, radix 8 to 32"
    paper: ClassVar[str] = "orup95"
    source: ClassVar[str] = "[orup95, quotient pipelining]; the method of fixed windows"
    bound: ClassVar[str] = "n"
    numbers_in: ClassVar[tuple[str, ...]] = ("words", "exponent_words", "n", "base", "exponent")
    wipe_word: ClassVar[tuple[int, int] | None] = (-1, 0)
    words_with_lengths: ClassVar[int] = 2
    latency: ClassVar[str] = (
        "of a power: 2 + doublings·(words + 3) + constants + (2^c − 2)·multiply + 2^c·words + rest + 6 + "
        "both + (windows − 1)·multiply + (c·(windows − 1) − 1)·next + last"
    )
    letters: ClassVar[dict[str, str]] = {
        "words": "⌈(K + 6k + 1)/w⌉, at least 2: the words of a number",
        "doublings": "w·words − K + 1 + w·words/2^s",
        "s": "the number of factors 2 of w",
        "constants": "both + (s − 1)·square + multiply, or both if s = 0",
        "square": "(w/k + 1)·words + 20 + max(0, 2^k − words − 4), the cycles of a square",
        "next": "(w/k)·words + 15 + 2^k, of a square that follows in the multiplier",
        "multiply": "(w/k + 2)·words + 21 + max(0, 2^k − 2·words − 5), of a product with a new factor",
        "both": "(w/k + 3)·words + 20 + max(0, 2^k − 2·words), of a product with two new factors",
        "rest": "the bits of the highest window: from 1 to c",
        "last": "(w/k + 9)·words + 94 + max(0, 2^k − 2·words − 5), of the last product",
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
        if type(self) is not _made(blinding=self.blinding, crt=self.crt):
            raise ValueError(
                f"{self.name} with blinding={self.blinding:d} and crt={self.crt:d} is made by "
                "WindowExponentiator.of"
            )
        if self.radix_log2 > MOST_RADIX_LOG2:
            raise ValueError(
                f"radix_log2 of {self.name} is from 3 to {MOST_RADIX_LOG2}, not {self.radix_log2}"
            )
        words, c = self.max_words, self.window_width
        read = (c * (self.word_width // self.radix_log2) + 1) * words + (c << self.radix_log2)
        if c < LEAST_WINDOW_WIDTH or words << c > read:
            raise ValueError(
                f"window_width of {self.name} is {LEAST_WINDOW_WIDTH}, or more if {words}·2^window_width ≤ "
                f"{words}·(window_width·word_width/radix_log2 + 1) + window_width·2^radix_log2, not {c}"
            )

    @classmethod
    def of(cls, width_bits: int, parameters: Mapping[str, int]) -> Self:
        """Return the design with these parameters; with blinding=1 or crt=1 it is a class of its own.

        ValueError if both are 1.
        """
        made = _made(blinding=bool(parameters.get("blinding")), crt=bool(parameters.get("crt")))
        return cast("Self", made(width_bits, **dict[str, Any](parameters)))

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_window"

    @property
    def parameters(self) -> dict[str, int]:
        """Return the parameters of the RTL module, which is another one if `blinding` or `crt` is 1."""
        return {name: value for name, value in self.settings.items() if name not in {"Blinding", "Crt"}}

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
        words = self.multiplier.words_out(n)
        last = self._turn(n, Command.X | Command.REDUCE) - words
        return 2 + self._conversion_cycles(n) + self._windows_cycles(n, exponent_words) + last

    def _conversion_cycles(self, n: int) -> int:
        """Return the cycles of R, R² and the product of R² and a plain number; with `crt` of R³."""
        words = self.multiplier.words_out(n)
        first = self._turn(n, Command.Y | Command.X)
        count = self._squares + self.crt
        squares = (count - 1) * self._turn(n, KEPT) + self._turn(n, Command.X)
        return self._doublings(n) * (words + _PASS_CYCLES) + first + (squares if count else 0)

    def _windows_cycles(self, n: int, exponent_words: int) -> int:
        """Return the cycles of the table and of all windows of an exponent of so many words."""
        words, c, exponent_bits = (
            self.multiplier.words_out(n),
            self.window_width,
            self.word_width * exponent_words,
        )
        multiply, window = self._turn(n, Command.X), self._turn(n, Command.X | squares(c))
        first = self._turn(n, Command.Y | Command.X | squares(c - 1))
        find = (words << c) + (exponent_bits % c or c) + _FIND_CYCLES
        table = ((1 << c) - 2) * multiply
        windows = -(-exponent_bits // c)
        return table + find + first + (windows - 2) * window + multiply

    def _turn(self, n: int, command: Command) -> int:
        """Return the cycles of a product of the power, and of its squares."""
        fetch = _FETCH_CYCLES if Command.X in command and Command.Y not in command else 0
        return fetch + self._product_cycles(n, command, waited=fetch)

    def _product_cycles(self, n: int, command: Command, waited: int = 0) -> int:
        """Return the cycles of a product: of its command, operands and result, but those waited for x."""
        words = self.multiplier.words_out(n)
        operands = words * ((Command.Y in command) + (Command.X in command))
        return 1 + operands + self.multiplier.cycles(n, command, waited) + words

    @property
    def _squares(self) -> int:
        """Return s, the number of factors 2 of word_width."""
        return (self.word_width & -self.word_width).bit_length() - 1

    def _doublings(self, n: int) -> int:
        """Return the doublings from 2^(K−1) to R·2^(w·words/2^s), where R = 2^(w·words)."""
        r_log2 = self.word_width * self.multiplier.words_out(n)
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
        windows, last = self._windows_formula("exponent_words"), self._last_formula()
        return {"exactly": f"2 + {self._conversion_formula()} + {windows} + {last}"}

    def _last_formula(self) -> str:
        """Return the cycles of the last product as a formula, up to its first word."""
        return f"{self._turn_formulas()['reduced']} - words"

    def _turn_formulas(self) -> dict[str, str]:
        """Return the cycles of products as formulas: with their command, operands and result."""
        digits, entries = self.word_width // self.radix_log2, 1 << self.radix_log2
        waits = f"max(0, {entries - 5} - 2 * words)"
        return {
            "square": f"({digits + 1} * words + 20 + max(0, {entries - 4} - words))",
            "next": f"({digits} * words + {15 + entries})",
            "multiply": f"({digits + 2} * words + 21 + {waits})",
            "both": f"({digits + 3} * words + 20 + max(0, {entries} - 2 * words))",
            "reduced": f"({digits + 10} * words + 94 + {waits})",
        }

    def _conversion_formula(self) -> str:
        """Return the cycles of R, R² and the product of R² and a plain number as a formula; or of R³."""
        turn, w = self._turn_formulas(), self.word_width
        length = "p.bit_length()" if self.crt else "n.bit_length()"
        doublings = f"({w + (w >> self._squares)} * words + 1 - {length}) * (words + {_PASS_CYCLES})"
        count = self._squares + self.crt
        squares = f" + {count - 1} * {turn['square']} + {turn['multiply']}" if count else ""
        return f"{doublings} + {turn['both']}{squares}"

    def _windows_formula(self, exponent_words: str) -> str:
        """Return the cycles of the table and of all windows as a formula."""
        turn, w, c = self._turn_formulas(), self.word_width, self.window_width
        entries = 1 << c
        windows = f"-(-{w} * {exponent_words} // {c})"
        find = f"{entries} * words + ({w} * {exponent_words} - 1) % {c} + 1 + {_FIND_CYCLES}"
        powers = f"({windows} - 1) * ({turn['multiply']} + {c} * {turn['next']}) - {turn['next']}"
        return f"{entries - 2} * {turn['multiply']} + {find} + {turn['both']} + {powers}"

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
        highest = table[e >> c * (windows - 1)]
        z = product(highest, highest, squares(c - 1))
        for i in reversed(range(windows - 1)):
            z = product(table[e >> c * i & (1 << c) - 1], z, squares(c) if i else KEPT)
        return Result(product(1, z, Command.REDUCE), self.cycles(e, n))


@dataclass(frozen=True)
class BlindedWindowExponentiator(WindowExponentiator):
    """x^d mod n for RSA's private operation and what is like it: blinded, and checked before it leaves.

    n is odd and square-free, v the public exponent in one word, odd and at least 3, and d·v ≡ 1 modulo λ(n).
    `order` is a multiple of λ(n), in as many words as d. The second operand of a job is d. A port gives the
    random words, which each job takes anew. A result whose power to v is not the base never leaves.
    """

    blinding: bool = True

    title: ClassVar[str] = "exponentiator by fixed windows, base and exponent blinded, the result checked"
    source: ClassVar[str] = "[orup95, quotient pipelining]; fixed windows; blinding without an inverse"
    numbers_in: ClassVar[tuple[str, ...]] = (*WindowExponentiator.numbers_in, "order", "v")
    latency: ClassVar[str] = (
        "of a power: 6 + words + draws + sums + doublings·(words + 3) + constants + 2·public + 3·multiply + "
        "(2^c − 2)·multiply + 2^c·words + rest + 6 + both + (windows − 1)·multiply + "
        "(c·(windows − 1) − 1)·next + reduced"
    )
    letters: ClassVar[dict[str, str]] = {
        **{name: text for name, text in WindowExponentiator.letters.items() if name != "last"},
        "draws": "⌈64/w⌉ + words, the random words",
        "sums": "65·(exponent_words + ⌈64/w⌉ + 3), of the blinded exponent",
        "public": "(a − 1)·square + (b − 2)·multiply + reduced, if v has a bits and b of them are 1",
        "reduced": "(w/k + 10)·words + 94 + max(0, 2^k − 2·words − 5), of a product below n",
        "windows": "⌈w·(exponent_words + ⌈64/w⌉)/c⌉",
        "exponent_words": "the words in which d came",
    }
    variants: ClassVar[dict[str, dict[str, int]]] = {
        name: {**parameters, "blinding": 1} for name, parameters in WindowExponentiator.variants.items()
    }

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_window_blinded"

    @property
    def max_cycles(self) -> int:
        """Return an upper bound: also the longest v, all of whose bits are 1."""
        longest, most_v = (1 << self.width_bits) - 1, (1 << self.word_width) - 1
        passes = self.word_width * (self.max_words + _PASS_CYCLES)
        return self._blinded_cycles(longest, self.max_words, most_v) + passes

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (16, 33, 64, self.width_bits, 97, 16, 33, 64))

    @property
    def t_words(self) -> int:
        """Return how many random words t takes, and how many words the exponent becomes longer."""
        return -(-T_BITS // self.word_width)

    def random_words(self, n: int) -> int:
        """Return how many random words a job takes: those of t, then those of s."""
        return self.t_words + self.words_out(n)

    def blinding_of(self, randoms: Sequence[int], n: int) -> Blinding:
        """Return what the random words of a job make."""
        words = list(randoms)
        return blinding_of(words[: self.t_words], words[self.t_words :], self.word_width, n)

    def words_in(self, x: int, e: int, n: int, /, order: int = 0, v: int = 0) -> list[int]:
        """Return the words of a job: those of a plain power, then those of `order`, then v."""
        order_words = port_words(order, self.word_width, self.exponent_words(e, n))
        return [*super().words_in(x, e, n), *order_words, v]

    def run(self, x: int, e: int, n: int, /, order: int = 0, v: int = 0) -> Result:
        """Return x^e mod n and the cycles, which are the same for all random words.

        ValueError if a number is out of bounds; CheckFailedError if the core withholds the result.
        """
        self._check_power(x, e, n)
        if v < _LEAST_V or v % 2 == 0 or v >> self.word_width:
            raise ValueError(f"v must be odd, from 3 to {(1 << self.word_width) - 1}, not {v}")
        most = (1 << self.word_width * self.exponent_words(e, n)) - 1
        if not 0 < order <= most:
            raise ValueError(f"order must be a multiple of λ(n) from 1 to {most}, not {order}")
        if e % 2 == 0:
            raise ValueError(f"the exponent must be odd, as the inverse of v modulo λ(n) is, not {e}")
        z = blinded_power(x, Key(n, e, order, v), Blinding(t=1, s=1))
        return Result(z, self.cycles(e, n, v))

    def cycles(self, e: int, n: int, v: int = _LEAST_V) -> int:
        """Return the cycles of a power, which depend on lengths and on v alone."""
        return self._blinded_cycles(n, self.exponent_words(e, n), v)

    def _blinded_cycles(self, n: int, exponent_words: int, v: int) -> int:
        """Return the cycles of a power with an exponent of so many words."""
        longer = exponent_words + self.t_words
        blinding = self.random_words(n) + (T_BITS + 1) * (longer + _SUM_CYCLES)
        multiply, reduced = self._turn(n, Command.X), self._turn(n, Command.X | Command.REDUCE)
        public = (v.bit_length() - 1) * self._turn(n, KEPT) + (v.bit_count() - 2) * multiply + reduced
        powers = 2 * public + 3 * multiply + self._windows_cycles(n, longer) + reduced
        return 6 + self.words_out(n) + blinding + self._conversion_cycles(n) + powers

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses a job. What the check withholds is no refusal."""
        return f"{super().refused} or exponent % 2 == 0 or order == 0 or v < {_LEAST_V} or v % 2 == 0"

    @property
    def facts(self) -> dict[str, object]:
        """Return the lengths, the words of a power, and the random words that it takes."""
        plain = super().facts
        given = [{"number": "order", "words": "exponent_words"}, {"number": "v", "words": "1"}]
        return plain | {
            "input": [*cast("list[dict[str, str]]", plain["input"]), *given],
            "random": {
                "port": "random_i",
                "valid": "random_valid_i",
                "ready": "random_ready_o",
                "words": f"{self.t_words} + words",
                "meaning": "independent random words, each used once; a job takes so many after its input",
            },
            "check": {
                "of": "pow(z, v, n) == base",
                "port": "fault_o",
                "meaning": "if it fails, no word of z leaves, all memories become zero, and the error and "
                "fault_o are 1 until a reset",
            },
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of the numbers; λ is the function of Carmichael."""
        longest = f"2**({self.word_width} * exponent_words)"
        return super().ranges | {
            "exponent": {"equals": "pow(v, -1, order)"},
            "order": {"below": longest, "multiple_of": "λ(n), the least order of all units modulo n"},
            "v": {"least": str(_LEAST_V), "below": f"2**{self.word_width}", "odd": True},
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return `cycles` as a formula."""
        turn = self._turn_formulas()
        squares = f"(v.bit_length() - 1) * {turn['square']} + (v.bit_count() - 2) * {turn['multiply']}"
        longer = f"(exponent_words + {self.t_words})"
        blinding = f"{self.t_words} + words + {T_BITS + 1} * ({longer} + {_SUM_CYCLES})"
        powers = f"{self._windows_formula(longer)} + {turn['reduced']}"
        public = f"2 * ({squares} + {turn['reduced']}) + 3 * {turn['multiply']}"
        return {"exactly": f"6 + words + {blinding} + {self._conversion_formula()} + {public} + {powers}"}


@dataclass(frozen=True)
class CrtWindowExponentiator(WindowExponentiator):
    """RSA's private power by the Chinese remainder theorem: two powers of half the length at the same time.

    p and q are odd and have K ≤ half_bits bits each, and no common factor; x < p·q. A job has the words of
    p and q each, and twice as many of x and of the result, which is `crt_power`. dp and dq have as many words
    as p, or more if one is longer. The cycles depend on K and on these numbers of words.
    """

    crt: bool = True

    title: ClassVar[str] = "two exponentiators by fixed windows, modulo p and q, and Garner's step"
    source: ClassVar[str] = "[orup95, quotient pipelining]; fixed windows; the Chinese remainder theorem"
    bound: ClassVar[str] = "p·q"
    numbers_in: ClassVar[tuple[str, ...]] = (
        *("words", "exponent_words", "p", "q", "qinv"),
        *("base", "dp", "dq"),
    )
    latency: ClassVar[str] = (
        "of a power: 3 + doublings·(words + 3) + constants + (2^c − 2)·multiply + 2^c·words + rest + 6 + "
        "both + (windows − 1)·multiply + (c·(windows − 1) − 1)·next + last + garner"
    )
    letters: ClassVar[dict[str, str]] = {
        **WindowExponentiator.letters,
        "constants": "both + s·square + multiply",
        "garner": "(3w/k + 17)·words + 139 + max(0, 2^k − 2·words) + 2·max(0, 2^k − 2·words − 5) + "
        "max(0, 2^k − words − 5) + (w/k)·words·(words + 3), of Garner's step",
        "exponent_words": "the words in which dp and dq came, each",
        "K": "the bit length of p and q",
    }
    variants: ClassVar[dict[str, dict[str, int]]] = {
        name: {**parameters, "crt": 1} for name, parameters in WindowExponentiator.variants.items()
    }

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_window_crt"

    @property
    def half_bits(self) -> int:
        """Return the bit length of the longest p and q."""
        return (self.width_bits + 1) // 2

    @property
    def multiplier(self) -> QuotientPipelined:
        """Return the multiplier modulo p, or modulo q."""
        return QuotientPipelined(self.half_bits, self.radix_log2, self.word_width)

    @property
    def max_words(self) -> int:
        """Return the most words of p, and of an exponent."""
        return self.multiplier.words_out((1 << self.half_bits) - 1)

    @property
    def max_cycles(self) -> int:
        """Return an upper bound: the longest exponents, and the shortest primes of most words."""
        longest = (1 << self.half_bits) - 1
        passes = self.word_width * (self.max_words + _PASS_CYCLES)
        return self._crt_cycles(longest, self.max_words) + passes

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of p·q to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (8, 33, 64, self.width_bits, 97, 8, 33, 64))

    def exponent_words(self, e: int, n: int) -> int:
        """Return the number of port words of dp and of dq, if both are e; n is p·q."""
        return -(-max(e.bit_length(), (n.bit_length() + 1) // 2) // self.word_width)

    def words_out(self, n: int) -> int:
        """Return the words of a result modulo n = p·q, which has 2K − 1 or 2K bits."""
        return 2 * self.multiplier.words_out((1 << (n.bit_length() + 1) // 2) - 1)

    def constants(self, n: int) -> dict[str, int]:
        """Return `words`, the length of p and q; n is p·q."""
        self._check_modulus(n)
        return {"words": self.words_out(n) // 2}

    def words_in(self, x: int, e: int, n: int, /, p: int = 0) -> list[int]:
        """Return the words that make the core compute x^e mod n, where p divides n."""
        return self.words_of(x, self._key(e, n, p))

    def run(self, x: int, e: int, n: int, /, p: int = 0) -> Result:
        """Return x^e mod n, where p divides n, and the cycles; ValueError if a number is out of bounds."""
        return self.run_key(x, self._key(e, n, p))

    def cycles(self, e: int, n: int) -> int:
        """Return the cycles of a power with the exponents dp = dq = e; n is p·q."""
        return self._crt_cycles((1 << (n.bit_length() + 1) // 2) - 1, self.exponent_words(e, n))

    def words_of(self, x: int, key: CrtKey) -> list[int]:
        """Return the words of a job: the lengths, then those of p, q, q⁻¹, x, dp and dq."""
        words, exponent_words, w = self.words_out(key.n) // 2, self._key_exponent_words(key), self.word_width
        numbers = (
            *((key.p, words), (key.q, words), (key.qinv, words), (x, 2 * words)),
            *((key.dp, exponent_words), (key.dq, exponent_words)),
        )
        given = (word for number, count in numbers for word in port_words(number, w, count))
        return [words, exponent_words, *given]

    def run_key(self, x: int, key: CrtKey) -> Result:
        """Return `crt_power` and its cycles; ValueError if a number is out of bounds."""
        for n in (key.p, key.q):
            if not 3 <= n < 1 << self.half_bits or n % 2 == 0:
                raise ValueError(f"p and q must be odd and from 3 to {2**self.half_bits - 1}, not {n}")
        if key.p.bit_length() != key.q.bit_length():
            raise ValueError(f"p and q must have the same bit length, unlike {key.p} and {key.q}")
        if not 0 <= key.qinv < key.p:
            raise ValueError(f"qinv must be from 0 to {key.p - 1}, not {key.qinv}")
        if not 0 <= x < key.n:
            raise ValueError(f"the base must be from 0 to {key.n - 1}, not {x}")
        if min(key.dp, key.dq) < 0 or max(key.dp, key.dq) >> self.exponent_bits:
            raise ValueError(
                f"{self.name} of {self.width_bits} bits with crt=1 takes exponents of up to "
                f"{self.exponent_bits} bits"
            )
        return Result(crt_power(x, key), self._crt_cycles(key.p, self._key_exponent_words(key)))

    def long_product_cycles(self, words: int) -> int:
        """Return the cycles of the exact product of two numbers of so many words."""
        return self.word_width // self.radix_log2 * words * (words + 3) + 2

    def _key(self, e: int, n: int, p: int) -> CrtKey:
        """Return the key with e as both exponents."""
        if p < 1 or n % p or gcd(p, n // p) != 1:
            raise ValueError(
                f"{self.name} with crt=1 computes modulo p and q: give a p that divides {n} and has no "
                f"common factor with the quotient, not {p}"
            )
        return CrtKey(p, n // p, e, e, pow(n // p, -1, p))

    def _key_exponent_words(self, key: CrtKey) -> int:
        """Return the number of port words of dp, and of dq."""
        return -(-max(key.p.bit_length(), key.dp.bit_length(), key.dq.bit_length()) // self.word_width)

    def _crt_cycles(self, p: int, exponent_words: int) -> int:
        """Return the cycles of a power with p and exponents of so many words.

        Words reach the multipliers through a register. One more clock of a fill therefore passes before the
        last two products. y of the first one waits until the fill by the last result of the power is over.
        """
        words, entries = self.multiplier.words_out(p), 1 << self.radix_log2
        products = self._product_cycles(p, Command.Y | Command.X)
        products += self._product_cycles(p, Command.X, waited=1)
        products += self._product_cycles(p, Command.X | Command.REDUCE, waited=1)
        waits = max(0, entries - 5 - words)
        garner = 2 * words + 4 + products + waits + self.long_product_cycles(words)
        return 1 + self._cycles(p, exponent_words) + garner

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses a job."""
        spare, w, most = self.radix_log2 * (DELAY + 2) + 1, self.word_width, self.max_words
        return (
            f"words == 1 or words > {most} or exponent_words < 1 or exponent_words > {most} or "
            f"p.bit_length() + {spare} > {w} * words or p.bit_length() != q.bit_length() or "
            "p % 2 == 0 or q % 2 == 0 or p < 3 or q < 3 or qinv >= p or base >= p * q"
        )

    @property
    def facts(self) -> dict[str, object]:
        """Return the lengths, and the words of a power."""
        w, spare = self.word_width, self.radix_log2 * (DELAY + 2) + 1
        longest = "max(dp.bit_length(), dq.bit_length(), p.bit_length())"
        counts = {"words": "1", "exponent_words": "1", "base": "2 * words"}
        counts |= {"dp": "exponent_words", "dq": "exponent_words"}
        return {
            "constants": {
                "words": f"max(2, -(-(p.bit_length() + {spare}) // {w}))",
                "exponent_words": f"-(-{longest} // {w})",
            },
            "input": [{"number": name, "words": counts.get(name, "words")} for name in self.numbers_in],
            "wipe": "0 in place of words: all memories become zero, there is no output",
            "output": {"number": "z", "words": "2 * words"},
            "result": "z % p == pow(base, dp, p) and z % q == pow(base, dq, q)",
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of the numbers. That p and q have no common factor is not checked."""
        prime: dict[str, object] = {"least": "3", "below": f"2**{self.half_bits}", "odd": True}
        exponent: dict[str, object] = {"below": f"2**{self.exponent_bits}"}
        return {
            "p": prime,
            "q": {**prime, "bits": "p.bit_length()", "prime_to": "p"},
            "qinv": {"equals": "pow(q, -1, p)"},
            "base": {"below": "p * q"},
            "dp": exponent,
            "dq": exponent,
            "z": {"below": "p * q"},
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return `cycles` as a formula."""
        digits, entries = self.word_width // self.radix_log2, 1 << self.radix_log2
        power = f"{self._conversion_formula()} + {self._windows_formula('exponent_words')}"
        products = f"{3 * digits + 17} * words + 139 + {digits} * words * (words + 3)"
        fills = f"max(0, {entries} - 2 * words) + 2 * max(0, {entries - 5} - 2 * words)"
        garner = f"{products} + {fills} + max(0, {entries - 5} - words)"
        return {"exactly": f"3 + {power} + {self._last_formula()} + {garner}"}


def _made(*, blinding: bool, crt: bool) -> type[WindowExponentiator]:
    """Return the class of the exponentiators with these settings; ValueError if there is none."""
    if blinding and crt:
        raise ValueError("window-exp has no design with blinding=1 and crt=1: give one of them")
    if blinding:
        return BlindedWindowExponentiator
    return CrtWindowExponentiator if crt else WindowExponentiator


ARCHITECTURE = WindowExponentiator

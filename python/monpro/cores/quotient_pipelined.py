"""A product in radix 2^k whose quotient digits are used late, on words with waiting carries [orup95]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.word_multiplier import Command, WordMultiplier
from monpro.spec.orup95 import Constants

DELAY = 4  # d: the registers that a digit of the quotient passes, less one
MAX_WORD_BITS = 32
RADICES_LOG2 = range(3, 7)
_READ_CYCLES = 5  # from the first request for a word of the result to the word
_PASS_CYCLES = 9  # from the words of a pass to their result
_SQUARES = f"(0 if command & {int(Command.REDUCE)} else command // {int(Command.SQUARE)})"  # a formula
_PORT_CYCLES = 3  # from a word of the result, through the memory, to the port


@dataclass(frozen=True)
class QuotientPipelined(WordMultiplier):
    """One digit of x in each clock, and any modulus that has no more words than the core.

    k = radix_log2, w = word_width, d = 4, e = k(d + 1), M̃ = (−n⁻¹ mod 2^e)·n. A modulus of K bits has
    `words` = ⌈(K + k(d + 2) + 1)/w⌉ words, at least 2, and R = 2^(w·words).
    """

    radix_log2: int = 4
    word_width: int = 32

    name: ClassVar[str] = "quotient-pipelined"
    title: ClassVar[str] = "radix 8 to 64, late quotient digits, multiples in LUT RAM, any length"
    paper: ClassVar[str] = "orup95"
    source: ClassVar[str] = "[orup95, quotient pipelining]"
    wipe_word: ClassVar[tuple[int, int] | None] = (Command.WIPE, Command.WIPE)
    words_with_lengths: ClassVar[int] = 2
    bound: ClassVar[str] = "2M̃"
    latency: ClassVar[str] = (
        "words·w/k + 19 + max(0, 2^k − 2·words), from the last word of x to the first of z; of a product "
        "below n 8·words + 73 more; of each square that follows words·w/k + 15 + 2^k more; "
        "words = ⌈(K + 6k + 1)/w⌉, k = radix_log2, w = word_width"
    )
    letters: ClassVar[dict[str, str]] = {
        "K": "the bit length of the modulus",
        "k": "radix_log2",
        "w": "word_width",
        "words": "the words of a number",
    }
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048, 4096)
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "radix8": {"radix_log2": 3, "word_width": 30},
        "radix32": {"radix_log2": 5, "word_width": 30},
        "radix64": {"radix_log2": 6, "word_width": 30},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        k = self.radix_log2
        if k not in RADICES_LOG2:
            raise ValueError(f"radix_log2 of {self.name} is from 3 to 6, not {k}")
        if self.word_width % k or not k * (DELAY + 1) <= self.word_width <= MAX_WORD_BITS:
            raise ValueError(
                f"word_width of {self.name} is a multiple of radix_log2 = {k} from {k * (DELAY + 1)} to "
                f"{MAX_WORD_BITS}, not {self.word_width}"
            )

    @property
    def port_bits(self) -> int:
        """Return the bits of a port word."""
        return self.word_width

    @property
    def radix_bits(self) -> int:
        """Return the bits of a digit."""
        return self.radix_log2

    @property
    def is_constant_time(self) -> bool:
        """Return that the cycles depend on the length only."""
        return True

    @property
    def max_cycles(self) -> int:
        """Return the cycles of the slowest product: reduced, of the longest numbers, with y given, x kept."""
        return self.cycles((1 << self.width_bits) - 1, Command.Y | Command.REDUCE)

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (self.width_bits, 8, 33, self.width_bits, 97))

    def words_out(self, n: int) -> int:
        """Return `words`: the sums S < 2^(K+k(d+2)+1) fit, and the multiples of operands."""
        return max(2, -(-(n.bit_length() + self.radix_log2 * (DELAY + 2) + 1) // self.word_width))

    def r(self, n: int) -> int:
        """Return R = 2^(w·words)."""
        return 1 << self.word_width * self.words_out(n)

    def m_tilde(self, n: int) -> int:
        """Return M̃, the multiple of n by which products are reduced."""
        return Constants.of(n, self.radix_log2, DELAY).M_tilde

    def operand_bound(self, n: int) -> int:
        """Return 2·M̃."""
        return 2 * self.m_tilde(n)

    def cycles(self, n: int, command: Command, waited: int = 0) -> int:
        """Return the cycles of a product and its squares, if no word of it and of the result before waits.

        The loop starts when the table of the lowest word is full: 2^k clocks after the lowest word of y, or
        of the result before if y is kept. The other words of it, the command and the words of x come
        meanwhile. waited: the cycles between the command and the first word of x in which no word comes.
        """
        words, k = self.words_out(n), self.radix_log2
        loop = words * self.word_width // k + DELAY + 5 + _READ_CYCLES
        meanwhile = words + waited + (words if Command.X in command else 0)
        if Command.Y not in command:
            meanwhile += 1 + _PORT_CYCLES
        cycles = 1 + max(1, (1 << k) + 1 - meanwhile) + loop + _PORT_CYCLES
        if Command.REDUCE not in command:
            return cycles + command.squares * (loop + 1 + (1 << k))
        skipped = DELAY + 2
        passes = (DELAY + 3) * (words + _PASS_CYCLES + 1)
        return cycles - skipped + words + passes + _PASS_CYCLES

    @property
    def refused(self) -> str:
        """Return a formula: whether the core refuses `words`, the length of a new modulus."""
        most = self.words_out((1 << self.width_bits) - 1)
        return f"command & {int(Command.MODULUS)} and (words < 2 or words > {most})"

    @property
    def facts(self) -> dict[str, object]:
        """Return the commands, the constants of n, and the words of a product."""
        k, w = self.radix_log2, self.word_width
        modulus, e = k * (DELAY + 2) + 1, 1 << k * (DELAY + 1)
        given = (("words", "1", Command.MODULUS), ("n", "words", Command.MODULUS))
        operands = (("y", "words", Command.Y), ("x", "words", Command.X))
        return {
            "command": {(command.name or "").lower(): int(command) for command in Command},
            "constants": {
                "words": f"max(2, -(-(n.bit_length() + {modulus}) // {w}))",
                "m_tilde": f"-pow(n, -1, {e}) % {e} * n",
                "r_log2": f"{w} * words",
                "r": "2**r_log2 % n",
                "r2": "2**(2 * r_log2) % n",
            },
            "input": [
                {"number": "command", "words": "1"},
                *(
                    {"number": name, "words": words, "if": f"command & {int(bit)}"}
                    for name, words, bit in (*given, *operands)
                ),
            ],
            "output": {"number": "z", "words": "words"},
            "result": f"z * pow(2, r_log2 * (2 * 2**{_SQUARES} - 1), n) % n == pow(x * y, 2**{_SQUARES}, n)",
            "to_montgomery": "the product of x and r2",
            "from_montgomery": "the product of 1 as x and z as y, with reduce",
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of the operands and of the result, which a reduced product lowers to n."""
        reduced = f"n if command & {int(Command.REDUCE)} else 2 * m_tilde"
        return {"x": {"below": reduced}, "y": {"below": "2 * m_tilde"}, "z": {"below": reduced}}

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return the cycles of a product that is given all its numbers."""
        return {"exactly": f"{self._least_cycles} + max(0, {1 << self.radix_log2} - 2 * words)"}

    @property
    def cycles_formulas_of_slow_words(self) -> dict[str, str]:
        """Return bounds: while words wait, the table of y fills."""
        return {"least": self._least_cycles, "most": self.cycles_formulas["exactly"]}

    @property
    def _least_cycles(self) -> str:
        loop = f"words * {self.word_width // self.radix_log2}"
        squares = f"{_SQUARES} * ({loop} + {15 + (1 << self.radix_log2)})"
        return f"{loop} + 19 + (8 * words + 73 if command & {int(Command.REDUCE)} else {squares})"

    def _product(self, x: int, y: int, n: int) -> int:
        """Return (x·y + Q·M̃)/R, where Q < R makes this an integer."""
        m_tilde, r = self.m_tilde(n), self.r(n)
        return int(x * y + -x * y * pow(m_tilde, -1, r) % r * m_tilde) // r


def product_by_words(core: QuotientPipelined, x: int, y: int, n: int) -> int:
    """Return the product as the array computes it, for x < R: words of S, each with carries that wait.

    A carry out of a word waits w/k steps. It has then the weight of the carry into the same word, where it
    enters. ArithmeticError if a carry leaves the highest word.
    """
    k, w, words = core.radix_log2, core.word_width, core.words_out(n)
    m_hat, waits, lowest = Constants.of(n, k, DELAY).M_hat, w // k, (1 << w) - 1
    s = [0] * words
    t_carries, s_carries = ([[0] * waits for _ in range(words)] for _ in range(2))
    digits = words * waits
    q: list[int] = []
    for i in range(digits + DELAY + 1):
        q.append(s[0] % (1 << k))
        a = x >> k * i & (1 << k) - 1
        a_b, q_n = a * y, (q[i - DELAY] if i >= DELAY else 0) * m_hat
        above = [*(word % (1 << k) for word in s[1:]), 0]
        for j in range(words):
            t = (a_b >> w * j & lowest) + (q_n >> w * j & lowest) + t_carries[j].pop()
            t_carries[j].insert(0, t >> w)
            total = (s[j] >> k | above[j] << w - k) + (t & lowest) + s_carries[j].pop()
            s_carries[j].insert(0, total >> w)
            s[j] = total & lowest
        if t_carries[-1][0] or s_carries[-1][0]:
            raise ArithmeticError("a carry leaves the highest word")
    total = sum(word << w * j for j, word in enumerate(s))
    for carries in (t_carries, s_carries):
        total += sum(c << w * (j + 1) - k * g for j, row in enumerate(carries) for g, c in enumerate(row))
    return (total << k * DELAY) + sum(q[digits + 1 + j] << k * j for j in range(DELAY))


ARCHITECTURE = QuotientPipelined

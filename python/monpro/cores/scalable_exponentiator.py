"""An exponentiator around the scalable multiplier, for operands of any length [amberg08]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.scalable import Scalable
from monpro.cores.word_serial import port_words
from monpro.spec.amberg08 import ceil_div

WORD_WIDTHS = (2, 4, 8, 16, 32)  # the widths that divide a port word
PORT_BITS = 32


@dataclass(frozen=True)
class ScalableExponentiator(Exponentiator):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits by square and multiply, from the highest bit on.

    The letters of the latency formula are those of `Scalable`. The length is an input and is chosen here for
    each modulus: k, e and R are those of `multiplier(n)`. The exponent has as many port words as n, or more
    if it is longer.

    constant_time: every bit of the exponent's words takes a square and a product.
    """

    radix_log2: int = 2
    word_width: int = 16
    num_pe: int = 32
    left_shift: bool = True
    booth: bool = False
    constant_time: bool = False

    name: ClassVar[str] = "scalable-exp"
    title: ClassVar[str] = "exponentiator on the scalable array, any length, radix 2 to 16"
    paper: ClassVar[str] = "amberg08"
    bound: ClassVar[str] = "2M̃"
    numbers_in: ClassVar[tuple[str, ...]] = (
        *("words", "passes", "exponent_words"),
        *("n", "r2", "base", "exponent"),
    )
    words_with_lengths: ClassVar[int] = 3
    source: ClassVar[str] = "[amberg08, §II-A, §V]"
    latency: ClassVar[str] = (
        "of a power: (products − 1)·max((k − 1)·P + D + 5, k·P) + (k − 1)·P + D + 6 + e + v·(e + 1) + 32/w + "
        "zeros; products = bits and ones of the exponent, zeros above it in its highest word; with "
        "ConstantTime products = 2 for each bit of the exponent's words and 2, zeros = 0"
    )
    letters: ClassVar[dict[str, str]] = {
        "products": "the number of products of a power",
        "zeros": "the clocks in which zeros above the exponent are skipped",
        "bits": "the bit length of the exponent",
        "ones": "the ones among its bits",
        "k": "⌈(⌈(K + v + 2)/v⌉ + 1)/p⌉, the passes of all words through the array",
        "P": "max(e + 1, D + 1), with right shifts max(e, D + 1), clocks from pass to pass",
        "D": "p + v·p/w, with right shifts 2p, clocks from a word at the first element to its result",
        "e": "⌈(K + c)/w⌉, the words of a number",
        "c": "2v + 2, with Booth 2v + 3, with left shifts 3v + 1 if that is more",
        "K": "the bit length of the modulus",
        "v": "radix_log2",
        "w": "word_width",
        "p": "num_pe, the elements",
    }
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048, 4096)
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "booth": {"booth": 1},
        "constant-time": {"constant_time": 1},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        if self.word_width not in WORD_WIDTHS:
            known = ", ".join(map(str, WORD_WIDTHS))
            raise ValueError(f"word_width of {self.name} is one of {known}, not {self.word_width}")
        self.multiplier(1 << self.width_bits - 1)

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_scalable"

    @property
    def port_bits(self) -> int:
        """Return the bits of a port word."""
        return PORT_BITS

    @property
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""
        return PORT_BITS * max(2, self.words_out((1 << self.width_bits) - 1))

    @property
    def is_constant_time(self) -> bool:
        """Return whether, for one modulus, the cycles depend only on the length of the exponent."""
        return bool(self.constant_time)

    @property
    def max_cycles(self) -> int:
        """Return the cycles of a power with the longest modulus and exponent."""
        return self.cycles((1 << self.exponent_bits) - 1, (1 << self.width_bits) - 1)

    @property
    def sample_widths_bits(self) -> tuple[int, ...]:
        """Return the widths of moduli to try in turn: `width_bits` and shorter ones."""
        return tuple(min(self.width_bits, width) for width in (8, 33, 64, self.width_bits, 97, 128, 160))

    def multiplier(self, n: int) -> Scalable:
        """Return the multiplier for moduli as long as n."""
        shape = (self.radix_log2, self.word_width, self.num_pe)
        return Scalable(max(2, n.bit_length()), *shape, left_shift=self.left_shift, booth=self.booth)

    def exponent_words(self, e: int, n: int) -> int:
        """Return the number of port words of the exponent."""
        return ceil_div(max(e.bit_length(), n.bit_length()), PORT_BITS)

    def products(self, e: int, n: int) -> int:
        """Return the number of products of a power."""
        if self.constant_time:
            return 2 * PORT_BITS * self.exponent_words(e, n) + 2
        return e.bit_length() + e.bit_count() if e else 3

    def cycles(self, e: int, n: int) -> int:
        """Return the cycles of a power, which do not depend on the base."""
        core, e_zeros = self.multiplier(n), 0 if self.constant_time or e == 0 else -e.bit_length() % PORT_BITS
        first = (core.passes - 1) * core.pass_cycles + core.fill_cycles + 4  # word of a product
        pitch = max(first + 1, core.passes * core.pass_cycles)
        reduction = self.radix_log2 * (core.words + 1)
        packing = PORT_BITS // self.word_width + 1
        return e_zeros + 1 + (self.products(e, n) - 1) * pitch + first + core.words + reduction + packing

    def operand_bound(self, n: int) -> int:
        """Return 2·M̃."""
        return self.multiplier(n).operand_bound(n)

    def result_bound(self, n: int) -> int:
        """Return n, because the result is reduced."""
        return n

    def constants(self, n: int) -> dict[str, int]:
        """Return the lengths `words` and `passes` of n, and `r2` = R² mod n."""
        self._check_modulus(n)
        core = self.multiplier(n)
        return {"words": core.words, "passes": core.passes, "r2": core.constants(n)["r2"]}

    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the lengths, then the words of n, R² mod n, the base and the exponent."""
        words, passes, r2 = self.constants(n).values()
        exponent_words, count = self.exponent_words(e, n), self.words_out(n)
        numbers = [word for number in (n, r2, x) for word in port_words(number, PORT_BITS, count)]
        return [words, passes, exponent_words, *numbers, *port_words(e, PORT_BITS, exponent_words)]

    def words_out(self, n: int) -> int:
        """Return the number of port words that hold all words of the array."""
        return ceil_div(self.multiplier(n).words * self.word_width, PORT_BITS)

    def refuses(self, words: int, passes: int, exponent_words: int) -> bool:
        """Return whether the core refuses these lengths, because no modulus of this build has them."""
        most = self.multiplier((1 << self.width_bits) - 1)
        least = self.multiplier(3)
        if not least.words <= words <= most.words:
            return True
        longest_bits = self.word_width * words - self._more_bits
        shortest_bits = longest_bits - self.word_width + 1 if words > least.words else 2
        few, many = (self._passes(bits) for bits in (shortest_bits, longest_bits))
        return not (few <= passes <= many and 0 < exponent_words * PORT_BITS <= self.exponent_bits)

    @property
    def refused(self) -> str:
        """Return `refuses` as a formula."""
        w, more, most = self.word_width, self._more_bits, self.multiplier((1 << self.width_bits) - 1).words
        least, pass_bits = self.multiplier(3).words, self.radix_log2 * self.num_pe
        spare = 2 * self.radix_log2 + 2
        fewest = f"max(2, ({w} * (words - 1) - {more - 1}) * (words > {least}))"
        return (
            f"words < {least} or words > {most} or {pass_bits} * passes < {fewest} + {spare} or "
            f"{pass_bits} * (passes - 1) >= {w} * words - {more} + {spare} or exponent_words < 1 or "
            f"exponent_words > {self.exponent_bits // PORT_BITS}"
        )

    def _passes(self, bits: int) -> int:
        """Return the passes for a modulus of so many bits."""
        v = self.radix_log2
        return ceil_div(ceil_div(bits + v + 2, v) + 1, self.num_pe)

    @property
    def facts(self) -> dict[str, object]:
        """Return the constants of n and of the exponent's length, and the words of a power."""
        v, w, p = self.radix_log2, self.word_width, self.num_pe
        lengths = [{"number": name, "words": "1"} for name in ("words", "passes", "exponent_words")]
        numbers = [{"number": name, "words": "number_words"} for name in ("n", "r2", "base")]
        return {
            "constants": {
                "words": f"max(2, -(-(n.bit_length() + {self._more_bits}) // {w}))",
                "passes": f"-(-(-(-(n.bit_length() + {v + 2}) // {v}) + 1) // {p})",
                "r2": f"2**({2 * v} * ({p} * passes - 1)) % n",
                "number_words": f"-(-{w} * words // {PORT_BITS})",
                "exponent_words": f"-(-max(exponent.bit_length(), n.bit_length()) // {PORT_BITS})",
            },
            "input": [*lengths, *numbers, {"number": "exponent", "words": "exponent_words"}],
            "output": {"number": "z", "words": "number_words"},
            "result": "z == pow(base, exponent, n)",
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of base, exponent and result."""
        v = self.radix_log2
        return {
            "base": {"below": f"2 * (-pow(n, -1, {1 << v}) % {1 << v}) * n"},
            "exponent": {"below": f"2**{self.exponent_bits}"},
            "z": {"below": "n"},
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return `cycles` as a formula."""
        fill, v = self.multiplier((1 << self.width_bits) - 1).fill_cycles, self.radix_log2
        pass_cycles = f"max(words + {int(self.left_shift)}, {fill + 1})"
        first = f"((passes - 1) * {pass_cycles} + {fill + 4})"
        pitch = f"max({first} + 1, passes * {pass_cycles})"
        products = f"({2 * PORT_BITS} * exponent_words + 2)"
        zeros = "0"
        if not self.constant_time:
            products = "(exponent.bit_length() + exponent.bit_count() if exponent else 3)"
            zeros = f"(-exponent.bit_length() % {PORT_BITS} if exponent else 0)"
        packing = PORT_BITS // self.word_width + 1
        reduction = f"words + {v} * (words + 1)"
        return {"exactly": f"{zeros} + 1 + ({products} - 1) * {pitch} + {first} + {reduction} + {packing}"}

    @property
    def _more_bits(self) -> int:
        return self.multiplier((1 << self.width_bits) - 1).more_bits

    def _run(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n and the cycles, by the same products as the array."""
        reduce, r2 = self.multiplier(n).reduction(n), self.constants(n)["r2"]
        base = reduce(x * r2)
        z = reduce(r2) if self.constant_time or e == 0 else base
        bits = f"{e:b}" if e else ""
        for i, bit in enumerate(bits):
            if i > 0:
                z = reduce(z * z)
            if bit == "1" and (i > 0 or self.constant_time):
                z = reduce(z * base)
        z = reduce(z)
        for i in reversed(range(self.radix_log2)):
            z -= n << i if z >= n << i else 0
        return Result(z, self.cycles(e, n))


ARCHITECTURE = ScalableExponentiator

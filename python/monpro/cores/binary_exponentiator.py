"""An exponentiator around any multiplier whose ports carry whole numbers: binary, or Montgomery's ladder."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.word_serial import port_words

N_HAT_LOG2 = 2  # the exponentiator forms n_i itself: n, or the multiple of n that is −1 modulo 2^N_HAT_LOG2
CONTROL_CYCLES = 2  # from the end of a product to the start of the next one
CONVERSIONS = 3  # products beside those of the exponent's bits: into Montgomery form, 1 likewise, and back


@dataclass(frozen=True)
class BinaryExponentiator(Exponentiator):
    """x^e mod n by one product after the other on `multiplier`; x < n, and the result is below n.

    ladder: every bit of the exponent's words takes a square and a product. Then the cycles are constant if
    those of the multiplier are. Otherwise bits are scanned from the highest one.
    """

    multiplier: Core
    word_width: int = 32
    ladder: bool = False

    name: ClassVar[str] = "binary-exp"
    title: ClassVar[str] = "exponentiator around a multiplier: left-to-right binary, or Montgomery's ladder"
    paper: ClassVar[str] = "kuang16"
    source: ClassVar[str] = "the left-to-right binary method; Montgomery's ladder"
    bound: ClassVar[str] = "n"
    numbers_in: ClassVar[tuple[str, ...]] = ("n", "r2", "base", "exponent")
    latency: ClassVar[str] = (
        "of a power: (3 + squares + products)·(M + 2) + zeros + one + s·(w + 1); with Ladder squares = "
        "products = the bits of the exponent's words, zeros = one = 0"
    )
    letters: ClassVar[dict[str, str]] = {
        "M": "the cycles of a product of the multiplier",
        "squares": "the bit length of the exponent",
        "products": "the ones among its bits",
        "zeros": "the bits of the exponent's words above its highest one",
        "one": "1, or 0 for the exponent 0",
        "s": "conditional subtractions: 3 if the multiplier reduces by a multiple of n, else 1",
        "w": "⌈(K + 2)/WordWidth⌉",
        "K": "width_bits, the bits of the largest modulus",
    }

    @classmethod
    def around(cls, multiplier: Core, word_width: int = 32, *, ladder: bool = False) -> "BinaryExponentiator":
        """Return the exponentiator of the multiplier's width; ValueError if the multiplier does not fit."""
        return cls(multiplier.width_bits, multiplier, word_width, ladder)

    def __post_init__(self) -> None:
        """Raise ValueError for a multiplier whose ports do not fit, and for words of other widths."""
        super().__post_init__()
        multiplier = self.multiplier
        if multiplier.width_bits != self.width_bits:
            raise ValueError(f"a multiplier of {multiplier.width_bits} bits, not of {self.width_bits}")
        if multiplier.operand_bits != multiplier.value_bits:
            raise ValueError(
                f"no exponentiator around {multiplier.name} with pairs at its ports: leave them out"
            )
        if multiplier.modulus_radix_log2 not in {0, N_HAT_LOG2}:
            radix = 1 << multiplier.modulus_radix_log2
            raise ValueError(
                f"no exponentiator around {multiplier.name} in radix {radix}: it forms n_i for radix 4"
            )
        if not 1 <= self.word_width <= 64:
            raise ValueError(f"word_width of {self.name} is from 1 to 64, not {self.word_width}")

    @property
    def settings(self) -> dict[str, int]:
        """Return the parameters of the RTL module; those of the multiplier are written into its module."""
        return {"Ladder": int(self.ladder), "Width": self.width_bits, "WordWidth": self.word_width}

    @property
    def configuration(self) -> str:
        """Return a name with all parameters, also those of the multiplier."""
        return f"{super().configuration}-{self.multiplier.configuration}"

    @property
    def top(self) -> str:
        """Return the name of the RTL module."""
        return "monpro_exp_binary"

    @property
    def port_bits(self) -> int:
        """Return word_width."""
        return self.word_width

    @property
    def words(self) -> int:
        """Return the number of port words of each number."""
        return -(-self.width_bits // self.word_width)

    @property
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""
        return self.words * self.word_width

    @property
    def is_constant_time(self) -> bool:
        """Return whether every power takes the same number of cycles."""
        return bool(self.ladder) and self.multiplier.is_constant_time

    @property
    def max_cycles(self) -> int:
        """Return the cycles of the longest exponent of ones, with the slowest products."""
        products = CONVERSIONS + 2 * self.exponent_bits
        return products * (self.multiplier.max_cycles + CONTROL_CYCLES) + self.reduction_cycles + 1

    @property
    def reduction_cycles(self) -> int:
        """Return the cycles of the conditional subtractions, a word a clock, of a result that may be 3n."""
        subtractions = 3 if self.multiplier.modulus_radix_log2 else 1
        return subtractions * (-(-(self.width_bits + 2) // self.word_width) + 1)

    def operand_bound(self, n: int) -> int:
        """Return n, the exclusive bound of the base."""
        return n

    def result_bound(self, n: int) -> int:
        """Return n, because the result is reduced."""
        return n

    def constants(self, n: int) -> dict[str, int]:
        """Return `r2` = R² mod n, with the R of the multiplier."""
        return {"r2": self.multiplier.constants(n)["r2"]}

    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the words of n, R² mod n, the base and the exponent."""
        numbers = (n, self.constants(n)["r2"], x, e)
        return [word for number in numbers for word in port_words(number, self.word_width, self.words)]

    def words_out(self, n: int) -> int:  # noqa: ARG002  (the same for every modulus)
        """Return the number of port words of each number."""
        return self.words

    @property
    def facts(self) -> dict[str, object]:
        """Return the multiplier, the constants of n, and the words of a power."""
        return {
            "multiplier": {"core": self.multiplier.name, "parameters": self.multiplier.parameters},
            "constants": {"r2": f"2**{2 * self.multiplier.r_log2} % n"},
            "input": [{"number": number, "words": str(self.words)} for number in self.numbers_in],
            "output": {"number": "z", "words": str(self.words)},
            "result": "z == pow(base, exponent, n)",
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return the cycles: exact if those of the multiplier are constant."""
        products = f"({CONVERSIONS} + exponent.bit_length() + exponent.bit_count())"
        zeros = f"{self.exponent_bits} - exponent.bit_length() + (1 if exponent else 0)"
        more = f"{self.reduction_cycles} + {zeros}"
        if self.ladder:
            products, more = str(CONVERSIONS + 2 * self.exponent_bits), str(self.reduction_cycles)
        least, most = (
            f"{products} * {cycles + CONTROL_CYCLES} + {more}"
            for cycles in (self.multiplier.min_cycles, self.multiplier.max_cycles)
        )
        return {"exactly": least} if least == most else {"least": least, "most": most}

    def _run(self, x: int, e: int, n: int) -> Result:
        """Return x^e mod n and the cycles of its products and of the control."""
        cycles = self.reduction_cycles

        def product(a: int, b: int) -> int:
            nonlocal cycles
            result = self.multiplier.run(a, b, n)
            cycles += result.cycles + CONTROL_CYCLES
            return result.z

        r2 = self.constants(n)["r2"]
        p, q = product(r2, 1), product(r2, x)
        if self.ladder:
            for i in reversed(range(self.exponent_bits)):
                both = product(p, q)
                p, q = (both, product(q, q)) if e >> i & 1 else (product(p, p), both)
        else:
            cycles += self.exponent_bits - e.bit_length() + (e > 0)
            for i in reversed(range(e.bit_length())):
                p = product(p, p)
                p = product(p, q) if e >> i & 1 else p
        return Result(product(p, 1) % n, cycles)

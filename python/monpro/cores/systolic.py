"""A systolic exponentiator: squares and products in parallel, in radix 2, 4 or 16 [blum01]."""

from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.word_serial import port_words
from monpro.spec import blum01

RADICES_LOG2 = (1, 2, 4)
WORD_WIDTHS = (8, 16, 32)
UNIT_WIDTHS = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Systolic(Exponentiator):
    """x^e mod n for odd moduli 3 ≤ n < 2^width_bits, by an array of m + 3 units with a digit of k bits each.

    In the latency formula, k = radix_log2, m = ⌈width_bits/k⌉, and steps is the bit length of the exponent.
    The time depends on nothing else: a bit that is 0 takes a product too, which is not used.

    The ports carry each number in `words` words of word_width bits. The inputs are M̃ = `modulus_input(n)`,
    R² mod n, the base and the exponent. The output is congruent to the power and at most M̃.

    unit_width: in radix 2, the bits of a unit, which share its commands; the cycles are the same.

    constant_time: every exponent takes width_bits steps and must be below 2^width_bits.
    """

    word_width: int = 32
    radix_log2: int = 4
    unit_width: int = 1
    constant_time: bool = False

    name: ClassVar[str] = "systolic"
    title: ClassVar[str] = "systolic exponentiator, squares and products in parallel, radix 2^k"
    paper: ClassVar[str] = "blum01"
    bound: ClassVar[str] = "2M̃"
    numbers_in: ClassVar[tuple[str, ...]] = ("m_tilde", "r2", "base", "exponent")
    source: ClassVar[str] = "[blum01, Algorithms 3.1 and 3.2, Figs. 1–3]"
    latency: ClassVar[str] = (
        "of a power: (steps + 2)·P + 3 + 2·WordWidth/k − c; P = 2·(m + 3) + c, c = max(2^k − 2, 2); with "
        "ConstantTime steps = K"
    )
    letters: ClassVar[dict[str, str]] = {
        "K": "width_bits, the bits of the largest modulus",
        "k": "radix_log2",
        "m": "⌈K/k⌉, the digits of the largest modulus",
        "steps": "the bit length of the exponent",
        "P": "clocks of a square and a product together",
        "c": "clocks in which the multiples of a factor are computed",
    }
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "radix2": {"radix_log2": 1},
        "radix2-u4": {"radix_log2": 1, "unit_width": 4},
        "radix4": {"radix_log2": 2},
        "constant-time": {"constant_time": 1},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for parameters that no module has."""
        super().__post_init__()
        for name, offered in (
            ("radix_log2", RADICES_LOG2),
            ("word_width", WORD_WIDTHS),
            ("unit_width", UNIT_WIDTHS),
        ):
            if getattr(self, name) not in offered:
                known = ", ".join(map(str, offered))
                raise ValueError(f"{name} of {self.name} is one of {known}, not {getattr(self, name)}")

        if self.unit_width > 1 and self.radix_log2 > 1:
            raise ValueError(f"unit_width of {self.name} is 1 unless radix_log2 is 1")

    @property
    def digits(self) -> int:
        """Return m, the number of digits of the largest modulus."""
        return -(-self.width_bits // self.radix_log2)

    @property
    def words(self) -> int:
        """Return the number of port words of each number."""
        return -(-self.radix_log2 * (self.digits + 2) // self.word_width)

    @property
    def port_bits(self) -> int:
        """Return word_width."""
        return self.word_width

    @property
    def exponent_bits(self) -> int:
        """Return the bit length of the longest exponent."""
        return self.width_bits if self.constant_time else self.words * self.word_width

    @property
    def r_log2(self) -> int:
        """Return log2 R."""
        return blum01.r_log2(self.digits, self.radix_log2)

    @property
    def is_constant_time(self) -> bool:
        """Return whether every power takes the same number of cycles."""
        return bool(self.constant_time)

    @property
    def product_cycles(self) -> int:
        """Return the cycles from the start of a pair of products to the start of the next pair."""
        return blum01.product_cycles(self.digits, self.radix_log2)

    @property
    def overhead_cycles(self) -> int:
        """Return the cycles of a power beyond the cycles of its products, which are the paper's.

        The first digit takes one clock from the memory to the array and two clocks back. The digits of the
        result's first word follow, one every two clocks. The clocks for which the array stays busy meanwhile
        are subtracted, because `product_cycles` includes them.
        """
        multiples_cycles = max((1 << self.radix_log2) - 2, 2)
        return 3 + 2 * self.word_width // self.radix_log2 - multiples_cycles

    @property
    def max_cycles(self) -> int:
        """Return the cycles of a power with the longest exponent."""
        return (self.exponent_bits + 2) * self.product_cycles + self.overhead_cycles

    def steps(self, e: int) -> int:
        """Return the number of exponent bits that are scanned."""
        return self.width_bits if self.constant_time else e.bit_length()

    def modulus_input(self, n: int) -> int:
        """Return M̃, the multiple of n by which products are reduced; it is −1 modulo the radix."""
        return blum01.m_tilde(n, self.radix_log2)

    def operand_bound(self, n: int) -> int:
        """Return the exclusive bound of the base, 2·M̃."""
        return 2 * self.modulus_input(n)

    def result_bound(self, n: int) -> int:
        """Return the exclusive bound of the result, M̃ + 1."""
        return self.modulus_input(n) + 1

    def constants(self, n: int) -> dict[str, int]:
        """Return the constants of n for host software: `m_tilde` for the ports, and `r2` = R² mod n."""
        self._check_modulus(n)
        return {"m_tilde": self.modulus_input(n), "r2": (1 << 2 * self.r_log2) % n}

    def words_in(self, x: int, e: int, n: int, /) -> list[int]:
        """Return the words of M̃, R² mod n, the base and the exponent."""
        numbers = (*self.constants(n).values(), x, e)
        return [word for number in numbers for word in port_words(number, self.word_width, self.words)]

    def words_out(self, n: int) -> int:  # noqa: ARG002  (the same for every modulus)
        """Return the number of port words of each number."""
        return self.words

    @property
    def facts(self) -> dict[str, object]:
        """Return the constants of n, and the words of a power."""
        digits = 1 << self.radix_log2
        return {
            "constants": {
                "r_log2": str(self.r_log2),
                "m_tilde": f"-pow(n, -1, {digits}) % {digits} * n",
                "r2": "2**(2 * r_log2) % n",
            },
            "input": [{"number": number, "words": str(self.words)} for number in self.numbers_in],
            "output": {"number": "z", "words": str(self.words)},
            "result": "z % n == pow(base, exponent, n)",
        }

    @property
    def ranges(self) -> dict[str, dict[str, object]]:
        """Return the bounds of base, exponent and result."""
        return {
            "base": {"below": "2 * m_tilde"},
            "exponent": {"below": f"2**{self.exponent_bits}"},
            "z": {"below": "m_tilde + 1"},
        }

    @property
    def cycles_formulas(self) -> dict[str, str]:
        """Return the cycles, which depend on the exponent's length only."""
        steps = str(self.width_bits) if self.constant_time else "exponent.bit_length()"
        return {"exactly": f"({steps} + 2) * {self.product_cycles} + {self.overhead_cycles}"}

    def _run(self, x: int, e: int, n: int) -> Result:
        """Return the output for x^e, which is congruent to x^e modulo n and at most M̃, and the cycles."""
        m_tilde, factor = self.constants(n).values()
        inverse = -pow(m_tilde, -1, 1 << self.r_log2)

        def product(a: int, b: int) -> int:
            """Return S of Algorithm 3.2, with all digits of the quotient computed at once."""
            r = (1 << self.r_log2) - 1
            return a * b + (a * b & r) * inverse % (r + 1) * m_tilde >> self.r_log2

        z, p = product(x, factor), product(1, factor)
        for i in range(e.bit_length()):
            p = product(p, z) if e >> i & 1 else p
            z = product(z, z)
        return Result(product(p, 1), (self.steps(e) + 2) * self.product_cycles + self.overhead_cycles)


ARCHITECTURE = Systolic

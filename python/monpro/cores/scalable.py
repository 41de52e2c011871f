"""SCALABLE: a systolic array of radix-2^v processing elements that works word by word [amberg08]."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from monpro.cores.core import Core, Result
from monpro.spec import amberg08


@dataclass(frozen=True)
class Scalable(Core):
    """The operands' words pass k times through p elements; each element uses v bits of x in a pass.

    Products are reduced modulo M̃ = (−n⁻¹ mod 2^v)·n, and the port n_i takes M̂ = (M̃ + 1)/2^v. The module
    loads the array's memories from its ports. The array itself, monpro_array_scalable, takes the length of
    the operands with each product.

    radix_log2: v, from 1 to 4. word_width: w. num_pe: p.
    left_shift: y and M̂ are shifted left, and each element starts one clock after the element before it.
    Otherwise Z is shifted right, and each element starts two clocks after the element before it.
    booth: digits are in [−2^(v−1), 2^(v−1)], which need fewer multiples than digits below 2^v.
    parallel: the multiples of y and M̂ are formed independently. Otherwise, in radix 2 only, the quotient is
    taken from Z + x·y, and n is used in place of M̂.
    """

    radix_log2: int = 2
    word_width: int = 16
    num_pe: int = 32
    left_shift: bool = True
    booth: bool = False
    parallel: bool = True

    name: ClassVar[str] = "scalable"
    title: ClassVar[str] = "systolic array, words of the operands, radix 2 to 16"
    paper: ClassVar[str] = "amberg08"
    source: ClassVar[str] = "[amberg08, Figs. 2, 3 and 5, §III]"
    latency: ClassVar[str] = (
        "(k − 1)·P + D + e + 5; left shifts P = max(e + 1, D + 1), D = p + v·p/w, right shifts P = "
        "max(e, D + 1), D = 2p; k = ⌈(⌈(K + v + 2)/v⌉ + 1)/p⌉, e = ⌈(K + c)/w⌉, c = 2v + 2, with Booth "
        "2v + 3, left shifts 3v + 1 if that is more"
    )
    letters: ClassVar[dict[str, str]] = {
        "K": "width_bits, the bits of the largest modulus; in an exponentiator the bits of the modulus",
        "v": "radix_log2",
        "w": "word_width",
        "p": "num_pe, the elements",
        "k": "the passes of all words through the array",
        "e": "the words of a number",
        "P": "clocks from pass to pass",
        "D": "clocks from a word at the first element to its result",
        "c": "bits that the words have above the modulus",
    }
    bound: ClassVar[str] = "2M̃"
    verified_widths_bits: ClassVar[tuple[int, ...]] = (256, 1024, 2048, 4096)
    variants: ClassVar[dict[str, dict[str, int]]] = {
        "": {},
        "booth": {"booth": 1},
        "booth-w8": {"booth": 1, "word_width": 8},
        "booth-w4": {"booth": 1, "word_width": 4},
        "radix2": {"radix_log2": 1},
        "improved-radix2": {"radix_log2": 1, "parallel": 0},
        "radix16": {"radix_log2": 4, "num_pe": 16},
        "right-booth": {"left_shift": 0, "booth": 1},
        "right-booth-w8": {"left_shift": 0, "booth": 1, "word_width": 8},
        "right-booth-w4": {"left_shift": 0, "booth": 1, "word_width": 4},
        "right-radix8-booth": {"radix_log2": 3, "left_shift": 0, "booth": 1},
        "right-radix8-booth-w8": {"radix_log2": 3, "left_shift": 0, "booth": 1, "word_width": 8},
        "right-radix8-booth-w4": {"radix_log2": 3, "left_shift": 0, "booth": 1, "word_width": 4},
    }

    def __post_init__(self) -> None:
        """Raise ValueError for elements that do not fit together."""
        super().__post_init__()
        v, w, p = self.radix_log2, self.word_width, self.num_pe
        if not 1 <= v <= 4:
            raise ValueError(f"radix_log2 of {self.name} is from 1 to 4, not {v}")
        if not max(2, v) <= w <= 64:
            raise ValueError(f"word_width of {self.name} is from {max(2, v)} to 64 for this radix, not {w}")
        if not 1 <= p <= 1024:
            raise ValueError(f"num_pe of {self.name} is from 1 to 1024, not {p}")
        if self.left_shift and (w % v != 0 or w == v):
            raise ValueError(
                f"{self.name} with left_shift needs a word_width that is a multiple of {v}, "
                f"radix_log2, but not itself, not {w}"
            )
        if self.left_shift and v * p % w != 0:
            raise ValueError(
                f"{self.name} with left_shift needs a num_pe that is a multiple of {w // v}, "
                f"word_width / radix_log2, not {p}"
            )
        if not self.parallel and (v != 1 or not self.left_shift or self.booth):
            raise ValueError(
                f"{self.name} without parallel is of radix 2, with left_shift and without booth only"
            )

    @property
    def words(self) -> int:
        """Return e, the number of words of Z."""
        return max(2, amberg08.ceil_div(self.width_bits + self.more_bits, self.word_width))

    @property
    def more_bits(self) -> int:
        """Return how many bits all words together must have above the modulus.

        Z has 2v + 2 such bits, and with Booth's digits a sign. With left shifts, a digit times Y, shifted
        left by a digit, must fit too: there is no word for its top. 2^v·(2^v − 1)·Y is below 2^(K + 3v + 1).
        """
        v = self.radix_log2
        return max(2 * v + 2 + self.booth, 3 * v + 1 if self.left_shift else 0)

    @property
    def passes(self) -> int:
        """Return k, the number of passes."""
        v = self.radix_log2
        return amberg08.ceil_div(amberg08.ceil_div(self.width_bits + v + 2, v) + 1, self.num_pe)

    @property
    def fill_cycles(self) -> int:
        """Return D, the clocks from a word at the first element to its result after the last element."""
        p = self.num_pe
        return p + self.radix_log2 * p // self.word_width if self.left_shift else 2 * p

    @property
    def pass_cycles(self) -> int:
        """Return P, the clocks from the start of a pass to the start of the next."""
        return max(self.words + self.left_shift, self.fill_cycles + 1)

    @property
    def r_log2(self) -> int:
        """Return log2 R = v·(k·p − 1), or v·k·p without `parallel`, where the first shift counts too."""
        return self.radix_log2 * (self.passes * self.num_pe - self.parallel)

    @property
    def value_bits(self) -> int:
        """Return the bit length of the largest operand, 2·M̃ − 1."""
        return self.width_bits + self.radix_log2 + 1

    @property
    def min_cycles(self) -> int:
        """Return the cycles of every product.

        The first pass begins with clock 3. The first word of z follows D + 3 clocks after the start of the
        last pass.
        """
        return (self.passes - 1) * self.pass_cycles + self.fill_cycles + self.words + 5

    @property
    def max_cycles(self) -> int:
        """Return the cycles of every product."""
        return self.min_cycles

    @property
    def modulus_radix_log2(self) -> int:
        """Return v for M̃; 0 without `parallel`."""
        return self.radix_log2 if self.parallel else 0

    @property
    def modulus_shift(self) -> int:
        """Return v, for M̂; 0 without `parallel`."""
        return self.modulus_radix_log2

    @property
    def formulas(self) -> dict[str, str]:
        """Return `effective_modulus` and `modulus_input` as Python expressions in n."""
        if not self.parallel:
            return super().formulas
        digits = 1 << self.radix_log2
        m_tilde = f"(-pow(n, -1, {digits}) % {digits} * n)"
        return {"effective_modulus": m_tilde, "modulus_input": f"({m_tilde} + 1) // {digits}"}

    def reduction(self, n: int) -> Callable[[int], int]:
        """Return the function that maps x·y to (2^v·x·y + Q·M̃)/2^(v·F), where Q makes this an integer.

        This is the sum of all F = k·p steps. Without `parallel` it is (x·y + Q·n)/2^F.
        """
        bits = self.radix_log2 * self.passes * self.num_pe
        m_tilde = self.effective_modulus(n)
        inverse = pow(m_tilde, -1, 1 << bits)
        lowest = (1 << bits) - 1

        def reduce(product: int) -> int:
            shifted = product << bits - self.r_log2
            return shifted + (-(shifted & lowest) * inverse & lowest) * m_tilde >> bits

        return reduce

    def _product(self, x: int, y: int, n: int) -> Result:
        """Return the product of operands, which are within their bounds."""
        return Result(self.reduction(n)(x * y), self.min_cycles)


ARCHITECTURE = Scalable

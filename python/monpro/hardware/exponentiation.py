"""Whole exponentiations on the hardware cores, in simulation: by a core's model, or by its RTL."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from monpro.cores import (
    WIDTHS_BITS,
    Core,
    Design,
    Exponentiator,
    Result,
    WordMultiplier,
    architectures,
    exponentiators,
    word_multipliers,
)
from monpro.cores.binary_exponentiator import BinaryExponentiator
from monpro.flow import sources, tools, word_products
from monpro.flow.exponentiate import exponentiate, word_ports

MAX_WIDTH_BITS = WIDTHS_BITS[-1]
TWO_WORDS_BITS = 64


@dataclass(frozen=True)
class Simulated(ABC):
    """An architecture that exponentiates: its Python model, or its RTL compiled by Verilator."""

    architecture: type[Design]
    rtl: bool

    @property
    def name(self) -> str:
        """Return the name: the architecture's, with -rtl for the RTL."""
        return f"{self.architecture.name}-rtl" if self.rtl else self.architecture.name

    @property
    def reason(self) -> str | None:
        """Return why it does not run here, as in "it needs …", or None if it does."""
        if self.rtl:
            try:
                sources.rtl_folder()
                tools.find("verilator")
            except (FileNotFoundError, tools.ToolError) as error:
                return f"needs what is not here: {error}"
        return None

    @property
    def bound(self) -> str:
        """Return the bound of operands and results in words."""
        return f"x, y, z < {self.architecture.bound}"

    @property
    @abstractmethod
    def radix_bits(self) -> int:
        """Return the number of bits of an operand that one clock consumes."""

    def power(self, x: int, e: int, n: int) -> Result:
        """Return xᵉ mod n and its clock cycles; e may be negative if x has an inverse.

        A multiplier's model counts the cycles of the products. RTL also counts those of the conversion into
        Montgomery form and of the control. ValueError for operands that the core does not take, ToolError as
        by `simulate`.
        """
        if n < 3 or n % 2 == 0:
            raise ValueError(f"{self.name} takes odd moduli from 3 only: use a kernel, see `monpro kernels`")
        if n.bit_length() > MAX_WIDTH_BITS:
            raise ValueError(f"{self.name} takes moduli of up to {MAX_WIDTH_BITS} bits, not {n.bit_length()}")
        if e < 0:
            x, e = _inverse(x, n), -e
        return self._power(x % n, e, n)

    @abstractmethod
    def build(self, n: int) -> None:
        """Compile what powers modulo n need, if anything. ToolError as by `simulate`."""

    @abstractmethod
    def _power(self, x: int, e: int, n: int) -> Result:
        """Return the power of operands within their bounds."""

    def _check_exponent(self, e: int, longest_bits: int) -> None:
        if e.bit_length() > longest_bits:
            raise ValueError(
                f"{self.name} takes exponents of up to {longest_bits} bits for this modulus, "
                f"not {e.bit_length()}"
            )


@dataclass(frozen=True)
class SimulatedMultiplier(Simulated):
    """A multiplier: its model exponentiates from left to right, its RTL inside the exponentiator."""

    architecture: type[Core]

    @property
    def radix_bits(self) -> int:
        """Return the number of bits of an operand that one clock consumes."""
        return 1

    def core(self, n: int) -> Core:
        """Return the narrowest core for a modulus; the RTL that exponentiates has at least two words."""
        return self.architecture(max(TWO_WORDS_BITS if self.rtl else WIDTHS_BITS[0], n.bit_length()))

    def build(self, n: int) -> None:
        """Compile the exponentiator around the multiplier."""
        if self.rtl:
            word_ports(BinaryExponentiator.around(self.core(n))).compile()

    def _power(self, x: int, e: int, n: int) -> Result:
        core = self.core(n)
        if not self.rtl:
            return core.power(x, e, n)
        exponentiator = BinaryExponentiator.around(core)
        self._check_exponent(e, exponentiator.exponent_bits)
        return next(exponentiate(exponentiator, [(x, e, n)]))


@dataclass(frozen=True)
class SimulatedWordMultiplier(Simulated):
    """A multiplier whose ports carry words: the products of an exponentiation come from outside."""

    architecture: type[WordMultiplier]

    @property
    def radix_bits(self) -> int:
        """Return the bits of a digit of an operand."""
        return self.core(3).radix_bits

    def core(self, n: int) -> WordMultiplier:
        """Return the narrowest core for a modulus."""
        return self.architecture(max(WIDTHS_BITS[0], n.bit_length()))

    def build(self, n: int) -> None:
        """Compile the multiplier."""
        if self.rtl:
            word_ports(self.core(n)).compile()

    def _power(self, x: int, e: int, n: int) -> Result:
        run = word_products.by_rtl if self.rtl else word_products.by_model
        return word_products.power(self.core(n), x, e, n, run)


@dataclass(frozen=True)
class SimulatedExponentiator(Simulated):
    """A core that exponentiates by itself."""

    architecture: type[Exponentiator]

    @property
    def radix_bits(self) -> int:
        """Return the bits of a digit of an operand."""
        return self.core(3).radix_bits

    def core(self, n: int) -> Exponentiator:
        """Return the narrowest core for a modulus."""
        return self.architecture(max(WIDTHS_BITS[0], n.bit_length()))

    def build(self, n: int) -> None:
        """Compile the exponentiator."""
        if self.rtl:
            word_ports(self.core(n)).compile()

    def _power(self, x: int, e: int, n: int) -> Result:
        core = self.core(n)
        self._check_exponent(e, core.exponent_bits)
        if not self.rtl:
            return core.power(x, e, n)
        result = next(exponentiate(core, [(x, e, n)]))
        return Result(result.z % n, result.cycles)


def simulated() -> list[Simulated]:
    """Return every architecture, as its model and as its RTL."""
    multipliers = [
        SimulatedMultiplier(architecture, rtl) for architecture in architectures() for rtl in (False, True)
    ]
    by_words = [
        SimulatedWordMultiplier(architecture, rtl)
        for architecture in word_multipliers()
        for rtl in (False, True)
    ]
    return [
        *multipliers,
        *by_words,
        *(
            SimulatedExponentiator(architecture, rtl)
            for architecture in exponentiators()
            for rtl in (False, True)
        ),
    ]


def _inverse(x: int, n: int) -> int:
    try:
        return pow(x, -1, n)
    except ValueError:
        raise ValueError("the base has no inverse modulo n, so it has no negative powers") from None

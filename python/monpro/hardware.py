"""Whole exponentiations on the hardware cores, in simulation: by a core's model, or by its RTL."""

from dataclasses import dataclass

from monpro.cores import WIDTHS_BITS, Core, Product, architectures
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Exponentiator

MAX_WIDTH_BITS = WIDTHS_BITS[-1]
TWO_WORDS_BITS = 64


@dataclass(frozen=True)
class Simulated:
    """An architecture that exponentiates: its Python model, or its RTL compiled by Verilator."""

    architecture: type[Core]
    rtl: bool

    @property
    def name(self) -> str:
        """Return the name: the architecture's, with -rtl for the RTL."""
        return f"{self.architecture.name}-rtl" if self.rtl else self.architecture.name

    @property
    def reason(self) -> str | None:
        """Return why it does not run here, as in "it needs …", or None where it does."""
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

    def core(self, n: int) -> Core:
        """Return the narrowest core for a modulus; the RTL that exponentiates has two words at least."""
        return self.architecture(max(TWO_WORDS_BITS if self.rtl else WIDTHS_BITS[0], n.bit_length()))

    def power(self, x: int, e: int, n: int) -> Product:
        """Return xᵉ mod n, left to right, and its clock cycles; e < 0 where x has an inverse.

        The model's cycles are those of the products; the RTL's, also those of the way into Montgomery form
        and of the control. ValueError for what the core does not take, ToolError as by `simulate`.
        """
        if n < 3 or n % 2 == 0:
            raise ValueError(f"{self.name} takes odd moduli from 3 only: use a kernel, see `monpro kernels`")
        if n.bit_length() > MAX_WIDTH_BITS:
            raise ValueError(f"{self.name} takes moduli of up to {MAX_WIDTH_BITS} bits, not {n.bit_length()}")
        if e < 0:
            x, e = _inverse(x, n), -e
        core = self.core(n)
        if not self.rtl:
            return core.power(x % n, e, n)
        exponentiator = Exponentiator(core)
        if e.bit_length() > exponentiator.exponent_bits:
            raise ValueError(
                f"{self.name} takes exponents of up to {exponentiator.exponent_bits} bits for this modulus, "
                f"not {e.bit_length()}"
            )
        return exponentiator.run([(x % n, e, n)])[0]


def simulated() -> list[Simulated]:
    """Return every architecture in its model and in its RTL."""
    return [Simulated(architecture, rtl) for architecture in architectures() for rtl in (False, True)]


def _inverse(x: int, n: int) -> int:
    try:
        return pow(x, -1, n)
    except ValueError:
        raise ValueError("the base has no inverse modulo n, so it has no negative powers") from None

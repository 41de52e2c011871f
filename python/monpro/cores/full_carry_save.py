"""The base class of the FCS multipliers: operands and results are carry-save pairs [kuang16, §II-C]."""

from dataclasses import dataclass

from monpro.cores.core import Core


@dataclass(frozen=True)
class FullCarrySaveCore(Core):
    """A core whose operands and results are carry-save pairs.

    With `carry_save_ports`, as in the paper, a port carries sum + 2^value_bits·carry for the number
    sum + carry, and no carry is ever propagated. Without it the ports are binary: an operand x becomes the
    pair (x, 0), and one adder of full width between the registers and z_o adds the result's two vectors,
    which takes no extra clock.
    """

    carry_save_ports: bool = False

    @property
    def operand_bits(self) -> int:
        """Return the width of the ports x_i, y_i and z_o."""
        return 2 * self.value_bits if self.carry_save_ports else self.value_bits

    def value(self, operand: int) -> int:
        """Return the number that an operand or result represents."""
        return sum(self.pair(operand))

    def pair(self, operand: int) -> tuple[int, int]:
        """Return the sum and carry vectors of an operand."""
        if not self.carry_save_ports:
            return operand, 0
        return operand & (1 << self.value_bits) - 1, operand >> self.value_bits

    def port(self, pair: tuple[int, int]) -> int:
        """Return the value of the port z_o for a pair of vectors."""
        vector_sum, carry = pair
        return carry << self.value_bits | vector_sum if self.carry_save_ports else vector_sum + carry

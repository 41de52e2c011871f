"""A hardware multiplier whose ports carry words: its commands, and what its model must tell."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import IntFlag
from typing import ClassVar

from monpro.cores.core import Result
from monpro.cores.word_serial import WordSerial, port_words


class Command(IntFlag):
    """The first word of a job: which numbers follow it, and what happens to the product.

    MODULUS: the length in words, and n; quotient-pipelined needs X with it. Y, X: this operand; otherwise it
    is the last result. REDUCE: the result is below n, for x < n. WIPE: no product; all memories become zero.
    SQUARE times a count up to `MOST_SQUARES`: so many squares of the result follow, and the last one is the
    output; not with REDUCE.
    """

    MODULUS = 1
    Y = 2
    X = 4
    REDUCE = 8
    WIPE = 16
    SQUARE = 32

    @property
    def squares(self) -> int:
        """Return the number of squares that follow the product."""
        return 0 if Command.REDUCE in self else self // Command.SQUARE


def squares(count: int) -> Command:
    """Return the command that so many squares of the result follow, from 0 to `MOST_SQUARES`."""
    return Command(count * Command.SQUARE)


MOST_SQUARES = 15
NEW = Command.MODULUS | Command.Y | Command.X  # everything is given
KEPT = Command(0)  # both operands are the last result


@dataclass(frozen=True)
class WordMultiplier(WordSerial, ABC):
    """z ≡ x·y·R⁻¹ (mod n) with R = r(n), for odd moduli 3 ≤ n < 2^width_bits; y is the second operand.

    If x and y are below `operand_bound(n)`, a product that is not reduced is below the same bound, so
    products can be chained. A reduced product is below n; it needs x < n.
    """

    layer: ClassVar[str] = "mul"
    computes: ClassVar[str] = "product"
    numbers_in: ClassVar[tuple[str, ...]] = ("command", "words", "n", "y", "x")
    # the bits that its commands have
    offered: ClassVar[Command] = NEW | Command.REDUCE | Command.WIPE | squares(MOST_SQUARES)

    @property
    @abstractmethod
    def radix_bits(self) -> int:
        """Return the bits of a digit of x."""

    @property
    def whole(self) -> Command:
        """Return the command that gives everything, and reduces if the core can."""
        return NEW | Command.REDUCE & self.offered

    @abstractmethod
    def r(self, n: int) -> int:
        """Return R, which depends on the number of words of n."""

    @abstractmethod
    def cycles(self, n: int, command: Command) -> int:
        """Return the cycles of a product and its squares, if no word of it and of the result before waits."""

    def words_in(self, x: int, y: int, n: int, /, command: Command | None = None) -> list[int]:
        """Return the words of a job; numbers that the command does not ask for are left out."""
        command = self._offered(command)
        count = self.words_out(n)
        words = [int(command), *(self.modulus_words(n) if Command.MODULUS in command else [])]
        for asked, number in ((Command.Y, y), (Command.X, x)):
            words += port_words(number, self.port_bits, count) if asked in command else []
        return words

    def modulus_words(self, n: int) -> list[int]:
        """Return the words by which a new modulus comes in: their number, and n."""
        count = self.words_out(n)
        return [count, *port_words(n, self.port_bits, count)]

    def run(self, x: int, y: int, n: int, /, command: Command | None = None) -> Result:
        """Return the product or its last square, and the cycles; ValueError if a number is out of bounds."""
        command = self._offered(command)
        self._check_modulus(n)
        x_bound = n if Command.REDUCE in command else self.operand_bound(n)
        for name, number, bound in (("x", x, x_bound), ("y", y, self.operand_bound(n))):
            if not 0 <= number < bound:
                raise ValueError(f"{name} must be from 0 to {bound - 1}, not {number}")
        z = self._product(x, y, n)
        for _ in range(command.squares):
            z = self._product(z, z, n)
        return Result(z % n if Command.REDUCE in command else z, self.cycles(n, command))

    def _offered(self, command: Command | None) -> Command:
        """Return a command, or `whole` for None; ValueError if the core has not all of its bits."""
        if command is None:
            return self.whole
        if lacking := command & ~self.offered:
            raise ValueError(f"{self.name} has no command {lacking.name}")
        return command

    @abstractmethod
    def _product(self, x: int, y: int, n: int) -> int:
        """Return the product that is not reduced, of operands within their bounds."""

    def constants(self, n: int) -> dict[str, int]:
        """Return `words`, and for host software `r` = R mod n and `r2` = R² mod n."""
        self._check_modulus(n)
        r = self.r(n) % n
        return {"words": self.words_out(n), "r": r, "r2": r * r % n}

    def result_bound(self, n: int) -> int:
        """Return the bound of the product of the command `whole`."""
        return n if Command.REDUCE in self.offered else self.operand_bound(n)

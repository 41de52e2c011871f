"""The systolic array clock by clock: every register of its units, and the commands that compute products.

This is the model of `monpro_mul_systolic` and `monpro_pe_systolic`, whose headers define the commands. Digits
have k = radix_log2 bits, a modulus has m = `digits` digits, and the units are numbered from 0 to m + 2.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from monpro.spec import blum01

HOLD, SUM, CLEAR, LOAD = range(4)  # the sources of a unit's b


class Command(NamedTuple):
    """The input of unit 0 in a clock; every unit passes it on to the unit on its left."""

    first: bool = False
    last: bool = False
    source: int = HOLD
    write_b: bool = False
    write_m: bool = False
    a: int = 0


IDLE = Command()


class Arrival(NamedTuple):
    """The inputs of a unit from its right: registers of the unit before it."""

    command: Command = IDLE
    q: int = 0
    carries: tuple[int, int] = (0, 0)  # of q·M̃ + a·B, and of S added to it
    multiple_carry: int = 0


@dataclass
class Unit:
    """The registers and memories of a unit. `digit_bits` is k, or k + 1 in the last unit."""

    number: int
    digit_bits: int
    modulus: dict[int, int]
    multiplicand: dict[int, int]
    b: int = 0
    full: bool = False
    multiple: int = 0
    z: int = 0
    s: int = 0


class Array:
    """The state of m + 3 units after any number of clocks."""

    def __init__(self, digits: int, radix_log2: int) -> None:
        """Make an array whose units are all zero."""
        self.digits, self.radix_log2 = digits, radix_log2
        top = digits + 2
        self.units = [Unit(j, radix_log2 + (j == top), {}, {}) for j in range(top + 1)]
        self.arrivals = [Arrival() for _ in range(top + 1)]
        self.overflow = 0  # top bit of S, one clock after the last unit

    def clock(self, command: Command) -> int:
        """Give unit 0 a command for one clock; return z_o in this clock."""
        mask = (1 << self.radix_log2) - 1
        s = [unit.s & mask for unit in self.units[1:]] + [self.overflow]
        z = [unit.z for unit in self.units[1:]] + [0]
        q = command.a if command.write_m else 0 if command.first else s[0]
        self.arrivals[0] = Arrival(command, q)
        self.overflow = self.units[-1].s >> self.radix_log2
        departures = [
            self._step(unit, arrival, s_left, z_left)
            for unit, arrival, s_left, z_left in zip(self.units, self.arrivals, s, z, strict=True)
        ]
        self.arrivals[1:] = departures[:-1]
        return z[0]

    def _step(self, unit: Unit, arrival: Arrival, s_left: int, z_left: int) -> Arrival:
        """Clock a unit; return the next inputs of the unit to its left."""
        command, q, (carry_0, carry_1), multiple_carry = arrival
        bits = unit.digit_bits
        mask = (1 << bits) - 1
        one = {1: unit.b} if self.radix_log2 == 1 else unit.multiplicand
        addend = 0 if command.write_b or unit.number == 0 else one.get(command.a, 0)
        operands = (unit.modulus.get(q, 0) if unit.number <= self.digits + 1 else 0) + addend + carry_0
        total = (0 if command.first else s_left) + (operands & mask) + carry_1
        multiple = unit.multiple + unit.b + multiple_carry
        writes = (command.write_b or command.write_m) and self.radix_log2 > 1
        if command.write_b:
            unit.multiplicand[command.a] = multiple & mask
        if command.write_m and (self.radix_log2 > 1 or q):
            unit.modulus[q] = multiple & mask
        unit.multiple = multiple & mask if writes else 0
        unit.s = total & mask
        unit.z = total & (1 << self.radix_log2) - 1 if command.last else z_left
        loads = command.source == LOAD and not unit.full
        if command.source == SUM:
            unit.b = total & mask
        elif command.source == CLEAR:
            unit.b = command.a if unit.number == 1 else 0
        elif loads:
            unit.b = command.a
        unit.full = (unit.full or loads) and command.source != CLEAR
        handed_on = command._replace(source=HOLD) if loads else command
        multiple_carry = multiple >> bits if writes else 0
        return Arrival(handed_on, q, (operands >> bits, total >> bits), multiple_carry)


class Schedule:
    """The commands for products in an array of m digits of k bits."""

    def __init__(self, digits: int, radix_log2: int) -> None:
        """Make the schedule of an array of these sizes."""
        self.digits, self.radix_log2 = digits, radix_log2
        self.pitch = blum01.product_cycles(digits, radix_log2)
        self.first_result = 2 * (digits + 2) + 2  # the clock of digit 0 of channel 0

    def modulus(self, m_tilde: int) -> Iterator[Command]:
        """Yield the commands that load M̃ and its multiples."""
        yield from self._load(m_tilde)
        yield from (Command(write_m=True, a=t) for t in range(1, 1 << self.radix_log2))

    def multiplicand(self, b: int) -> Iterator[Command]:
        """Yield the commands that load B, shifted left by a digit, and its multiples."""
        yield from self._load(b << self.radix_log2)
        yield from (Command(write_b=True, a=t) for t in range(1, 1 << self.radix_log2))

    def products(self, square: int, product: int, source: int = HOLD) -> Iterator[Command]:
        """Yield the commands that multiply both operands by B; `source` is the source of the next B."""
        for clock in range(self.pitch):
            i, channel = divmod(clock, 2)
            t = clock - 2 * (self.digits + 2)
            if i < self.digits + 2:
                operand = product if channel else square
                yield Command(first=i == 0, a=blum01.digit(operand, i, self.radix_log2))
            else:
                writes = 0 < t < 1 << self.radix_log2 and self.radix_log2 > 1 and source != HOLD
                yield Command(
                    last=t < 2, source=source if t == 0 else HOLD, write_b=writes, a=t if writes else 0
                )

    def flush(self) -> Iterator[Command]:
        """Yield idle commands until all results are out."""
        return (IDLE for _ in range(2 * self.digits + 8))

    def results(self, z: Sequence[int], start: int) -> tuple[int, int]:
        """Return the square and the product that began at clock `start`, from the whole sequence of z_o."""
        first = start + self.first_result
        square, product = (
            sum(z[first + 2 * d + channel] << self.radix_log2 * d for d in range(self.digits + 2))
            for channel in (0, 1)
        )
        return square, product

    def _load(self, number: int) -> Iterator[Command]:
        yield Command(source=CLEAR)
        if self.radix_log2 > 1:
            yield Command(write_b=True, write_m=True)
        for d in range(self.digits + 3):
            yield Command(source=LOAD, a=blum01.digit(number, d, self.radix_log2))

"""The clocks of a power, counted in the register model of the array.

The array is driven as the exponentiator drives it [blum01, §4.4, Fig. 3]. A memory holds the digits of Z and
P. Each digit that the array returns is written into it, and can be read in the next clock, so that it comes
back to the array two clocks after it left. The pitch is the number of clocks from one pair of products to the
next. Nothing here knows a formula for it: it is the least number with which powers come out right.
"""

import random
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from monpro.cores.systolic_array import CLEAR, SUM, Array, Schedule
from monpro.report.polynomial import Polynomial
from monpro.spec import blum01

DIGITS = (3, 4, 5, 6)  # four determine a polynomial in m; the letter is s in `Polynomial`
EXPONENT_BITS = (1, 2, 3)  # three determine one in n; the letter is m in `Polynomial`
SAMPLES = 3
LONGEST_PITCH = 100  # clocks, of the few digits above


@dataclass(frozen=True)
class Power:
    """X^E modulo M by products of m digits of k bits."""

    x: int
    e: int
    modulus: int
    digits: int
    radix_log2: int

    @classmethod
    def random(cls, digits: int, radix_log2: int, exponent_bits: int, seed: int) -> "Power":
        """Return a power with a random modulus of this many digits and an exponent of this many bits."""
        rng = random.Random(seed)  # noqa: S311  (a sample, no secret)
        bits = digits * radix_log2
        modulus = rng.getrandbits(bits) | 1 << bits - 1 | 1
        e = rng.getrandbits(exponent_bits) | 1 << exponent_bits - 1
        return cls(rng.randrange(2, modulus), e, modulus, digits, radix_log2)


class Machine:
    """The array and its memory of operands: digit d of Z in entry 2d, of P in entry 2d + 1."""

    def __init__(self, power: Power, pitch: int) -> None:
        """Load M̃, R² and the base."""
        m, k = power.digits, power.radix_log2
        self.power, self.clocks = power, 0
        self.array, self.schedule = Array(m, k), Schedule(m, k)
        self.schedule.pitch = pitch
        self.memory = [blum01.digit((power.x, 1)[i % 2], i // 2, k) for i in range(2 * (m + 2))]
        self.fetched = self.memory[0]
        self.arriving: list[tuple[int, bool]] = []  # for each pair on its way: its age, and whether P is kept
        factor = (1 << 2 * blum01.r_log2(m, k)) % power.modulus
        for command in self.schedule.modulus(blum01.m_tilde(power.modulus, k)):
            self.array.clock(command)
        for command in self.schedule.multiplicand(factor):
            self.array.clock(command)

    def run(self) -> int:
        """Return the power, and count the clocks of its pairs of products."""
        e = self.power.e
        self._pair(SUM if e else CLEAR, keeps=True)
        for i in range(e.bit_length()):
            is_last = i == e.bit_length() - 1
            self._pair(CLEAR if is_last else SUM, keeps=bool(e >> i & 1))
        self._pair(SUM, keeps=True)
        for command in self.schedule.flush():
            self._receive(self.array.clock(command))
        digits = self.memory[1::2]
        return sum(digit << self.power.radix_log2 * d for d, digit in enumerate(digits)) % self.power.modulus

    def _pair(self, next_b: int, *, keeps: bool) -> None:
        """Multiply Z and P by B, and replace P if `keeps`.

        The next B is the square, or 1 if `next_b` is CLEAR.
        """
        entries, pitch = len(self.memory), self.schedule.pitch
        self.arriving.append((0, keeps))
        for clock, command in enumerate(self.schedule.products(0, 0, next_b)):
            if clock < entries:
                given = command._replace(a=self.fetched)
            else:
                given = command._replace(a=1) if clock == entries and next_b == CLEAR else command
            following = (clock + 1) % pitch
            self.fetched = self.memory[following] if following < entries else 0
            self._receive(self.array.clock(given))
            self.clocks += 1

    def _receive(self, z: int) -> None:
        """Write a digit of the array into the memory."""
        first = self.schedule.first_result
        for age, keeps in self.arriving:
            entry = age - first
            if 0 <= entry < len(self.memory) and (keeps or entry % 2 == 0):
                self.memory[entry] = z
        older = ((age + 1, keeps) for age, keeps in self.arriving)
        self.arriving = [(age, keeps) for age, keeps in older if age < first + len(self.memory)]


def counted(power: Power, pitch: int) -> int | None:
    """Return the clocks of a power at this pitch; None if the array computes something else then."""
    machine = Machine(power, pitch)
    result = machine.run()
    return machine.clocks if result == pow(power.x, power.e, power.modulus) else None


@cache
def fewest(digits: int, radix_log2: int, exponent_bits: int) -> int:
    """Return the clocks of powers at the least pitch at which all samples come out right.

    ValueError is raised if there is none below `LONGEST_PITCH`.
    """
    powers = [Power.random(digits, radix_log2, exponent_bits, seed) for seed in range(SAMPLES)]
    for pitch in range(2 * digits, LONGEST_PITCH):
        clocks = counted(powers[0], pitch)
        if clocks is not None and all(counted(power, pitch) == clocks for power in powers[1:]):
            return clocks
    raise ValueError(f"an array of {digits} digits computes nothing right with a pitch below {LONGEST_PITCH}")


@cache
def law(radix_log2: int) -> Polynomial:
    """Return the clocks as a polynomial in n, spelled m, and m, spelled s, from powers of a few digits."""
    grid: dict[tuple[int, ...], Fraction | int] = {
        (n, m): fewest(m, radix_log2, n) for n in EXPONENT_BITS for m in DIGITS
    }
    return Polynomial.fit_grid("ms", grid)


@cache
def at_size(digits: int, radix_log2: int, exponent_bits: int) -> int:
    """Return the clocks by the law, after a short power of this many digits came out right in its time.

    ValueError is raised if it did not.
    """
    short = 2
    power = Power.random(digits, radix_log2, short, seed=1)
    expected = int(law(radix_log2).number(m=short, s=digits))
    if counted(power, expected // (short + 2)) != expected:
        raise ValueError(f"the array of {digits} digits does not keep to the clocks of smaller arrays")
    return int(law(radix_log2).number(m=exponent_bits, s=digits))

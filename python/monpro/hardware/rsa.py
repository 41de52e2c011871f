"""RSA on the hardware cores, in simulation, every result compared with software's before it is let out.

A private operation is two exponentiations of half the size, by the Chinese remainder theorem: one after the
other on one engine, or at the same time on two [blum01, §5.2]. A simulation keeps no secrets: its time and
its memory tell them.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from monpro.hardware.exponentiation import Simulated, simulated
from monpro.rsa import PrivateKey, PublicKey


class WrongResultError(RuntimeError):
    """An engine's result is not software's, and is withheld."""


@dataclass(frozen=True)
class Operation:
    """A number computed by simulated hardware, and the clock cycles of each of its exponentiations."""

    value: int
    cycles: tuple[int, ...]
    engines: int

    @property
    def total_cycles(self) -> int:
        """Return the cycles until the last result: of all in turn, or of the longest on two engines."""
        return sum(self.cycles) if self.engines == 1 else max(self.cycles)


def find(name: str) -> Simulated:
    """Return the core of that name, -rtl for its RTL; ValueError where there is none that runs here."""
    engines = {engine.name: engine for engine in simulated()}
    if name not in engines:
        raise ValueError(f"there is no hardware engine {name!r}; there are: {', '.join(engines)}")
    if reason := engines[name].reason:
        raise ValueError(f"engine {name} does not run here: it {reason}")
    return engines[name]


def public_power(engine: Simulated, key: PublicKey, m: bytes) -> Operation:
    """Return m^e mod n, equal to software's. ValueError where m ≥ n; WrongResultError where they differ."""
    expected = key.raw(m)
    power = engine.power(int.from_bytes(m, "big"), key.e, key.n)
    return _checked(Operation(power.z, (power.cycles,), 1), int.from_bytes(expected, "big"))


def private_power(engine: Simulated, key: PrivateKey, c: bytes, engines: int = 1) -> Operation:
    """Return c^d mod n by halves, on one engine or two, equal to software's; errors as by `public_power`."""
    expected = key.raw(c)
    operation = crt_power(engine, int.from_bytes(c, "big"), *_halves(key), engines)
    return _checked(operation, int.from_bytes(expected, "big"))


def crt_power(
    engine: Simulated, c: int, p_half: tuple[int, int], q_half: tuple[int, int], engines: int = 1
) -> Operation:
    """Return c^d mod pq for halves (p, d mod (p − 1)) and (q, d mod (q − 1)), recombined after Garner."""
    halves: Sequence[tuple[int, int]] = (p_half, q_half)
    for modulus, _ in halves:
        engine.build(modulus)
    with ThreadPoolExecutor(max_workers=engines) as pool:
        powers = list(pool.map(lambda half: engine.power(c % half[0], half[1], half[0]), halves))
    (p, _), (q, _) = halves
    of_p, of_q = (power.z for power in powers)
    value = of_q + (of_p - of_q) * pow(q, -1, p) % p * q
    return Operation(value, tuple(power.cycles for power in powers), engines)


def _halves(key: PrivateKey) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (p, d mod (p − 1)) and (q, d mod (q − 1)); ValueError for a key of more primes."""
    numbers = key.private_numbers()
    if numbers.others:
        raise ValueError("the cores compute by two primes, and the key has more: give a key of two")
    return (numbers.p, numbers.dp), (numbers.q, numbers.dq)


def _checked(operation: Operation, expected: int) -> Operation:
    if operation.value != expected:
        raise WrongResultError("the engine's result is not software's: it is withheld")
    return operation

"""Everything that can compute a modular power, in one list: who walks it need not change when it grows."""

import difflib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import monpro
from monpro.hardware import exponentiation

Method = Literal["binary_vartime", "fixed_window", "sliding_window_vartime"]
Ring = Literal["integers", "gf2"]
FEW_TERMS = 8
RING_TITLES: dict[Ring, str] = {"integers": "the integers", "gf2": "GF(2)[x]"}


class Power(Protocol):
    """Computes xᵉ mod n."""

    def __call__(self, x: int, e: int, n: int, *, method: Method | None = None) -> int:
        """Return xᵉ mod n, by the engine's own method unless one is given; ValueError for what it cannot."""


@dataclass(frozen=True)
class Engine:
    """One way to compute xᵉ mod n: a kernel of the table, or a hardware core in its model or its RTL.

    Over GF(2)[x], bit i of an integer is the coefficient of xⁱ. `reason` says why it is not available.
    """

    name: str
    paper: str
    kind: Literal["kernel", "core"]
    ring: Ring
    radix_bits: int
    bound: str
    available: bool
    reason: str | None
    supports: Callable[[int], bool]  # the modulus n, if that is odd
    example_modulus: Callable[[int], int | None]  # of so many bits
    power: Power

    def takes_size(self, bits: int) -> bool:
        """Return whether there is a modulus of so many bits that the engine takes."""
        return self.example_modulus(bits) is not None


def engines() -> list[Engine]:
    """Return every engine there is, available on this machine or not."""
    return kernel_engines() + core_engines()


def kernel_engines() -> list[Engine]:
    """Return the engines that are kernels: those worth timing."""
    return [_of_kernel(kernel) for kernel in monpro.kernels()]


def core_engines() -> list[Engine]:
    """Return the engines that are hardware cores: their models, and their RTL in simulation."""
    return [_of_core(core) for core in exponentiation.simulated()]


def available_kernels(ring: Ring, bits: int) -> list[Engine]:
    """Return the kernels of a ring that run here and take a modulus of so many bits."""
    return [
        engine
        for engine in kernel_engines()
        if engine.ring == ring and engine.available and engine.takes_size(bits)
    ]


def by_modulus(bits: int, engines: list[Engine]) -> Iterator[tuple[int, list[Engine]]]:
    """Give each engine an odd modulus of so many bits: a random one, or else an example of what it takes."""
    n: int | None = secrets.randbits(bits) | 1 << (bits - 1) | 1
    while engines and n is not None:
        takers = [engine for engine in engines if engine.supports(n)]
        engines = [engine for engine in engines if engine not in takers]
        if takers:
            yield n, takers
        n = engines[0].example_modulus(bits) if engines else None


def describe_modulus(ring: Ring, n: int) -> str:
    """Return what distinguishes n among the moduli of its size, after a comma; nothing where it is random."""
    return f", a modulus of {n.bit_count()} terms" if ring == "gf2" and n.bit_count() <= FEW_TERMS else ""


def find_engine(name: str, ring: Ring) -> Engine:
    """Return the engine of that name; ValueError where it is unknown, of another ring or not available."""
    known = {engine.name: engine for engine in kernel_engines()}
    if name not in known:  # only then, for to ask what runs of the cores takes time
        known |= {engine.name: engine for engine in core_engines()}
    engine = known.get(name)
    if engine is None:
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        meant = f"did you mean {close[0]}? " if close else ""
        raise ValueError(f"there is no engine {name!r}: {meant}there are {', '.join(known)}")
    if engine.ring != ring:
        fitting = ", ".join(other.name for other in known.values() if other.ring == ring and other.available)
        raise ValueError(
            f"engine {name} computes over {RING_TITLES[engine.ring]}, not over {RING_TITLES[ring]}: "
            f"use one of {fitting}"
        )
    if not engine.available:
        raise ValueError(f"engine {name} does not run here: it {engine.reason}")
    return engine


def _of_kernel(kernel: monpro.Kernel) -> Engine:
    name = kernel.name

    def integer_power(x: int, e: int, n: int, *, method: Method | None = None) -> int:
        return monpro.pow(x, e, n, kernel=name, method=method or "fixed_window")

    def polynomial_power(x: int, e: int, n: int, *, method: Method | None = None) -> int:
        modulus = monpro.Modulus(n, kernel=name)
        if e < 0:  # only a field is sure to have inverses
            x, e = int(monpro.BinaryField(n, kernel=name)(int(modulus(x))).inv()), -e
        return modulus.pow(x, e, method=method or "fixed_window")

    return Engine(
        name=name,
        paper=kernel.paper,
        kind="kernel",
        ring=kernel.ring,
        radix_bits=kernel.radix_bits,
        bound=kernel.bound,
        available=kernel.available,
        reason=kernel.unavailable_reason,
        supports=kernel.supports,
        example_modulus=kernel.example_modulus,
        power=integer_power if kernel.ring == "integers" else polynomial_power,
    )


def _of_core(core: exponentiation.Simulated) -> Engine:
    def power(x: int, e: int, n: int, *, method: Method | None = None) -> int:
        if method not in {None, "binary_vartime"}:
            raise ValueError(f"{core.name} scans exponents by binary_vartime, not by {method}")
        return core.power(x, e, n).z

    reason = core.reason
    return Engine(
        name=core.name,
        paper=core.architecture.paper,
        kind="core",
        ring="integers",
        radix_bits=core.radix_bits,
        bound=core.bound,
        available=reason is None,
        reason=reason,
        supports=lambda n: n.bit_length() <= exponentiation.MAX_WIDTH_BITS,
        example_modulus=lambda bits: (1 << bits) - 1 if 2 <= bits <= exponentiation.MAX_WIDTH_BITS else None,
        power=power,
    )

"""Everything that can compute a modular power, in one list: who walks it need not change when it grows."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import monpro

Method = Literal["binary_vartime", "fixed_window", "sliding_window_vartime"]
Ring = Literal["integers", "gf2"]
RING_TITLES: dict[Ring, str] = {"integers": "the integers", "gf2": "GF(2)[x]"}


class Power(Protocol):
    """Computes xᵉ mod n."""

    def __call__(self, x: int, e: int, n: int, *, method: Method = "fixed_window") -> int:
        """Return xᵉ mod n; ValueError where the engine does not take these numbers."""


@dataclass(frozen=True)
class Engine:
    """One way to compute xᵉ mod n: a kernel of the table.

    Over GF(2)[x], bit i of an integer is the coefficient of xⁱ. `reason` says why it is not available.
    """

    name: str
    paper: str
    kind: Literal["kernel"]
    ring: Ring
    radix_bits: int
    bound: str
    available: bool
    reason: str | None
    supports: Callable[[int], bool]
    power: Power


def engines() -> list[Engine]:
    """Return every engine there is, available on this machine or not."""
    return [_of_kernel(kernel) for kernel in monpro.kernels()]


def available_engines(ring: Ring, bits: int) -> list[Engine]:
    """Return the engines of a ring that run here and take a modulus of so many bits."""
    return [
        engine for engine in engines() if engine.ring == ring and engine.available and engine.supports(bits)
    ]


def find_engine(name: str, ring: Ring) -> Engine:
    """Return the engine of that name; ValueError where it is unknown, of another ring or not available."""
    known = {engine.name: engine for engine in engines()}
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
        raise ValueError(f"engine {name} does not run on this CPU: it {engine.reason}")
    return engine


def _of_kernel(kernel: monpro.Kernel) -> Engine:
    name = kernel.name

    def integer_power(x: int, e: int, n: int, *, method: Method = "fixed_window") -> int:
        return monpro.pow(x, e, n, kernel=name, method=method)

    def polynomial_power(x: int, e: int, n: int, *, method: Method = "fixed_window") -> int:
        return monpro.Modulus(n, kernel=name).pow(x, e, method=method)

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
        power=integer_power if kernel.ring == "integers" else polynomial_power,
    )

"""Everything that can compute a modular power, in one list: who walks it need not change when it grows."""

import difflib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import monpro
from monpro.hardware import exponentiation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Method = Literal["binary_vartime", "fixed_window", "sliding_window_vartime"]
Ring = Literal["integers", "gf2"]
ENTRY_POINTS = "monpro.engines"
FEW_TERMS = 8
RING_TITLES: dict[Ring, str] = {"integers": "the integers", "gf2": "GF(2)[x]"}


class Power(Protocol):
    """Computes xᵉ mod n."""

    def __call__(self, x: int, e: int, n: int, *, method: Method | None = None) -> int:
        """Return xᵉ mod n, by the engine's own method unless one is given; ValueError for what it cannot."""


@dataclass(frozen=True)
class Engine:
    """One way to compute xᵉ mod n: a kernel, a hardware core in its model or its RTL, or another package's.

    Over GF(2)[x], bit i of an integer is the coefficient of xⁱ. `reason` says why it is not available.
    """

    name: str
    paper: str
    kind: str  # "kernel", "core", or what another package calls its own
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
    own = kernel_engines() + core_engines()
    return own + outside_engines({engine.name for engine in own})


def kernel_engines() -> list[Engine]:
    """Return the engines that are kernels: those worth timing."""
    return [_of_kernel(kernel) for kernel in monpro.kernels()]


def core_engines() -> list[Engine]:
    """Return the engines that are hardware cores: their models, and their RTL in simulation."""
    return [_of_core(core) for core in exponentiation.simulated()]


def outside_engines(taken: set[str]) -> list[Engine]:
    """Return the engines of other packages, by names that are not taken.

    An entry point of the group `monpro.engines` is a function without arguments that returns engines. One
    that fails is listed as an engine that is not available, whose reason says what went wrong.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow, and only this function needs it)

    found: list[Engine] = []
    for point in sorted(entry_points(group=ENTRY_POINTS)):
        found += _of_entry_point(point, taken | {engine.name for engine in found})
    return found


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
    if name not in known:  # only then: it takes time to ask which cores run, and to load other packages
        known = {engine.name: engine for engine in engines()}
    engine = known.get(name)
    if engine is None:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
        meant = f"did you mean {', '.join(close)}? " if close else ""
        raise ValueError(f"there is no engine {name!r}: {meant}`monpro kernels` and `monpro cores` list all")
    if engine.ring != ring:
        fitting = [other.name for other in known.values() if other.ring == ring and other.available]
        close = difflib.get_close_matches(name, fitting, n=3, cutoff=0)
        raise ValueError(
            f"engine {name} computes over {RING_TITLES[engine.ring]}, not over {RING_TITLES[ring]}: "
            f"use another, as {', '.join(close)}"
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


def _of_entry_point(point: "EntryPoint", taken: set[str]) -> list[Engine]:
    """Return what the function of an entry point returns, or an engine that says what is wrong with it."""
    try:
        found = list(point.load()())
    except Exception as error:  # another package's code may raise anything
        return [_unusable(point, taken, f"{type(error).__name__}: {' '.join(str(error).split())}")]
    for position, engine in enumerate(found):
        if not isinstance(engine, Engine):
            return [_unusable(point, taken, f"it offers {engine!r}, which is not an Engine")]
        if engine.name in taken or engine.name in {other.name for other in found[:position]}:
            return [_unusable(point, taken, f"it offers a second engine named {engine.name}")]
    return found


def _unusable(point: "EntryPoint", taken: set[str], mistake: str) -> Engine:
    package = point.dist.name if point.dist else "an unknown package"
    reason = f"could not be had from {package} ({point.value}): {mistake}"

    def power(x: int, e: int, n: int, *, method: Method | None = None) -> int:  # noqa: ARG001  (a Power)
        raise ValueError(f"engine {point.name} does not run here: it {reason}")

    return Engine(
        name=point.value if point.name in taken else point.name,
        paper="",
        kind="outside",
        ring="integers",
        radix_bits=0,
        bound="",
        available=False,
        reason=reason,
        supports=lambda _: False,
        example_modulus=lambda _: None,
        power=power,
    )

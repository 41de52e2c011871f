"""The hardware multipliers and exponentiators: one file an architecture, listed here.

To add one, write `cores/<name>.py` with a subclass of `Core` or `Exponentiator`, and add it below.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import TypeVar

from monpro.cores.core import MAX_WIDTH_BITS, Core, Design, Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.fcs_mm_1 import FcsMm1
from monpro.cores.fcs_mm_2 import FcsMm2
from monpro.cores.fcs_mmm42 import FcsMmm42
from monpro.cores.mm import Mm
from monpro.cores.mscs_mm import MscsMm
from monpro.cores.scalable import Scalable
from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.cores.scs_mm_1 import ScsMm1
from monpro.cores.scs_mm_2 import ScsMm2
from monpro.cores.scs_mm_new import ScsMmNew
from monpro.cores.systolic import Systolic

__all__ = [
    "WIDTHS_BITS",
    "Core",
    "Design",
    "Exponentiator",
    "Result",
    "ScalableExponentiator",
    "Systolic",
    "architectures",
    "configurations",
    "core",
    "design",
    "exponentiators",
    "exponentiators_of_width",
    "of_width",
    "verified",
]

Engine = TypeVar("Engine", bound=Design)

WIDTHS_BITS = range(8, MAX_WIDTH_BITS + 1)  # those offered; narrower ones serve exhaustive tests and proofs
_ARCHITECTURES: tuple[type[Core], ...] = (
    *(Mm, ScsMm1, ScsMm2, FcsMm1, FcsMm2, FcsMmm42, MscsMm, ScsMmNew),
    Scalable,
)
_EXPONENTIATORS: tuple[type[Exponentiator], ...] = (ScalableExponentiator, Systolic)


def architectures() -> tuple[type[Core], ...]:
    """Return every architecture of multipliers there is."""
    return _ARCHITECTURES


def exponentiators() -> tuple[type[Exponentiator], ...]:
    """Return every architecture that exponentiates by itself."""
    return _EXPONENTIATORS


def core(name: str, width_bits: int, parameters: Mapping[str, int] | None = None) -> Core:
    """Return a multiplier; ValueError where there is none of that name, width or parameters."""
    return _made(_ARCHITECTURES, name, width_bits, parameters or {})


def design(name: str, width_bits: int, parameters: Mapping[str, int] | None = None) -> Core | Exponentiator:
    """Return a multiplier or an exponentiator; ValueError as by `core`."""
    everything: tuple[type[Core | Exponentiator], ...] = (*_ARCHITECTURES, *_EXPONENTIATORS)
    return _made(everything, name, width_bits, parameters or {})


def configurations() -> dict[str, Core]:
    """Return the named configurations that the tests verify, such as `scs-mm-new-1024`."""
    widths_bits = sorted(
        {width for architecture in _ARCHITECTURES for width in architecture.verified_widths_bits}
    )
    return {
        name: core
        for width_bits in widths_bits
        for name, core in of_width(width_bits).items()
        if width_bits in core.verified_widths_bits
    }


def of_width(width_bits: int) -> dict[str, Core]:
    """Return every multiplier with all its variants at a width, named as the configurations are."""
    return _variants(_ARCHITECTURES, width_bits)


def exponentiators_of_width(width_bits: int) -> dict[str, Exponentiator]:
    """Return every exponentiator with all its variants at a width, named as the configurations are."""
    return _variants(_EXPONENTIATORS, width_bits)


def verified(architecture: type[Design]) -> list[str]:
    """Return the names of the configurations of an architecture that the tests verify."""
    return [
        _named(architecture, width_bits, variant)
        for width_bits in architecture.verified_widths_bits
        for variant in architecture.variants
    ]


def _made(
    architectures: tuple[type[Engine], ...], name: str, width_bits: int, parameters: Mapping[str, int]
) -> Engine:
    found = next((architecture for architecture in architectures if architecture.name == name), None)
    if found is None:
        known = ", ".join(architecture.name for architecture in architectures)
        raise ValueError(f"there is no core {name!r}; there are: {known}")
    if width_bits not in WIDTHS_BITS:
        raise ValueError(
            f"{name} has widths from {WIDTHS_BITS[0]} to {WIDTHS_BITS[-1]} bits, not {width_bits}"
        )
    offered = [field.name for field in fields(found) if field.name != "width_bits"]
    for parameter in parameters:
        if parameter not in offered:
            raise ValueError(
                f"{name} has no parameter {parameter!r}; it has: {', '.join(offered) or 'none but its width'}"
            )
    return found(width_bits, **parameters)


def _variants(architectures: tuple[type[Engine], ...], width_bits: int) -> dict[str, Engine]:
    return {
        _named(architecture, width_bits, variant): architecture(width_bits, **parameters)
        for architecture in architectures
        for variant, parameters in architecture.variants.items()
    }


def _named(architecture: type[Design], width_bits: int, variant: str) -> str:
    return "-".join(filter(None, (architecture.name, str(width_bits), variant)))

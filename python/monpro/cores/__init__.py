"""The hardware multipliers and exponentiators: one file for each architecture, listed here.

To add one, write `cores/<name>.py` with a subclass of `Core`, `WordMultiplier` or `Exponentiator` that is its
`ARCHITECTURE`, and add its name below.
"""

from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import TypeVar

from monpro.cores.binary_exponentiator import BinaryExponentiator
from monpro.cores.core import MAX_WIDTH_BITS, Core, Design, Result
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.word_multiplier import WordMultiplier
from monpro.cores.word_serial import WordSerial

__all__ = [
    "VARIANTS",
    "WIDTHS_BITS",
    "BinaryExponentiator",
    "Core",
    "Design",
    "Exponentiator",
    "Result",
    "WordMultiplier",
    "WordSerial",
    "architectures",
    "configurations",
    "core",
    "design",
    "everything",
    "exponentiators",
    "exponentiators_of_width",
    "of_width",
    "variants",
    "verified",
    "word_multipliers",
    "word_multipliers_of_width",
]

Engine = TypeVar("Engine", bound=Design)

WIDTHS_BITS = range(8, MAX_WIDTH_BITS + 1)  # offered widths; exhaustive tests and proofs use narrower ones
_NAMES = (
    "mm",
    "scs_mm_1",
    "scs_mm_2",
    "fcs_mm_1",
    "fcs_mm_2",
    "fcs_mmm42",
    "mscs_mm",
    "scs_mm_new",
    "scalable",
    "quotient_pipelined",
    "dsp",
    "scalable_exponentiator",
    "window_exponentiator",
    "dsp_exponentiator",
    "systolic",
)

_LISTED: tuple[type[Core | WordSerial], ...] = tuple(
    import_module(f"{__name__}.{name}").ARCHITECTURE for name in _NAMES
)
_ARCHITECTURES = tuple(listed for listed in _LISTED if issubclass(listed, Core))
_WORD_MULTIPLIERS = tuple(listed for listed in _LISTED if issubclass(listed, WordMultiplier))
_EXPONENTIATORS = tuple(listed for listed in _LISTED if issubclass(listed, Exponentiator))


def everything() -> tuple[type[Core | WordSerial], ...]:
    """Return every architecture, in the order of their list: multipliers, then exponentiators."""
    return _LISTED


def architectures() -> tuple[type[Core], ...]:
    """Return every architecture of multipliers with parallel ports."""
    return _ARCHITECTURES


def word_multipliers() -> tuple[type[WordMultiplier], ...]:
    """Return every architecture of multipliers whose ports carry words."""
    return _WORD_MULTIPLIERS


def exponentiators() -> tuple[type[Exponentiator], ...]:
    """Return every architecture that exponentiates by itself."""
    return _EXPONENTIATORS


def core(name: str, width_bits: int, parameters: Mapping[str, int] | None = None) -> Core:
    """Return a multiplier; ValueError if no core has this name, width or parameters."""
    return _made(_ARCHITECTURES, name, width_bits, parameters or {})


def design(name: str, width_bits: int, parameters: Mapping[str, int] | None = None) -> Core | WordSerial:
    """Return a design of any kind; ValueError if none has this name, width or parameters.

    `binary-exp:NAME` is the exponentiator around the multiplier NAME. A parameter that it has not is the
    multiplier's.
    """
    exponentiator, around, multiplier = name.partition(":")
    if not around:
        return _made(_LISTED, name, width_bits, parameters or {})
    if exponentiator != BinaryExponentiator.name:
        raise ValueError(
            f"only {BinaryExponentiator.name} goes around a core: give {BinaryExponentiator.name}:CORE"
        )
    others = dict(parameters or {})
    word_width, ladder = others.pop("word_width", 32), others.pop("ladder", 0)
    if ladder not in {0, 1}:
        raise ValueError(f"ladder of {exponentiator} is 0 or 1, not {ladder}")
    return BinaryExponentiator.around(core(multiplier, width_bits, others), word_width, ladder=bool(ladder))


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
    """Return every multiplier with all its variants at a width, by names such as `scs-mm-new-1024`."""
    return _variants(_ARCHITECTURES, width_bits)


def variants(width_bits: int) -> dict[str, Core]:
    """Return every multiplier with all its variants at a width, by names without the width (`VARIANTS`)."""
    return _variants(_ARCHITECTURES, width_bits, width_in_name=False)


def word_multipliers_of_width(width_bits: int) -> dict[str, WordMultiplier]:
    """Return every multiplier whose ports carry words, with all its variants at a width."""
    return _variants(_WORD_MULTIPLIERS, width_bits)


def exponentiators_of_width(width_bits: int) -> dict[str, Exponentiator]:
    """Return every exponentiator with all its variants at a width, by names such as `systolic-1024`."""
    return _variants(_EXPONENTIATORS, width_bits)


def verified(architecture: type[Design]) -> list[str]:
    """Return the names of the configurations of an architecture that the tests verify."""
    return [
        _named(architecture, variant, width_bits)
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
    return found.of(width_bits, parameters)


def _variants(
    architectures: tuple[type[Engine], ...], width_bits: int, *, width_in_name: bool = True
) -> dict[str, Engine]:
    return {
        _named(architecture, variant, width_bits if width_in_name else None): architecture(
            width_bits, **parameters
        )
        for architecture in architectures
        for variant, parameters in architecture.variants.items()
    }


def _named(architecture: type[Design], variant: str, width_bits: int | None) -> str:
    return "-".join(str(part) for part in (architecture.name, width_bits, variant) if part)


VARIANTS = tuple(variants(WIDTHS_BITS[0]))

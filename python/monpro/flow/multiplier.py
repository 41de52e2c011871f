"""The module `monpro_multiplier`, through which the exponentiator `monpro_exp_binary` uses a multiplier.

In rtl/ it holds the multiplier `DEFAULT`. For users of rtl/ without `emit`,
`python -m monpro.flow.multiplier CORE [PARAMETER=VALUE ...]` prints the module for another multiplier.
"""

import sys
from collections.abc import Collection
from pathlib import Path
from string import Template

from monpro.cores import Core, Design, core
from monpro.cores.binary_exponentiator import N_HAT_LOG2, BinaryExponentiator
from monpro.files import write_whole
from monpro.flow import sources
from monpro.flow.simulate import cache_folder, parameter_values

MODULE = "monpro_multiplier"
TEMPLATE = Path(__file__).with_name("monpro_multiplier.sv.in")
DEFAULT = "scs-mm-new"
DEFAULT_BITS = 1024
MAX_DIGITS = 9  # decimal digits of a parameter's value


def module(multiplier: Core) -> str:
    """Return the SystemVerilog text around a multiplier, whose width becomes the default of `Width`.

    ValueError for a multiplier that the exponentiator cannot serve.
    """
    BinaryExponentiator.around(multiplier)
    values = {name: value for name, value in parameter_values(multiplier).items() if name != "Width"}
    settings = [f"{name} = {value}" for name, value in values.items()]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        description=", ".join([multiplier.name, *settings]),
        width_bits=multiplier.width_bits,
        more_operand_bits=multiplier.operand_bits - multiplier.width_bits,
        more_modulus_bits=multiplier.modulus_bits - multiplier.width_bits,
        modulus_shift=multiplier.modulus_shift,
        hat=int(multiplier.modulus_radix_log2 == N_HAT_LOG2),
        top=multiplier.top,
        parameters=",\n    ".join(
            f".{name}({value})" for name, value in ({"Width": "Width"} | values).items()
        ),
    )


def source(multiplier: Core) -> Path:
    """Return a file with the module around a multiplier, in the user's cache folder."""
    path = cache_folder() / "multipliers" / multiplier.configuration / f"{MODULE}.sv"
    text = module(multiplier)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)
    return path


def replaced(design: Design) -> tuple[Path, ...]:
    """Return the sources of a design that replace those of the same name in rtl/."""
    return (source(design.multiplier),) if isinstance(design, BinaryExponentiator) else ()


def sources_of(design: Design, cells: Collection[Path] = ()) -> tuple[Path, ...]:
    """Return the sources of a design, lower layers first, with cells that replace those of the same name."""
    return sources.needed(design.top, (*replaced(design), *cells))


def _parameter(setting: str) -> tuple[str, int]:
    """Return the name and the value of PARAMETER=VALUE."""
    name, _, value = setting.partition("=")
    if not value.isascii() or not value.isdigit() or len(value) > MAX_DIGITS:
        raise ValueError(f"{setting!a}: give PARAMETER=VALUE with a number, as constant_time=1")
    return name, int(value)


def main(arguments: list[str]) -> int:
    """Print the module around the multiplier that the arguments name; return 2 if there is no such one."""
    name, *settings = arguments or [DEFAULT]
    try:
        text = module(core(name, DEFAULT_BITS, dict(map(_parameter, settings))))
    except ValueError as error:
        print(f"monpro: {error}", file=sys.stderr)
        return 2
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Synthesised netlists of a design, with models of their cells, to be simulated in place of the RTL.

The models of the ASIC's cells come from the functions in the library's Liberty file. Those of an FPGA's cells
are the ones that Yosys carries.
"""

import hashlib
import re
from collections.abc import Collection, Sequence

from monpro.cores import Design
from monpro.files import working_in, write_whole
from monpro.flow import liberty, multiplier, tools
from monpro.flow.simulate import Netlist, cache_folder
from monpro.flow.synthesise import LIBERTY, TARGETS, Target, map_to

SIMULATED = tuple(target.name for target in TARGETS.values() if target.netlists)
MODELS = "cells.v"
_INSTANCE = re.compile(r"^  \\?([^\s()]+) +(?:#\(|\\?\S+ \()", re.MULTILINE)  # as Yosys writes it
_MODULE = re.compile(r"^module +\\?([^\s(]+)(.*?)^endmodule", re.MULTILINE | re.DOTALL)


def netlists(design: Design, target_name: str, only: Sequence[str] = ()) -> list[Netlist]:
    """Return the netlists of a design on a target, or `only` those with these names, from the cache if there.

    ValueError if no netlist of the target can be simulated. ToolError if a tool fails or is missing, or if a
    cell has no model.
    """
    if target_name not in SIMULATED:
        raise ValueError(f"there are no netlists for {target_name!r}; there are: {', '.join(SIMULATED)}")
    target = TARGETS[target_name]
    names = list(only or target.netlists)
    folder = cache_folder() / "netlists" / f"{design.top}-{target.name}-{_digest(design, target)}"
    with working_in(folder):
        if not all((folder / f"{name}.v").is_file() for name in names):
            map_to(design, target, folder, names)
        write_whole(folder / MODELS, models(target))
    found = [Netlist(f"{target.name} {name}", (folder / f"{name}.v", folder / MODELS)) for name in names]
    for netlist in found:
        _check_models(netlist, target)
    return found


def models(target: Target) -> str:
    """Return Verilog with a model of each cell of a target; ToolError if it is not installed."""
    if not target.models:
        return "\n".join(liberty.models(liberty.read(LIBERTY)).values())
    path = tools.find("yosys").resolve().parents[1] / "share" / "yosys" / target.models
    if not path.is_file():
        raise tools.ToolError(f"{path} is missing, which Yosys brings: apt-get install --reinstall yosys")
    return f"`define NO_INCLUDES\n{path.read_text(encoding='utf-8')}"  # of other names for the same cells


def cells_without_model(netlist: str, models: str) -> Collection[str]:
    """Return the types of the cells of a netlist that are neither modules of it nor modelled."""
    known = {name for name, _ in _MODULE.findall(netlist)}
    known |= {name for name, body in _MODULE.findall(models) if re.search(r"\b(assign|always)\b", body)}
    return sorted(set(_INSTANCE.findall(netlist)) - known)


def _digest(design: Design, target: Target) -> str:
    """Return a name of all that a netlist is made of."""
    made_of = [design.parameters, target.synthesis, target.netlists, tools.version_of("yosys")]
    digest = hashlib.sha256(repr(made_of).encode())
    for source in (*multiplier.sources_of(design), *([LIBERTY] if LIBERTY.is_file() else [])):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:24]


def _check_models(netlist: Netlist, target: Target) -> None:
    mapped, modelled = (path.read_text(encoding="utf-8") for path in netlist.files)
    if lacking := cells_without_model(mapped, modelled):
        cells = ", ".join(lacking)
        raise tools.ToolError(
            f"a netlist for {target.name} has cells without a model: {cells}; take another target"
        )

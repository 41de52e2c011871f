"""Prove a core of a small width right for all moduli and operands, with Yosys and its ABC.

There are two proofs. Unrolling shows that the first product after a reset is the right number, by taking all
its clocks at once; it takes seconds at 4 bits. Induction shows an invariant of the registers: it holds after
a reset, and if it holds in a clock, it holds in the next, for all inputs at the ports. The invariant says
that the carry-save pair is the sum of the radix-2 algorithm, and that it ends with the result. Nothing is
unrolled, so induction takes seconds at 8 bits and at most minutes at 16.

`python -m monpro.flow.prove` proves every architecture that has an invariant: by unrolling at 4 bits, by
induction at 8.
"""

import re
import sys
import tempfile
from pathlib import Path
from string import Template

from monpro.cores import Core, architectures
from monpro.flow import sources, tools
from monpro.flow.simulate import parameter_values

FORMAL = Path(__file__).resolve().parents[3] / "formal"
HARNESS = FORMAL / "monpro_formal_product.sv.in"
FRAME = FORMAL / "monpro_formal_multiplier.sv.in"
RADIX_2 = FORMAL / "monpro_formal_radix_2.sv"
_TO_AIGER = (
    "setattr -mod -unset keep_hierarchy *; prep -flatten; memory_map; async2sync; opt -full; dffunmap; "
    "opt_clean; setundef -anyseq; techmap; opt -full; simplemap; opt_clean; dffunmap; simplemap; opt_clean; "
    "abc -g AND -fast; opt_clean; write_aiger -zinit claim.aig"
)
_IDLE_CLOCKS = 4  # clocks of the harness before and after a product
_INDUCTION_CLOCKS = 3  # two clocks that satisfy the invariant, and the clock for which it is shown


def product_is_right(core: Core, *, harness: str | None = None) -> bool:
    """Return whether every product of a core is right, within the core's cycles; ToolError if a tool fails.

    All clocks of a product are unrolled. `harness` replaces the proof's SystemVerilog template.
    """
    frames = core.max_cycles + _IDLE_CLOCKS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "product.sv").write_text(
            _harness(core, harness or HARNESS.read_text(encoding="utf-8")), encoding="utf-8"
        )
        files = [*sources.needed(core.top), folder / "product.sv"]
        write_claim(folder, files, "hierarchy -top monpro_formal_product")
        return no_output_is_asserted(folder, frames)


def invariant_is_inductive(core: Core, *, multiplier: str | None = None) -> bool:
    """Return whether the invariant of a core's registers is proved by induction; ToolError if a tool fails.

    It must hold after a reset, and after every clock that follows clocks in which it holds. `multiplier`
    replaces the SystemVerilog text of the core's top module.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_invariant(core, folder, _invariant(core), multiplier=multiplier)
        return holds_by_induction(folder, _INDUCTION_CLOCKS)


def a_product_is_reached(core: Core) -> bool:
    """Return whether a core can take operands and finish a product under the induction's assumptions."""
    claim = _invariant(core) + "\n  always_comb if (rst_ni) reached: assert (!valid);"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = "chformal -assert -remove */t:$assert */c:reached %d"
        _write_invariant(core, folder, claim, leave_out=others)
        latest = core.max_cycles + _IDLE_CLOCKS
        return not no_output_is_asserted(folder, latest, first=core.max_cycles)


def has_invariant(architecture: type[Core]) -> bool:
    """Return whether formal/ has an invariant for the registers of an architecture."""
    return _invariant_file(architecture).is_file()


def _invariant_file(architecture: type[Core]) -> Path:
    return FORMAL / f"monpro_formal_{architecture.name.replace('-', '_')}.svh"


def _invariant(core: Core) -> str:
    return _invariant_file(type(core)).read_text(encoding="utf-8").rstrip("\n")


def _write_invariant(
    core: Core, folder: Path, invariant: str, *, multiplier: str | None = None, leave_out: str = ""
) -> None:
    """Write the invariant of a core as an AIGER file, without the cells that `leave_out` removes in Yosys."""
    claim = folder / FRAME.stem
    claim.write_text(_framed(core, invariant), encoding="utf-8")
    files = [*sources.needed(core.top), RADIX_2, claim]
    if multiplier is not None:
        changed = folder / f"{core.top}.sv"
        changed.write_text(multiplier, encoding="utf-8")
        files = [changed if file.stem == core.top else file for file in files]
    write_claim(folder, files, f"hierarchy -top {claim.stem}; proc; {leave_out}")


def _framed(core: Core, invariant: str) -> str:
    """Return the frame with a core and its invariant in it."""
    values = parameter_values(core) | {name: str(value) for name, value in core.proof_parameters.items()}
    settings = "\n  ".join(
        f"localparam {'bit' if name in core.switches else 'int'} {name} = {value};"
        for name, value in values.items()
    )
    parameters = ",\n    ".join(f".{name}({name})" for name in values)
    return Template(FRAME.read_text(encoding="utf-8")).substitute(
        _widths(core),
        settings=settings,
        parameters=parameters,
        value_bits=core.value_bits,
        invariant=invariant,
    )


def write_claim(folder: Path, files: list[Path], elaborate: str) -> None:
    """Write the assertions of the files as an AIGER file in the folder, after these commands of Yosys."""
    read = f"read_verilog -sv -formal {' '.join(map(str, files))}"
    script = f"{read}; {elaborate}; {_TO_AIGER}"
    tools.run("yosys", ["-q", "-p", script], log=folder / "yosys.log", cwd=folder)


def no_output_is_asserted(folder: Path, frames: int, *, first: int = 0) -> bool:
    """Return whether no assertion fails in `frames` clocks after the reset, looking from clock `first` on."""
    verdict = _ask_abc(folder, f"bmc3 -S {first} -F {frames}")
    if re.search(rf"No output asserted in {frames} frames", verdict):
        return True
    if "was asserted in frame" in verdict:
        return False
    raise tools.ToolError(f"yosys-abc gives no verdict: {tools.complaint(verdict)}")


def holds_by_induction(folder: Path, frames: int) -> bool:
    """Return whether induction over `frames` clocks proves the claim in the folder.

    It must hold for `frames` clocks after the reset, and after every `frames` − 1 clocks in which it holds.
    """
    if not no_output_is_asserted(folder, frames):
        return False
    verdict = _ask_abc(folder, f"orpos; ind -F {frames}")
    if "Networks are equivalent" in verdict:
        return True
    if "Networks are UNDECIDED" in verdict:
        return False
    raise tools.ToolError(f"yosys-abc gives no verdict: {tools.complaint(verdict)}")


def _ask_abc(folder: Path, question: str) -> str:
    commands = f"read_aiger claim.aig; fold; {question}"
    return tools.run("yosys-abc", ["-c", commands], log=folder / "abc.log", cwd=folder)


def _harness(core: Core, template: str) -> str:
    return Template(template).substitute(
        _widths(core),
        parameters=", ".join(f".{name}({value})" for name, value in parameter_values(core).items()),
        width_bits=core.width_bits,
        max_cycles=core.max_cycles,
    )


def _widths(core: Core) -> dict[str, object]:
    """Return the values for the placeholders of both templates."""
    return {
        "top": core.top,
        "operand_bits": core.operand_bits,
        "modulus_bits": core.modulus_bits,
        "r_log2": core.r_log2,
        "uses_n_hat": int(core.uses_n_hat),
        "is_reduced": int(core.operand_bound(3) == 3),
    }


def main() -> int:
    """Prove every architecture with its default parameters, in both ways; return 0 if all are proved."""
    verdicts = []
    for architecture in architectures():
        if not has_invariant(architecture):
            print(f"{architecture.name}: no invariant of its registers in formal/", flush=True)
            continue
        proofs = (product_is_right(architecture(4)), invariant_is_inductive(architecture(8)))
        verdicts.append(all(proofs))
        print(f"{architecture.name}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

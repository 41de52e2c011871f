"""Prove a core of a small width right for all moduli and operands, with Yosys and its ABC.

`python -m monpro.flow.prove` proves every architecture whose ports hold plain numbers, at 4 bits.
"""

import re
import sys
import tempfile
from pathlib import Path
from string import Template

from monpro.cores import Core, architectures
from monpro.flow import sources, tools
from monpro.flow.simulate import parameter_values

HARNESS = Path(__file__).resolve().parents[3] / "formal" / "monpro_formal_product.sv"
_TO_AIGER = (
    "hierarchy -top monpro_formal_product; setattr -mod -unset keep_hierarchy *; "
    "prep -top monpro_formal_product -flatten; async2sync; opt -full; dffunmap; opt_clean; setundef -anyseq; "
    "techmap; opt -full; simplemap; opt_clean; dffunmap; simplemap; opt_clean; abc -g AND -fast; opt_clean; "
    "write_aiger -zinit product.aig"
)
_IDLE_CLOCKS = 4  # of the harness, before and after a product


def product_is_right(core: Core, *, harness: str | None = None) -> bool:
    """Return whether every product of a core is right, within the core's cycles; ToolError if a tool fails.

    All clocks of a product are unrolled: that takes seconds at 4 bits, longer at more. `harness` replaces
    the proof's SystemVerilog template.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "product.sv").write_text(_harness(core, harness or HARNESS.read_text()))
        files = " ".join([*map(str, sources.needed(core.top)), "product.sv"])
        script = f"read_verilog -sv -formal {files}; {_TO_AIGER}"
        tools.run("yosys", ["-q", "-p", script], log=folder / "yosys.log", cwd=folder)
        frames = core.max_cycles + _IDLE_CLOCKS
        check = f"read_aiger product.aig; fold; bmc3 -F {frames}"
        verdict = tools.run("yosys-abc", ["-c", check], log=folder / "abc.log", cwd=folder)
    if re.search(rf"No output asserted in {frames} frames", verdict):
        return True
    if "was asserted in frame" in verdict:
        return False
    raise tools.ToolError(f"yosys-abc gives no verdict on {core.top}: {tools.complaint(verdict)}")


def _harness(core: Core, template: str) -> str:
    reduced = core.operand_bound(3) == 3
    return Template(template).substitute(
        top=core.top,
        parameters=", ".join(f".{name}({value})" for name, value in parameter_values(core).items()),
        width_bits=core.width_bits,
        operand_bits=core.operand_bits,
        modulus_bits=core.modulus_bits,
        r_log2=core.r_log2,
        max_cycles=core.max_cycles,
        uses_n_hat=int(core.uses_n_hat),
        is_reduced=int(reduced),
    )


def main() -> int:
    """Prove every architecture with its default parameters; 0 where all products are right."""
    verdicts = []
    for architecture in architectures():
        verdicts.append(product_is_right(architecture(4)))
        print(f"{architecture.name}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Prove by induction that the front ends of the buses keep the rules of AXI4-Lite, APB and AXI4-Stream.

The claims are formal/monpro_formal_<bus>_port.sv: for every master, and for every register file or core
behind the port. `python -m monpro.flow.prove_buses` proves them all, each in seconds.
"""

import sys
import tempfile
from pathlib import Path

from monpro.flow import buses
from monpro.flow.prove import FORMAL, holds_by_induction, write_claim

CELLS = {  # of each port, with the modules below it
    "axi4lite": ("monpro_axi4lite_channel.sv", "monpro_axi4lite_port.sv"),
    "apb": ("monpro_apb_port.sv",),
    "axi4stream": ("monpro_axi4lite_channel.sv", "monpro_axi4stream_port.sv"),
}
_FRAMES = 3  # two clocks in which the claim holds, and the clock for which it is shown


def keeps_its_rules(bus: str, *, changed: dict[str, str] | None = None) -> bool:
    """Return whether the port of a bus is proved to keep the rules; ToolError if a tool fails.

    `changed` replaces the SystemVerilog text of cells, by file name.
    """
    texts = buses.cells(CELLS[bus]) | (changed or {})
    claim = FORMAL / f"monpro_formal_{bus}_port.sv"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
        write_claim(folder, [*(folder / file for file in texts), claim], f"hierarchy -top {claim.stem}; proc")
        return holds_by_induction(folder, _FRAMES)


def main() -> int:
    """Prove the rules of every bus; return 0 if all are proved."""
    verdicts = []
    for bus in CELLS:
        verdicts.append(keeps_its_rules(bus))
        print(f"{bus}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Prove the scalable multiplier's processing elements right for all words and digits, with Yosys' ABC.

An element alone, of small words: by induction its words are those of the inner loop of [amberg08, Figs. 2
and 3], with carries within their bounds, however many words an operand has. Seconds at 3 and 4 bits.

`python -m monpro.flow.prove_elements` proves the elements of radix 2 and 4, shifting left and right.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from monpro.flow import sources
from monpro.flow.prove import FORMAL, holds_by_induction, no_output_is_asserted, write_claim

MULTIPLE = FORMAL / "monpro_formal_multiple.sv"
_FRAMES = 2  # a clock in which the claim holds, and the one it is shown for
_A_WINDOW = 6  # clocks in which a window of words fits


@dataclass(frozen=True)
class Element:
    """A module with a claim of its own, formal/monpro_formal_<claim>.sv, and values of its parameters."""

    claim: str
    module: str
    parameters: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """Return a short name."""
        values = "-".join(f"{name}{value}" for name, value in self.parameters)
        return f"{self.claim}-{values}".replace("1'b", "")


def left(radix_log2: int, word_width: int, offset: int, *, booth: bool) -> Element:
    """Return a left-shifting element, before which Z begins at a bit of a word."""
    return _element("left", RadixLog2=radix_log2, WordWidth=word_width, Booth=booth, Offset=offset)


def right(radix_log2: int, word_width: int, *, booth: bool) -> Element:
    """Return a right-shifting element."""
    return _element("right", RadixLog2=radix_log2, WordWidth=word_width, Booth=booth)


def improved(word_width: int, offset: int) -> Element:
    """Return an improved radix-2 element."""
    return _element("improved", WordWidth=word_width, Offset=offset)


def recoder(radix_log2: int) -> Element:
    """Return the cell of Booth's recoding."""
    return Element("booth", "monpro_cell_booth", (("RadixLog2", str(radix_log2)),))


def _element(kind: str, **values: int) -> Element:
    parameters = tuple(
        (name, f"1'b{int(value)}" if isinstance(value, bool) else str(value))
        for name, value in values.items()
    )
    return Element(f"scalable_{kind}", f"monpro_pe_scalable_{kind}", parameters)


def is_right(element: Element, *, changed: Mapping[str, str] | None = None) -> bool:
    """Return whether the claim of an element is proved by induction; ToolError if a tool fails.

    `changed` replaces the SystemVerilog text of modules, by name.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(element, folder, changed or {})
        return holds_by_induction(folder, _FRAMES)


def a_window_is_reached(element: Element) -> bool:
    """Return whether what the claim assumes lets a window of three words pass an element."""
    reached = "  always_comb reached: assert (!(last_i && behind_q && !first_behind_q));\nendmodule"
    claim = _claim(element).read_text(encoding="utf-8").replace("endmodule", reached)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = "chformal -assert -remove */t:$assert */c:reached %d"
        _write(element, folder, {_claim(element).stem: claim}, leave_out=others)
        return not no_output_is_asserted(folder, _A_WINDOW)


def _claim(element: Element) -> Path:
    return FORMAL / f"monpro_formal_{element.claim}.sv"


def _write(element: Element, folder: Path, changed: Mapping[str, str], *, leave_out: str = "") -> None:
    files = [*sources.needed(element.module), MULTIPLE, _claim(element)]
    for place, file in enumerate(files):
        if text := changed.get(file.stem):
            files[place] = folder / file.name
            files[place].write_text(text, encoding="utf-8")
    settings = " ".join(f"-set {name} {value}" for name, value in element.parameters)
    top = _claim(element).stem
    write_claim(folder, files, f"chparam {settings} {top}; hierarchy -top {top}; proc; {leave_out}")


ELEMENTS = (
    *(recoder(radix_log2) for radix_log2 in range(1, 5)),
    *(improved(4, offset) for offset in range(4)),
    *(left(1, 4, offset, booth=booth) for offset in (0, 3) for booth in (False, True)),
    *(left(2, 4, offset, booth=True) for offset in (0, 2)),
    *(right(1, 3, booth=booth) for booth in (False, True)),
    *(right(2, 3, booth=booth) for booth in (False, True)),
)


def main() -> int:
    """Prove what takes seconds; 0 where all is right."""
    verdicts = []
    for element in ELEMENTS:
        verdicts.append(is_right(element))
        print(f"{element}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

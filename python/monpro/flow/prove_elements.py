"""Prove the scalable multiplier's processing elements right for all words and digits, with Yosys' ABC.

One element with small words is proved alone. Induction shows that its words are those of the inner loop in
[amberg08, Figs. 2 and 3], and that its carries are within their bounds, for any number of words in an
operand. It takes seconds at 3 and 4 bits.

Most elements of radix 8 and 16 are too much for one proof with all multiples of their words. They are proved
with words in the place of each multiple that are free but for their bounds, and the selection of a
multiple's words is proved alone.

`python -m monpro.flow.prove_elements` proves the elements of radix 2 and 4, shifting left and right.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import Template

from monpro.flow import sources
from monpro.flow.prove import FORMAL, holds_by_induction, no_output_is_asserted, write_claim

SHARED = (FORMAL / "monpro_formal_multiple.sv", FORMAL / "monpro_formal_window.sv")
FREE_MULTIPLES = FORMAL / "monpro_formal_free_multiple.sv"
REPLACED = ("monpro_cell_multiple", "monpro_formal_multiple")  # by the modules in that file
FRAME = FORMAL / "monpro_formal_element.sv.in"
WORD = FORMAL / "monpro_formal_word.sv.in"
RECODER = FORMAL / "monpro_formal_booth.sv.in"
REACHED = "\n  always_comb reached: assert (!(last_i && behind_is_live && !first_behind));"
_OF_THE_FRAME = {"RadixLog2": "1", "Booth": "1'b0", "Offset": "0"}  # for elements without such a parameter
_FRAMES = 2  # a clock in which the claim holds, and the clock for which it is shown
_A_WINDOW = 6  # clocks that are enough for a window of words


@dataclass(frozen=True)
class Element:
    """A module that is proved alone: its claim, and the values of its parameters.

    The claim is formal/monpro_formal_<claim>.svh, inside the frame of the elements or in its own template.
    With `has_free_multiples` it is shown for more than the multiples: for all words that keep their bounds.
    """

    claim: str
    module: str
    parameters: tuple[tuple[str, str], ...]
    template: Path = FRAME
    has_free_multiples: bool = False

    def __str__(self) -> str:
        """Return a short name."""
        values = "-".join(f"{name}{value}" for name, value in self.parameters)
        kind = "-free" if self.has_free_multiples else ""
        return f"{self.claim}-{values}{kind}".replace("1'b", "")

    def harness(self, more: str) -> str:
        """Return the template with the element, its parameters, its claim and the text `more` filled in."""
        claim = FORMAL / f"monpro_formal_{self.claim}.svh"
        return Template(self.template.read_text(encoding="utf-8")).substitute(
            _OF_THE_FRAME | dict(self.parameters),
            element=self.module,
            parameters=", ".join(f".{name}({name})" for name, _ in self.parameters),
            claim=f"{claim.read_text(encoding='utf-8')}{more}" if self.template == FRAME else more,
        )


def left(radix_log2: int, word_width: int, offset: int, *, booth: bool) -> Element:
    """Return a left-shifting element at whose input Z begins at bit `offset` of its lowest word."""
    return _element("left", RadixLog2=radix_log2, WordWidth=word_width, Booth=booth, Offset=offset)


def right(radix_log2: int, word_width: int, *, booth: bool) -> Element:
    """Return a right-shifting element."""
    return _element("right", RadixLog2=radix_log2, WordWidth=word_width, Booth=booth)


def improved(word_width: int, offset: int) -> Element:
    """Return an improved radix-2 element."""
    return _element("improved", WordWidth=word_width, Offset=offset)


def freed(element: Element) -> Element:
    """Return the element with words in the place of its multiples that are free but for their bounds."""
    return replace(element, has_free_multiples=True)


def multiple(radix_log2: int, word_width: int, *, booth: bool) -> Element:
    """Return the cell that selects the words of a multiple: they have the bounds of free words."""
    parameters = _parameters(RadixLog2=radix_log2, WordWidth=word_width, Booth=booth)
    return Element("word", "monpro_cell_multiple", parameters, WORD)


def recoder(radix_log2: int) -> Element:
    """Return the cell of Booth's recoding."""
    return Element("booth", "monpro_cell_booth", _parameters(RadixLog2=radix_log2), RECODER)


def _element(kind: str, **values: int) -> Element:
    return Element(f"scalable_{kind}", f"monpro_pe_scalable_{kind}", _parameters(**values))


def _parameters(**values: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, f"1'b{int(value)}" if isinstance(value, bool) else str(value))
        for name, value in values.items()
    )


def is_right(element: Element, *, changed: Mapping[str, str] | None = None) -> bool:
    """Return whether the claim of an element is proved by induction; ToolError if a tool fails.

    `changed` replaces the SystemVerilog text of modules, by name.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(element, folder, changed or {})
        return holds_by_induction(folder, _FRAMES)


def a_window_is_reached(element: Element) -> bool:
    """Return whether a window of three words can pass an element under the claim's assumptions."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        others = "chformal -assert -remove */t:$assert */c:reached %d"
        _write(element, folder, {}, more=REACHED, leave_out=others)
        return not no_output_is_asserted(folder, _A_WINDOW)


def _write(
    element: Element, folder: Path, changed: Mapping[str, str], *, more: str = "", leave_out: str = ""
) -> None:
    """Write the element's claim and `more` as an AIGER file, without the cells that `leave_out` removes."""
    harness = folder / element.template.stem
    harness.write_text(element.harness(more), encoding="utf-8")
    files = [*sources.needed(element.module), *SHARED, harness]
    if element.has_free_multiples:
        files = [*(file for file in files if file.stem not in REPLACED), FREE_MULTIPLES]
    for place, file in enumerate(files):
        if text := changed.get(file.stem):
            files[place] = folder / file.name
            files[place].write_text(text, encoding="utf-8")
    write_claim(folder, files, f"hierarchy -top {harness.stem}; proc; {leave_out}")


ELEMENTS = (
    *(recoder(radix_log2) for radix_log2 in range(1, 5)),
    *(improved(4, offset) for offset in range(4)),
    *(multiple(2, 4, booth=booth) for booth in (False, True)),
    freed(left(2, 4, 0, booth=False)),
    *(left(1, 4, offset, booth=booth) for offset in (0, 3) for booth in (False, True)),
    *(left(2, 4, offset, booth=True) for offset in (0, 2)),
    *(right(1, 3, booth=booth) for booth in (False, True)),
    *(right(2, 3, booth=booth) for booth in (False, True)),
)


def main() -> int:
    """Prove all of `ELEMENTS`, each in seconds; return 0 if all are proved."""
    verdicts = []
    for element in ELEMENTS:
        verdicts.append(is_right(element))
        print(f"{element}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Prove the words of the multipliers with late quotient digits right by induction.

Four claims, each for all numbers at small words: the filling of a word's table, the steps of the loop,
the words of the exact division, and the bounds of a word on DSP blocks. `python -m monpro.flow.prove_late`
proves them all.
"""

import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from monpro.flow import sources
from monpro.flow.prove import FORMAL, holds_by_induction, write_claim

_FRAMES = 2  # a clock in which the claim holds, and the clock for which it is shown


@dataclass(frozen=True)
class Claim:
    """A claim, formal/monpro_formal_late_<name>.sv.in, about a module with words of so many bits."""

    name: str
    module: str
    radix_log2: int
    word_width: int

    def __str__(self) -> str:
        """Return a short name."""
        return f"{self.name}-radix{1 << self.radix_log2}-word{self.word_width}"


def fill(radix_log2: int, word_width: int) -> Claim:
    """Return the claim about the table of a word."""
    return Claim("fill", "monpro_pe_quotient_pipelined", radix_log2, word_width)


def division(radix_log2: int, word_width: int) -> Claim:
    """Return the claim about an exact division."""
    return Claim("division", "monpro_pe_word_reduction", radix_log2, word_width)


def loop(radix_log2: int, word_width: int) -> Claim:
    """Return the claim about the steps of two words."""
    return Claim("loop", "monpro_pe_quotient_pipelined", radix_log2, word_width)


def words(word_width: int) -> Claim:
    """Return the claim about the bounds of a word on DSP blocks, whose radix is that of the words."""
    return Claim("words", "monpro_pe_dsp", word_width, word_width)


def is_right(claim: Claim, *, changed: Mapping[str, str] | None = None) -> bool:
    """Return whether a claim is proved by induction; ToolError if a tool fails.

    `changed` replaces the SystemVerilog text of modules, by name.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        template = FORMAL / f"monpro_formal_late_{claim.name}.sv.in"
        harness = folder / template.stem
        text = Template(template.read_text(encoding="utf-8"))
        sizes = {"RadixLog2": claim.radix_log2, "WordWidth": claim.word_width}
        harness.write_text(text.substitute(sizes), encoding="utf-8")
        files = [file for file in sources.needed(claim.module) if f"module {file.stem} " not in text.template]
        files.append(harness)
        for place, file in enumerate(files):
            if replacement := (changed or {}).get(file.stem):
                files[place] = folder / file.name
                files[place].write_text(replacement, encoding="utf-8")
        write_claim(folder, files, f"hierarchy -top {harness.stem}; proc")
        return holds_by_induction(folder, _FRAMES)


CLAIMS = (fill(2, 4), fill(3, 3), loop(2, 4), division(2, 4), division(3, 4), words(3), words(4))


def main() -> int:
    """Prove all of `CLAIMS`, each in seconds; return 0 if all are proved."""
    verdicts = []
    for claim in CLAIMS:
        verdicts.append(is_right(claim))
        print(f"{claim}: {'proved' if verdicts[-1] else 'WRONG'}", flush=True)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())

"""The errors in print that the specs list, each with the run that shows it, where there is one."""

import re
import textwrap
from dataclasses import dataclass
from types import ModuleType

from monpro.spec import amberg08, blum01, koc96, koc97, kuang16

SPECS: dict[str, ModuleType] = {
    "koc96": koc96,
    "kuang16": kuang16,
    "koc97": koc97,
    "amberg08": amberg08,
    "blum01": blum01,
}
COUNTEREXAMPLES = {  # the trace that shows an erratum
    ("koc96", "E1"): "cihs-printed",
    ("koc96", "E2"): "cihs-printed",
    ("koc96", "E3"): "cihs-printed",
    ("koc97", "E1"): "hybrid-16-printed",
    ("kuang16", "E1"): "chain-printed",
}


@dataclass(frozen=True)
class Erratum:
    """An error in print, by its number in the spec's text; `trace` names the run that shows it, if any."""

    number: str
    text: str
    trace: str


def errata() -> dict[str, list[Erratum]]:
    """Return the errata of each paper, as the docstrings of the specs list them."""
    return {paper: _of(paper, spec.__doc__ or "") for paper, spec in SPECS.items()}


def _of(paper: str, text: str) -> list[Erratum]:
    listed = text.partition("Errata:")[2]
    entries = re.findall(r"^([A-Z]\d+) +(.*?)(?=^[A-Z]\d+ |\Z)", listed, re.MULTILINE | re.DOTALL)
    return [
        Erratum(number, " ".join(textwrap.dedent(words).split()), COUNTEREXAMPLES.get((paper, number), ""))
        for number, words in entries
    ]

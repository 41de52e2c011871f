"""The list of architectures: what each states of itself, its variants, and what a new one must define."""

import re

import pytest

from monpro.cores import Core, Exponentiator, WordMultiplier, WordSerial, architectures, everything

SWITCHES = {  # a setting of 0 or 1 that a word of a variant's name stands for
    "booth": ("Booth", 1),
    "constant": ("ConstantTime", 1),
    "improved": ("Parallel", 0),
    "consecutive": ("ConsecutiveSkip", 0),
    "pairs": ("CarrySavePorts", 1),
    "plain": ("Configurable", 0),
    "right": ("LeftShift", 0),
}
NUMBERS = {"cpa": "CpaWidth", "fold": "Fold", "radix": "RadixLog2", "u": "UnitWidth", "w": "WordWidth"}
FOLLOWING = {  # settings that a name does not say: whole digits of a word, or elements of whole words
    "quotient-pipelined": {"WordWidth": 30},
    "window-exp-radix8": {"WordWidth": 24},
    "window-exp-radix32": {"WordWidth": 30},
    "scalable-radix16": {"NumPe": 16},
}


@pytest.mark.parametrize("architecture", everything(), ids=lambda architecture: architecture.name)
def test_variants_are_what_their_names_say(architecture: type[Core | WordSerial]) -> None:
    usual = architecture.of(64, {}).settings
    for variant, parameters in architecture.variants.items():
        said = dict(SWITCHES[word] for word in variant.split("-") if word in SWITCHES)
        for kind, number in re.findall(r"\b([a-z]+)(\d+)", variant):
            said[NUMBERS[kind]] = int(number).bit_length() - 1 if kind == "radix" else int(number)
        following = {
            **FOLLOWING.get(architecture.name, {}),
            **FOLLOWING.get(f"{architecture.name}-{variant}", {}),
        }
        settings = architecture.of(64, parameters).settings
        assert settings == usual | said | (following if variant else {})


@pytest.mark.parametrize("architecture", everything(), ids=lambda architecture: architecture.name)
def test_the_verified_widths_are_those_of_the_papers_and_of_long_keys(
    architecture: type[Core | WordSerial],
) -> None:
    takes_any_length = {"scalable", "quotient-pipelined", "scalable-exp", "window-exp"}
    longest = (4096,) if architecture.name in takes_any_length else ()
    assert architecture.verified_widths_bits == (256, 1024, 2048, *longest)


def test_a_new_architecture_must_say_what_it_computes_and_in_how_many_cycles() -> None:
    words = {"port_bits", "is_constant_time", "max_cycles", "facts", "cycles_formulas"}
    job = {"operand_bound", "words_out"}
    more = {"result_bound", "constants", "words_in", "run"}
    for kind, properties, methods in (
        (Core, {"min_cycles", "max_cycles"}, {"_product"}),
        (WordSerial, {*words, "ranges"}, {*job, *more}),
        (Exponentiator, {*words, "exponent_bits"}, {*job, *more, "_run"} - {"run"}),
        (WordMultiplier, {*words, "ranges", "radix_bits"}, {*job, "r", "cycles", "_product"}),
    ):
        assert kind.__abstractmethods__ == properties | methods
        assert properties == {
            name for name in kind.__abstractmethods__ if isinstance(getattr(kind, name), property)
        }


def test_architectures_state_what_they_are() -> None:
    names = [architecture.name for architecture in architectures()]
    assert len(names) == len(set(names))
    for architecture in architectures():
        assert architecture.title
        assert architecture.latency
        assert architecture.source.startswith(f"[{architecture.paper}, ")

"""The module around an exponentiator's multiplier: its text, and refused multipliers."""

import re

import pytest

import slang
from monpro.cores import VARIANTS, BinaryExponentiator, architectures, core, of_width, variants
from monpro.flow import multiplier
from monpro.flow.simulate import parameter_values

FITTING = [
    name
    for name, core in variants(8).items()
    if core.operand_bits == core.value_bits and core.modulus_radix_log2 in {0, 2}
]


@pytest.mark.parametrize("name", FITTING)
def test_the_width_is_a_parameter_of_the_module(name: str) -> None:
    """The texts for two widths differ in the default of the width only."""
    texts = {multiplier.module(variants(width_bits)[name]) for width_bits in (8, 97, 1024)}
    assert len(texts) == 3
    assert len({re.sub(r"parameter int Width = \d+", "", text) for text in texts}) == 1


@pytest.mark.parametrize("name", FITTING)
def test_slang_accepts_the_exponentiator_around_it(name: str) -> None:
    exponentiator = BinaryExponentiator.around(variants(97)[name])
    files = multiplier.sources_of(exponentiator)
    assert multiplier.source(variants(97)[name]) in files
    assert slang.accepts(exponentiator.top, files, parameter_values(exponentiator))


def test_every_architecture_fits() -> None:
    assert {architecture.name for architecture in architectures()} < set(FITTING)


@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in FITTING])
def test_a_multiplier_that_does_not_fit_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match="no exponentiator around") as refusal:
        BinaryExponentiator.around(variants(16)[name])
    assert "\n" not in str(refusal.value)
    assert ("pairs" if name.endswith("pairs") else "radix") in str(refusal.value)


@pytest.mark.parametrize("name", of_width(16))
def test_the_modulus_that_goes_in_is_what_the_facts_say(name: str) -> None:
    """Products show every other fact of the module's text, see test_exponentiation."""
    one = of_width(16)[name]
    for n in (3, 5, 7, 9, 65531, 65533):
        v, reduced = one.modulus_radix_log2, one.effective_modulus(n)
        assert reduced % n == 0
        assert reduced == n if v == 0 else (reduced + 1) % (1 << v) == 0
        assert reduced < n << v if v else reduced == n
        assert one.modulus_input(n) == (reduced + 1 >> one.modulus_shift if v else n)
        assert v or one.modulus_shift == 0


def test_the_command_prints_the_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert multiplier.main(["scs-mm-1", "cpa_width=64"]) == 0
    assert capsys.readouterr().out == multiplier.module(core("scs-mm-1", 1024, {"cpa_width": 64}))
    assert multiplier.main([]) == 0
    assert capsys.readouterr().out == multiplier.module(core("scs-mm-new", 1024))


@pytest.mark.parametrize(
    "arguments", [["mm-3"], ["mm", "fast=1"], ["scs-mm-1", "cpa_width"], ["fcs-mm-1", "x=y"]]
)
def test_the_command_refuses_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert multiplier.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(
        r"monpro: (?:there is no core|[^\n]+ has no parameter|[^\n]+: give )[^\n]+\n", printed.err
    )

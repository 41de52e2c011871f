"""Proofs over all moduli and operands: every product at 4 bits, and induction at 8 and 16 bits."""

import pytest

from monpro.cores import Core, variants
from monpro.flow import prove, sources

INVARIANT = {name: core for name, core in variants(8).items() if prove.has_invariant(type(core))}
BINARY = [name for name, core in INVARIANT.items() if core.operand_bits == core.value_bits]
QUICK = {"mm", "scs-mm-2"}


def is_a_proof_of_its_own(core: Core) -> bool:
    """Return whether the proof leaves all parameters alone by which this variant differs from the others."""
    differing = core.parameters.items() - type(core)(core.width_bits).parameters.items()
    return not core.proof_parameters.keys() & dict(differing).keys()


def is_quickly_proved(name: str) -> bool:
    core = INVARIANT[name]
    return name.removeprefix(core.name).removeprefix("-") not in core.slowly_proved


INDUCTIVE = [name for name, core in INVARIANT.items() if is_a_proof_of_its_own(core)]
MUTATIONS = {
    "the quotient is wrong": ("mm", "quotient   = s_q[0] ^", "quotient   = s_q[0] |"),
    "the converter loses a carry": (
        "scs-mm-1",
        "cpa_carry_q <= cpa[CpaWidth] ^ ss_q[CpaWidth] ^ sc_q[CpaWidth];",
        "cpa_carry_q <= 1'b0;",
    ),
    "an iteration is missing": (
        "scs-mm-2",
        "localparam int Iterations = Width + 2;",
        "localparam int Iterations = Width + 1;",
    ),
    "D is B": ("fcs-mm-2", "ss_q   <= StateWidth'(n_i);", "ss_q   <= '0;"),
    "the last iteration is skipped": ("fcs-mmm42", ".allow_i      (left_q != '0)", ".allow_i      (1'b1)"),
    "the result is taken too early": (
        "mscs-mm",
        "valid_o = (state_q == StResult) & zero",
        "valid_o = state_q == StResult",
    ),
    "pass -1 sees D": ("scs-mm-new", "{3{~blank_q}} & (skip_q ? sum", "(skip_q ? sum"),
}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in BINARY]
)
def test_every_product_is_proved_right(name: str) -> None:
    assert prove.product_is_right(variants(4)[name])


def test_a_wrong_claim_is_refuted() -> None:
    claim = prove.HARNESS.read_text()
    wrong = claim.replace("WideWidth'(z) == reference", "z != 3")
    assert wrong != claim
    assert not prove.product_is_right(variants(4)["mm"], harness=wrong)


def test_a_product_that_takes_longer_than_said_is_found() -> None:
    claim = prove.HARNESS.read_text()
    hasty = claim.replace("16'(MaxCycles)", "16'(MaxCycles - 1)")
    assert hasty != claim
    assert not prove.product_is_right(variants(4)["mm"], harness=hasty)


@pytest.mark.parametrize(
    ("width_bits", "name"),
    [
        (width, name)
        if width == 8 and is_quickly_proved(name)
        else pytest.param(width, name, marks=pytest.mark.slow)
        for width in (8, 16)
        for name in INDUCTIVE
    ],
)
def test_the_carry_save_invariant_is_inductive(width_bits: int, name: str) -> None:
    assert prove.invariant_is_inductive(variants(width_bits)[name])


@pytest.mark.parametrize("name", INDUCTIVE)
def test_the_assumptions_of_the_induction_let_a_product_finish(name: str) -> None:
    assert prove.a_product_is_reached(variants(8)[name])


@pytest.mark.parametrize(("name", "right", "wrong"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_multiplier_that_is_wrong_is_not_proved(name: str, right: str, wrong: str) -> None:
    core = variants(8)[name]
    text = (sources.rtl_folder() / f"{core.top}.sv").read_text()
    assert text.count(right) == 1
    assert not prove.invariant_is_inductive(core, multiplier=text.replace(right, wrong))

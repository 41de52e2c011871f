"""Every product of every multiplier is right at 4 bits: proofs over all moduli and operands."""

import pytest

from monpro.flow import prove
from monpro.flow.operands import VARIANTS, variants

BINARY = [name for name in VARIANTS if not name.endswith("pairs")]
QUICK = {"mm", "scs-mm-2"}


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

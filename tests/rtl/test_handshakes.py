"""The port contract: pauses on both sides, waiting operands, and resets during a product."""

import pytest

from monpro.cores import VARIANTS, variants
from monpro.flow.operands import random_products
from monpro.flow.simulate import Driving, simulate

DRIVINGS = {
    "stalls": Driving(stall_seed=7),
    "back to back": Driving(back_to_back=True),
    "stalls, back to back": Driving(back_to_back=True, stall_seed=8),
    "resets": Driving(reset_seed=9),
    "resets and stalls": Driving(stall_seed=10, reset_seed=11),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_way_the_ports_are_driven_changes_nothing(name: str) -> None:
    core = variants(97)[name]
    operands = random_products(core, 60, seed=4)
    undisturbed = simulate(core, operands)
    for driven, driving in DRIVINGS.items():
        assert simulate(core, operands, driving=driving) == undisturbed, driven

"""The RTL of the improved radix-2 elements, at word widths that no named configuration has."""

import pytest

from monpro.cores.scalable import Scalable
from monpro.flow.operands import random_products
from monpro.flow.simulate import Driving, simulate
from monpro.flow.trial import is_right


@pytest.mark.parametrize(("word_width", "num_pe"), [(2, 2), (4, 12), (16, 16)])
def test_products_of_improved_elements(word_width: int, num_pe: int) -> None:
    core = Scalable(41, 1, word_width, num_pe, parallel=False)
    operands = random_products(core, 2_000)
    products = simulate(core, operands)
    assert all(is_right(core, given, found) for given, found in zip(operands, products, strict=True))
    assert products == [core.run(*given) for given in operands]
    driving = Driving(back_to_back=True, stall_seed=1, reset_seed=3)
    assert simulate(core, operands[:50], driving=driving) == products[:50]

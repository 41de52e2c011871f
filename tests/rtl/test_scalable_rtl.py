"""The scalable multiplier's RTL in shapes that its named configurations have not."""

import random
from itertools import product

import pytest

from monpro.cores.scalable import Scalable
from monpro.flow.operands import random_products
from monpro.flow.simulate import Driving, simulate
from monpro.flow.trial import is_right

Shape = tuple[int, int, int, int, int]  # v, w, p, left, Booth
SHAPES: list[Shape] = [
    (v, w, p, left, booth)
    for v, w, p, left, booth in product(range(1, 5), (4, 8, 16), (1, 3, 8, 16), (0, 1), (0, 1))
    if v <= w and not (left and (w % v or w == v or v * p % w))
]
QUICK: list[Shape] = [(1, 4, 8, 1, 1), (2, 4, 3, 0, 1), (4, 8, 8, 1, 1), (3, 4, 1, 0, 0), (3, 16, 3, 0, 1)]


def check(shape: Shape, width_bits: int, count: int) -> None:
    """Compare random products, driven in every way, with plain arithmetic and with the model."""
    v, w, p, left, booth = shape
    core = Scalable(width_bits, v, w, p, left_shift=bool(left), booth=bool(booth))
    operands = random_products(core, count, seed=width_bits)
    products = simulate(core, operands)
    assert all(is_right(core, given, found) for given, found in zip(operands, products, strict=True))
    assert products == [core.run(*given) for given in operands]
    for driving in (Driving(back_to_back=True, stall_seed=1), Driving(stall_seed=2, reset_seed=3)):
        assert simulate(core, operands[:50], driving=driving) == products[:50]


@pytest.mark.parametrize("shape", QUICK, ids=lambda shape: "v{}-w{}-p{}-left{}-booth{}".format(*shape))
def test_products_of_a_few_shapes(shape: Shape) -> None:
    check(shape, 41, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "v{}-w{}-p{}-left{}-booth{}".format(*shape))
def test_products_of_every_shape(shape: Shape) -> None:
    """At widths at which 2v + 2 more bits, with Booth 2v + 3, fill the last word, and miss it by one."""
    v, w, _, _, booth = shape
    full = 6 * w - 2 * v - 2 - booth
    for width_bits in (full - 1, full, full + 1, random.Random(repr(shape)).randrange(9, 200)):
        check(shape, width_bits, 2_000)

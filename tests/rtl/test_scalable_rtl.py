"""The RTL of the scalable multiplier in shapes that no named configuration has."""

import random
from dataclasses import replace
from itertools import product

import pytest

from monpro.cores.scalable import Scalable
from monpro.flow.operands import random_products
from monpro.flow.simulate import Driving, Operands, array_products, simulate
from monpro.flow.trial import is_right

Shape = tuple[int, int, int, int, int]  # v, w, p, left, Booth
SHAPES: list[Shape] = [
    (v, w, p, left, booth)
    for v, w, p, left, booth in product(range(1, 5), (4, 8, 16), (1, 3, 8, 16), (0, 1), (0, 1))
    if v <= w and not (left and (w % v or w == v or v * p % w))
]
QUICK: list[Shape] = [(1, 4, 8, 1, 1), (2, 4, 3, 0, 1), (4, 8, 8, 1, 1), (3, 4, 1, 0, 0), (3, 16, 3, 0, 1)]
LABEL = "v{0[0]}-w{0[1]}-p{0[2]}-left{0[3]}-booth{0[4]}"


def shaped(shape: Shape, width_bits: int) -> Scalable:
    v, w, p, left, booth = shape
    return Scalable(width_bits, v, w, p, left_shift=bool(left), booth=bool(booth))


@pytest.mark.parametrize("shape", QUICK, ids=LABEL.format)
def test_products_of_a_few_shapes(shape: Shape) -> None:
    core = shaped(shape, 41)
    operands = random_products(core, 2_000, seed=41)
    products = simulate(core, operands)
    assert all(is_right(core, given, found) for given, found in zip(operands, products, strict=True))
    assert products == [core.run(*given) for given in operands]
    for driving in (Driving(back_to_back=True, stall_seed=1), Driving(stall_seed=2, reset_seed=3)):
        assert simulate(core, operands[:50], driving=driving) == products[:50]


def squares(core: Scalable, n: int, count: int) -> list[tuple[Scalable, Operands]]:
    """Return a chain of `count` squares, from the largest operand on, without reductions between them."""
    jobs: list[tuple[Scalable, Operands]] = []
    z = core.operand_bound(n) - 1
    for _ in range(count):
        jobs.append((core, (z, z, n)))
        z = core.run(z, z, n).z
    return jobs


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=LABEL.format)
def test_products_and_chains_of_every_shape(shape: Shape) -> None:
    """At widths that fill the last word, and miss it by one; 200 squares in a row leave a wrong bound."""
    v, w, _, left, booth = shape
    full = 6 * w - max(2 * v + 2 + booth, left * (3 * v + 1))
    widths = (full - 1, full, full + 1, random.Random(repr(shape)).randrange(62, 200))
    cores = [shaped(shape, width_bits) for width_bits in widths]
    jobs = [(core, operands) for core in cores for operands in random_products(core, 2_000, seed=1)]
    for core in cores:
        top = 1 << core.width_bits - 1
        jobs += [job for n in (2 * top - 1, 2 * top - 3, top | 1) for job in squares(core, n, 200)]
    expected = [core.run(*operands) for core, operands in jobs]
    largest = replace(cores[0], width_bits=max(widths))
    assert all(is_right(core, operands, item) for (core, operands), item in zip(jobs, expected, strict=True))
    for back_to_back in (False, True):
        found = list(array_products(largest, jobs, back_to_back=back_to_back))
        assert [item.z for item in found] == [item.z for item in expected]
        assert [item.last_clock + 2 for item in found] == [item.cycles for item in expected]
    found = list(array_products(largest, jobs[:300], stall_seed=1, reset_seed=2))
    assert [item.z for item in found] == [item.z for item in expected[:300]]


@pytest.mark.slow
@pytest.mark.parametrize("variant", Scalable.variants)
def test_products_and_a_chain_of_4096_bits(variant: str) -> None:
    core = Scalable(4096, **Scalable.variants[variant])  # type: ignore[arg-type]
    n = (1 << 4096) - 2549
    jobs = [*random_products(core, 100), *(operands for _, operands in squares(core, n, 200))]
    products = simulate(core, jobs)
    assert all(is_right(core, operands, found) for operands, found in zip(jobs, products, strict=True))
    assert products == [core.run(*operands) for operands in jobs]

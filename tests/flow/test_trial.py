"""Trials of a core: their operands, their judgement."""

import random
from itertools import pairwise

import pytest

from monpro.cores import Product, core
from monpro.flow import trial
from monpro.flow.simulate import Driving, Operands


@pytest.mark.parametrize("residue", [1, 3])
def test_moduli_have_their_size_and_class(residue: int) -> None:
    rng = random.Random(1)
    for width_bits in (8, 9, 97):
        for _ in range(50):
            n = trial.random_modulus(width_bits, residue, rng)
            assert n.bit_length() == width_bits
            assert n % 4 == residue


@pytest.mark.parametrize("count", [1, 3, 8, 100])
@pytest.mark.parametrize("chained", [False, True])
def test_progress_reaches_the_count(count: int, chained: bool) -> None:
    seen: list[int] = []
    result = trial.try_core(core("mm", 16), count, 1, seen.append, rtl=False, chained=chained)
    assert seen == list(range(1, count + 1))
    assert result == trial.Trial(0, [17] * count)


def test_a_chain_squares_and_multiplies_what_came_before() -> None:
    multiplier = core("scs-mm-new", 32)
    rng = random.Random(2)
    squares = 0
    for operands in trial._chains(multiplier, 400, rng):
        base = operands[0][0]
        for (x, y, n), (following, _, _) in pairwise(operands):
            assert y in {x, base}
            squares += x == y
            assert following == multiplier.run(x, y, n).z
    assert 240 < squares < 300, "two of three products"


def test_what_is_right() -> None:
    multiplier = core("scs-mm-2", 8)
    n, x, y = 201, 300, 17
    z = multiplier.run(x, y, n).z
    assert trial.is_right(multiplier, (x, y, n), Product(z, 9))
    assert not trial.is_right(multiplier, (x, y, n), Product(z + 1, 9))
    assert not trial.is_right(multiplier, (x, y, n), Product(z + 2 * n, 9)), "congruent, but too large"


def test_chained_rtl_is_judged_by_the_operands_that_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplier = core("scs-mm-2", 16)

    def shifted(
        _core: object, operands: list[Operands], *, driving: Driving, progress: object
    ) -> list[Product]:
        """Answer with another representative of each product, as a different design could."""
        assert driving.chained
        assert progress
        products = []
        x = operands[0][0]
        for _, y, n in operands:
            z = multiplier.run(x, y, n).z
            x = z + n if z < n else z - n
            products.append(Product(x, 1))
        return products

    monkeypatch.setattr(trial, "simulate", shifted)
    result = trial.try_core(multiplier, 100, 1, lambda _done: None, rtl=True, chained=True)
    assert result == trial.Trial(0, [1] * 100)

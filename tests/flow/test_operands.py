"""The operands of benches: each is one that the core promises to take."""

import random

import pytest

from monpro.flow.operands import sample_modulus


@pytest.mark.parametrize("width_bits", [2, 3, 4, 17, 64, 257])
def test_a_sample_modulus_is_odd_and_of_the_width(width_bits: int) -> None:
    chance = random.Random(width_bits)
    for _ in range(500):
        n = sample_modulus(width_bits, chance)
        assert n % 2 == 1
        assert 3 <= n < 1 << width_bits

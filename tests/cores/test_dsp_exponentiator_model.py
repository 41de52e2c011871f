"""The model of the exponentiator on DSP blocks: values, cycles, refused input."""

import random
from itertools import product

import pytest

from monpro.cores import design
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.flow.operands import sample_modulus


@pytest.mark.parametrize(
    "parameters", [(17, 1, 5), (17, 2, 4), (9, 4, 6), (7, 8, 4)], ids=lambda p: f"fold {p[1]}"
)
def test_powers_are_those_of_python(parameters: tuple[int, int, int]) -> None:
    core, chance = DspExponentiator(97, *parameters), random.Random(sum(parameters))
    for width_bits in (2, 3, 16, 64, 97):
        n = sample_modulus(width_bits, chance)
        exponents = (0, 1, 2, 65537, chance.getrandbits(97), (1 << core.exponent_bits) - 1)
        for x, e in product((0, 1, n - 1, chance.randrange(n)), exponents):
            result = core.run(x, e, n)
            assert result.z == pow(x, e, n)
            assert result.cycles <= core.max_cycles


def test_a_power_that_is_a_multiple_of_the_modulus_is_zero() -> None:
    core = DspExponentiator(97)
    for root in (3, 5, 2**31 - 1, 2**47 - 115):
        assert [core.run(root, e, root**2).z for e in (2, 3, 65537)] == [0, 0, 0]


def test_the_most_cycles_are_those_of_the_shortest_modulus_and_the_longest_exponent() -> None:
    core = DspExponentiator(97)
    longest = (1 << core.exponent_bits) - 1
    assert max(core.cycles(longest, (1 << bits) - 1) for bits in range(2, 98)) == core.max_cycles


def test_the_clocks_at_1024_bits() -> None:
    """208 windows: 5 squares and a product of 77 clocks for each but the highest."""
    core, n = DspExponentiator(1024), (1 << 1024) - 105
    assert core.cycles(0, n) == core.cycles((1 << 1024) - 1, n) == 106_778
    assert core.product_cycles == 77
    assert core.cycles(0, n) - 207 * 6 * 77 == 11_144
    assert [DspExponentiator(1024, fold=fold).cycles(0, n) for fold in (2, 4, 8)] == [
        187_917,
        356_494,
        689_935,
    ]


@pytest.mark.parametrize(("fold", "clocks"), [(1, 77), (2, 142), (4, 273), (8, 532)])
def test_a_product_takes_no_more_clocks_than_that_of_the_multiplier(fold: int, clocks: int) -> None:
    core = DspExponentiator(1024, fold=fold)
    assert core.product_cycles == clocks <= core.multiplier.max_cycles


def test_what_is_refused() -> None:
    core = DspExponentiator(64)
    for x, e, n, says in (
        (1, 1, 4, "odd"),
        (1, 1, 1, "odd"),
        (1, 1, 1 << 64 | 1, "odd"),
        (-1, 1, 5, "the base must be"),
        (5, 1, 5, "the base must be from 0 to 4"),
        (1, 1 << core.exponent_bits, 5, "takes exponents of up to 153 bits"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run(x, e, n)
    for parameters, says in (
        ({"fold": 3}, "fold of dsp is 1, 2, 4 or 8, not 3"),
        ({"word_width": 18}, "word_width of dsp is from 4 to 17, not 18"),
        ({"window_width": 3}, "window_width of dsp-exp is from 4 to 6, not 3"),
        ({"window_width": 7}, "window_width of dsp-exp is from 4 to 6, not 7"),
        ({"word_width": 4}, "numbers of 22 words need a word_width of 5 or more, not 4"),
    ):
        with pytest.raises(ValueError, match=says):
            design("dsp-exp", 64, parameters)

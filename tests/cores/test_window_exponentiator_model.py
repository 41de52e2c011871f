"""The model of the exponentiator by windows: values, cycles, refused input."""

import random
from itertools import product

import pytest

from monpro.cores import design
from monpro.cores.window_exponentiator import WindowExponentiator
from monpro.flow.operands import sample_modulus


@pytest.mark.parametrize(
    "parameters", [(4, 32, 5), (3, 15, 4), (3, 30, 6), (5, 30, 5)], ids=lambda p: f"radix {1 << p[0]}"
)
def test_powers_are_those_of_python(parameters: tuple[int, int, int]) -> None:
    core, chance = WindowExponentiator(97, *parameters), random.Random(sum(parameters))
    for width_bits in (2, 3, 16, 64, 97):
        n = sample_modulus(width_bits, chance)
        exponents = (0, 1, 2, 65537, chance.getrandbits(97), (1 << core.exponent_bits) - 1)
        for x, e in product((0, 1, n - 1, chance.randrange(n)), exponents):
            result = core.run(x, e, n)
            assert result.z == pow(x, e, n)
            assert result.cycles <= core.max_cycles


def test_the_most_cycles_are_those_of_the_shortest_modulus_of_most_words() -> None:
    core = WindowExponentiator(97)
    longest = (1 << core.exponent_bits) - 1
    most = max(core.cycles(longest, (1 << bits) - 1) for bits in range(2, 98))
    assert most <= core.max_cycles < most + 32 * (core.max_words + 2)


def test_the_clocks_at_1024_bits() -> None:
    """205 windows: 5 squares of 327 clocks and a product of 348 for each but the highest."""
    core, n = WindowExponentiator(1024), (1 << 1024) - 105
    assert core.cycles(0, n) == core.cycles((1 << 1024) - 1, n) == 421_100
    assert core.cycles(0, n) - 204 * (5 * 327 + 348) == 16_568


def test_what_is_refused() -> None:
    core = WindowExponentiator(64)
    for x, e, n, says in (
        (1, 1, 4, "odd"),
        (1, 1, 1, "odd"),
        (1, 1, 1 << 64 | 1, "odd"),
        (-1, 1, 5, "the base must be"),
        (5, 1, 5, "the base must be from 0 to 4"),
        (1, 1 << core.exponent_bits, 5, "takes exponents of up to 96 bits"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run(x, e, n)
    for parameters, says in (
        ({"radix_log2": 6, "word_width": 30}, "radix_log2 of window-exp is from 3 to 5, not 6"),
        ({"window_width": 3}, "window_width of window-exp is 4, or more if .*, not 3"),
        ({"window_width": 6}, "window_width of window-exp is 4, or more if .*, not 6"),
        ({"word_width": 30}, "word_width of quotient-pipelined"),
    ):
        with pytest.raises(ValueError, match=says):
            design("window-exp", 64, parameters)

"""The scalable exponentiator's model: values, products, cycles, refused input."""

import random
from itertools import product

import pytest

from monpro.cores import design, exponentiators_of_width
from monpro.cores.scalable import Scalable
from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.flow.operands import sample_modulus


@pytest.mark.parametrize("constant_time", [False, True])
@pytest.mark.parametrize(("radix_log2", "num_pe"), [(1, 16), (2, 8), (4, 4)])
def test_powers_are_those_of_python(radix_log2: int, num_pe: int, constant_time: bool) -> None:
    core = ScalableExponentiator(97, radix_log2, 16, num_pe, constant_time=constant_time)
    chance = random.Random(radix_log2)
    for width_bits in (3, 16, 64, 97):
        n = sample_modulus(width_bits, chance)
        bases = (0, 1, n - 1, core.operand_bound(n) - 1, chance.randrange(n))
        for x, e in product(bases, (0, 1, 2, 65537, chance.getrandbits(97), (1 << core.exponent_bits) - 1)):
            result = core.run(x, e, n)
            assert result.z == pow(x, e, n)
            assert result.cycles <= core.max_cycles


def test_products_and_clocks_at_1024_bits() -> None:
    """A product starts every k·P = 17·66 clocks, because the next product overlaps with its drain."""
    core, n = ScalableExponentiator(4096), (1 << 1024) - 105
    assert (core.constants(n)["words"], core.constants(n)["passes"]) == (65, 17)
    one_more = core.cycles((1 << 1024) - 1, n) - core.cycles((1 << 1024) - 2, n)
    assert one_more == 17 * 66
    assert core.products((1 << 1024) - 1, n) == 2 * 1024
    assert core.products(65537, n) == 17 + 2
    assert core.products(0, n) == 3


@pytest.mark.parametrize("constant_time", [False, True])
def test_the_most_cycles_are_those_of_the_longest_modulus_and_exponent(constant_time: bool) -> None:
    for width_bits in range(96, 130):
        core = ScalableExponentiator(width_bits, constant_time=constant_time)
        longest = (1 << core.exponent_bits) - 1
        cycles = [core.cycles(longest, (1 << bits) - 1) for bits in range(2, width_bits + 1, width_bits - 2)]
        assert core.max_cycles == max(cycles)


def test_the_length_is_that_of_the_modulus() -> None:
    large, small = ScalableExponentiator(4096), ScalableExponentiator(160)
    n = (1 << 160) - 47
    assert large.words_in(3, 5, n) == small.words_in(3, 5, n)
    assert large.run(3, 1 << 159, n) == small.run(3, 1 << 159, n)
    assert large.words_out(n) == 6


def test_constant_time_depends_on_lengths_alone() -> None:
    core, n = ScalableExponentiator(64, num_pe=8, constant_time=True), (1 << 60) - 93
    assert len({core.run(x, e, n).cycles for x, e in product((0, n - 1), (0, 1, (1 << 64) - 1))}) == 1
    assert core.products(0, n) == 2 * 64 + 2


def test_what_is_refused() -> None:
    core = ScalableExponentiator(64)
    for x, e, n, says in (
        (1, 1, 4, "odd"),
        (1, 1, 1 << 64 | 1, "odd"),
        (-1, 1, 5, "the base must be"),
        (core.operand_bound(5), 1, 5, "the base must be"),
        (1, 1 << core.exponent_bits, 5, "takes exponents of up to 96 bits"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run(x, e, n)
    with pytest.raises(ValueError, match="word_width of scalable-exp is one of 2, 4, 8, 16, 32, not 12"):
        design("scalable-exp", 64, {"word_width": 12})
    with pytest.raises(ValueError, match="needs a num_pe that is a multiple of 8"):
        design("scalable-exp", 64, {"num_pe": 12})


@pytest.mark.parametrize(("num_pe", "left_shift"), [(2, True), (1, False)])
def test_lengths_are_refused_unless_a_modulus_has_them(num_pe: int, left_shift: bool) -> None:
    core = ScalableExponentiator(10, 1, 2, num_pe, left_shift=left_shift)
    assert core.multiplier(3) == Scalable(2, 1, 2, num_pe, left_shift=left_shift)
    multipliers = [core.multiplier((1 << bits) - 1) for bits in range(2, 11)]
    lengths = {(multiplier.words, multiplier.passes) for multiplier in multipliers}
    for words, passes, exponent_words in product(range(10), range(16), range(5)):
        is_refused = (words, passes) not in lengths or exponent_words not in {1, 2}
        assert core.refuses(words, passes, exponent_words) is is_refused
        numbers = {"words": words, "passes": passes, "exponent_words": exponent_words}
        assert eval(core.refused, {"max": max}, numbers) is is_refused  # noqa: S307  (of these words only)


def test_an_exponent_may_have_two_words_or_as_many_as_a_number() -> None:
    assert [ScalableExponentiator(width_bits).exponent_bits for width_bits in (8, 40, 100)] == [64, 64, 128]


def test_configurations_have_names() -> None:
    named = exponentiators_of_width(4096)
    assert {"scalable-exp-4096", "scalable-exp-4096-booth", "scalable-exp-4096-constant-time"} <= set(named)
    assert named["scalable-exp-4096"].top == "monpro_exp_scalable"

"""The model of the exponentiator by windows: values, cycles, refused input."""

import random
import re
from dataclasses import replace
from itertools import product

import pytest

from monpro.cores import design
from monpro.cores.blinding import CheckFailedError
from monpro.cores.crt import CrtKey
from monpro.cores.window_exponentiator import (
    BlindedWindowExponentiator,
    CrtWindowExponentiator,
    WindowExponentiator,
)
from monpro.flow.operands import sample_key, sample_modulus


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
    assert most <= core.max_cycles < most + 32 * (core.max_words + 3)
    assert core.max_cycles == core.cycles(longest, (1 << 97) - 1) + 32 * (core.max_words + 3)


def test_the_clocks_at_1024_bits() -> None:
    """205 windows: 5 squares of 295 clocks and a product of 351 for each but the highest."""
    core, n = WindowExponentiator(1024), (1 << 1024) - 105
    assert core.cycles(0, n) == core.cycles((1 << 1024) - 1, n) == 389_223
    assert core.cycles(0, n) - 204 * (5 * 295 + 351) == 16_719


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
        ({"window_width": 7}, "window_width of window-exp is 4, or more if .*, not 7"),
        ({"radix_log2": 3, "word_width": 15, "window_width": 6}, "window_width of window-exp .*, not 6"),
        ({"radix_log2": 3, "word_width": 24, "window_width": 6}, "window_width of window-exp .*, not 6"),
        ({"word_width": 30}, "word_width of quotient-pipelined"),
    ):
        with pytest.raises(ValueError, match=says):
            design("window-exp", 64, parameters)


@pytest.mark.parametrize(
    "architecture",
    [WindowExponentiator, BlindedWindowExponentiator, CrtWindowExponentiator],
    ids=lambda d: d.__name__,
)
def test_every_letter_of_the_latency_is_explained(architecture: type[WindowExponentiator]) -> None:
    letters = set(re.findall(r"[A-Za-z]+", architecture.latency.removeprefix("of a power: ")))
    assert letters <= set(architecture.letters)


def test_the_variants_are_of_their_design() -> None:
    plain = WindowExponentiator.variants
    for name, parameters in plain.items():
        assert BlindedWindowExponentiator.variants[name] == {**parameters, "blinding": 1}
        assert CrtWindowExponentiator.variants[name] == {**parameters, "crt": 1}


@pytest.mark.parametrize("parameters", [(4, 32, 5), (3, 15, 4), (5, 25, 4)], ids=str)
def test_the_most_cycles_leave_a_word_of_doublings_to_shorter_moduli(
    parameters: tuple[int, int, int],
) -> None:
    """The exponents, v and the moduli are as long as they can be, and all bits of v are 1."""
    blinded, primes = BlindedWindowExponentiator(97, *parameters), CrtWindowExponentiator(194, *parameters)
    e, n, v = (1 << blinded.exponent_bits) - 1, (1 << 97) - 1, (1 << blinded.word_width) - 1
    for core, cycles in ((blinded, blinded.cycles(e, n, v)), (primes, primes.cycles(e, (1 << 194) - 1))):
        assert core.max_cycles == cycles + core.word_width * (core.max_words + 3)


def test_primes_of_an_odd_width_are_a_bit_longer_than_its_half() -> None:
    assert [CrtWindowExponentiator(width).half_bits for width in (96, 97, 98)] == [48, 49, 49]


def test_primes_have_half_of_the_bits_of_their_product_rounded_up() -> None:
    core = CrtWindowExponentiator(202, 3, 15, 4)
    for bits in range(3, core.half_bits + 1):
        p, odd, even = (1 << bits) - 1, 1 << 2 * bits - 2, (1 << 2 * bits) - 1
        for n in (odd, even):
            assert core.words_out(n) == 2 * core.multiplier.words_out(p)
            assert core.exponent_words(0, n) == -(-bits // 15)
        assert core.cycles(0, odd) == core.cycles(0, even)


def test_primes_of_two_lengths_or_none_are_refused() -> None:
    core = CrtWindowExponentiator(64)
    with pytest.raises(ValueError, match=r"p and q must have the same bit length, unlike 3 and 5$"):
        core.run_key(2, CrtKey(3, 5, 1, 1, 2))
    for call in (core.run, core.words_in):
        with pytest.raises(ValueError, match=r"give a p that divides 15 .*, not 0$"):
            call(2, 1, 15)
    with pytest.raises(ValueError, match=r"p and q must be odd and from 3 to .*, not 1$"):
        core.run(2, 1, 15, p=1)


def test_the_least_numbers_of_a_power_modulo_two_primes_are_taken() -> None:
    core, key = CrtWindowExponentiator(64), CrtKey(5, 7, 3, 5, 3)
    assert core.run_key(0, key).z == 0
    assert core.run_key(2, replace(key, qinv=0)).z == pow(2, 5, 7)
    with pytest.raises(ValueError, match="the base must be from 0 to 34, not -1"):
        core.run_key(-1, key)
    with pytest.raises(ValueError, match="qinv must be from 0 to 4, not -1"):
        core.run_key(2, replace(key, qinv=-1))


def test_what_blinding_refuses() -> None:
    core = BlindedWindowExponentiator(64)
    key = sample_key(33, core.word_width, random.Random(1))
    most = (1 << core.word_width * core.exponent_words(key.d, key.n)) - 1
    for e, order, v, says in (
        (key.d, key.order, 0, "v must be odd, from 3 to 4294967295, not 0"),
        (key.d, key.order, 1, "v must be odd, from 3 to 4294967295, not 1"),
        (key.d, key.order, 4, "v must be odd, from 3 to 4294967295, not 4"),
        (key.d, key.order, 1 << 32 | 1, "v must be odd, from 3 to 4294967295, not 4294967297"),
        (key.d, 0, key.v, f"order must be a multiple of λ\\(n\\) from 1 to {most}, not 0"),
        (key.d, most + 1, key.v, f"order must be a multiple of λ\\(n\\) from 1 to {most}, not {most + 1}"),
        (key.d + 1, key.order, key.v, f"the exponent must be odd, .*, not {key.d + 1}"),
    ):
        with pytest.raises(ValueError, match=f"^{says}$"):
            core.run(2, e, key.n, order=order, v=v)
    assert core.run(2, key.d, key.n, order=key.order, v=key.v).z == pow(2, key.d, key.n)


def test_an_order_within_the_bounds_that_is_none_fails_the_check() -> None:
    core = BlindedWindowExponentiator(64)
    key = sample_key(33, core.word_width, random.Random(1))
    for order in (1, (1 << core.word_width * core.exponent_words(key.d, key.n)) - 1):
        with pytest.raises(CheckFailedError):
            core.run(2, key.d, key.n, order=order, v=key.v)


def test_blinding_without_an_order_and_a_v_is_refused() -> None:
    core, n = BlindedWindowExponentiator(64), (1 << 33) - 9
    with pytest.raises(ValueError, match=r"v must be odd, .*, not 0$"):
        core.run(2, 3, n)
    with pytest.raises(ValueError, match=r"order must be .*, not 0$"):
        core.run(2, 3, n, v=3)
    plain = WindowExponentiator(64).words_in(2, 3, n)
    assert core.words_in(2, 3, n) == [*plain, *[0] * core.exponent_words(3, n), 0]

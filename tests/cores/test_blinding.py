"""The blinded private power: the functional model, and the model of the core with its words and cycles."""

import random
from dataclasses import replace
from math import gcd, lcm, prod

import pytest

from monpro.cores import design
from monpro.cores.blinding import Blinding, CheckFailedError, Key, blinded_power, blinding_of
from monpro.cores.window_exponentiator import BlindedWindowExponentiator, WindowExponentiator
from monpro.flow.operands import sample_key

SMALL = {(3,): 3, (5,): 3, (3, 5): 3, (3, 7): 5, (3, 11): 3, (5, 7): 5, (7, 11): 7, (3, 5, 7): 5}


def test_the_power_is_right_unless_the_mask_has_a_factor_of_n_that_the_base_has_not() -> None:
    for primes, v in SMALL.items():
        n, order = prod(primes), lcm(*(p - 1 for p in primes))
        key = Key(n, pow(v, -1, order), 2 * order, v)
        for x in range(n):
            for s in range(1 << n.bit_length() - 1):
                right = gcd(s, n) == gcd(gcd(s, n), x)
                for t in (1, 5):
                    if right:
                        assert blinded_power(x, key, Blinding(t, s)) == pow(x, key.d, n)
                    else:
                        with pytest.raises(CheckFailedError):
                            blinded_power(x, key, Blinding(t, s))


def test_random_words_make_an_odd_factor_of_64_bits_and_a_mask_below_n() -> None:
    n = (1 << 33) + 1
    ones = (1 << 32) - 1
    assert blinding_of([ones, ones], [ones, ones], 32, n) == Blinding((1 << 64) - 1, (1 << 33) - 1)
    assert blinding_of([0, 0], [0, 0], 32, n) == Blinding(1, 0)
    assert blinding_of([3, 4], [5, 6], 32, n) == Blinding(3 << 32 | 5, (6 << 32 | 5) % (1 << 33))
    assert blinding_of([25, 1 << 29, 2], [0, 0], 30, n).t == 9 << 60 | 1 << 59 | 3, "bit 64 is lost"


def test_a_key_and_a_blinding_cannot_be_changed() -> None:
    for value in (Key(15, 3, 8, 3), Blinding(1, 1)):
        assert len({value, replace(value)}) == 1


def test_the_clocks_at_1024_bits() -> None:
    """10.0 % more than without blinding: 13 windows more, two powers to v, a sum, products between."""
    core, plain, n = BlindedWindowExponentiator(1024), WindowExponentiator(1024), (1 << 1024) - 105
    assert core.cycles(0, n, 65537) == 428_043
    assert core.cycles(0, n, 65537) / plain.cycles(0, n) < 3.3 / 2.7
    windows = 13 * (5 * 295 + 351)
    assert core.cycles(0, n, 65537) - plain.cycles(0, n) - windows == 15_082
    assert core.cycles(0, n, 65537) - core.cycles(0, n, 3) == 2 * 15 * 317


@pytest.mark.parametrize("shape", [(1024, 4, 32, 5), (256, 3, 15, 4), (97, 5, 25, 4), (256, 5, 30, 5)])
def test_the_formula_of_the_manifest_is_the_model(shape: tuple[int, int, int, int]) -> None:
    core = BlindedWindowExponentiator(*shape)
    formula = core.cycles_formulas["exactly"]
    for n in (3, 187, (1 << 33) + 1, (1 << core.width_bits) - 1):
        for v in (3, 5, 257, (1 << core.word_width) - 1):
            lengths = {"words": core.words_out(n), "exponent_words": core.exponent_words(0, n)}
            assert eval(formula, {"n": n, "v": v, "max": max}, lengths) == core.cycles(0, n, v)  # noqa: S307
            assert core.cycles((1 << core.exponent_bits) - 1, n, v) <= core.max_cycles


def test_the_words_of_a_job() -> None:
    core = BlindedWindowExponentiator(40)
    key = Key((1 << 33) + 1, 5, 7 << 40, 3)
    assert core.words_in(6, key.d, key.n, key.order, key.v) == [2, 2, 1, 2, 6, 0, 5, 0, 0, 7 << 8, 3]
    assert core.random_words(key.n) == 4


def test_what_the_model_refuses() -> None:
    core = BlindedWindowExponentiator(64)
    for x, e, n, order, v, says in (
        (1, 3, 4, 4, 3, "odd"),
        (15, 3, 15, 4, 3, "the base must be from 0 to 14"),
        (1, 3, 15, 4, 2, "v must be odd, from 3 to 4294967295, not 2"),
        (1, 3, 15, 4, 1, "not 1"),
        (1, 3, 15, 4, (1 << 32) + 1, "not 4294967297"),
        (1, 3, 15, 0, 3, "order must be a multiple of λ.n. from 1 to 4294967295, not 0"),
        (1, 3, 15, 1 << 32, 3, "order must be"),
        (1, 2, 15, 4, 3, "the exponent must be odd, as the inverse of v modulo λ.n. is, not 2"),
        (2, 5, 15, 4, 3, "check the exponent, order and v"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run(x, e, n, order, v)


def test_blinding_is_a_setting_of_window_exp() -> None:
    plain, blinded = (design("window-exp", 64, {"blinding": blinding}) for blinding in (0, 1))
    assert type(plain) is WindowExponentiator
    assert type(blinded) is BlindedWindowExponentiator
    assert plain == design("window-exp", 64)
    assert blinded.parameters == plain.parameters
    assert (plain.settings["Blinding"], blinded.settings["Blinding"]) == (0, 1)
    assert (plain.top, blinded.top) == ("monpro_exp_window", "monpro_exp_window_blinded")
    with pytest.raises(ValueError, match="blinding of window-exp is 0 or 1, not 2"):
        design("window-exp", 64, {"blinding": 2})
    with pytest.raises(ValueError, match="with blinding=1 and crt=0 is made by"):
        WindowExponentiator(64, blinding=True)


def test_sample_keys_are_keys() -> None:
    chance = random.Random(1)
    for width_bits in (8, 9, 16, 33, 64, 65, 127, 128, 129, 200, 1024):
        for word_bits in (15, 32):
            key = sample_key(width_bits, word_bits, chance)
            assert key.n.bit_length() == width_bits
            assert key.n % 2 == key.v % 2 == 1
            assert 3 <= key.v < 1 << word_bits
            for x in (2, 3, key.n - 2):
                assert pow(x, key.order + 1, key.n) == x
                assert pow(x, key.d * key.v, key.n) == x

"""The model of `window-exp` with `crt`: words, cycles, and what it refuses."""

import random
from itertools import product

import pytest

from monpro.cores import design
from monpro.cores.crt import CrtKey, crt_power
from monpro.cores.window_exponentiator import (
    BlindedWindowExponentiator,
    CrtWindowExponentiator,
    WindowExponentiator,
)
from monpro.flow.operands import sample_crt_key


def test_the_clocks_at_1024_bits() -> None:
    """3.3 times fewer than without: powers of half the length, a square more, and Garner's step."""
    core, plain, n = CrtWindowExponentiator(1024), WindowExponentiator(1024), (1 << 1024) - 105
    half = WindowExponentiator(512).cycles(0, (1 << 512) - 1)
    assert (core.cycles(0, n), half) == (117_179, 113_449)
    assert core.long_product_cycles(17) == 2_722
    assert plain.cycles(0, n) / core.cycles(0, n) > 3.3


@pytest.mark.parametrize("shape", [(1024, 4, 32, 5), (256, 3, 15, 4), (97, 5, 25, 4), (256, 5, 30, 5)])
def test_the_formula_of_the_manifest_is_the_model(shape: tuple[int, int, int, int]) -> None:
    core, chance = CrtWindowExponentiator(*shape), random.Random(sum(shape))
    formula, facts = core.cycles_formulas["exactly"], core.facts["constants"]
    assert isinstance(facts, dict)
    for bits in (3, 17, 33, core.half_bits):
        key = sample_crt_key(bits, chance.choice((bits, core.exponent_bits)), chance)
        numbers = {"p": key.p, "dp": key.dp, "dq": key.dq, "max": max}
        for name, constant in facts.items():
            numbers[name] = eval(constant, {}, dict(numbers))  # noqa: S307
        result = core.run_key(key.n - 1, key)
        assert result.z == crt_power(key.n - 1, key)
        assert eval(formula, {}, numbers) == result.cycles <= core.max_cycles  # noqa: S307
        words = core.words_of(1, key)
        assert words[:2] == [numbers["words"], numbers["exponent_words"]]
        assert len(words) == 2 + 5 * words[0] + 2 * words[1]
    longest = (1 << core.exponent_bits) - 1
    assert core.run_key(1, CrtKey(7, 5, longest, 0, 3)).cycles <= core.max_cycles


def test_one_exponent_serves_both_powers() -> None:
    core = CrtWindowExponentiator(40)
    n, p = 1019 * 1021, 1021
    assert core.run(12345, 654321, n, p).z == pow(12345, 654321, n)
    assert core.run(12345, 654321, n, p).cycles == core.cycles(654321, n)
    assert core.constants(n) == {"words": 2}
    assert core.words_out(n) == 4
    key = CrtKey(p, 1019, 654321, 654321, pow(1019, -1, p))
    assert core.words_in(12345, 654321, n, p) == core.words_of(12345, key)
    inverse = pow(1019, -1, p)
    assert core.words_of(12345, key) == [
        *(2, 1, p, 0, 1019, 0, inverse, 0, 12345, 0, 0, 0, 654321, 654321),
    ]


def test_the_product_of_the_primes_ends_before_the_powers() -> None:
    """With the fewest words of the exponents and all lengths of all cores: the RTL does not wait for it."""
    shapes = ((3, 15), (3, 18), (3, 21), (3, 24), (3, 27), (3, 30), (4, 20), (4, 24), (4, 28), (4, 32))
    for k, w in (*shapes, (5, 25), (5, 30)):
        core = CrtWindowExponentiator(4096, k, w, 4)
        for words in range(2, core.max_words + 1):
            longest = min(core.half_bits, w * words - 6 * k - 1)
            assert core.long_product_cycles(words) < core._cycles((1 << longest) - 1, 1)


def test_what_the_model_refuses() -> None:
    core, key = CrtWindowExponentiator(64), CrtKey(1021, 1019, 5, 7, pow(1019, -1, 1021))
    for changed, says in (
        (CrtKey(1020, 1019, 5, 7, 1), "p and q must be odd and from 3 to 4294967295, not 1020"),
        (CrtKey(1021, 1, 5, 7, 1), "not 1$"),
        (CrtKey((1 << 32) + 1, 1019, 5, 7, 1), "not 4294967297"),
        (CrtKey(1021, 509, 5, 7, 1), "p and q must have the same bit length, unlike 1021 and 509"),
        (CrtKey(1021, 1019, 5, 7, 1021), "qinv must be from 0 to 1020, not 1021"),
        (CrtKey(1021, 1019, 1 << 64, 7, 1), "exponents of up to 64 bits"),
        (CrtKey(1021, 1019, 5, -1, 1), "exponents of up to 64 bits"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run_key(1, changed)
    with pytest.raises(ValueError, match="the base must be from 0 to 1040398, not 1040399"):
        core.run_key(key.n, key)
    for n, p in ((35, 0), (35, 3), (9, 3)):
        with pytest.raises(ValueError, match=f"give a p that divides {n}"):
            core.run(2, 3, n, p)


def test_crt_is_a_setting_of_window_exp() -> None:
    plain, crt = (design("window-exp", 64, {"crt": crt}) for crt in (0, 1))
    assert type(plain) is WindowExponentiator
    assert type(crt) is CrtWindowExponentiator
    assert crt.parameters == plain.parameters
    assert (plain.settings["Crt"], crt.settings["Crt"]) == (0, 1)
    assert crt.top == "monpro_exp_window_crt"
    with pytest.raises(ValueError, match="crt of window-exp is 0 or 1, not 2"):
        design("window-exp", 64, {"crt": 2})
    with pytest.raises(ValueError, match="no design with blinding=1 and crt=1: give one of them"):
        design("window-exp", 64, {"crt": 1, "blinding": 1})
    for made, settings in product((WindowExponentiator, BlindedWindowExponentiator), ({"crt": True},)):
        with pytest.raises(ValueError, match="window-exp"):
            made(64, **settings)


def test_sample_keys_are_keys() -> None:
    chance = random.Random(1)
    for bits in (3, 4, 8, 33, 512):
        key = sample_crt_key(bits, bits, chance)
        assert key.p.bit_length() == key.q.bit_length() == bits
        assert key.p % 2 == key.q % 2 == key.qinv * key.q % key.p == 1

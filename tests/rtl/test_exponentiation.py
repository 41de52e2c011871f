"""The exponentiator on every multiplier: its results, its clock cycles, and when they are constant."""

import random

import pytest

from monpro.cores import BinaryExponentiator, architectures, core, variants
from monpro.flow.exponentiate import exponentiate
from monpro.flow.operands import sample_modulus

MULTIPLIERS = (
    *(architecture.name for architecture in architectures()),
    "scs-mm-new-constant-time",
    *(
        pytest.param(name, marks=pytest.mark.slow)
        for name in (
            "scs-mm-1-cpa64",
            "scs-mm-new-plain-adder",
            "scalable-booth-w4",
            "scalable-improved-radix2",
        )
    ),
)
SIZES = [
    (16, 8),
    *(pytest.param(*size, marks=pytest.mark.slow) for size in ((8, 4), (62, 32), (97, 32), (256, 32))),
]

Powers = list[tuple[int, int, int]]


def random_powers(width_bits: int, exponent_bits: int, count: int) -> Powers:
    """Return powers with moduli of both classes, with bases and exponents at the ends of their ranges."""
    rng = random.Random(width_bits)
    powers = []
    for _ in range(count):
        n = sample_modulus(width_bits, rng)
        base = rng.choice((0, 1, n - 1, *(rng.randrange(n) for _ in range(6))))
        exponent = rng.choice(
            (0, 1, (1 << exponent_bits) - 1, *(rng.getrandbits(exponent_bits) for _ in range(6)))
        )
        powers.append((base, exponent, n))
    return powers


@pytest.mark.parametrize("ladder", [False, True], ids=["binary", "ladder"])
@pytest.mark.parametrize("name", MULTIPLIERS)
@pytest.mark.parametrize(("width_bits", "word_bits"), SIZES)
def test_powers_are_right_on_every_multiplier(
    width_bits: int, word_bits: int, name: str, *, ladder: bool
) -> None:
    multiplier = variants(width_bits)[name]
    exponentiator = BinaryExponentiator.around(multiplier, word_bits, ladder=ladder)
    powers = random_powers(width_bits, exponentiator.exponent_bits, 20)
    results = list(exponentiate(exponentiator, powers))
    assert [result.z for result in results] == [pow(*power) for power in powers]
    assert results == [exponentiator.run(*power) for power in powers]
    assert max(result.cycles for result in results) <= exponentiator.max_cycles
    if exponentiator.is_constant_time:
        assert len({result.cycles for result in results}) == 1
    assert [result.z for result in exponentiate(exponentiator, powers, stall_seed=3)] == [
        pow(*power) for power in powers
    ]


@pytest.mark.parametrize("name", ["mm", "scs-mm-1", "scs-mm-new"])
@pytest.mark.parametrize(
    "width_bits",
    [pytest.param(width, marks=pytest.mark.slow) if width != 8 else 8 for width in (8, 12, 16, 20, 30, 31)],
)
def test_a_number_may_be_one_word(width_bits: int, name: str) -> None:
    exponentiator = BinaryExponentiator.around(variants(width_bits)[name], 32)
    powers = random_powers(width_bits, exponentiator.exponent_bits, 20)
    assert [result.z for result in exponentiate(exponentiator, powers)] == [pow(*power) for power in powers]


def test_the_clock_cycles_are_those_of_the_header() -> None:
    multiplier = core("mm", 16)
    exponentiator = BinaryExponentiator.around(multiplier, 8)
    powers = [(3, exponent, 65521) for exponent in (1, 2, 0x5555, 0xFFFF)]
    for (_, exponent, _), result in zip(powers, exponentiate(exponentiator, powers), strict=True):
        products = 3 + exponent.bit_length() + exponent.bit_count()
        zeros = exponentiator.exponent_bits - exponent.bit_length()
        assert result.cycles == products * (multiplier.max_cycles + 2) + zeros + 1 + 1 * (3 + 1)
    products = 3 + 2 * exponentiator.exponent_bits
    result = next(exponentiate(BinaryExponentiator.around(multiplier, 8, ladder=True), powers[:1]))
    assert result.cycles == products * (multiplier.max_cycles + 2) + 1 * (3 + 1)

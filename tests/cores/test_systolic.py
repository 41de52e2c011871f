"""The systolic exponentiator's model: values, bounds, cycles, refused input."""

import random

import pytest

from monpro.cores import design, exponentiators_of_width
from monpro.cores.systolic import Systolic
from monpro.flow.operands import sample_modulus
from monpro.spec import blum01

RADICES_LOG2 = (1, 2, 4)


@pytest.mark.parametrize("radix_log2", RADICES_LOG2)
@pytest.mark.parametrize("width_bits", [8, 31, 64])
def test_the_model_gives_what_the_spec_leaves_before_its_reduction(width_bits: int, radix_log2: int) -> None:
    core, rng = Systolic(width_bits, radix_log2=radix_log2), random.Random(width_bits)
    for _ in range(40):
        n = sample_modulus(width_bits, rng)
        x = rng.choice((0, 1, n - 1, core.operand_bound(n) - 1, rng.randrange(n)))
        e = rng.choice((0, 1, 2, rng.getrandbits(width_bits), (1 << width_bits) - 1))
        result = core.run(x, e, n)
        assert result.z == blum01.before_reduction(x, e, n, core.digits, radix_log2)
        assert result.z <= core.modulus_input(n)
        assert core.power(x, e, n).z == pow(x, e, n)
        paper = blum01.power_cycles(e.bit_length(), core.digits, radix_log2)
        assert result.cycles == paper + core.overhead_cycles <= core.max_cycles


def test_the_cycles_of_the_papers_sizes() -> None:
    """[blum01, §5.1, Tables 2 and 3], derived: 2·1026·266 and 2·19·(512 + 4)."""
    paper = Systolic(1024).run(3, (1 << 1024) - 1, (1 << 1024) - 105).cycles - Systolic(1024).overhead_cycles
    assert paper == 545_832
    radix_2 = Systolic(512, radix_log2=1)
    assert radix_2.run(3, 65537, (1 << 512) - 569).cycles - radix_2.overhead_cycles == 19_608


@pytest.mark.parametrize(
    ("radix_log2", "word_width", "clocks"),
    [(1, 32, 3 + 64 - 2), (2, 32, 3 + 32 - 2), (4, 32, 3 + 16 - 14), (4, 8, 3 + 4 - 14), (1, 8, 3 + 16 - 2)],
)
def test_a_power_takes_clocks_beyond_the_papers(radix_log2: int, word_width: int, clocks: int) -> None:
    """Three to the array and back, two for each digit of a word; the multiples of a factor end meanwhile."""
    assert Systolic(64, word_width, radix_log2).overhead_cycles == clocks


def test_a_number_has_two_digits_more_than_the_modulus() -> None:
    assert [Systolic(width_bits).words for width_bits in (1016, 1017, 1024)] == [32, 33, 33]
    assert [Systolic(width_bits, radix_log2=1).words for width_bits in (30, 31)] == [1, 2]
    assert [Systolic(width_bits).digits for width_bits in (64, 65, 68)] == [16, 17, 17]


def test_constant_time_depends_on_the_width_alone() -> None:
    core = Systolic(32, constant_time=True)
    cycles = {core.run(x, e, 0xFFFFFFFB).cycles for x, e in ((0, 0), (5, 1), (7, (1 << 32) - 1))}
    assert cycles == {core.max_cycles}
    assert core.is_constant_time
    with pytest.raises(ValueError, match="exponents of up to 32 bits"):
        core.run(3, 1 << 32, 0xFFFFFFFB)


def test_what_is_refused() -> None:
    core = Systolic(16)
    for x, e, n, says in (
        (1, 1, 4, "odd"),
        (1, 1, 1, "odd"),
        (1, 1, 1 << 16 | 1, "odd"),
        (-1, 1, 5, "the base must be"),
        (core.operand_bound(5), 1, 5, "the base must be"),
        (1, 1 << core.exponent_bits, 5, "takes exponents of up to"),
        (1, -1, 5, "takes exponents of up to"),
    ):
        with pytest.raises(ValueError, match=says):
            core.run(x, e, n)
    with pytest.raises(ValueError, match="radix_log2 of systolic is one of 1, 2, 4, not 3"):
        design("systolic", 64, {"radix_log2": 3})
    with pytest.raises(ValueError, match="word_width of systolic is one of 8, 16, 32"):
        design("systolic", 64, {"word_width": 7})
    with pytest.raises(ValueError, match="widths from 8"):
        design("systolic", 7)


def test_configurations_have_names() -> None:
    named = exponentiators_of_width(1024)
    assert [name for name in named if name.startswith("systolic")] == [
        "systolic-1024",
        "systolic-1024-radix2",
        "systolic-1024-radix2-u4",
        "systolic-1024-radix4",
        "systolic-1024-constant-time",
    ]
    assert named["systolic-1024-radix2"] == Systolic(1024, radix_log2=1)
    assert named["systolic-1024-radix2"].top == "monpro_exp_systolic"


def test_only_units_of_radix_2_have_several_bits() -> None:
    assert (
        Systolic(64, radix_log2=1, unit_width=8).product_cycles == Systolic(64, radix_log2=1).product_cycles
    )
    with pytest.raises(ValueError, match="unit_width of systolic is 1 unless radix_log2 is 1"):
        Systolic(64, radix_log2=4, unit_width=4)
    with pytest.raises(ValueError, match="unit_width of systolic is 1 unless radix_log2 is 1"):
        Systolic(64, radix_log2=2, unit_width=2)
    with pytest.raises(ValueError, match="unit_width of systolic is one of 1, 2, 4, 8, 16, not 3"):
        Systolic(64, radix_log2=1, unit_width=3)

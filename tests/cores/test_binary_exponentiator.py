"""The model of the exponentiator around a multiplier: values, cycles, what fits, how it is named."""

import random
from itertools import product

import pytest

from monpro.cores import BinaryExponentiator, Core, design
from monpro.cores.fcs_mmm42 import FcsMmm42
from monpro.cores.mm import Mm
from monpro.cores.scalable import Scalable
from monpro.cores.scs_mm_new import ScsMmNew
from monpro.flow.operands import sample_modulus

PLAIN = BinaryExponentiator.around(Mm(47), 16)
LADDER = BinaryExponentiator.around(ScsMmNew(16, constant_time=True), 8, ladder=True)


@pytest.mark.parametrize("core", [PLAIN, LADDER], ids=["plain", "ladder"])
def test_powers_are_those_of_python(core: BinaryExponentiator) -> None:
    chance = random.Random(core.width_bits)
    for width_bits in (2, 3, 16, core.width_bits):
        n = sample_modulus(width_bits, chance)
        for x, e in product(
            (0, 1, n - 1, chance.randrange(n)), (0, 1, 2, 259, (1 << core.exponent_bits) - 1)
        ):
            result = core.run(x, e, n)
            assert result.z == pow(x, e, n)
            assert result.cycles <= core.max_cycles


def test_the_cycles_of_a_power_around_a_multiplier_that_takes_48() -> None:
    """Products of 48 + 2 clocks, 48 bits that are found or passed over, 4 words and 1 of a subtraction."""
    n = (1 << 47) - 115
    assert PLAIN.run(3, 65537, n).cycles == (3 + 17 + 2) * 50 + (48 - 17) + 1 + 5
    assert PLAIN.run(3, 0, n).cycles == 3 * 50 + 48 + 5
    assert PLAIN.run(3, (1 << 48) - 1, n).cycles == PLAIN.max_cycles == (3 + 2 * 48) * 50 + 1 + 5


def test_the_ladder_around_constant_time_takes_the_same_cycles_for_every_exponent() -> None:
    """Products of 46 + 2 clocks, two for each of 16 bits, and three subtractions, as N̂ may be 3n + 1."""
    n = (1 << 16) - 15
    assert {LADDER.run(3, e, n).cycles for e in (0, 1, 259, (1 << 16) - 1)} == {35 * 48 + 3 * 4}
    assert LADDER.max_cycles == 35 * 48 + 3 * 4 + 1


def test_a_subtraction_takes_the_words_of_a_number_with_two_more_bits_and_a_clock() -> None:
    cycles = {width: BinaryExponentiator.around(Mm(width), 16).reduction_cycles for width in range(45, 49)}
    assert cycles == {45: 3 + 1, 46: 3 + 1, 47: 4 + 1, 48: 4 + 1}


@pytest.mark.parametrize(
    ("multiplier", "ladder", "constant"),
    [
        (Mm(40), True, True),
        (Mm(40), False, False),
        (ScsMmNew(40), True, False),
        (ScsMmNew(40), False, False),
    ],
)
def test_only_a_ladder_around_constant_time_is_constant(
    multiplier: Core, ladder: bool, constant: bool
) -> None:
    assert BinaryExponentiator.around(multiplier, ladder=ladder).is_constant_time == constant


def test_the_command_line_gives_the_multiplier_what_the_exponentiator_has_not() -> None:
    assert design("binary-exp:mm", 40) == BinaryExponentiator.around(Mm(40), 32, ladder=False)
    settings = {"ladder": 1, "word_width": 8, "constant_time": 1}
    assert design("binary-exp:scs-mm-new", 16, settings) == LADDER
    assert design("binary-exp:mm", 47, {"ladder": 0, "word_width": 16}) == PLAIN
    assert settings == {"ladder": 1, "word_width": 8, "constant_time": 1}, "the caller's settings stay"


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("systolic:mm", {}, "only binary-exp goes around a core: give binary-exp:CORE"),
        ("binary-exp:mm", {"ladder": 2}, "ladder of binary-exp is 0 or 1, not 2"),
        ("binary-exp:mm", {"ladder": -1}, "ladder of binary-exp is 0 or 1, not -1"),
        ("binary-exp:mm", {"booth": 1}, "mm has no parameter 'booth'"),
        ("binary-exp:mm", {"word_width": 0}, "word_width of binary-exp is from 1 to 64, not 0"),
        ("binary-exp:mm", {"word_width": 65}, "word_width of binary-exp is from 1 to 64, not 65"),
        ("binary-exp:fcs-mm-1", {"carry_save_ports": 1}, "around fcs-mm-1 with pairs at its ports"),
        ("binary-exp:scalable", {"radix_log2": 1}, "around scalable in radix 2: it forms n_i for radix 4"),
        ("binary-exp:scalable", {"radix_log2": 4, "num_pe": 16}, "around scalable in radix 16"),
    ],
)
def test_what_does_not_fit_is_refused(name: str, settings: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        design(name, 64, settings)


def test_a_multiplier_of_another_width_is_refused() -> None:
    for width_bits in (39, 41):
        with pytest.raises(ValueError, match=f"a multiplier of 40 bits, not of {width_bits}"):
            BinaryExponentiator(width_bits, Mm(40))


@pytest.mark.parametrize("word_width", [1, 64])
@pytest.mark.parametrize("multiplier", [Mm(64), FcsMmm42(64), Scalable(64), Scalable(64, 1, parallel=False)])
def test_multipliers_that_reduce_by_n_or_for_radix_4_fit(multiplier: Core, word_width: int) -> None:
    core = BinaryExponentiator.around(multiplier, word_width)
    assert core.words == 64 // word_width
    assert core.power(3, 5, 257).z == 3**5


def test_a_name_has_all_settings_and_those_of_the_multiplier() -> None:
    assert LADDER.settings == {"Ladder": 1, "Width": 16, "WordWidth": 8}
    assert LADDER.top == "monpro_exp_binary"
    assert LADDER.configuration == (
        "monpro_exp_binary-Ladder1-Width16-WordWidth8-"
        "monpro_mul_scs_mm_new-Configurable1-ConsecutiveSkip1-ConstantTime1-Width16"
    )
    assert PLAIN.settings["Ladder"] == 0
    assert PLAIN.facts["multiplier"] == {"core": "mm", "parameters": {"Width": 47}}


def test_what_is_refused() -> None:
    for x, e, n, says in (
        (1, 1, 4, "the modulus must be odd"),
        (5, 1, 5, "the base must be from 0 to 4, not 5"),
        (-1, 1, 5, "the base must be from 0 to 4, not -1"),
        (1, 1 << 48, 5, "binary-exp of 47 bits takes exponents of up to 48 bits"),
        (1, -1, 5, "takes exponents of up to 48 bits"),
    ):
        with pytest.raises(ValueError, match=says):
            PLAIN.run(x, e, n)

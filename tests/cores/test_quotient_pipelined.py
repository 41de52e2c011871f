"""The model of the multiplier with late quotient digits: words with waiting carries, bounds, cycles."""

import random
from itertools import product as pairs

import pytest

from monpro.cores import design, word_multipliers_of_width
from monpro.cores.quotient_pipelined import DELAY, QuotientPipelined, product_by_words
from monpro.cores.word_multiplier import KEPT, NEW, Command, squares
from monpro.flow.operands import sample_modulus
from monpro.flow.trial import is_right_word_product
from monpro.flow.word_products import WordProduct, by_model, commands, power
from monpro.spec.orup95 import Constants, product, reduced

VARIANTS = tuple(QuotientPipelined.variants)


def of(variant: str, width_bits: int) -> QuotientPipelined:
    """Return the core of a variant."""
    return QuotientPipelined(width_bits, **QuotientPipelined.variants[variant])


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("width_bits", [8, 64, 97, 255])
def test_words_with_waiting_carries_give_the_product(variant: str, width_bits: int) -> None:
    """The array's words, the paper's algorithm and plain arithmetic agree, also at the bounds."""
    core, chance = of(variant, width_bits), random.Random(width_bits)
    for _ in range(6):
        n = sample_modulus(width_bits, chance)
        bound = core.operand_bound(n)
        constants = Constants.of(n, core.radix_log2, DELAY)
        digits = core.words_out(n) * core.word_width // core.radix_log2
        for x, y in pairs((bound - 1, chance.randrange(bound), 1), repeat=2):
            z = product_by_words(core, x, y, n)
            assert z == core.run(x, y, n, NEW).z == product(y, x, constants, digits)
            assert z < bound
            assert z * core.r(n) % n == x * y % n


def test_a_carry_out_of_the_highest_word_is_noticed() -> None:
    core = of("", 97)
    n = (1 << 97) - 1
    # With the second x, carries leave in the last steps alone.
    for x in ((1 << 128) - 1, 0x91B << 116):
        with pytest.raises(ArithmeticError, match="leaves the highest word"):
            product_by_words(core, x, (1 << 128) - 1, n)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_core_reduces_as_the_spec_does(variant: str) -> None:
    """With fewer digits of x and a division by as many powers of the radix, R stays the same."""
    core, chance = of(variant, 64), random.Random(1)
    for _ in range(20):
        n = sample_modulus(64, chance)
        constants = Constants.of(n, core.radix_log2, DELAY)
        digits = core.words_out(n) * core.word_width // core.radix_log2 - DELAY - 2
        x, y = chance.randrange(n), chance.randrange(core.operand_bound(n))
        assert core.run(x, y, n).z == reduced(product(y, x, constants, digits), constants)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_product_of_small_moduli(variant: str) -> None:
    core = of(variant, 4)
    for n in range(3, 16, 2):
        for x, y in pairs(range(n), repeat=2):
            for command in (NEW, NEW | Command.REDUCE):
                z = core.run(x, y, n, command).z
                asked = WordProduct(x, y, n, reduce=Command.REDUCE in command)
                assert is_right_word_product(core, asked, z)


def test_chained_products_stay_bounded() -> None:
    core, chance = of("", 97), random.Random(97)
    for _ in range(5):
        n = sample_modulus(97, chance)
        z = core.operand_bound(n) - 1
        for _ in range(200):
            before, z = z, core.run(z, z, n, NEW).z
            assert is_right_word_product(core, WordProduct(before, before, n), z)


def test_powers_are_those_of_python() -> None:
    chance = random.Random(2)
    for core in word_multipliers_of_width(64).values():
        n = sample_modulus(64, chance)
        for e in (0, 1, 2, 65537):
            x = chance.randrange(n)
            assert power(core, x, e, n, by_model).z == pow(x, e, n)


def test_cycles() -> None:
    """Of 1024 bits: 264 digits, 5 late ones, and the pipeline. A square that follows waits for its table."""
    core, n = of("", 1024), (1 << 1024) - 105
    assert core.words_out(n) == 33
    assert core.cycles(n, NEW) == 283
    assert core.cycles(n, KEPT) == core.cycles(n, Command.Y) == 283
    assert core.cycles(n, KEPT | squares(3)) == 283 + 3 * (264 + 5 + 10 + 16)
    assert core.cycles(n, NEW | Command.REDUCE) == core.cycles(n, NEW | Command.REDUCE | squares(3)) == 620
    assert core.cycles(255, NEW) == 16 + 19 + 12


def test_a_table_that_fills_is_hidden_by_the_words_that_pass_meanwhile() -> None:
    """Of 256 bits: 72 digits and 17 clocks. In 17 clocks of the lowest word's table the 9 words of y pass."""
    core, n = of("", 1024), (1 << 256) - 189
    assert core.words_out(n) == 9
    assert core.cycles(n, Command.Y) == 1 + 8 + 72 + 17
    assert core.cycles(n, KEPT) == 1 + 4 + 72 + 17
    assert core.cycles(n, Command.X | Command.Y) == core.cycles(n, Command.X) == 1 + 1 + 72 + 17


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_most_cycles_are_those_of_the_slowest_product(variant: str) -> None:
    for width_bits in range(97, 130):
        core = of(variant, width_bits)
        given, reduced, lengths = (KEPT, Command.X, Command.Y, NEW), (KEPT, Command.REDUCE), (8, width_bits)
        cycles = [
            core.cycles((1 << bits) - 1, command | last)
            for bits, command, last in pairs(lengths, given, reduced)
        ]
        assert core.max_cycles == max(cycles)


def test_a_job_has_the_numbers_that_its_command_asks_for() -> None:
    core, n = of("", 97), (1 << 97) - 141
    assert core.words_in(5, 7, n, Command(0)) == [0]
    assert core.words_in(5, 7, n, Command.X) == [4, 5, 0, 0, 0]
    assert core.words_in(5, 7, n)[:3] == [15, 4, n % 2**32]
    given = [WordProduct(1, 2, n), WordProduct(None, 3, n), WordProduct(4, None, 15, reduce=True)]
    assert list(commands(given)) == [NEW, Command.Y, Command.MODULUS | Command.X | Command.REDUCE]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"radix_log2": 2}, "radix_log2 of quotient-pipelined is from 3 to 6, not 2"),
        ({"radix_log2": 7, "word_width": 28}, "radix_log2 of quotient-pipelined is from 3 to 6, not 7"),
        ({"radix_log2": 5}, "word_width of quotient-pipelined is a multiple of radix_log2 = 5 from 25 to 32"),
        ({"word_width": 16}, "a multiple of radix_log2 = 4 from 20 to 32, not 16"),
        ({"word_width": 36}, "a multiple of radix_log2 = 4 from 20 to 32, not 36"),
    ],
)
def test_parameters_that_no_module_has_are_refused(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        design("quotient-pipelined", 64, parameters)


@pytest.mark.parametrize(
    ("x", "y", "n", "command", "message"),
    [
        (1, 1, 100, NEW, "the modulus must be odd"),
        (255, 1, 255, NEW | Command.REDUCE, "x must be from 0 to 254, not 255"),
        (1, -1, 255, NEW, "y must be from 0 to "),
        (2**40, 1, 255, NEW, "x must be from 0 to "),
    ],
)
def test_operands_out_of_bounds_are_refused(x: int, y: int, n: int, command: Command, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        of("", 8).run(x, y, n, command)

"""The model of the multiplier on DSP blocks: its words, their bounds, cycles, what is refused."""

import random

import pytest

from monpro.cores import design
from monpro.cores.dsp import FOLDS, WORD_WIDTHS, Dsp
from monpro.cores.word_multiplier import KEPT, NEW, Command
from monpro.cores.word_serial import port_words
from monpro.flow.operands import sample_modulus
from monpro.flow.word_products import by_model, power
from monpro.spec.orup95 import Constants, product, product_in_words


def value(words: list[int], bits: int) -> int:
    return sum(word << bits * i for i, word in enumerate(words))


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("word_width", [4, 5, 17])
@pytest.mark.parametrize("width_bits", [8, 97, 255])
def test_redundant_words_give_the_product(fold: int, word_width: int, width_bits: int) -> None:
    """The array's words, the paper's algorithm and plain arithmetic agree; words of results are operands."""
    core, chance = Dsp(width_bits, word_width, fold), random.Random(width_bits)
    for n in (sample_modulus(width_bits, chance), 3, (1 << width_bits) - 1):
        bound = core.operand_bound(n)
        constants = Constants.of(n, word_width, core.delay)
        for x in (bound - 1, chance.randrange(bound), 1):
            words = port_words(bound - 1, word_width, core.words)
            for _ in range(3):
                y = value(words, word_width)
                z = product_in_words(words, x, constants)
                assert value(z, word_width) == core.run(x, y, n).z == product(y, x, constants, core.words)
                assert value(z, word_width) < bound
                words = z


@pytest.mark.parametrize("word_width", WORD_WIDTHS)
def test_the_bounds_of_the_words_hold_for_any_words(word_width: int) -> None:
    """S_j <= 2^(2w+1) + 2^(w+1) and z_j <= 2^w + 2 are inductive, and no smaller bound of S_j is."""
    largest_b, lowest = (1 << word_width) + 2, (1 << word_width) - 1
    most = (1 << 2 * word_width + 1) + (1 << word_width + 1)
    fixed = lowest + lowest * largest_b + lowest * lowest
    assert fixed + (most >> word_width) == most < 1 << 2 * word_width + 2
    carried = lowest + (most >> word_width)
    assert carried < 1 << word_width + 2
    assert lowest + (carried >> word_width) == largest_b < 1 << word_width + 1


def test_a_word_that_is_too_large_is_noticed() -> None:
    constants = Constants.of((1 << 97) - 1, 17, 4)
    count, largest = Dsp(97).words, (1 << 17) + 2
    with pytest.raises(ArithmeticError, match="a word of S is too large"):
        product_in_words([2 * largest] * count, (1 << 17 * count) - 1, constants)
    with pytest.raises(ArithmeticError, match="a word of the result is too large"):
        product_in_words([largest] * count, (1 << 17 * count) - 1, constants)


def test_powers_are_those_of_python() -> None:
    chance = random.Random(2)
    for fold in FOLDS:
        core = Dsp(64, fold=fold)
        n = sample_modulus(64, chance)
        for e in (0, 1, 2, 65537):
            x = chance.randrange(n)
            assert power(core, x, e, n, by_model).z == pow(x, e, n)


def test_cycles_and_multipliers() -> None:
    """At 1024 bits a product takes at most 80 clocks, or 580 with 18 multipliers."""
    cycles = {fold: Dsp(1024, fold=fold).max_cycles for fold in FOLDS}
    assert cycles == {1: 79, 2: 144, 4: 275, 8: 532}
    assert {fold: 2 * Dsp(1024, fold=fold).words // fold for fold in FOLDS} == {1: 132, 2: 64, 4: 32, 8: 16}


def test_the_words_hold_two_bits_more_than_the_multiple_of_the_modulus_and_share_multipliers() -> None:
    """Of 100 bits, and 5, 3 or 1 digits and 2 bits more: 11, 9 or 7 words, rounded up to a whole fold."""
    assert [Dsp(100, fold=fold).words for fold in (1, 2, 8)] == [11, 10, 8]
    assert [Dsp(101, fold=fold).words for fold in (1, 2, 8)] == [12, 10, 8]


def test_a_job_has_the_numbers_that_its_command_asks_for() -> None:
    core, n = Dsp(97), (1 << 97) - 141
    n_hat = port_words(core.constants(n)["n_hat"], 17, core.words)
    assert core.words_in(5, 7, n, KEPT) == [0]
    assert core.words_in(5, 7, n, Command.MODULUS) == [1, *n_hat]
    assert core.words_in(5, 7, n)[:2] == [7, n_hat[0]]
    assert core.words_in(5, 7, n, Command.X) == [4, 5, *[0] * (core.words - 1)]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"fold": 3}, "fold of dsp is 1, 2, 4 or 8, not 3"),
        ({"word_width": 3}, "word_width of dsp is from 4 to 17, not 3"),
        ({"word_width": 18}, "word_width of dsp is from 4 to 17, not 18"),
    ],
)
def test_parameters_that_no_module_has_are_refused(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        design("dsp", 64, parameters)


@pytest.mark.parametrize(
    ("x", "y", "n", "command", "message"),
    [
        (1, 1, 100, NEW, "the modulus must be odd"),
        (1, -1, 255, NEW, "y must be from 0 to "),
        (2**200, 1, 255, NEW, "x must be from 0 to "),
        (1, 1, 255, NEW | Command.REDUCE, "dsp has no command REDUCE"),
        (1, 1, 255, NEW | Command.WIPE, "dsp has no command WIPE"),
    ],
)
def test_what_the_core_does_not_do_is_refused(x: int, y: int, n: int, command: Command, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Dsp(8).run(x, y, n, command)

"""The scalable multiplier's array, clock by clock: values equal the spec's, clocks equal the formulas'."""

import random
from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from monpro.cores.scalable import Scalable
from monpro.cores.scalable_array import NOTHING, Array, Run, Word
from monpro.flow.operands import random_products
from monpro.spec import amberg08
from monpro.spec.amberg08 import Lengths

SHAPES = [
    (v, w, p, left, booth)
    for v, w, p, left, booth in product(range(1, 5), (4, 5, 8, 12, 16), (1, 2, 3, 8, 16), (0, 1), (0, 1))
    if v <= w and not (left and (w % v or w == v or v * p % w))
]


def multiplier(shape: tuple[int, int, int, int, int], width_bits: int) -> Scalable:
    v, w, p, left, booth = shape
    return Scalable(width_bits, v, w, p, left_shift=bool(left), booth=bool(booth))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "v{}-w{}-p{}-left{}-booth{}".format(*shape))
def test_values_and_clocks_of_the_array(shape: tuple[int, int, int, int, int]) -> None:
    """A pass starts as soon as its words and elements are ready, which takes the clocks of the formulas."""
    for width_bits in (8, random.Random(repr(shape)).randrange(9, 120)):
        core = multiplier(shape, width_bits)
        for x, y, n in random_products(core, 3):
            run = Array(core, x, y, n).run()
            assert run.z == core.run(x, y, n).z
            assert run.starts == [i * core.pass_cycles for i in range(core.passes)]
            first = run.starts[-1] + 2 + core.fill_cycles
            assert run.leavings == list(range(first, first + core.words))
            assert core.min_cycles == run.leavings[-1] + 4  # load and start, convert, and out of the module


@pytest.mark.parametrize(("w", "p"), [(2, 2), (4, 8), (5, 5), (8, 16), (16, 16)])
def test_values_and_clocks_of_improved_elements(w: int, p: int) -> None:
    """Values are those of the algorithm without M̂; clocks are those of the parallel elements."""
    for width_bits in (8, 41, 60):
        core = Scalable(width_bits, 1, w, p, parallel=False)
        assert core.min_cycles == Scalable(width_bits, 1, w, p).min_cycles
        lengths = Lengths(1, w, width_bits, core.passes * p, core.words, 2, 2)
        for x, y, n in random_products(core, 20):
            assert core.run(x, y, n).z == amberg08.improved_radix_2(x, y, n, lengths)
            assert Array(core, x, y, n).run().z == core.run(x, y, n).z


@pytest.mark.parametrize(
    "core",
    [Scalable(20), Scalable(20, left_shift=False), Scalable(20, 1, parallel=False)],
    ids=["left", "right", "improved"],
)
def test_elements_through_which_nothing_passes_stay_zero(core: Scalable) -> None:
    array = Array(core, 3, 5, 7)
    for _ in range(3 * core.num_pe):
        registers = {(element.x, element.q, element.carry, element.quotient) for element in array.elements}
        assert registers == {(0, 0, 0, 0)}
        assert array.between == [Word(first=False, last=False, y=0, m=0, z=0)] * core.num_pe
        array.step(NOTHING, 0, 0)


@pytest.mark.parametrize("record", [NOTHING, Run(0, [], [])], ids=["word", "run"])
def test_words_and_runs_do_not_change(record: Word | Run) -> None:
    """A word that many registers hold is one object."""
    with pytest.raises(FrozenInstanceError):
        record.z = 1  # type: ignore[misc]


@pytest.mark.parametrize("width_bits", [8, 40, 65])
@pytest.mark.parametrize("booth", [False, True])
@pytest.mark.parametrize("v", range(1, 5))
def test_the_model_is_the_spec(v: int, booth: bool, width_bits: int) -> None:
    """The spec has as many digits of X as the elements take in whole passes, and words for all bits of Z."""
    core = Scalable(width_bits, v, word_width=12, num_pe=5, left_shift=False, booth=booth)
    lengths = Lengths.corrected(v, 12, width_bits)
    whole = Lengths(
        v, 12, width_bits, core.passes * 5, core.words, lengths.carry_bits, lengths.signed_carry_bits
    )
    algorithm = amberg08.booth_encoded if booth else amberg08.non_booth
    assert core.r_log2 == whole.r_log2 >= lengths.r_log2
    for x, y, n in random_products(core, 20):
        assert core.run(x, y, n).z == algorithm(x, y, n, whole)


def test_the_passes_and_clocks_at_1024_bits() -> None:
    """[amberg08, §III-C] with b = 1; the words suffice for every intermediate Z (errata A2, A4)."""
    core = Scalable(1024)
    assert (core.words, core.passes, core.pass_cycles) == (65, 17, 66)
    assert core.passes * core.pass_cycles == amberg08.left_shifting_cycles(
        Lengths.corrected(2, 16, 1024), 32, b=1
    )
    right = Scalable(1024, radix_log2=3, num_pe=40, left_shift=False, booth=True)
    assert (right.words, right.passes, right.pass_cycles) == (65, 9, 81)


@pytest.mark.parametrize(
    ("left_shift", "booth", "bits"),
    [
        (False, False, [4, 6, 8, 10]),  # 2v + 2
        (False, True, [5, 7, 9, 11]),  # and a sign
        (True, False, [4, 7, 10, 13]),  # or a digit times Y, shifted by a digit
        (True, True, [5, 7, 10, 13]),
    ],
)
def test_the_words_of_z_have_bits_above_the_modulus(left_shift: bool, booth: bool, bits: list[int]) -> None:
    cores = [Scalable(64, v, 12, 12, left_shift=left_shift, booth=booth) for v in range(1, 5)]
    assert [core.more_bits for core in cores] == bits


def test_a_number_has_two_words_at_least() -> None:
    assert [Scalable(width_bits).words for width_bits in (8, 25, 26)] == [2, 2, 3]


def test_the_extremes_of_words_and_elements_fit() -> None:
    for v, w, p, left_shift in ((1, 64, 64, True), (4, 4, 1, False), (2, 16, 1024, True), (1, 2, 2, True)):
        core = Scalable(64, v, w, p, left_shift=left_shift)
        x, y, n = core.operand_bound(255) - 1, core.operand_bound(255) - 2, 255
        assert (core.run(x, y, n).z << core.r_log2) % n == x * y % n


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"radix_log2": 5}, "radix_log2 of scalable is from 1 to 4, not 5"),
        ({"radix_log2": 0}, "radix_log2 of scalable is from 1 to 4, not 0"),
        ({"word_width": 65}, "word_width of scalable is from 2 to 64 for this radix, not 65"),
        ({"num_pe": 1025}, "num_pe of scalable is from 1 to 1024, not 1025"),
        ({"radix_log2": 1, "word_width": 1}, "word_width of scalable is from 2 to 64 for this radix, not 1"),
        ({"radix_log2": 4, "word_width": 3}, "word_width of scalable is from 4 to 64 for this radix, not 3"),
        ({"word_width": 2}, "a word_width that is a multiple of 2, radix_log2, but not itself, not 2"),
        ({"radix_log2": 1, "parallel": 0, "booth": 1}, "without parallel is of radix 2"),
        ({"radix_log2": 1, "parallel": 0, "left_shift": 0}, "without parallel is of radix 2"),
        ({"word_width": 1}, "word_width of scalable is from 2 to 64 for this radix, not 1"),
        ({"num_pe": 0}, "num_pe of scalable is from 1 to 1024, not 0"),
        ({"radix_log2": 3}, "needs a word_width that is a multiple of 3, radix_log2, but not itself, not 16"),
        ({"num_pe": 12}, "needs a num_pe that is a multiple of 8, word_width / radix_log2, not 12"),
        ({"booth": 2}, "booth of scalable is 0 or 1, not 2"),
        ({"parallel": 0}, "without parallel is of radix 2, with left_shift and without booth only"),
    ],
)
def test_elements_that_do_not_fit_together_are_refused(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scalable(64, **parameters)  # type: ignore[arg-type]

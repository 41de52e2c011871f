"""One build of the scalable array, large enough for 4096 bits, computes products of all lengths in turn."""

import random
from dataclasses import replace

import pytest

from monpro.cores.scalable import Scalable
from monpro.flow.operands import random_products
from monpro.flow.simulate import Operands, array_products

LARGEST = {
    name or "plain": Scalable(4096, **parameters)  # type: ignore[arg-type]
    for name, parameters in Scalable.variants.items()
}
QUICK = {"plain", "right-radix8-booth"}
DRIVINGS: dict[str, dict[str, int]] = {
    "one after the other": {},
    "back to back": {"back_to_back": True},
    "stalls": {"stall_seed": 1},
    "stalls, back to back": {"back_to_back": True, "stall_seed": 2},
    "resets and stalls": {"stall_seed": 3, "reset_seed": 4},
}


def filling(core: Scalable, words: int) -> int:
    """Return the largest width of operands with this many words."""
    return max(
        width_bits
        for width_bits in range(8, words * core.word_width)
        if replace(core, width_bits=width_bits).words == words
    )


def check(largest: Scalable, widths_bits: list[int], count: int) -> None:
    """Compare products of these widths, in every way of driving, with the model's values and clocks."""
    jobs: list[tuple[Scalable, Operands]] = []
    for i in range(count):
        for width_bits in widths_bits:
            core = replace(largest, width_bits=width_bits)
            jobs += [(core, operands) for operands in random_products(core, 1, seed=len(jobs) + i)]
    products = [core.run(*operands) for core, operands in jobs]
    for driven, driving in DRIVINGS.items():
        found = list(array_products(largest, jobs, **driving))  # type: ignore[arg-type]
        assert [product.z for product in found] == [product.z for product in products], driven
        for (core, _), product, expected in zip(jobs, found, products, strict=True):
            # The multiplier takes two clocks more, to load the operands and hold the result.
            assert product.last_clock == expected.cycles - 2
            assert product.ready_clock == core.passes * core.pass_cycles


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in LARGEST]
)
def test_the_length_changes_between_products(name: str) -> None:
    """Lengths go from 160 to 4096 bits and back; some fill the last word exactly or exceed it by one bit."""
    core = LARGEST[name]
    least = replace(core, width_bits=8).words
    edges = [filling(core, words) + more for words in (least, 10, 65, 128) for more in (0, 1)]
    check(core, [160, 512, 1024, 2048, 4096, 160, *edges, 4096, edges[0], 8], 1)


@pytest.mark.parametrize(
    "shape",
    [
        (2, 8, 8, True, False),
        *(
            pytest.param(shape, marks=pytest.mark.slow)
            for shape in (
                *(
                    (1, 4, 4, True, False),
                    (2, 4, 4, True, False),
                    (4, 8, 4, True, False),
                    (4, 8, 4, True, True),
                ),
                *((2, 16, 32, True, False), (4, 16, 16, True, False), (3, 4, 2, False, True)),
                *((1, 8, 3, False, False), (4, 4, 1, False, True), (3, 12, 4, True, True)),
            )
        ),
    ],
    ids="v{0[0]}-w{0[1]}-p{0[2]}-left{0[3]:d}-booth{0[4]:d}".format,
)
def test_passes_that_follow_at_once_and_full_words(shape: tuple[int, int, int, bool, bool]) -> None:
    """A left-shifting element passes on nothing above the last word if the next pass follows at once."""
    v, w, p, left_shift, booth = shape
    core = Scalable(8, v, w, p, left_shift=left_shift, booth=booth)
    longer = (max(core.fill_cycles + 1, core.words) + more for more in range(1, 5))
    widths_bits = [filling(core, words) - less for words in longer for less in (0, 1, w - 1)]
    check(replace(core, width_bits=max(widths_bits)), widths_bits, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGEST)
def test_every_length_on_one_build(name: str) -> None:
    chance = random.Random(name)
    check(LARGEST[name], [*chance.sample(range(8, 4096), 60), 4095, 4096], 2)

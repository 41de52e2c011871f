"""The RTL of the multiplier on DSP blocks against plain arithmetic and against its model."""

import random
from collections.abc import Iterator
from itertools import product as pairs
from pathlib import Path

import pytest

from monpro.cores.dsp import FOLDS, Dsp
from monpro.flow import sources, tools
from monpro.flow.operands import sample_modulus
from monpro.flow.trial import is_right_word_product, try_design
from monpro.flow.word_products import WordProduct, by_model, by_rtl, power

LONG_CHAINS = [(97, 17), (131, 17), (255, 17), (61, 5), (37, 4)]  # widths and words


def some(core: Dsp, count: int, seed: int, *, new: bool = False) -> list[WordProduct]:
    """Return products with new and kept operands, at their bounds and random, for moduli of many lengths."""
    chance, given, n = random.Random(seed), list[WordProduct](), 3
    for i in range(count):
        if i % 10 == 0:
            shorter = chance.randrange(2, core.width_bits + 1)
            n = sample_modulus(chance.choice((core.width_bits, shorter)), chance)
        bound, first = core.operand_bound(n), new or i % 10 == 0
        x, y = (chance.choice((0, 1, n - 1, bound - 1, chance.randrange(bound))) for _ in range(2))
        keeps_x, keeps_y = (not first and chance.random() < 0.6 for _ in range(2))
        given.append(WordProduct(None if keeps_x else x, None if keeps_y else y, n))
    return given


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize(("width_bits", "word_width"), [(8, 4), (97, 17)])
def test_rtl_and_model_agree_in_values_and_cycles(fold: int, width_bits: int, word_width: int) -> None:
    core = Dsp(width_bits, word_width, fold)
    given = some(core, 200, seed=width_bits)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


def test_rtl_and_model_agree_at_1024_bits() -> None:
    core = Dsp(1024)
    given = some(core, 30, seed=3)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


@pytest.mark.slow
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize("width_bits", [2, 3, 8, 16, 33, 64, 255, 521, 1024, 2048])
@pytest.mark.parametrize("word_width", [16, 17])
def test_rtl_and_model_agree_at_every_width(width_bits: int, fold: int, word_width: int) -> None:
    core = Dsp(width_bits, word_width, fold)
    given = some(core, 100, seed=width_bits)
    assert list(by_rtl(core, given)) == list(by_model(core, given))


def all_products(core: Dsp, moduli: range) -> Iterator[WordProduct]:
    """Yield every product of operands below 2·M̃ if there are few, else below n."""
    for n in moduli:
        bound = core.operand_bound(n)
        for x, y in pairs(range(bound if bound < 250 else n), repeat=2):
            yield WordProduct(x, y, n)


@pytest.mark.parametrize("most", [8, pytest.param(32, marks=pytest.mark.slow)])
@pytest.mark.parametrize("fold", FOLDS)
def test_every_product_of_a_small_modulus_is_right(fold: int, most: int) -> None:
    """Without delayed digits all operands in their bounds are few: 900 pairs for n = 3."""
    core = Dsp(8, 4, fold)
    given = list(all_products(core, range(3, most, 2)))
    if fold == 8:
        assert sum(product.n == 3 for product in given) == core.operand_bound(3) ** 2 == 900
    results = by_rtl(core, given)
    assert all(is_right_word_product(core, *pair) for pair in zip(given, (r.z for r in results), strict=True))


@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize(("width_bits", "word_width"), [(8, 4), (97, 17)])
def test_chained_products_stay_bounded_and_right(width_bits: int, word_width: int, fold: int) -> None:
    check_chain(Dsp(width_bits, word_width, fold), 1000)


@pytest.mark.slow
@pytest.mark.parametrize("fold", FOLDS)
@pytest.mark.parametrize(("width_bits", "word_width"), LONG_CHAINS)
def test_a_hundred_thousand_chained_products_are_right(width_bits: int, word_width: int, fold: int) -> None:
    check_chain(Dsp(width_bits, word_width, fold), 100_000)


def check_chain(core: Dsp, count: int) -> None:
    trial = try_design(core, count, 7, lambda _done: None, rtl=True, chained=True)
    assert set(trial.cycles) == {core.max_cycles}
    assert len(trial.cycles) == count
    assert trial.mismatches == 0


@pytest.mark.parametrize("fold", [1, 4])
@pytest.mark.parametrize("seeds", [(5, 0), (0, 6), (7, 8)], ids=["stalls", "resets", "both"])
def test_the_way_the_ports_are_driven_changes_no_product(seeds: tuple[int, int], fold: int) -> None:
    core = Dsp(97, fold=fold)
    given = some(core, 150, seed=4, new=bool(seeds[1]))
    driven = by_rtl(core, given, stall_seed=seeds[0], reset_seed=seeds[1])
    assert [result.z for result in driven] == [result.z for result in by_model(core, given)]


def test_powers_by_the_ports_are_those_of_python() -> None:
    chance = random.Random(5)
    for fold in FOLDS:
        core, n = Dsp(97, fold=fold), sample_modulus(97, chance)
        x, e = chance.randrange(n), chance.getrandbits(40)
        assert power(core, x, e, n, by_rtl).z == pow(x, e, n)


@pytest.mark.parametrize("parameter", ["Width=1", "WordWidth=18", "Fold=3"])
def test_parameters_that_do_not_fit_are_fatal(parameter: str, tmp_path: Path) -> None:
    module = "monpro_mul_dsp"
    name, number = parameter.split("=")
    program, files = str(tmp_path / "out"), map(str, sources.needed(module))
    override = ["-g2012", "-s", module, f"-P{module}.{name}={number}", "-o", program, *files]
    tools.run("iverilog", override, log=tmp_path / "log")
    with pytest.raises(tools.ToolError, match=f"{name} = {number}"):
        tools.run("vvp", ["-n", program], log=tmp_path / "log")

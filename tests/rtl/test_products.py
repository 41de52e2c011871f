"""The RTL of every multiplier against plain arithmetic and against its cycle model."""

import pytest

from monpro.cores import VARIANTS, variants
from monpro.flow.operands import count_of_products, every_product, random_products
from monpro.flow.simulate import Linked, Operands, icarus_agrees, simulate
from monpro.flow.trial import is_right, resolved, try_core


def check_products(name: str, width_bits: int, count: int) -> None:
    core = variants(width_bits)[name]
    operands = random_products(core, count, seed=width_bits)
    products = simulate(core, operands)
    assert all(is_right(core, given, product) for given, product in zip(operands, products, strict=True))
    assert products == [core.run(*given) for given in operands]


@pytest.mark.parametrize(
    ("width_bits", "name"),
    [
        (width, name) if width == 4 else pytest.param(width, name, marks=pytest.mark.slow)
        for width in (2, 3, 4, 5, 6)
        for name in VARIANTS
        if count_of_products(variants(width)[name]) < 1_000_000
    ],
)
def test_every_product_of_a_small_width_is_right(name: str, width_bits: int) -> None:
    core = variants(width_bits)[name]
    operands = list(every_product(core))
    products = simulate(core, operands)
    assert all(is_right(core, given, product) for given, product in zip(operands, products, strict=True))
    assert all(core.min_cycles <= product.cycles <= core.max_cycles for product in products)


@pytest.mark.parametrize("name", VARIANTS)
def test_rtl_and_model_agree_in_values_and_cycles(name: str) -> None:
    check_products(name, 97, 200)


@pytest.mark.parametrize("name", ["scs-mm-1", "fcs-mmm42", "scs-mm-new"])
def test_rtl_and_model_agree_at_1024_bits(name: str) -> None:
    check_products(name, 1024, 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("width_bits", [8, 16, 64, 255, 256, 521, 1024])
def test_rtl_and_model_agree_at_every_width(name: str, width_bits: int) -> None:
    check_products(name, width_bits, 100)


@pytest.mark.parametrize("name", VARIANTS)
def test_chained_products_stay_bounded_and_right(name: str) -> None:
    core = variants(97)[name]
    for x, y, n in random_products(core, 4, seed=5):
        given: list[Linked] = [(x, y, n), *[(None, y, n)] * 60, *[(None, None, n)] * 60]
        products = simulate(core, given)
        pairs = zip(resolved(given, products), products, strict=True)
        assert all(is_right(core, operands, product) for operands, product in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("width_bits", [1024, 2048])
def test_ten_thousand_chained_products_are_right(name: str, width_bits: int) -> None:
    """Exponentiations with moduli that are 1 and 3 modulo 4, without reductions between products."""
    core = variants(width_bits)[name]
    trial = try_core(core, 10_000, width_bits, lambda _done: None, rtl=True, chained=True)
    assert len(trial.cycles) == 10_000
    assert trial.mismatches == 0
    assert min(trial.cycles) >= core.min_cycles
    assert max(trial.cycles) <= core.max_cycles


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("width_bits", [1024, 2048])
def test_a_thousand_products_of_extreme_and_random_operands_are_right(name: str, width_bits: int) -> None:
    core = variants(width_bits)[name]
    operands = random_products(core, 1_000)
    products = simulate(core, operands)
    assert all(is_right(core, given, product) for given, product in zip(operands, products, strict=True))


@pytest.mark.parametrize("name", VARIANTS)
def test_icarus_and_verilator_agree(name: str) -> None:
    core = variants(97)[name]
    operands = random_products(core, 10, seed=2)
    products = simulate(core, operands)
    assert icarus_agrees(core, operands, products)
    wrong = [*products[:-1], type(products[0])(products[-1].z, products[-1].cycles + 1)]
    assert not icarus_agrees(core, operands, wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_icarus_and_verilator_agree_at_1024_bits(name: str) -> None:
    core = variants(1024)[name]
    operands: list[Operands] = random_products(core, 4, seed=3)
    assert icarus_agrees(core, operands, simulate(core, operands))

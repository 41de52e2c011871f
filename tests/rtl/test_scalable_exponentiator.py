"""The scalable exponentiator: RTL against model, in value and clock cycles, at changing lengths."""

import random
from pathlib import Path

import pytest

from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Power, exponentiate
from monpro.flow.operands import sample_modulus

SHAPES: dict[str, dict[str, int]] = {
    "radix 2": {"radix_log2": 1, "word_width": 4, "num_pe": 4},
    "radix 4, Booth, constant time": {"word_width": 8, "num_pe": 8, "booth": 1, "constant_time": 1},
    "radix 4, words of the ports": {"word_width": 32, "num_pe": 16},
    "radix 8, right, Booth": {"radix_log2": 3, "word_width": 4, "num_pe": 2, "left_shift": 0, "booth": 1},
    "radix 16": {"radix_log2": 4, "word_width": 8, "num_pe": 4},
    "radix 16, right, an element": {"radix_log2": 4, "word_width": 4, "num_pe": 1, "left_shift": 0},
}
QUICK = {"radix 4, Booth, constant time", "radix 8, right, Booth", "radix 16"}


def shaped(width_bits: int, shape: str = "") -> ScalableExponentiator:
    """Return an exponentiator of a shape, or with the default parameters if the shape has no name."""
    return ScalableExponentiator(width_bits, **SHAPES.get(shape, {}))  # type: ignore[arg-type]


def random_powers(core: ScalableExponentiator, widths_bits: list[int], seed: int = 1) -> list[Power]:
    """Return a power of each width, some with bases and exponents at the ends of their ranges."""
    chance = random.Random(seed)
    powers = []
    for width in widths_bits:
        n = sample_modulus(width, chance)
        bound = core.operand_bound(n)
        x = chance.choice((0, 1, n - 1, n, bound - 1, *(chance.randrange(n) for _ in range(6))))
        e = chance.choice(
            (
                *(0, 1, 2, 3, 1 << width - 1, (1 << width) - 1),
                chance.getrandbits(width // 2),  # leading zeros
                chance.getrandbits(width // 2) << width // 2,  # trailing zeros
                chance.getrandbits(min(width + 40, core.exponent_bits)),  # longer than the modulus
                *(chance.getrandbits(width) for _ in range(6)),
            )
        )
        powers.append((x, e, n))
    return powers


def check(core: ScalableExponentiator, powers: list[Power], **driving: int) -> None:
    for power, result in zip(powers, exponentiate(core, powers, **driving), strict=True):
        assert result.z == pow(*power)
        assert result == core.run(*power)


@pytest.mark.parametrize(
    "shape",
    ["", *(name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in SHAPES)],
)
def test_hundreds_of_powers_of_every_length_on_one_build(shape: str) -> None:
    core, chance = shaped(64, shape), random.Random(3)
    check(core, random_powers(core, [16, 64, *(chance.randint(3, 64) for _ in range(300))]))
    few = random_powers(core, [chance.randint(3, 64) for _ in range(60)], seed=2)
    check(core, few, stall_seed=7)
    check(core, few, reset_seed=11)
    check(core, few, stall_seed=8, reset_seed=12)


def test_the_length_changes_between_powers_of_the_largest_build() -> None:
    core = shaped(4096)
    check(core, random_powers(core, [160, 256, 97, 512, 160, 8, 300, *range(248, 257), 160, 256, 160]))
    n = (1 << 4096) - 2549
    check(core, [(3, 65537, n), (5, 12345, 1023), (n - 1, 3, n), (7, 6, (1 << 2048) - 1942289)])


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["", *SHAPES])
@pytest.mark.parametrize("width_bits", [160, 256])
def test_powers_of_usual_sizes(width_bits: int, shape: str) -> None:
    core = shaped(width_bits, shape)
    check(core, random_powers(core, [width_bits] * 12))


def test_a_power_of_1024_bits_takes_two_products_a_bit_at_most() -> None:
    """[amberg08, §V] says 2n + 2 products."""
    core, n = shaped(4096), (1 << 1024) - 105
    chance = random.Random(4)
    check(core, [(chance.randrange(n), 1 << 1023 | chance.getrandbits(1023), n)])
    assert core.products((1 << 1024) - 1, n) == 2 * 1024
    assert ScalableExponentiator(1024, constant_time=True).products(0, n) == 2 * 1024 + 2


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", ScalableExponentiator.verified_widths_bits)
@pytest.mark.parametrize("variant", ScalableExponentiator.variants)
def test_every_named_configuration(variant: str, width_bits: int) -> None:
    parameters = ScalableExponentiator.variants[variant]
    core = ScalableExponentiator(width_bits, **parameters)  # type: ignore[arg-type]
    shorter = random_powers(core, [8, 64, 160, 255, 256, 160])
    longest_bits = min(width_bits, 1024) if core.constant_time else width_bits
    check(core, [*shorter, (3, 65537, (1 << longest_bits) - 105), *shorter])


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", [2048, 4096])
def test_a_power_of_the_longest_moduli(width_bits: int) -> None:
    core, chance = shaped(4096), random.Random(width_bits)
    n = 1 << width_bits - 1 | chance.getrandbits(width_bits - 1) | 1
    check(core, [(chance.randrange(n), chance.getrandbits(width_bits), n)])


def test_constant_time_takes_the_same_cycles_for_every_exponent() -> None:
    core, n = shaped(64, "radix 4, Booth, constant time"), (1 << 50) - 27
    powers = [(3, e, n) for e in (0, 1, 2, 1 << 49, (1 << 64) - 1, 0x5555)]
    check(core, powers)
    assert len({result.cycles for result in exponentiate(core, powers)}) == 1


@pytest.mark.parametrize("parameter", ["Width=4", "WordWidth=12", "NumPe=12"])
def test_parameters_that_do_not_fit_are_fatal(parameter: str, tmp_path: Path) -> None:
    module = "monpro_exp_scalable"
    name, value = parameter.split("=")
    program = str(tmp_path / "out")
    paths = list(map(str, sources.needed(module)))
    elements = [f"-P{module}.NumPe=30"] if name == "WordWidth" else []  # a number that fits these words
    override = [*elements, f"-P{module}.{name}={value}"]
    compile_ = ["-g2012", "-s", module, *override, "-o", program, *paths]
    tools.run("iverilog", compile_, log=tmp_path / "log")
    with pytest.raises(tools.ToolError, match=f"{name} = {value}"):
        tools.run("vvp", ["-n", program], log=tmp_path / "log")

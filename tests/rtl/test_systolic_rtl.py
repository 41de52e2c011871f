"""The systolic exponentiator and its array: RTL against model, and both against arithmetic."""

import random
from pathlib import Path

import pytest

from monpro.cores.systolic import Systolic
from monpro.cores.systolic_array import SUM, Array, Command, Schedule
from monpro.flow import sources, tools
from monpro.flow.exponentiate import Power, array_outputs, array_outputs_of, exponentiate
from monpro.flow.operands import sample_modulus
from monpro.spec import blum01

RADICES_LOG2 = (1, 2, 4)
UNIT_WIDTHS = (2, 4, 8)  # in radix 2
EDGE_EXPONENTS = (0, 1, 2, 3)


def random_powers(core: Systolic, count: int, seed: int = 1) -> list[Power]:
    """Return powers with short and long moduli, some with bases and exponents at the ends of their ranges."""
    rng = random.Random(seed)
    width = core.width_bits
    longest = (1 << core.exponent_bits) - 1
    powers = []
    for _ in range(count):
        n = sample_modulus(width, rng)
        x = rng.choice((0, 1, n - 1, n, core.operand_bound(n) - 1, *(rng.randrange(n) for _ in range(6))))
        e = rng.choice(
            (
                *EDGE_EXPONENTS,
                longest,
                1 << width - 1,
                rng.getrandbits(width // 2),  # leading zeros
                rng.getrandbits(width // 2) << width // 2,  # trailing zeros
                *(rng.getrandbits(width) for _ in range(6)),
            )
        )
        powers.append((x, e, n))
    return powers


def check(core: Systolic, powers: list[Power], *, stall_seed: int = 0) -> None:
    results = list(exponentiate(core, powers, stall_seed=stall_seed))
    for power, result in zip(powers, results, strict=True):
        assert result.z % power[2] == pow(*power)
        assert result == core.run(*power)


# ---- the array


Pair = tuple[int, int, int, int, int]  # the clock at unit 0, M̃, B, and the two operands that B multiplies


def chain(core: Systolic, start: int, length: int, rng: random.Random) -> tuple[list[Command], list[Pair]]:
    """Return commands from a clock on, and the pairs of products they compute; each square is the next B."""
    schedule, n = Schedule(core.digits, core.radix_log2), sample_modulus(core.width_bits, rng)
    m_tilde, bound = core.modulus_input(n), core.operand_bound(n)
    b = rng.choice((0, 1, bound - 1, rng.randrange(bound)))
    commands, pairs = [*schedule.modulus(m_tilde), *schedule.multiplicand(b)], []
    for _ in range(length):
        square, product = rng.choice((b, bound - 1)), rng.randrange(bound)
        pairs.append((start + len(commands), m_tilde, b, square, product))
        commands += schedule.products(square, product, SUM)
        b = blum01.mont(square, b, m_tilde, core.digits, core.radix_log2)
    return [*commands, *schedule.flush()], pairs


def check_pairs(core: Systolic, pairs: list[Pair], z: list[int]) -> None:
    for start, m_tilde, b, *operands in pairs:
        expected = (blum01.mont(a, b, m_tilde, core.digits, core.radix_log2) for a in operands)
        assert Schedule(core.digits, core.radix_log2).results(z, start) == tuple(expected)


@pytest.mark.parametrize("radix_log2", RADICES_LOG2)
@pytest.mark.parametrize(("width_bits", "chains"), [(8, 20), (16, 40), (61, 10)])
def test_the_array_and_its_model_agree_in_every_clock(width_bits: int, chains: int, radix_log2: int) -> None:
    core, rng = Systolic(width_bits, radix_log2=radix_log2), random.Random(width_bits)
    commands: list[Command] = []
    pairs: list[Pair] = []
    for _ in range(chains):
        more = chain(core, len(commands), 8, rng)
        commands += more[0]
        pairs += more[1]
    array = Array(core.digits, radix_log2)
    modelled = [array.clock(command) for command in commands]
    check_pairs(core, pairs, modelled)
    settled = 2 * (core.digits + 3)  # without a reset, old contents of the array leave to the left and right
    assert array_outputs(core, commands)[settled:] == modelled[settled:]


@pytest.mark.parametrize("radix_log2", RADICES_LOG2)
def test_a_thousand_products_are_those_of_the_spec(radix_log2: int) -> None:
    core, rng = Systolic(32, radix_log2=radix_log2), random.Random(5)
    schedule = Schedule(core.digits, radix_log2)
    commands: list[Command] = []
    pairs: list[Pair] = []
    for _ in range(500):
        n = sample_modulus(core.width_bits, rng)
        m_tilde, bound = core.modulus_input(n), core.operand_bound(n)
        b, square, product = (rng.choice((0, 1, bound - 1, *[rng.randrange(bound)] * 5)) for _ in range(3))
        commands += [*schedule.modulus(m_tilde), *schedule.multiplicand(b)]
        pairs.append((len(commands), m_tilde, b, square, product))
        commands += [*schedule.products(square, product), *schedule.flush()]
    check_pairs(core, pairs, array_outputs(core, commands))


@pytest.mark.parametrize("radix_log2", [3, 6, 8])
def test_the_array_takes_any_radix_up_to_256(radix_log2: int) -> None:
    """The exponentiator exists for fewer; the array shows what a larger radix would cost [blum01, §4.1]."""
    rng, digits = random.Random(radix_log2), 5
    schedule, array = Schedule(digits, radix_log2), Array(digits, radix_log2)
    commands: list[Command] = []
    expected: list[tuple[int, tuple[int, int]]] = []
    for _ in range(20):
        m_tilde = blum01.m_tilde(sample_modulus(digits * radix_log2, rng), radix_log2)
        b, square, product = (rng.randrange(2 * m_tilde) for _ in range(3))
        commands += [*schedule.modulus(m_tilde), *schedule.multiplicand(b)]
        results = tuple(blum01.mont(a, b, m_tilde, digits, radix_log2) for a in (square, product))
        expected.append((len(commands), (results[0], results[1])))
        commands += [*schedule.products(square, product), *schedule.flush()]
    parameters = {"Digits": str(digits), "RadixLog2": str(radix_log2)}
    for z in (
        [array.clock(command) for command in commands],
        array_outputs_of("monpro_mul_systolic", parameters, commands),
    ):
        assert [(start, schedule.results(z, start)) for start, _ in expected] == expected


@pytest.mark.parametrize("unit_width", UNIT_WIDTHS)
@pytest.mark.parametrize(("width_bits", "chains"), [(8, 20), (16, 40), (61, 10)])
def test_an_array_of_wider_units_computes_the_same_products(
    width_bits: int, chains: int, unit_width: int
) -> None:
    core = Systolic(width_bits, radix_log2=1, unit_width=unit_width)
    rng = random.Random(width_bits)
    commands: list[Command] = []
    pairs: list[Pair] = []
    for _ in range(chains):
        more = chain(core, len(commands), 8, rng)
        commands += more[0]
        pairs += more[1]
    check_pairs(core, pairs, array_outputs(core, commands))


def test_products_follow_one_another_as_published() -> None:
    """[blum01, §4.3, §5.2]: 2m + 20 clocks in radix 16, 2m + 8 in radix 2."""
    assert Schedule(256, 4).pitch == 2 * 256 + 20
    assert Schedule(1024, 1).pitch == 2 * 1024 + 8


# ---- the exponentiator


@pytest.mark.parametrize("radix_log2", RADICES_LOG2)
@pytest.mark.parametrize(
    ("width_bits", "word_width", "count"),
    [
        (16, 8, 1000),
        (64, 32, 300),
        *(
            pytest.param(*size, marks=pytest.mark.slow)
            for size in ((8, 8, 1000), (16, 32, 1000), (33, 16, 1000), (64, 32, 1000), (160, 32, 300))
        ),
    ],
)
def test_powers_are_right_and_take_the_cycles_of_the_model(
    width_bits: int, word_width: int, count: int, radix_log2: int
) -> None:
    core = Systolic(width_bits, word_width=word_width, radix_log2=radix_log2)
    check(core, random_powers(core, count))


@pytest.mark.parametrize(("width_bits", "unit_width"), [(16, 2), (33, 4), (64, 4), (61, 8)])
def test_powers_by_wider_units_take_the_same_cycles(width_bits: int, unit_width: int) -> None:
    core = Systolic(width_bits, word_width=8, radix_log2=1, unit_width=unit_width)
    check(core, random_powers(core, 100))
    check(core, random_powers(core, 20, seed=2), stall_seed=7)


@pytest.mark.parametrize("width_bits", [160, 256, pytest.param(255, marks=pytest.mark.slow)])
def test_hundreds_of_powers_are_right_in_radix_16(width_bits: int) -> None:
    core = Systolic(width_bits)
    check(core, random_powers(core, 300))


@pytest.mark.slow
@pytest.mark.parametrize("width_bits", [2048, 4096])
def test_large_moduli_take_short_exponents(width_bits: int) -> None:
    core, n = Systolic(width_bits), (1 << width_bits) - 1
    x = random.Random(width_bits).randrange(n)
    check(core, [(x, 65537, n), (n - 1, 0, n), (x, 1, n)])


@pytest.mark.parametrize("radix_log2", RADICES_LOG2)
def test_pauses_at_the_ports_change_nothing(radix_log2: int) -> None:
    core = Systolic(16, word_width=8, radix_log2=radix_log2)
    check(core, random_powers(core, 60, seed=2), stall_seed=7)


def test_the_cycles_are_those_of_the_paper() -> None:
    """[blum01, §5.1, §5.2]: 2(n + 2)(m + 10) in radix 16 and 2(n + 2)(m + 4) in radix 2, plus a constant."""
    for radix_log2, more in ((4, 10), (1, 4)):
        core = Systolic(64, radix_log2=radix_log2)
        exponents = [(1 << bits) - 1 for bits in (0, 1, 17, 31, 32, 33, 64)]
        powers = [(3, e, (1 << 64) - 59) for e in exponents]
        for e, result in zip(exponents, exponentiate(core, powers), strict=True):
            steps = e.bit_length()
            assert result.cycles - core.overhead_cycles == 2 * (steps + 2) * (core.digits + more)
    assert Systolic(512).overhead_cycles == 5


@pytest.mark.parametrize("radix_log2", [4, *(pytest.param(k, marks=pytest.mark.slow) for k in (1, 2))])
def test_constant_time_takes_the_same_cycles_for_every_exponent(radix_log2: int) -> None:
    core = Systolic(16, word_width=8, radix_log2=radix_log2, constant_time=True)
    powers = random_powers(core, 100)
    check(core, powers)
    assert {result.cycles for result in exponentiate(core, powers)} == {core.max_cycles}


def test_a_reset_at_any_time_leaves_nothing_behind() -> None:
    core = Systolic(16, word_width=8)
    powers = random_powers(core, 100, seed=3)
    results = list(exponentiate(core, powers, reset_seed=11))
    assert results == [core.run(*power) for power in powers]


@pytest.mark.parametrize("parameter", ["Width=4", "RadixLog2=3", "WordWidth=6", "UnitWidth=2"])
def test_a_parameter_out_of_range_is_fatal(parameter: str, tmp_path: Path) -> None:
    module = "monpro_exp_systolic"
    name, value = parameter.split("=")
    program = str(tmp_path / "out")
    paths = list(map(str, sources.needed(module)))
    compile_ = ["-g2012", "-s", module, f"-P{module}.{name}={value}", "-o", program, *paths]
    tools.run("iverilog", compile_, log=tmp_path / "log")
    with pytest.raises(tools.ToolError, match=f"{name} = {value}"):
        tools.run("vvp", ["-n", program], log=tmp_path / "log")

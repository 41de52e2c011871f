"""The cores' models against plain arithmetic: values, bounds, cycles, refused operands."""

import random
from collections import Counter
from itertools import pairwise, product

import pytest

from monpro.cores import (
    VARIANTS,
    Core,
    Result,
    architectures,
    configurations,
    core,
    design,
    variants,
)
from monpro.cores.mm import Mm
from monpro.cores.scs_mm_new import ScsMmNew
from monpro.flow.operands import count_of_products
from monpro.spec import kuang16

CHAIN = 200

every_variant = pytest.mark.parametrize("variant", VARIANTS)


def of(variant: str, width_bits: int) -> Core:
    """Return the core of a variant."""
    return variants(width_bits)[variant]


def moduli(bits: int, chance: random.Random) -> tuple[int, ...]:
    """Return odd moduli of both classes modulo 4: the extremes of the size, short ones, random ones."""
    top, noise = 1 << bits - 1, chance.getrandbits(bits)
    return (2 * top - 1, 2 * top - 3, top + 1, top + 3, 3, noise & ~2 | top | 1, noise | top | 3)


def check(multiplier: Core, x: int, y: int, n: int) -> int:
    """Check one product, its bound and its cycles; return its port value."""
    result = multiplier.run(x, y, n)
    value = multiplier.value(result.z)
    assert (value << multiplier.r_log2) % n == multiplier.value(x) * multiplier.value(y) % n
    assert value < multiplier.result_bound(n)
    assert multiplier.min_cycles <= result.cycles <= multiplier.max_cycles
    return result.z


def check_every_product(multiplier: Core) -> None:
    """Check all operands of all moduli; if ports carry pairs, x is the pair (x, 0)."""
    for n in range(3, 1 << multiplier.width_bits, 2):
        for x, y in product(range(multiplier.operand_bound(n)), repeat=2):
            check(multiplier, x, y, n)


@every_variant
def test_every_product_of_narrow_cores(variant: str) -> None:
    for width_bits in range(2, 6):
        if count_of_products(of(variant, width_bits)) < 150_000:
            check_every_product(of(variant, width_bits))


@pytest.mark.slow
@every_variant
def test_every_product_of_wider_cores(variant: str) -> None:
    for width_bits in range(4, 7):
        if 150_000 <= count_of_products(of(variant, width_bits)) < 1_000_000:
            check_every_product(of(variant, width_bits))


@pytest.mark.parametrize("width_bits", [8, 16, 64, 97, 255, 256])
@every_variant
def test_products_of_the_extremes_and_of_random_operands(variant: str, width_bits: int) -> None:
    chance, multiplier = random.Random(width_bits), of(variant, width_bits)
    for n in moduli(width_bits, chance):
        top = multiplier.operand_bound(n) - 1
        for x, y in product((0, 1, top, chance.randint(0, top)), repeat=2):
            check(multiplier, x, y, n)


@every_variant
def test_products_of_1024_bits(variant: str) -> None:
    chance, multiplier = random.Random(1024), of(variant, 1024)
    for n in moduli(1024, chance):
        top = multiplier.operand_bound(n) - 1
        check(multiplier, top, top, n)
        check(multiplier, chance.randint(0, top), chance.randint(0, top), n)


@pytest.mark.parametrize("width_bits", [8, 97, 256])
@every_variant
def test_chained_squarings_stay_bounded(variant: str, width_bits: int) -> None:
    """The port value of each result is the next operand, also for pairs."""
    chance, multiplier = random.Random(width_bits), of(variant, width_bits)
    for n in moduli(width_bits, chance)[: 2 if width_bits == 256 else 5]:
        z = multiplier.operand_bound(n) - 1
        for _ in range(CHAIN):
            z = check(multiplier, z, z, n)


@every_variant
def test_powers_are_those_of_python(variant: str) -> None:
    for width_bits in (8, 64, 97):
        chance, multiplier = random.Random(width_bits), of(variant, width_bits)
        for n in moduli(width_bits, chance):
            for e in (0, 1, 2, 65537, chance.getrandbits(24)):
                x = chance.getrandbits(width_bits)
                assert multiplier.power(x, e, n).z == pow(x, e, n)


@every_variant
def test_montgomery_form_is_left_exactly(variant: str) -> None:
    """Host software converts in one step; on the core, a product with 1 leaves a final reduction."""
    multiplier, chance = of(variant, 16), random.Random(16)
    for n in moduli(16, chance):
        constants = multiplier.constants(n)
        for x in (0, 1, n - 1, chance.randrange(n)):
            z = multiplier.to_montgomery(x, n)
            assert multiplier.from_montgomery(z, n) == x
            assert multiplier.value(multiplier.run(x, constants["r2"], n).z) % n == z
            left = multiplier.value(multiplier.run(z, 1, n).z)
            assert left % n == x
            assert left <= multiplier.effective_modulus(n)
        assert multiplier.to_montgomery(1, n) == constants["r"]


@pytest.mark.parametrize("name", ["fcs-mmm42", "scs-mm-new"])
def test_leaving_by_a_product_with_1_needs_a_reduction(name: str) -> None:
    multiplier, n = core(name, 16), 2**16 - 3
    left = [multiplier.run(multiplier.to_montgomery(x, n), 1, n).z for x in range(1, 200)]
    assert any(value >= n for value in left)


@every_variant
def test_the_cycles_vary_unless_a_core_takes_constant_time(variant: str) -> None:
    chance, multiplier = random.Random(64), of(variant, 64)
    cycles = set()
    for n in moduli(64, chance):
        top = multiplier.operand_bound(n)
        cycles |= {multiplier.run(chance.randrange(top), chance.randrange(top), n).cycles for _ in range(20)}
    assert (len(cycles) == 1) == multiplier.is_constant_time


def test_cycles_of_the_constant_time_cores() -> None:
    for variant, cycles in {
        "mm-1024": 1025,
        "scs-mm-1-1024": 1058,
        "scs-mm-1-1024-cpa64": 1042,
        "scs-mm-1-2048": 2114,
        "scs-mm-1-2048-cpa64": 2082,
        "fcs-mm-1-1024": 1026,
        "fcs-mm-1-2048": 2050,
        "fcs-mm-2-1024": 1027,
        "fcs-mm-2-2048": 2051,
        "scalable-1024": 16 * 66 + 36 + 65 + 5,
        "scalable-1024-right-radix8-booth": 10 * 65 + 64 + 65 + 5,
        "scalable-4096": 64 * 258 + 36 + 257 + 5,
    }.items():
        multiplier = configurations()[variant]
        assert (multiplier.min_cycles, multiplier.max_cycles) == (cycles, cycles)


def test_the_last_slice_of_a_converter_may_be_a_short_one() -> None:
    assert core("scs-mm-1", 97).max_cycles == 97 + 2 + 4
    assert core("scs-mm-1", 8).max_cycles == 8 + 2 + 1


@pytest.mark.parametrize("configurable", [False, True])
def test_constant_time_leaves_room_for_every_carry_chain(configurable: bool) -> None:
    """Both carry propagations end within their fixed number of clocks, for every product of 3 bits."""
    multiplier = ScsMmNew(3, configurable=configurable, constant_time=True)
    needed: Counter[str] = Counter()
    for n in (3, 5, 7):
        for x, y in product(range(multiplier.operand_bound(n)), repeat=2):
            adder = kuang16.Adder()
            kuang16.scs_mm_new(x, y, n, multiplier.iteration_bits, adder, configurable=configurable)
            needed |= adder.clocks
    assert needed[kuang16.PRECOMPUTATION] <= 1 + multiplier.conversion_cycles
    assert needed[kuang16.CONVERSION] <= multiplier.conversion_cycles


@pytest.mark.parametrize("name", ["scs-mm-2", "mscs-mm", "fcs-mmm42"])
def test_the_bounds_of_the_cycles_are_nearly_met(name: str) -> None:
    multiplier = {architecture.name: architecture for architecture in architectures()}[name](4)
    cycles = {
        multiplier.run(x, y, n).cycles
        for n in (9, 11, 13, 15)
        for x, y in product(range(multiplier.operand_bound(n)), repeat=2)
    }
    assert min(cycles) - multiplier.min_cycles <= 1
    assert multiplier.max_cycles - max(cycles) <= 3


@pytest.mark.parametrize(
    ("variant", "least", "most"),
    [
        ("scs-mm-2", (99, 100), (147, 148)),  # K + 3 to K + 2 + ⌈(K + 1)/2⌉
        ("mscs-mm", (100, 101), (293, 296)),  # K + 4 to 3K + 5
        ("fcs-mmm42", (53, 54), (105, 106)),  # 1 + ⌈(K' + 6)/2⌉ to K' + 7
        ("scs-mm-new", (59, 60), (210, 211)),  # 7 + ⌈(K' + 6)/2⌉ to K' + 12 + 2⌈(K' + 1)/2⌉
        ("scs-mm-new-plain-adder", (59, 60), (308, 311)),  # 7 + ⌈(K' + 6)/2⌉ to 3K' + 14
        ("scs-mm-new-constant-time", (206, 207), (206, 207)),  # K' + 8 + 2⌈(K' + 1)/2⌉
    ],
)
def test_the_bounds_of_the_cycles_at_96_and_97_bits(
    variant: str, least: tuple[int, int], most: tuple[int, int]
) -> None:
    cores = (of(variant, 96), of(variant, 97))
    assert tuple(multiplier.min_cycles for multiplier in cores) == least
    assert tuple(multiplier.max_cycles for multiplier in cores) == most
    zeros = tuple(multiplier.run(0, 0, (1 << multiplier.width_bits) - 17).cycles for multiplier in cores)
    assert zeros == least, "nothing is added and no carry propagates"


def test_the_parameters_of_proofs_make_two_slices() -> None:
    """As in the RTL: ⌈K/CpaWidth⌉ slices of a converter, ⌈(K' + 6)/SliceWidth⌉ of an adder."""
    for width_bits in range(2, 20):
        assert -(-width_bits // of("scs-mm-1", width_bits).proof_parameters["CpaWidth"]) == 2
        slice_bits = of("scs-mm-new", width_bits).proof_parameters["SliceWidth"]
        assert -(-(width_bits + 8) // slice_bits) == 2
        assert slice_bits >= 9 or width_bits < 8, "the RTL refuses shorter ones"
    assert of("mm", 8).proof_parameters == {}


def test_configurations_are_named_by_architecture_width_and_variant() -> None:
    found = configurations()
    assert len(found) == sum(
        len(architecture.variants) * len(architecture.verified_widths_bits)
        for architecture in architectures()
    )
    multiplier = found["scs-mm-new-1024"]
    assert multiplier.top == "monpro_mul_scs_mm_new"
    assert multiplier.parameters == {
        "Configurable": 1,
        "ConsecutiveSkip": 1,
        "ConstantTime": 0,
        "Width": 1024,
    }
    assert found["scs-mm-1-1024-cpa64"].parameters == {"CpaWidth": 64, "Width": 1024}
    assert found["fcs-mm-1-1024-pairs"].operand_bits == 2 * 1025
    assert (multiplier.operand_bits, multiplier.modulus_bits, multiplier.r_log2) == (1027, 1026, 1028)


def test_configurations_of_an_architecture_differ_in_their_parameters() -> None:
    for architecture in architectures():
        parameters = [str(architecture(64, **chosen).parameters) for chosen in architecture.variants.values()]
        assert len(parameters) == len(set(parameters))


def test_equal_results_are_one_in_a_set() -> None:
    assert len({Result(1, 2), Result(1, 2), Result(1, 3)}) == 2


def test_a_width_is_from_2_to_4096_bits() -> None:
    assert [Mm(width_bits).width_bits for width_bits in (2, 4096)] == [2, 4096]
    for width_bits in (1, 0, -1, 4097):
        with pytest.raises(ValueError, match=f"mm has widths up to 4096 bits, not {width_bits}"):
            Mm(width_bits)


def test_the_command_line_names_the_settings_that_are_not_usual() -> None:
    assert Mm(64).arguments == "mm"
    assert ScsMmNew(64, constant_time=True).arguments == "scs-mm-new --set constant_time=1"
    assert core("scs-mm-1", 64, {"cpa_width": 64}).arguments == "scs-mm-1 --set cpa_width=64"


def test_a_configuration_has_a_name_with_all_parameters_and_says_how_wide_its_ports_are() -> None:
    assert Mm(64).configuration == "monpro_mul_mm-Width64"
    assert core("scs-mm-1", 64, {"cpa_width": 64}).configuration == "monpro_mul_scs_mm_1-CpaWidth64-Width64"
    assert Mm(64).wide_ports == {"operand_bits": 64, "modulus_bits": 64}
    assert ScsMmNew(64).wide_ports == {"operand_bits": 67, "modulus_bits": 66}
    assert design("systolic", 64).wide_ports == {}


def test_the_settings_that_are_0_or_1_are_known() -> None:
    assert ScsMmNew(64).switches == {"Configurable", "ConsecutiveSkip", "ConstantTime"}
    assert Mm(64).switches == set()
    assert core("scs-mm-1", 64).switches == set()


def test_the_cycles_of_a_power_are_those_of_its_products() -> None:
    """A square for each bit, a product for each 1, one to leave Montgomery form: K + 1 = 17 clocks each."""
    assert [Mm(16).power(3, e, 65521).cycles for e in (0, 1, 5)] == [17 * 2, 17 * 3, 17 * 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scs-mm-3", 64), "there is no core 'scs-mm-3'; there are: mm, scs-mm-1"),
        (("mm", 7), "mm has widths from 8 to 4096 bits, not 7"),
        (("mm", 4097), "mm has widths from 8 to 4096 bits, not 4097"),
        (("mm", 64, {"cpa_width": 32}), "mm has no parameter 'cpa_width'; it has: none but its width"),
        (("scs-mm-1", 64, {"cpa_width": 16}), "cpa_width of scs-mm-1 is 32 or 64, not 16"),
        (("scs-mm-new", 64, {"configurable": 2}), "configurable of scs-mm-new is 0 or 1, not 2"),
    ],
)
def test_unknown_cores_are_refused_in_one_line(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refusal:
        core(*arguments)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("x", "y", "n", "message"),
    [
        (1, 1, 100, "the modulus must be odd and from 3 to 255, not 100"),
        (1, 1, 257, "the modulus must be odd and from 3 to 255, not 257"),
        (1, 1, 1, "the modulus must be odd"),
        (510, 1, 255, "operands of scs-mm-2 must be from 0 to 509, not 510"),
        (1, -1, 255, "operands of scs-mm-2 must be from 0 to 509, not -1"),
    ],
)
def test_operands_out_of_bounds_are_refused(x: int, y: int, n: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        core("scs-mm-2", 8).run(x, y, n)


def test_pairs_out_of_bounds_are_refused() -> None:
    multiplier = core("fcs-mm-1", 8, {"carry_save_ports": 1})
    assert multiplier.value(300 | 209 << 9) == 509
    check(multiplier, 300 | 209 << 9, 1, 255)
    with pytest.raises(ValueError, match="must be from 0 to 509"):
        multiplier.run(300 | 210 << 9, 1, 255)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "scalable" not in variant])
def test_the_ports_have_the_bits_of_the_largest_operand(variant: str) -> None:
    for width_bits in range(4, 9):
        multiplier = of(variant, width_bits)
        of_width = range(3, 1 << width_bits, 2)
        largest = max(multiplier.operand_bound(n) - 1 for n in of_width)
        assert multiplier.value_bits == largest.bit_length()
        assert multiplier.modulus_bits == max(multiplier.modulus_input(n) for n in of_width).bit_length()


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "scalable" in variant])
def test_the_ports_of_the_scalable_multiplier_have_the_bits_of_twice_the_radix_times_a_modulus(
    variant: str,
) -> None:
    multiplier = of(variant, 64)
    assert multiplier.value_bits == 64 + 1 + multiplier.parameters["RadixLog2"]
    assert multiplier.modulus_bits == 64


def test_the_widths_of_the_ports_grow_with_the_width() -> None:
    for variant in VARIANTS:
        for narrow, wide in pairwise(of(variant, width_bits) for width_bits in range(8, 12)):
            assert wide.operand_bits > narrow.operand_bits
            whole_passes = narrow.name == "scalable"  # R is rounded up to whole passes
            assert wide.r_log2 == narrow.r_log2 + (0 if whole_passes else 1)

"""The systolic array clock by clock: its products are those of the paper's algorithm, whatever ran before."""

import random

import pytest

from monpro.cores.systolic_array import CLEAR, HOLD, IDLE, LOAD, SUM, Array, Arrival, Command, Schedule
from monpro.flow.operands import sample_modulus
from monpro.spec import blum01

SHAPES = [(1, 8), (1, 13), (2, 5), (3, 5), (4, 3), (4, 6)]  # radix_log2, digits

every_shape = pytest.mark.parametrize(("radix_log2", "digits"), SHAPES)


@every_shape
def test_each_square_is_the_next_multiplicand_and_each_product_is_right(radix_log2: int, digits: int) -> None:
    """Chains of squares with new moduli between them, which old multiples must not reach."""
    rng, schedule = random.Random(digits), Schedule(digits, radix_log2)
    commands: list[Command] = []
    expected: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(6):
        m_tilde = blum01.m_tilde(sample_modulus(digits * radix_log2, rng), radix_log2)
        b = rng.choice((1, 2 * m_tilde - 1, rng.randrange(2 * m_tilde)))
        commands += [*schedule.modulus(m_tilde), *schedule.multiplicand(b)]
        for _ in range(4):
            operands = (rng.choice((b, 2 * m_tilde - 1)), rng.randrange(2 * m_tilde))
            results = tuple(blum01.mont(a, b, m_tilde, digits, radix_log2) for a in operands)
            expected.append((len(commands), results))
            commands += schedule.products(*operands, SUM)
            b = results[0]
        commands += schedule.flush()
    array = Array(digits, radix_log2)
    z = [array.clock(command) for command in commands]
    assert [(start, schedule.results(z, start)) for start, _ in expected] == expected


@every_shape
def test_a_multiplicand_that_is_held_multiplies_again(radix_log2: int, digits: int) -> None:
    rng, schedule = random.Random(digits), Schedule(digits, radix_log2)
    m_tilde = blum01.m_tilde(sample_modulus(digits * radix_log2, rng), radix_log2)
    b, *operands = (rng.randrange(2 * m_tilde) for _ in range(7))
    commands = [*schedule.modulus(m_tilde), *schedule.multiplicand(b)]
    starts = []
    for square, product in zip(operands[::2], operands[1::2], strict=True):
        starts.append(len(commands))
        commands += schedule.products(square, product, HOLD)
    array = Array(digits, radix_log2)
    z = [array.clock(command) for command in (*commands, *schedule.flush())]
    results = [result for start in starts for result in schedule.results(z, start)]
    assert results == [blum01.mont(a, b, m_tilde, digits, radix_log2) for a in operands]


@every_shape
def test_the_schedule_has_the_clocks_of_the_paper(radix_log2: int, digits: int) -> None:
    """A pair starts every 2(m + 3) + max(2^k − 2, 2) clocks [blum01, §4.3 and §5.2]."""
    schedule = Schedule(digits, radix_log2)
    pitch = 2 * (digits + 3) + max((1 << radix_log2) - 2, 2)
    assert len(list(schedule.products(1, 1, SUM))) == schedule.pitch == pitch
    loads = 1 + (radix_log2 > 1) + digits + 3 + (1 << radix_log2) - 1
    assert len(list(schedule.modulus(1))) == len(list(schedule.multiplicand(1))) == loads
    assert list(schedule.flush()) == [IDLE] * (2 * digits + 8)


def test_an_array_that_is_idle_stays_zero() -> None:
    array = Array(4, 2)
    for _ in range(40):
        registers = {(unit.b, unit.full, unit.multiple, unit.z, unit.s) for unit in array.units}
        assert registers == {(0, False, 0, 0, 0)}
        assert array.arrivals == [Arrival(Command(a=0), q=0, carries=(0, 0), multiple_carry=0)] * 7
        assert array.clock(IDLE) == 0
    assert [unit.digit_bits for unit in array.units] == [2] * 6 + [3]


def test_clearing_leaves_one_digit_in_the_unit_of_the_lowest_digit() -> None:
    """The lowest digit of B is in unit 1, because B is shifted left by a digit."""
    array = Array(2, 2)
    for command in (*Schedule(2, 2).multiplicand(0x155), Command(source=CLEAR, a=2), *[IDLE] * 6):
        array.clock(command)
    assert [unit.b for unit in array.units] == [0, 2, 0, 0, 0]


def test_the_first_quotient_of_a_product_is_zero() -> None:
    array = Array(2, 2)
    array.clock(Command(first=True, a=3))
    assert array.arrivals[1].q == 0


def test_units_of_radix_2_keep_no_multiples() -> None:
    array, schedule = Array(4, 1), Schedule(4, 1)
    for command in (*schedule.modulus(13), *schedule.multiplicand(11), *schedule.products(5, 6, SUM)):
        array.clock(command)
        assert [unit.multiple for unit in array.units] == [0] * 7


def test_the_commands_are_those_of_the_array() -> None:
    """Of one digit: first, last, source, write_b, write_m, a."""
    in_radix_4 = Schedule(1, 2)
    loads = [(0, 0, LOAD, 0, 0, a) for a in (1, 3, 0, 0)]
    assert list(in_radix_4.modulus(0b1101)) == [
        *[(0, 0, CLEAR, 0, 0, 0), (0, 0, HOLD, 1, 1, 0), *loads],
        *[(0, 0, HOLD, 0, 1, a) for a in (1, 2, 3)],
    ]
    assert list(in_radix_4.multiplicand(0b0111)) == [
        *[(0, 0, CLEAR, 0, 0, 0), (0, 0, HOLD, 1, 1, 0)],
        *[(0, 0, LOAD, 0, 0, a) for a in (0, 3, 1, 0)],
        *[(0, 0, HOLD, 1, 0, a) for a in (1, 2, 3)],
    ]
    assert list(in_radix_4.products(0b0110, 0b1001, SUM)) == [
        *[(1, 0, HOLD, 0, 0, 2), (1, 0, HOLD, 0, 0, 1), (0, 0, HOLD, 0, 0, 1), (0, 0, HOLD, 0, 0, 2)],
        *[(0, 0, HOLD, 0, 0, 0), (0, 0, HOLD, 0, 0, 0), (0, 1, SUM, 0, 0, 0), (0, 1, HOLD, 1, 0, 1)],
        *[(0, 0, HOLD, 1, 0, 2), (0, 0, HOLD, 1, 0, 3)],
    ]
    assert list(Schedule(1, 1).products(0b011, 0b101, SUM)) == [
        *[(1, 0, HOLD, 0, 0, 1), (1, 0, HOLD, 0, 0, 1), (0, 0, HOLD, 0, 0, 1), (0, 0, HOLD, 0, 0, 0)],
        *[(0, 0, HOLD, 0, 0, 0), (0, 0, HOLD, 0, 0, 1), (0, 1, SUM, 0, 0, 0), (0, 1, HOLD, 0, 0, 0)],
        *[(0, 0, HOLD, 0, 0, 0), (0, 0, HOLD, 0, 0, 0)],
    ]


def test_the_highest_digit_of_a_result_counts() -> None:
    """Most results below 2·M̃ are below 2^(k·(m + 1)) as well."""
    m_tilde, digits, radix_log2 = blum01.m_tilde(953, 2), 5, 2
    operand = 2 * m_tilde - 1
    expected = blum01.mont(operand, operand, m_tilde, digits, radix_log2)
    assert expected >> radix_log2 * (digits + 1) == 1
    array, schedule = Array(digits, radix_log2), Schedule(digits, radix_log2)
    loads = [*schedule.modulus(m_tilde), *schedule.multiplicand(operand)]
    commands = [*loads, *schedule.products(operand, operand), *schedule.flush()]
    z = [array.clock(command) for command in commands]
    assert schedule.results(z, len(loads)) == (expected, expected)

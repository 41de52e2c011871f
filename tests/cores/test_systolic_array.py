"""The systolic array clock by clock: its products are those of the paper's algorithm, whatever ran before."""

import random

import pytest

from monpro.cores.systolic_array import HOLD, IDLE, SUM, Array, Command, Schedule
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
    assert [array.clock(IDLE) for _ in range(40)] == [0] * 40
    assert [unit.digit_bits for unit in array.units] == [2] * 6 + [3]

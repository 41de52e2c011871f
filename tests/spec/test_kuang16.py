# ruff: noqa: N803, N806  (the letters of the paper)
"""The carry-save products of kuang16 against plain arithmetic, their widths, and the errata."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product

import pytest

from monpro.spec import kuang16
from monpro.spec.kuang16 import Adder, Pair

Algorithm = Callable[[int, int, int, int], int]  # A, B, N, k
CHAIN = 200


def as_pairs(full: Callable[[Pair, Pair, int, int, Adder], Pair], extra_bits: int) -> Algorithm:
    """Return a full carry-save algorithm as one on numbers, which are split into pairs at random."""

    def run(A: int, B: int, N: int, k: int) -> int:
        chance = random.Random(A ^ B ^ N)
        AC, BC = chance.randint(0, A), chance.randint(0, B)
        return sum(full((A - AC, AC), (B - BC, BC), N, k, Adder(k + extra_bits)))

    return run


def with_adder(algorithm: Callable[[int, int, int, int, Adder], int], extra_bits: int) -> Algorithm:
    """Return an algorithm on an adder with this many bits more than k."""
    return lambda A, B, N, k: algorithm(A, B, N, k, Adder(k + extra_bits))


def without_configurable_adder(A: int, B: int, N: int, k: int, adder: Adder) -> int:
    return kuang16.scs_mm_new(A, B, N, k, adder, configurable=False)


def without_consecutive_skips(A: int, B: int, N: int, k: int, adder: Adder) -> int:
    return kuang16.scs_mm_new(A, B, N, k, adder, consecutive_skips=False)


PLAIN: dict[str, Algorithm] = {
    "mm_walter": kuang16.mm_walter,
    "scs": with_adder(kuang16.scs, 3),
    "scs_mm_2": with_adder(kuang16.scs_mm_2, 3),
    "fcs_mm_1": as_pairs(kuang16.fcs_mm_1, 3),
    "fcs_mm_2": as_pairs(kuang16.fcs_mm_2, 3),
    "mscs_mm": with_adder(kuang16.mscs_mm, 3),
}
WITH_N_HAT: dict[str, Algorithm] = {
    "fcs_mmm42": as_pairs(kuang16.fcs_mmm42, 6),
    "scs_mm_new": with_adder(kuang16.scs_mm_new, 6),
    "scs_mm_new, plain adder": with_adder(without_configurable_adder, 6),
    "scs_mm_new, no consecutive skips": with_adder(without_consecutive_skips, 6),
}
ALGORITHMS = {**PLAIN, **WITH_N_HAT}
SIZES = (3, 8, 16, 64, 97, 255, 256)


def modulus(name: str, N: int) -> int:
    """Return the multiple of N by which an algorithm reduces."""
    return kuang16.n_hat(N) - 1 if name in WITH_N_HAT else N


def moduli(bits: int, chance: random.Random) -> Iterator[int]:
    """Yield odd moduli of both classes modulo 4: the extremes of the size, and random ones."""
    yield from (2**bits - 1, 2**bits - 3, 2 ** (bits - 1) + 1, 2 ** (bits - 1) + 3)
    for _ in range(6):
        yield chance.getrandbits(bits) | 1 << bits - 1 | 1


def check(name: str, A: int, B: int, N: int) -> None:
    """Check one product of an algorithm with the k that its bounds require."""
    M = modulus(name, N)
    S = ALGORITHMS[name](A, B, N, M.bit_length())
    assert (S << M.bit_length() + 2) % N == A * B % N, f"{name}: {A} * {B} modulo {N}"
    assert 0 <= S < 2 * M, f"{name}: {S} for {A} * {B} modulo {N}"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_product_of_small_moduli_is_right_and_bounded(name: str) -> None:
    for N in range(1, 16 if name in PLAIN else 10, 2):
        for A, B in product(range(2 * modulus(name, N)), repeat=2):
            check(name, A, B, N)


@pytest.mark.parametrize("bits", SIZES)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_products_are_right_and_bounded(name: str, bits: int) -> None:
    chance = random.Random(bits)
    for N in moduli(bits, chance):
        top = 2 * modulus(name, N) - 1
        operands = (0, 1, top, chance.randint(0, top), chance.randint(0, top))
        for A, B in product(operands, repeat=2):
            check(name, A, B, N)


def test_mm_of_small_moduli_is_reduced() -> None:
    """The product may be N itself before step 6: 3·5 modulo 15."""
    for N in range(1, 16, 2):
        for A, B in product(range(N), repeat=2):
            S = kuang16.mm(A, B, N, 4)
            assert (S << 4) % N == A * B % N
            assert 0 <= S < N


@pytest.mark.parametrize("bits", SIZES)
def test_mm_is_reduced(bits: int) -> None:
    chance = random.Random(bits)
    for N in moduli(bits, chance):
        for A, B in product((0, 1, N - 1, chance.randrange(N)), repeat=2):
            S = kuang16.mm(A, B, N, bits)
            assert (S << bits) % N == A * B % N
            assert 0 <= S < N


def squarings(N: int, k: int, adder_bits: int) -> Iterator[int]:
    """Yield the results of a chain of squarings by SCS-MM-New, from 2N − 1 on."""
    S = 2 * N - 1
    for _ in range(CHAIN):
        S = kuang16.scs_mm_new(S, S, N, k, Adder(adder_bits))
        yield S


@pytest.mark.parametrize("bits", [8, 64, 256])
def test_printed_number_of_iterations_diverges_for_n_1_modulo_4(bits: int) -> None:
    """Erratum E1: the paper's k is the length of N, whatever the class of N."""
    N = 2**bits - 3
    assert N % 4 == 1
    chain = squarings(N, k=bits, adder_bits=bits + 6)
    assert max(islice(chain, 3)) >= 2 * N
    with pytest.raises(kuang16.VectorOverflowError):
        list(chain)


@pytest.mark.parametrize("bits", [8, 64, 256])
def test_chains_stay_bounded_with_a_k_for_3n_or_for_n_3_modulo_4(bits: int) -> None:
    for N, k in ((2**bits - 3, bits + 2), (2**bits - 1, bits)):
        M = kuang16.n_hat(N) - 1
        assert max(squarings(N, k, adder_bits=k + 6)) < 2 * M


def test_a_skip_in_the_last_iteration_halves_the_product() -> None:
    """Erratum E2."""
    chance, bits, halved = random.Random(1), 64, 0
    for _ in range(200):
        N = chance.getrandbits(bits) | 1 << bits - 1 | 3
        A, B = chance.randrange(2 * N), chance.randrange(2 * N)
        right = kuang16.scs_mm_new(A, B, N, bits, Adder())
        unmasked = kuang16.scs_mm_new(A, B, N, bits, Adder(), mask_last_skip=False)
        assert unmasked in {right, right // 2}
        halved += unmasked != right
        pair = kuang16.fcs_mmm42((A, 0), (B, 0), N, bits, Adder(), mask_last_skip=False)
        assert sum(pair) in {right, right // 2}
    assert 20 < halved < 100


def test_product_with_one_may_be_the_modulus_itself() -> None:
    """Erratum E5: N and 0 are the same residue, and both can be the result."""
    N = 2**64 - 59
    assert kuang16.scs(N, 1, N, 64, Adder()) == N
    assert kuang16.scs_mm_new(3 * N, 1, N, 66, Adder()) == 3 * N


def test_conversion_of_1024_bits_meets_results_of_1025_bits() -> None:
    """Erratum E7."""
    N = 2**1024 - 1
    assert kuang16.scs(2 * N - 1, 2 * N - 1, N, 1024, Adder()).bit_length() == 1025


def test_quotients_are_those_of_their_definitions() -> None:
    """Equations (5), (7) and (8) against (3), (6) and (2), for all values of the vectors' low bits."""
    for SS, SC, q_hat, n_2, A_hat, A_next in product(range(8), range(8), (0, 1), (0, 1), (0, 1), (0, 1)):
        N_hat = 4 * n_2
        x = kuang16.selected(A_hat, q_hat, N_hat, 8, N_hat + 8)
        following = kuang16.halves(kuang16.full_adders(SS, SC, x))
        q1, q2, stays = kuang16.quotients(SS, SC, q_hat, N_hat)
        assert q1 == (following[0] + following[1]) % 2
        skip = not (A_next | q1 | following[0] & 1)
        assert skip == (not (A_next | stays))
        if skip:
            assert following[0] % 2 == following[1] % 2 == 0  # erratum E6
            assert q2 == (following[0] // 2 + following[1] // 2) % 2


def test_worst_carry_chains() -> None:
    """MSCS-MM takes about 3k clocks if both its conversions propagate over the whole width."""
    k = 1024
    adder = Adder(k + 3)
    kuang16.mscs_mm(3, 1, 2**k - 1, k, adder)
    assert adder.clocks == {"precomputation": 1025, "iterations": 1026, "conversion": 1023}


def test_a_conversion_on_two_levels_takes_half_of_the_clocks() -> None:
    """[kuang16, §II-B]: about k/2 in the worst case."""
    k = 1024
    adder = Adder(k + 3)
    kuang16.scs_mm_2(3, 1, 2**k - 1, k, adder)
    assert adder.clocks == {"iterations": 1026, "conversion": 512}


@pytest.mark.parametrize("k", [4, 9, 64])
def test_an_iteration_takes_a_clock(k: int) -> None:
    N, A, B = 2**k - 1, 2**k - 2, 2**k - 3
    for algorithm in (kuang16.scs, kuang16.scs_mm_2, kuang16.mscs_mm):
        algorithm(A, B, N, k, adder := Adder())
        assert adder.clocks["iterations"] == k + 2
    for full, precomputation in ((kuang16.fcs_mm_1, 0), (kuang16.fcs_mm_2, 1)):
        full((A, 0), (B, 0), N, k, adder := Adder())
        assert adder.clocks == Counter({"iterations": k + 2, "precomputation": precomputation})


@pytest.mark.parametrize(("k", "clocks"), [(9, 8), (10, 8), (12, 9), (15, 11)])
def test_every_second_iteration_is_skipped_if_a_is_zero(k: int, clocks: int) -> None:
    """Of the k + 6 iterations, from −1 to k + 4, the last is never skipped."""
    N = 2**k - 1
    kuang16.scs_mm_new(0, N, N, k, adder := Adder())
    assert adder.clocks["iterations"] == clocks
    kuang16.fcs_mmm42((0, 0), (N, 0), N, k, adder := Adder())
    assert adder.clocks == {"precomputation": 1, "iterations": clocks}


@dataclass
class WithSums(Adder):
    """An adder that keeps what it returned."""

    sums: list[Pair] = field(default_factory=list)

    def csa(self, *vectors: int) -> Pair:
        self.sums.append(super().csa(*vectors))
        return self.sums[-1]


def mmm42_on_numbers(A: int, B: int, N: int, k: int) -> tuple[int, int]:
    """Return the product and the iterations of FCS-MMM42 on numbers instead of pairs of vectors."""
    N_hat, i, S, q_hat, A_hat, iterations = kuang16.n_hat(N), -1, 0, 0, 0, 0
    while i <= k + 4:
        S, iterations = S + A_hat * (B << 3) + q_hat * N_hat >> 1, iterations + 1
        if S % 2 == 0 and A >> i + 1 & 1 == 0 and i < k + 4:
            q_hat, A_hat, i, S = S >> 1 & 1, A >> i + 2 & 1, i + 2, S >> 1
        else:
            q_hat, A_hat, i = S & 1, A >> i + 1 & 1, i + 1
    return S, iterations


@pytest.mark.parametrize("bits", SIZES)
def test_fcs_mmm42_skips_every_zero_bit_before_which_the_sum_is_even(bits: int) -> None:
    """Two bits of the carries are always 0, so that two bits of the sums alone give both quotients."""
    chance = random.Random(bits)
    for N in moduli(bits, chance):
        A, B = (chance.randrange(modulus("fcs_mmm42", N)) for _ in range(2))
        AC, BC = chance.randint(0, A), chance.randint(0, B)
        pair = kuang16.fcs_mmm42((A - AC, AC), (B - BC, BC), N, bits, adder := WithSums())
        clocks = adder.clocks[kuang16.ITERATIONS]
        assert (sum(pair), clocks) == mmm42_on_numbers(A, B, N, bits)
        assert all(carries % 8 == 0 for _, carries in adder.sums[1:])


@pytest.mark.parametrize("k", [9, 12, 15])
def test_every_third_iteration_is_skipped_if_never_two_are_in_a_row_and_a_is_zero(k: int) -> None:
    kuang16.scs_mm_new(0, 1, 2**k - 1, k, adder := Adder(), consecutive_skips=False)
    assert adder.clocks["iterations"] == 2 * (k + 6) // 3


def test_the_configurable_adder_takes_half_of_the_clocks_for_the_conversions() -> None:
    """Two half adders a clock instead of one; the first clock of the precomputation has full adders."""
    chance, k = random.Random(1), 64
    for _ in range(20):
        N = chance.getrandbits(k) | 1 << k - 1 | 3
        A, B = chance.randrange(2 * N), chance.randrange(2 * N)
        kuang16.scs_mm_new(A, B, N, k, two := Adder())
        kuang16.scs_mm_new(A, B, N, k, one := Adder(), configurable=False)
        assert two.clocks["iterations"] == one.clocks["iterations"]
        assert two.clocks["precomputation"] - 1 == -(-(one.clocks["precomputation"] - 1) // 2)
        assert two.clocks["conversion"] == -(-one.clocks["conversion"] // 2)


def test_a_narrow_adder_is_refused() -> None:
    with pytest.raises(kuang16.VectorOverflowError, match="more than the adder's 8 bits"):
        kuang16.scs(2**9 - 3, 2**9 - 3, 2**8 - 1, 8, Adder(8))


def test_either_vector_may_be_the_one_that_is_too_wide_for_an_adder() -> None:
    for vectors, pair in {(4, 0, 0): (4, 0), (3, 3, 0): (0, 6), (2, 2, 4): (4, 4)}.items():
        assert Adder(3).csa(*vectors) == pair
        with pytest.raises(kuang16.VectorOverflowError):
            Adder(2).csa(*vectors)

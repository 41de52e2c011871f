"""Trials of a core: their operands and their verdicts."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from monpro.cores import Result, core
from monpro.cores.systolic import Systolic
from monpro.cores.window_exponentiator import CrtWindowExponentiator
from monpro.flow import trial
from monpro.flow.emit import emit
from monpro.flow.simulate import Linked


@pytest.mark.parametrize("residue", [1, 3])
def test_moduli_have_their_size_and_class(residue: int) -> None:
    rng = random.Random(1)
    for width_bits in (8, 9, 97):
        for _ in range(50):
            n = trial.random_modulus(width_bits, residue, rng)
            assert n.bit_length() == width_bits
            assert n % 4 == residue


@pytest.mark.parametrize("count", [1, 3, 8, 100])
@pytest.mark.parametrize("chained", [False, True])
def test_progress_reaches_the_count(count: int, chained: bool) -> None:
    seen: list[int] = []
    result = trial.try_core(core("mm", 16), count, 1, seen.append, rtl=False, chained=chained)
    assert seen == list(range(count + 1))
    assert result == trial.Trial(0, [17] * count)


def test_chains_square_and_multiply_what_came_before() -> None:
    multiplier = core("scs-mm-new", 32)
    rng = random.Random(2)
    chains: list[list[Linked]] = []
    for given in trial._chains(multiplier, 800, rng):
        if given[0] is not None:
            chains.append([])
        chains[-1].append(given)
    assert [len(chain) for chain in chains] == [100] * trial.CHAINS
    assert [chain[0][2] % 4 for chain in chains] == [3, 1] * (trial.CHAINS // 2)
    squares = 0
    for (base, first_y, n), *others in chains:
        assert first_y == base
        assert all(x is None and y in {None, base} and m == n for x, y, m in others)
        assert all(None in {y, z} for (_, y, _), (_, z, _) in pairwise(others)), "no two products by the base"
        squares += sum(y is None for _, y, _ in others)
    assert 480 < squares < 580, "two of three products"


def test_a_core_for_two_moduli_is_tried_with_both() -> None:
    made = CrtWindowExponentiator(41)
    result = trial.try_design(made, 6, 1, lambda _: None, rtl=False, chained=False)
    assert result == trial.Trial(0, [made.cycles(0, (1 << 41) - 1)] * 6)
    assert len(set(result.values)) == 6


def test_the_z_before_is_put_in_its_place() -> None:
    given: list[Linked] = [(2, 3, 7), (None, 4, 7), (None, None, 7), (5, None, 7)]
    products = [Result(z, 1) for z in (11, 12, 13, 14)]
    assert list(trial.resolved(given, products)) == [(2, 3, 7), (11, 4, 7), (12, 12, 7), (5, 13, 7)]


def test_what_is_right() -> None:
    multiplier = core("scs-mm-2", 8)
    n, x, y = 201, 300, 17
    z = multiplier.run(x, y, n).z
    assert trial.is_right(multiplier, (x, y, n), Result(z, 9))
    assert not trial.is_right(multiplier, (x, y, n), Result(z + 1, 9))
    assert not trial.is_right(multiplier, (x, y, n), Result(z + 2 * n, 9)), "congruent, but too large"


def test_chained_rtl_is_judged_by_the_operands_that_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplier = core("scs-mm-2", 16)

    def shifted(_core: object, given: list[Linked], *, progress: object, netlist: object) -> list[Result]:
        """Return another representative of each product, as a different design could."""
        assert progress
        assert netlist is None
        products: list[Result] = []
        for x, y, n in trial.resolved(given, products):
            z = multiplier.run(x, y, n).z
            products.append(Result(z + n if z < n else z - n, 1))
        return products

    monkeypatch.setattr(trial, "simulate", shifted)
    result = trial.try_core(multiplier, 100, 1, lambda _done: None, rtl=True, chained=True)
    assert result == trial.Trial(0, [1] * 100)


@pytest.mark.parametrize("name", ["scs-mm-new", "fcs-mm-1"])
def test_model_and_rtl_go_through_the_same_chains(name: str) -> None:
    multiplier = core(name, 40)
    trials = [
        trial.try_core(multiplier, 200, 5, lambda _done: None, rtl=rtl, chained=True) for rtl in (False, True)
    ]
    assert trials[0] == trials[1]
    assert trials[0].mismatches == 0


def test_powers_are_not_chained() -> None:
    with pytest.raises(ValueError, match="systolic computes powers, which are chains of products already"):
        trial.try_design(Systolic(16), 1, 1, lambda _done: None, rtl=False, chained=True)


def test_what_is_neither_a_multiplier_nor_an_exponentiator_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="neither a multiplier nor an exponentiator"):
        trial.try_design("mm", 1, 1, lambda _done: None, rtl=False, chained=False)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="neither a multiplier nor an exponentiator"):
        emit("mm", "none", tmp_path / "core")  # type: ignore[arg-type]

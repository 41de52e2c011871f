"""The exponentiators by windows with a clock gate of a chip: same results, and a clock that rests."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import wiped
import word_bench
from monpro.cores import Exponentiator
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.window_exponentiator import CrtWindowExponentiator, WindowExponentiator
from monpro.flow.exponentiate import Job, Power, powers_on, word_ports
from monpro.flow.operands import sample_crt_key, sample_modulus

Windows = WindowExponentiator | DspExponentiator
CORES: dict[str, Windows] = {
    "window-exp": WindowExponentiator.of(71, {}),
    "dsp-exp": DspExponentiator(71),
    "dsp-exp folded": DspExponentiator(71, fold=4),
}


def random_powers(core: Windows, count: int, chance: random.Random) -> list[Power]:
    """Return powers modulo long and short numbers."""
    powers = []
    for _ in range(count):
        n = sample_modulus(chance.choice((core.width_bits, chance.randint(2, core.width_bits))), chance)
        powers.append((chance.randrange(n), chance.getrandbits(core.width_bits), n))
    return powers


@pytest.mark.parametrize("name", CORES)
def test_results_and_clocks_are_those_of_the_model(name: str) -> None:
    core = CORES[name]
    powers = random_powers(core, 12, random.Random(5))
    gated = replace(word_ports(core), replaced=(wiped.CLOCK_GATE,))
    for driving in ({}, {"stall_seed": 7}, {"reset_seed": 11}, {"stall_seed": 8, "reset_seed": 12}):
        results = list(powers_on(gated, core, powers, **driving))
        assert results == [core.run(*power) for power in powers], driving
        assert [result.z for result in results] == [pow(*power) for power in powers]


@pytest.mark.parametrize("name", CORES)
def test_the_clock_rests_between_jobs_and_after_a_refusal(name: str, tmp_path: Path) -> None:
    """Of 100 clocks, a core without a job counts none; while it computes, it counts each."""
    core, n = CORES[name], (1 << 71) - 231
    job, refused = core.words_in(n - 2, n - 3, n), core.words_in(1, 5, n - 1)
    assert clocks_counted(core, job, refused, tmp_path) == [0, 100, 0, 0, 0, 0, 100]


def test_the_clock_of_two_powers_rests_too(tmp_path: Path) -> None:
    core, chance = CrtWindowExponentiator.of(71, {"crt": 1}), random.Random(7)
    powers = []
    for half in (36, 36, 20, 36):
        key = sample_crt_key(half, 36, chance)
        powers.append((chance.randrange(key.n), key))
    gated = replace(word_ports(core), replaced=(wiped.CLOCK_GATE,))
    jobs = [Job(core.words_of(x, key), core.words_out(key.n)) for x, key in powers]
    limit = core.max_cycles + 10_000
    for driving in ({}, {"stall_seed": 7}, {"stall_seed": 8, "reset_seed": 12}):
        assert list(gated.run(jobs, limit, **driving)) == [core.run_key(*power) for power in powers], driving
    x, key = powers[0]
    job, refused = core.words_of(x, key), core.words_of(key.n, key)
    assert clocks_counted(core, job, refused, tmp_path) == [0, 100, 0, 0, 0, 0, 100]


def clocks_counted(core: Exponentiator, job: list[int], refused: list[int], folder: Path) -> list[int]:
    """Return how many of 100 clocks a core counts before, in and after a job, and after what may follow it.

    What follows: a job that is refused, a reset, and a wipe. The last number is of another job.
    """
    count, send = "    count;", word_bench.send
    lines = [count, *send(job), count, "    while (!(valid_out && last)) @(negedge clk);"]
    lines += ["    @(negedge clk);", count, *send(refused), "    while (!error) @(negedge clk);", count]
    lines += ["    reset;", count, *send([0]), "    @(negedge clk);", "    while (!ready) @(negedge clk);"]
    lines += [count, *send(job), count]
    return [int(line.split()[0]) for line in word_bench.run(core, lines, folder)]

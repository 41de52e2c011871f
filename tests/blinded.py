"""Jobs for the blinded exponentiator, and its RTL in Verilator with the random words of each job."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm, prod
from pathlib import Path

from monpro.cores.blinding import Key
from monpro.cores.window_exponentiator import BlindedWindowExponentiator
from monpro.flow.simulate import compile_bench, parameter_values, run_bench

BENCH = Path(__file__).with_name("blinded_bench.cpp")
MARGIN = 20_000
RESULT, REFUSED, FAULT = range(3)


def key_of(primes: Sequence[int], v: int, times: int = 1) -> Key:
    """Return the key of a product of primes; v must be prime to the order of its units."""
    order = lcm(*(p - 1 for p in primes))
    return Key(prod(primes), pow(v, -1, order), order * times, v)


@dataclass(frozen=True)
class Job:
    """A base with a key, and random words; `words` may be given to send others than the core asks for."""

    x: int
    key: Key
    randoms: tuple[int, ...]
    words: tuple[int, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What the ports told: the clocks leave out those in which a random word was waited for."""

    status: int
    z: int
    cycles: int
    randoms: int


def random_job(core: BlindedWindowExponentiator, x: int, key: Key, chance: random.Random) -> Job:
    """Return a job with as many random words as it takes."""
    count = core.random_words(key.n)
    return Job(x, key, tuple(chance.getrandbits(core.word_width) for _ in range(count)))


def words_in(core: BlindedWindowExponentiator, job: Job) -> list[int]:
    key = job.key
    return list(job.words) or core.words_in(job.x, key.d, key.n, key.order, key.v)


def run(
    core: BlindedWindowExponentiator, jobs: Sequence[Job], *, stall_seed: int = 0, reset_seed: int = 0
) -> Iterator[Answer]:
    """Yield the answer of the RTL to each job."""
    program = compile_bench(core.top, parameter_values(core), BENCH, {"WORD_BITS": core.word_width})
    options = [f"--limit={core.max_cycles + MARGIN}", f"--stalls={stall_seed}", f"--resets={reset_seed}"]
    units = (unit.to_bytes(4, "little") for job in jobs for unit in _units(core, job))
    answers = (int.from_bytes(word, "little") for word in run_bench(program, options, units, record_bytes=4))
    for job in jobs:
        status, taken, cycles, waited = (next(answers) for _ in range(4))
        count = core.words_out(job.key.n) if status == RESULT else 0
        z = sum(next(answers) << core.word_width * i for i in range(count))
        yield Answer(status, z, cycles - waited, taken)


def _units(core: BlindedWindowExponentiator, job: Job) -> Iterator[int]:
    given = words_in(core, job)
    yield from (len(given), core.words_out(job.key.n), len(job.randoms))
    yield from (*given, *job.randoms)

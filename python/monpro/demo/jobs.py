"""The main job: one real exponentiation over each ring by every engine, checked and compared."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from monpro._native import time_products
from monpro.bench.timing import Advance, Timing, interleave, stopwatch
from monpro.engines import (
    RING_TITLES,
    Engine,
    Ring,
    available_kernels,
    by_modulus,
    describe_modulus,
)
from monpro.spec import reference

PUBLIC_EXPONENT = 65537
MESSAGE = b"every good way to compute a Montgomery product"
ROUNDS = 5
SLOW_SECONDS = 0.1  # an engine that needs longer for one power does a smaller job
SMALL_BITS = 256


@dataclass(frozen=True)
class Job:
    """One exponentiation xᵉ mod n and the result that every engine of its ring must give.

    The exponent may be a private key: it is neither shown nor recorded.
    """

    ring: Ring
    title: str
    checked_against: str
    bits: int
    x: int
    e: int = field(repr=False)
    n: int
    expected: int


@dataclass(frozen=True)
class Outcome:
    """The result of one engine for a job; without a timing if the result was wrong."""

    engine: Engine
    correct: bool
    timing: Timing | None
    word_multiplications: int | None  # of one Montgomery product, where they are those of [koc96, Table 1]
    ratio: float | None  # to the fastest engine of the job

    def as_dict(self) -> dict[str, object]:
        """Return the outcome as plain data, for JSON."""
        return {
            "engine": self.engine.name,
            "paper": self.engine.paper,
            "ring": self.engine.ring,
            "radix_bits": self.engine.radix_bits,
            "correct": self.correct,
            "seconds": self.timing and self.timing.seconds,
            "spread": self.timing and self.timing.spread,
            "word_multiplications": self.word_multiplications,
            "ratio": self.ratio,
        }


@dataclass(frozen=True)
class Section:
    """A job and the result of every engine."""

    job: Job
    outcomes: list[Outcome]

    @property
    def correct(self) -> bool:
        """Return whether engines ran, and all of them gave the expected result."""
        return bool(self.outcomes) and all(outcome.correct for outcome in self.outcomes)

    def as_dict(self) -> dict[str, object]:
        """Return the section as plain data, for JSON, without the numbers themselves."""
        return {
            "job": self.job.title,
            "ring": self.job.ring,
            "bits": self.job.bits,
            "checked_against": self.job.checked_against,
            "engines": [outcome.as_dict() for outcome in self.outcomes],
        }


def rsa_job(bits: int) -> Job:
    """Return the private-key operation of an RSA signature, blockᵈ mod n, with a key generated on the spot.

    The library signs; its signature is the expected result. The public exponent turns the signature back into
    the padded block that was signed.
    """
    key = rsa.generate_private_key(PUBLIC_EXPONENT, bits)
    numbers = key.private_numbers()
    n = numbers.public_numbers.n
    signature = int.from_bytes(key.sign(MESSAGE, padding.PKCS1v15(), SHA256()), "big")
    return Job(
        ring="integers",
        title=f"RSA-{bits} private-key operation",
        checked_against="the signature that the library cryptography made",
        bits=bits,
        x=pow(signature, PUBLIC_EXPONENT, n),
        e=numbers.d,
        n=n,
        expected=signature,
    )


def polynomial_job(n: int) -> Job:
    """Return a power over GF(2)[x] modulo n, and its result by the plain reference."""
    bits = n.bit_length()
    x, e = secrets.randbits(bits - 1), secrets.randbits(bits) | 1 << (bits - 1)
    return Job(
        ring="gf2",
        title=f"{bits}-bit power over {RING_TITLES['gf2']}{describe_modulus('gf2', n)}",
        checked_against="a bit-by-bit computation in Python",
        bits=bits,
        x=x,
        e=e,
        n=n,
        expected=reference.power(x, e, n),
    )


@dataclass(frozen=True)
class Plan:
    """A job still to be made, and the engines that are to do it."""

    title: str
    make_job: Callable[[], Job]
    engines: Sequence[Engine]


def plan(bits: int) -> list[Plan]:
    """Return plans that give every available engine a job: of `bits` bits, or smaller if the engine is slow.

    Over GF(2)[x] the modulus is random. For engines that take no such modulus, another one has few terms.
    """
    integers = available_kernels("integers", bits)
    plans = [Plan("a job over the integers", partial(rsa_job, bits), integers)]
    quick = [
        engine for engine in available_kernels("gf2", bits) if estimated_seconds(engine, bits) <= SLOW_SECONDS
    ]
    names = {engine.name for engine in quick}
    slow = [engine for engine in available_kernels("gf2", SMALL_BITS) if engine.name not in names]
    for size, engines in ((bits, quick), (SMALL_BITS, slow)):
        for n, takers in by_modulus(size, engines):
            title = f"a job of {size} bits over {RING_TITLES['gf2']}"
            plans.append(Plan(title, partial(polynomial_job, n), takers))
    return plans


def estimated_seconds(engine: Engine, bits: int) -> float:
    """Return the estimated time of a power: that of 1.2 products for each bit."""
    return time_products(engine.name, bits, "mul", 1, 1e-4)[0] * 1e-9 * 1.2 * bits


def count_measurements(plans: Sequence[Plan]) -> int:
    """Return the number of calls of `advance` in the `run` of all these plans."""
    return sum(len(plan.engines) for plan in plans) * (ROUNDS + 1)


def run(job: Job, engines: Sequence[Engine], advance: Advance) -> Section:
    """Give the job to these engines: once to check them, then in turns to time them."""
    tasks = {engine.name: partial(engine.power, job.x, job.e, job.n) for engine in engines}
    correct = {}
    for name, task in tasks.items():
        correct[name] = task() == job.expected
        advance()
    timings = interleave({name: stopwatch(tasks[name]) for name in tasks if correct[name]}, ROUNDS, advance)
    best = min((timing.seconds for timing in timings.values()), default=0.0)
    return Section(job, [_outcome(engine, job, timings.get(engine.name), best) for engine in engines])


def word_multiplications(bits: int, radix_bits: int) -> int:
    """Return 2s² + s, the multiplications of words in a Montgomery product of s words [koc96, Table 1]."""
    s = -(-bits // radix_bits)
    return 2 * s * s + s


def _outcome(engine: Engine, job: Job, timing: Timing | None, best: float) -> Outcome:
    return Outcome(
        engine=engine,
        correct=timing is not None,
        timing=timing,
        word_multiplications=(
            word_multiplications(job.bits, engine.radix_bits) if engine.paper == "koc96" else None
        ),
        ratio=timing.seconds / best if timing else None,
    )

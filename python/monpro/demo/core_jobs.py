"""The demo's jobs for hardware: one exponentiation on every core, and RSA by halves, in clock cycles."""

import secrets
from dataclasses import asdict, dataclass

from monpro.bench.timing import Advance
from monpro.cores import configurations
from monpro.demo.jobs import MESSAGE, Job
from monpro.flow.synthesis_records import recorded
from monpro.flow.trial import try_core
from monpro.hardware import rsa
from monpro.hardware.exponentiation import Simulated, simulated
from monpro.rsa import PrivateKey

DEFAULT_BITS = 256  # models and simulations of all cores take seconds at this size
RSA_BITS = 512
TARGET = "osu018"
SAMPLES = 40  # products for the average cycles of a configuration


@dataclass(frozen=True)
class CoreOutcome:
    """The result of a core; `ratio` is the ratio of its cycles to the fewest."""

    engine: Simulated
    correct: bool
    cycles: int
    ratio: float

    def as_dict(self) -> dict[str, object]:
        """Return the outcome as plain data, for JSON."""
        return {
            "engine": self.engine.name,
            "paper": self.engine.architecture.paper,
            "kind": "core",
            "rtl": self.engine.rtl,
            "correct": self.correct,
            "cycles": self.cycles,
            "ratio": self.ratio,
        }


@dataclass(frozen=True)
class Decryption:
    """An RSA decryption by halves on one exponentiator or two; `correct` says that it equals software's."""

    engine: str
    bits: int
    correct: bool
    serial_cycles: int
    parallel_cycles: int


@dataclass(frozen=True)
class CoreSection:
    """The jobs and the results of the cores; `reason` says why the RTL of the cores did not run."""

    job: Job
    outcomes: list[CoreOutcome]
    decryption: Decryption
    reason: str | None

    @property
    def correct(self) -> bool:
        """Return whether cores ran, and all of them gave the expected results."""
        return (
            bool(self.outcomes)
            and all(outcome.correct for outcome in self.outcomes)
            and self.decryption.correct
        )

    def as_dict(self) -> dict[str, object]:
        """Return the section as plain data, for JSON, without the numbers themselves."""
        return {
            "job": self.job.title,
            "bits": self.job.bits,
            "checked_against": self.job.checked_against,
            "rtl_skipped": self.reason,
            "engines": [outcome.as_dict() for outcome in self.outcomes],
            "rsa_decryption": asdict(self.decryption),
        }


@dataclass(frozen=True)
class AreaTime:
    """The area of a synthesised configuration, and the average time of its products."""

    configuration: str
    bits: int
    area_mm2: float
    time_us: float


def make_job(bits: int) -> Job:
    """Return a power with a secret exponent modulo a random odd number of `bits` bits."""
    n = secrets.randbits(bits) | 1 << (bits - 1) | 1
    x, e = secrets.randbelow(n), secrets.randbits(bits) | 1 << (bits - 1)
    return Job(
        ring="integers",
        title=f"{bits}-bit exponentiation on the hardware cores",
        checked_against="the result of Python's own pow",
        bits=bits,
        x=x,
        e=e,
        n=n,
        expected=pow(x, e, n),
    )


def runnable() -> list[Simulated]:
    """Return the models of all cores, and their RTL if it can be simulated here."""
    return [engine for engine in simulated() if engine.reason is None]


def run(job: Job, advance: Advance) -> CoreSection:
    """Give the job to every core that runs here. ToolError where RTL does not compile or hangs."""
    powers = {}
    engines = runnable()
    for engine in engines:
        powers[engine.name] = engine.power(job.x, job.e, job.n)
        advance()
    right = {name: power for name, power in powers.items() if power.z == job.expected}
    fewest = min((power.cycles for power in right.values()), default=1)
    outcomes = [
        CoreOutcome(
            engine=engine,
            correct=engine.name in right,
            cycles=powers[engine.name].cycles,
            ratio=powers[engine.name].cycles / fewest,
        )
        for engine in engines
    ]
    reasons = [engine.reason for engine in simulated() if engine.reason]
    return CoreSection(job, outcomes, decrypt(), reasons[0] if reasons else None)


def decrypt() -> Decryption:
    """Decrypt a message with a new key on an exponentiator: in RTL, or by its model if the RTL cannot run."""
    key = PrivateKey.generate(RSA_BITS)
    ciphertext = key.public_key.encrypt(MESSAGE, padding="pkcs1v15")
    engine = [engine for engine in runnable() if engine.architecture.computes == "power"][-1]
    try:
        operation = rsa.private_power(engine, key, ciphertext)
    except rsa.WrongResultError:
        return Decryption(engine.name, RSA_BITS, correct=False, serial_cycles=0, parallel_cycles=0)
    return Decryption(
        engine.name,
        RSA_BITS,
        correct=True,
        serial_cycles=sum(operation.cycles),
        parallel_cycles=max(operation.cycles),
    )


def area_times() -> list[AreaTime]:
    """Return the points of the configurations whose synthesis is recorded; may be empty."""
    named = configurations()
    points = []
    for name, result in recorded(TARGET).items():
        if core := named.get(name):
            samples = 1 if core.is_constant_time else SAMPLES
            trial = try_core(core, samples, 1, lambda _done: None, rtl=False, chained=False)
            time_us = trial.cycles_mean * result.delay_ns * 1e-3
            points.append(AreaTime(name, core.width_bits, result.area_um2 * 1e-6, time_us))
    return points

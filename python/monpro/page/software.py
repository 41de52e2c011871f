"""The recorded times of software, monpro's and other libraries', for the page's chart and its table."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from monpro._native import Modulus, time_products
from monpro.bench.timing import interleave
from monpro.engines import available_kernels
from monpro.results import machine
from monpro.results.recording import RESULTS, newest_of_each_cpu, read

OURS = "monpro"
LIBRARIES = {  # what else a recording calls monpro: the library on fewer instruction sets
    "monpro, PCLMULQDQ": OURS,
    "monpro, PCLMULQDQ and AVX": OURS,
    "monpro, VPCLMULQDQ and AVX2": OURS,
    "monpro, VPCLMULQDQ and AVX-512F": OURS,
}
OPERATIONS = {  # (file, operation, shape): in words
    ("bench.json", "modexp", None): "one power xᵉ mod n, constant time",
    ("bench.json", "modexp-batch", None): "one of 8 powers xᵉ mod n, constant time",
    ("bench.json", "modexp-vartime", None): "one power xᵉ mod n, variable time",
    ("bench.json", "monmul", None): "one Montgomery product",
    ("bench.json", "monsqr", None): "one Montgomery square",
    ("rsa.json", "rsa-crt", None): "one RSA private operation by the primes",
    ("rsa.json", "rsa-crt-batch", None): "one of 8 RSA private operations by the primes",
    ("gf2.json", "mul", "dense"): "GF(2^k): one product, random polynomial",
    ("gf2.json", "pow", "dense"): "GF(2^k): one power, random polynomial",
    ("gf2.json", "mul", "sparse"): "GF(2^k): one product, sparse polynomial",
    ("gf2.json", "inv", "dense"): "GF(2^k): one inverse, random polynomial",
}
SINGLE = ("modexp", "modexp-vartime", "monmul", "monsqr")  # what a modulus of one size computes by one kernel
QUICK = "one Montgomery product, timed while this page was written"
BATCHES = {"modexp-batch": "modexp", "rsa-crt-batch": "rsa-crt"}  # others compute one after the other
SIZES = (256, 512, 1024, 2048, 4096)
ROUNDS = 3
BATCH_SECONDS = 0.003


@dataclass(frozen=True)
class Time:
    """A median time of one operation by one engine of a library, in nanoseconds and in cycles of the CPU."""

    cpu: str
    date: str
    commit: str
    file: str
    operation: str
    bits: int
    library: str
    engine: str
    nanoseconds: float
    cycles: float | None


@dataclass(frozen=True)
class Limit:
    """The least cycles that an operation can take in one way: those of its multiplications alone."""

    cpu: str
    operation: str
    bits: int
    name: str
    cycles: float


def recorded(results: Path = RESULTS) -> tuple[list[Time], list[Limit]]:
    """Return the newest recorded times of each CPU, and the limits; no row mixes two CPUs."""
    times: list[Time] = []
    limits: list[Limit] = []
    for file_name in dict.fromkeys(name for name, _, _ in OPERATIONS):
        for path in newest_of_each_cpu(results, file_name):
            times += _times(path)
            limits += _limits(path)
    return times, limits


def _times(path: Path) -> Iterator[Time]:
    recording = read(path)
    about = recording["machine"]
    for figure in recording["figures"]:
        shape = figure.get("shape")
        for operation in _shown_as(path.name, figure["operation"], shape, figure["library"]):
            yield Time(
                about["cpu"],
                about["date"],
                str(about.get("commit", "")),
                f"results/{path.parent.name}/{path.name}",
                operation,
                figure["bits"],
                LIBRARIES.get(figure["library"], figure["library"]),
                figure["engine"],
                figure["median_ns"],
                figure.get("median_cycles"),
            )


def _shown_as(file_name: str, operation: str, shape: str | None, library: str) -> Iterator[str]:
    """Yield the words for an operation; other libraries' single operations also stand beside our batches."""
    if words := OPERATIONS.get((file_name, operation, shape)):
        yield words
    if library != OURS:
        for batch, single in BATCHES.items():
            if single == operation and (file_name, batch, shape) in OPERATIONS:
                yield OPERATIONS[file_name, batch, shape]


def _limits(path: Path) -> Iterator[Limit]:
    recording = read(path)
    for limit in recording.get("limits", []):
        operation = OPERATIONS.get((path.name, limit["operation"], None))
        if operation:
            yield Limit(recording["machine"]["cpu"], operation, limit["bits"], limit["name"], limit["cycles"])


def timed_here(commit: str) -> list[Time]:
    """Return quick timings of every kernel on this machine: a hint, where nothing is recorded for its CPU."""
    cpu, today = machine.cpu_model(), machine.today()
    times = []
    for bits in SIZES:
        kernels = [engine.name for engine in available_kernels("integers", bits) if engine.radix_bits > 32]
        tasks = {name: partial(_product_seconds, name, bits) for name in kernels}
        for name, timing in interleave(tasks, ROUNDS, lambda: None).items():
            nanoseconds = timing.seconds * 1e9
            times.append(Time(cpu, today, commit, "this page", QUICK, bits, OURS, name, nanoseconds, None))
    return times


def chosen_here() -> dict[int, str]:
    """Return the kernel that this machine takes for an odd modulus of each size."""
    return {bits: Modulus((1 << bits) - 1).kernel.name for bits in SIZES}


def _product_seconds(kernel: str, bits: int) -> float:
    return time_products(kernel, bits, "mul", 1, BATCH_SECONDS)[0] * 1e-9

"""The times of whole exponentiations in GF(2^k), which [koc97, Table 5] compares: measured and recorded.

`python -m monpro.bench.exponentiations` takes two minutes and records in results/.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from monpro import _native
from monpro.flow import sources
from monpro.results.exponentiations import (
    EXPONENT_BITS,
    FILE,
    MONTGOMERY,
    SIZES,
    STANDARD,
    WAYS,
    WIDTHS_BITS,
    Times,
    kernel,
)
from monpro.results.recording import RESULTS, keep

ROUNDS = 7
BATCH_SECONDS = 0.002


def measure(say: Callable[[str], object]) -> Times:
    """Return the shortest time of each exponentiation in several rounds; each round visits every kernel."""
    known = {kernel.name for kernel in _native.kernels() if kernel.available}
    names = [
        name
        for way in WAYS
        for w in WIDTHS_BITS
        for method in (STANDARD, MONTGOMERY)
        if (name := kernel(method, w, way)) in known
    ]
    shortest: dict[tuple[str, int], float] = {}
    for turn in range(ROUNDS):
        for k in SIZES:
            for name in names:
                (ns,) = _native.time_power(name, k, EXPONENT_BITS, 1, BATCH_SECONDS)
                shortest[name, k] = min(ns, shortest.get((name, k), ns))
        say(f"round {turn + 1} of {ROUNDS}")
    return shortest


def record(times: Times, results: Path = RESULTS) -> Path:
    """Write the times into today's file of this machine and return it."""
    contents = {
        "commit": sources.commit(),
        "exponent_bits": EXPONENT_BITS,
        "rounds": ROUNDS,
        "powers": [{"kernel": name, "k": k, "ns": round(ns, 1)} for (name, k), ns in times.items()],
    }
    return keep(FILE, contents, results)


def main(say: Callable[[str], object] = print) -> int:
    """Measure and record."""
    say(f"recorded in {record(measure(say))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Recorded times of whole exponentiations in GF(2^k), for [koc97, Table 5] and the claims about it.

`python -m monpro.report.koc97.exponentiations` measures them, in minutes, and records them in results/.

The exponents have 128 bits, half of them 1, as in the paper. A time includes the conversions into and out of
the Montgomery form, not the constants of the modulus. n has the degree k − 1, and s = k/w words as in the
paper.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from monpro import _native
from monpro.files import write_whole
from monpro.flow import sources
from monpro.results import machine
from monpro.results.recording import RESULTS

FILE = "koc97.json"
EXPONENT_BITS = 128
SIZES = (64, 128, 256, 512, 1024, 1536, 2048)
WIDTHS_BITS = (8, 16, 32)
BRANCHES, TABLES, INSTRUCTION = "emulation_vartime", "tables_vartime", "pclmulqdq"
WAYS = (BRANCHES, TABLES, INSTRUCTION)
STANDARD, MONTGOMERY = "standard", "cios"
ROUNDS = 7
BATCH_SECONDS = 0.002

Times = Mapping[tuple[str, int], float]  # nanoseconds, by kernel and k


def kernel(method: str, w: int, way: str) -> str:
    """Return the name of the kernel of a method, for a word size and a way to MULGF2."""
    return f"{method}-gf2-w{w}-{way}"


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
    path = results / machine.folder_of_today() / FILE
    recording = {
        "machine": machine.describe() | {"date": machine.today()},
        "commit": sources.commit(),
        "exponent_bits": EXPONENT_BITS,
        "rounds": ROUNDS,
        "powers": [{"kernel": name, "k": k, "ns": round(ns, 1)} for (name, k), ns in times.items()],
    }
    write_whole(path, json.dumps(recording, indent=1) + "\n")
    return path


def recorded(results: Path = RESULTS) -> Times:
    """Return the times of the last recording; empty if there is none."""
    recordings = [json.loads(path.read_text(encoding="utf-8")) for path in results.glob(f"*/{FILE}")]
    if not recordings:
        return {}
    last = max(recordings, key=lambda recording: str(recording["machine"]["date"]))
    return {(row["kernel"], row["k"]): row["ns"] for row in last["powers"]}


def speedup(times: Times, w: int, way: str, k: int) -> float | None:
    """Return the time of the standard exponentiation over that of Montgomery's; None if not recorded."""
    standard, montgomery = (times.get((kernel(method, w, way), k)) for method in (STANDARD, MONTGOMERY))
    return standard / montgomery if standard and montgomery else None


def main(say: Callable[[str], object] = print) -> int:
    """Measure and record."""
    say(f"recorded in {record(measure(say))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

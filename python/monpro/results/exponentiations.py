"""Recorded times of whole exponentiations in GF(2^k), for [koc97, Table 5] and the claims about it.

The exponents have 128 bits, half of them 1, as in the paper. A time includes the conversions into and out of
the Montgomery form, not the constants of the modulus. n has the degree k − 1, and s = k/w words as in the
paper. `python -m monpro.bench.exponentiations` measures and records them.
"""

from collections.abc import Mapping
from pathlib import Path

from monpro.results.recording import RESULTS, recordings

FILE = "koc97.json"
EXPONENT_BITS = 128
SIZES = (64, 128, 256, 512, 1024, 1536, 2048)
WIDTHS_BITS = (8, 16, 32)
BRANCHES, TABLES, INSTRUCTION = "emulation_vartime", "tables_vartime", "pclmulqdq"
WAYS = (BRANCHES, TABLES, INSTRUCTION)
STANDARD, MONTGOMERY = "standard", "cios"

Times = Mapping[tuple[str, int], float]  # nanoseconds, by kernel and k


def kernel(method: str, w: int, way: str) -> str:
    """Return the name of the kernel of a method, for a word size and a way to MULGF2."""
    return f"{method}-gf2-w{w}-{way}"


def recorded(results: Path = RESULTS) -> Times:
    """Return the times of the last recording; empty if there is none."""
    rows = [row for recording in recordings(FILE, results)[-1:] for row in recording["powers"]]
    return {(row["kernel"], row["k"]): row["ns"] for row in rows}


def speedup(times: Times, w: int, way: str, k: int) -> float | None:
    """Return the time of the standard exponentiation over that of Montgomery's; None if not recorded."""
    standard, montgomery = (times.get((kernel(method, w, way), k)) for method in (STANDARD, MONTGOMERY))
    return standard / montgomery if standard and montgomery else None

"""Recorded times of the five methods of [koc96] in C, where a product of words is made of products of halves.

`python -m monpro.bench.koc96_in_c` measures and records them.
"""

from collections.abc import Mapping
from pathlib import Path

from monpro.results.recording import RESULTS, recordings

FILE = "koc96_in_c.json"
METHODS = ("SOS", "CIOS", "FIOS", "FIPS", "CIHS")
SQUARE = "SOS square"
SIZES_BITS = (512, 1024, 1536, 2048)
# What a product of two words is made of; the last with an ADD whose first two words take no branch.
HALVES, WHOLE, FLAT_ADD = "16-bit halves", "whole words", "16-bit halves, ADD without branches"

Times = Mapping[tuple[str, str, int], float]  # nanoseconds, by what products are made of, method and bits


def recorded(results: Path = RESULTS) -> Times:
    """Return the times of the last recording; empty if there is none."""
    rows = [row for recording in recordings(FILE, results)[-1:] for row in recording["times"]]
    return {(row["products"], row["method"], row["bits"]): row["ns"] for row in rows}

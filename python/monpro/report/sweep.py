"""The recorded exponentiations at many sizes, beside the limits of the multipliers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.report.recording import RESULTS, Figure, Recording, newest, read

FILE = "sweep.json"
SINGLE, BATCH = "modexp", "modexp-batch"
OURS, OPENSSL = "monpro", "OpenSSL"
# The limit below which each way cannot come.
LIMITS = {
    (OURS, SINGLE): "IFMA, one operand",
    (OURS, BATCH): "IFMA, 8 operands",
    (OPENSSL, SINGLE): "MULX",
}


@dataclass(frozen=True)
class PowerCurve:
    """The cycles of one exponentiation in constant time, the exponent as long as the modulus, by its bits."""

    name: str
    cycles: Mapping[int, float]
    limit: Mapping[int, float]  # at the same sizes; empty where none is computed


@dataclass(frozen=True)
class Sweep:
    """The curves of one run, and where it ran."""

    cpu: str
    date: str
    curves: Sequence[PowerCurve]
    limits: Mapping[str, Mapping[int, float]]


def recorded(results: Path = RESULTS) -> Sweep | None:
    """Return the sweep that was recorded last, if there is one."""
    try:
        recording = read(newest(results, FILE))
    except ValueError:
        return None
    limits = {
        name: {
            limit["bits"]: limit["cycles"]
            for limit in recording.get("limits", [])
            if (limit["name"], limit["operation"]) == (name, operation)
        }
        for (_, operation), name in LIMITS.items()
    }
    libraries = sorted({figure["library"] for figure in recording["figures"]} - {OURS}, key=str.casefold)
    ours = [
        _curve("monpro, one", recording, (OURS, SINGLE), limits),
        _curve("monpro, one of 8", recording, (OURS, BATCH), limits),
    ]
    others = [_curve(library, recording, (library, SINGLE), limits) for library in libraries]
    curves = [curve for curve in (*ours, *others) if curve.cycles]
    return Sweep(recording["machine"]["cpu"], recording["machine"]["date"], curves, limits)


def _curve(
    name: str, recording: Recording, way: tuple[str, str], limits: Mapping[str, Mapping[int, float]]
) -> PowerCurve:
    own = [figure for figure in recording["figures"] if (figure["library"], figure["operation"]) == way]
    cycles = _fastest(own)
    limit = limits.get(LIMITS.get(way, ""), {})
    return PowerCurve(name, cycles, {bits: limit[bits] for bits in cycles if bits in limit})


def _fastest(figures: Iterable[Figure]) -> dict[int, float]:
    """Return the cycles of the fastest engine at each size."""
    cycles: dict[int, float] = {}
    for figure in figures:
        bits = figure["bits"]
        cycles[bits] = min(figure["median_cycles"], cycles.get(bits, figure["median_cycles"]))
    return dict(sorted(cycles.items()))

"""The recorded exponentiations at many sizes, and the lower bounds set by the multipliers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.results import machine
from monpro.results.recording import RESULTS, Figure, Recording, multipliers_of, newest_of_each_cpu, read

FILE = "sweep.json"
SINGLE, BATCH = "modexp", "modexp-batch"
OURS, OPENSSL = "monpro", "OpenSSL"
MULX = "MULX"
# The lower bound of each way; that of monpro depends on its engine, too.
LIMITS = {
    (OURS, SINGLE): "IFMA, one operand",
    (OURS, BATCH): "IFMA, 8 operands",
    (OPENSSL, SINGLE): MULX,
}


@dataclass(frozen=True)
class PowerCurve:
    """The cycles of one exponentiation in constant time, the exponent as long as the modulus, by its bits."""

    name: str
    cycles: Mapping[int, float]
    limit: Mapping[int, float]  # at the same sizes; empty where none is computed


@dataclass(frozen=True)
class Sweep:
    """The curves of one run, and its machine."""

    cpu: str
    date: str
    curves: Sequence[PowerCurve]
    limits: Mapping[str, Mapping[int, float]]


def recorded(results: Path = RESULTS) -> Sweep | None:
    """Return the sweep that this CPU recorded last, or else any CPU, if there is one."""
    sweeps = recorded_of(newest_of_each_cpu, results)
    own = [sweep for sweep in sweeps if sweep.cpu == machine.cpu_model()]
    return next(iter(own + sweeps), None)


def recorded_of(files: Callable[[Path, str], Iterable[Path]], results: Path = RESULTS) -> list[Sweep]:
    """Return the sweeps in the files that `files` chooses."""
    return [of_file(path) for path in files(results, FILE)]


def of_file(path: Path) -> Sweep:
    """Return a recorded sweep."""
    recording = read(path)
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
    fastest = _fastest(own)
    cycles = {bits: figure["median_cycles"] for bits, figure in fastest.items()}
    of_figures = {bits: limits.get(_way(figure), {}).get(bits) for bits, figure in fastest.items()}
    limit = {bits: least for bits, least in of_figures.items() if least is not None}
    return PowerCurve(name, cycles, limit)


def _way(figure: Figure) -> str:
    """Return the name of the lower bound of an engine, or nothing where none is computed."""
    way = LIMITS.get((figure["library"], figure["operation"]), "")
    if figure["library"] != OURS:
        return way
    multipliers = multipliers_of(figure["engine"])
    if multipliers == "MULX" and figure["operation"] == SINGLE:
        return MULX
    return "" if multipliers == "doubles" else way


def _fastest(figures: Iterable[Figure]) -> dict[int, Figure]:
    """Return the figure of the fastest engine at each size."""
    fastest: dict[int, Figure] = {}
    for figure in figures:
        known = fastest.get(figure["bits"])
        if known is None or figure["median_cycles"] < known["median_cycles"]:
            fastest[figure["bits"]] = figure
    return dict(sorted(fastest.items()))

"""The recorded sweep over sizes: its curves, their limits, and the plot."""

import json
import re
from pathlib import Path

import pytest

from monpro.demo import plots
from monpro.results import sweep


def figure(library: str, engine: str, operation: str, bits: int, cycles: float) -> dict[str, object]:
    return {
        "library": library,
        "engine": engine,
        "operation": operation,
        "bits": bits,
        "median_cycles": cycles,
        "median_ns": cycles / 4,
    }


FIGURES = [
    figure("monpro", "slow", "modexp", 256, 900.0),
    figure("monpro", "fast", "modexp", 256, 800.0),
    figure("monpro", "fast-ifma", "modexp", 512, 4000.0),
    figure("monpro", "fast-fma", "modexp", 1024, 6500.0),
    figure("monpro", "lanes-ifma", "modexp-batch", 512, 1000.0),
    figure("monpro", "lanes-fma", "modexp-batch", 1024, 2500.0),
    figure("OpenSSL", "BN", "modexp", 512, 5000.0),
    figure("GMP", "packaged", "modexp", 512, 6000.0),
]
LIMITS = [
    {"operation": "modexp", "bits": 512, "name": "IFMA, one operand", "cycles": 2000.0},
    {"operation": "modexp", "bits": 256, "name": "MULX", "cycles": 700.0},
    {"operation": "modexp", "bits": 1024, "name": "MULX", "cycles": 7000.0},
    {"operation": "monmul", "bits": 512, "name": "IFMA, one operand", "cycles": 20.0},
    {"operation": "modexp-batch", "bits": 512, "name": "IFMA, 8 operands", "cycles": 500.0},
    {"operation": "modexp-batch", "bits": 1024, "name": "IFMA, 8 operands", "cycles": 2000.0},
]
MACHINE = {"cpu": "a CPU", "rustc": "rustc 1", "date": "2026-01-02", "libraries": {}}


def write(results: Path, folder: str = "machine", **facts: str) -> None:
    (results / folder).mkdir()
    recording = {"machine": MACHINE | facts, "rounds": 3, "figures": FIGURES, "limits": LIMITS}
    (results / folder / sweep.FILE).write_text(json.dumps(recording), encoding="utf-8")


def test_a_curve_is_the_fastest_engine_beside_the_limit_of_its_multipliers(tmp_path: Path) -> None:
    """No limit of doubles is known; they go below that of MULX."""
    write(tmp_path)
    recorded = sweep.recorded(tmp_path)
    assert recorded is not None
    one, batch, *others = recorded.curves
    assert one.cycles == {256: 800.0, 512: 4000.0, 1024: 6500.0}
    assert one.limit == {256: 700.0, 512: 2000.0}
    assert (batch.cycles, batch.limit) == ({512: 1000.0, 1024: 2500.0}, {512: 500.0})
    assert [curve.name for curve in others] == ["GMP", "OpenSSL"]


def test_the_own_cpu_goes_before_one_that_recorded_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "earlier", cpu="mine", date="2026-01-01")
    write(tmp_path, "own", cpu="mine", date="2026-01-02")
    write(tmp_path, "other", cpu="another", date="2026-01-03")
    for own, expected in (("mine", ("mine", "2026-01-02")), ("a third", ("another", "2026-01-03"))):
        monkeypatch.setattr("monpro.results.machine.cpu_model", lambda own=own: own)
        recorded = sweep.recorded(tmp_path)
        assert recorded is not None
        assert (recorded.cpu, recorded.date) == expected


def test_nothing_recorded_is_no_sweep(tmp_path: Path) -> None:
    assert sweep.recorded(tmp_path) is None


def test_the_plot_names_every_curve_and_limit(tmp_path: Path) -> None:
    write(tmp_path)
    recorded = sweep.recorded(tmp_path)
    assert recorded is not None
    svg = "".join(plots.power_sweep(recorded))
    for name in ("monpro, one of 8", "OpenSSL", "GMP", "limit: IFMA, one operand", "limit: IFMA, 8 operands"):
        assert name in svg


def test_the_curves_beside_the_limit_have_colours_of_their_own() -> None:
    names = ("monpro, one", "monpro, one of 8", "a", "b", "c", "d", "OpenSSL")
    curves = [sweep.PowerCurve(name, {256: 9.0}, {256: 3.0} if name[0] in "mO" else {}) for name in names]
    _, ratios = plots.power_sweep(sweep.Sweep("a CPU", "2026-01-02", curves, {}))
    assert {f"stroke: var(--series-{number})" for number in (1, 2, 3)} <= set(
        re.findall(r"stroke: var\(--series-\d\)", ratios)
    )

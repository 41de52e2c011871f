"""The folder that `monpro emit` writes for an exponentiator works in every tool, with either port."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import paths
import slang
from emitted import files_in
from monpro.cores import BinaryExponentiator, Exponentiator
from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.mm import Mm
from monpro.cores.scalable_exponentiator import ScalableExponentiator
from monpro.cores.systolic import Systolic
from monpro.cores.window_exponentiator import (
    BlindedWindowExponentiator,
    CrtWindowExponentiator,
    WindowExponentiator,
)
from monpro.flow import tools
from monpro.flow.buses import Bus
from monpro.flow.emit import emit
from monpro.flow.emit_word_serial import VECTORS, vectors

DESIGNS: dict[str, Exponentiator] = {
    "radix 16": Systolic(33),
    "radix 2": Systolic(24, radix_log2=1),
    "radix 4, constant time": Systolic(17, radix_log2=2, constant_time=True),
    "scalable": ScalableExponentiator(40, word_width=4, num_pe=4),
    "windows": WindowExponentiator(40),
    "windows, blinded": BlindedWindowExponentiator(40),
    "windows, blinded, words of 15 bits": BlindedWindowExponentiator(24, 3, 15, 4),
    "windows, crt, words of 15 bits": CrtWindowExponentiator(24, 3, 15, 4),
    "DSP blocks": DspExponentiator(40, fold=8),
    "words of 8 bits": Systolic(17, word_width=8),
}
BUSES: tuple[Bus, ...] = ("none", "axi4lite", "apb", "axi4stream")


ON_OTHERS = ("radix 16", "words of 8 bits")
EMITTED = [
    (name, bus) for name in DESIGNS for bus in BUSES if bus in {"none", "axi4lite"} or name in ON_OTHERS
]


def is_long(name: str, bus: Bus) -> bool:
    """Whether the bench of a core takes long, and the core is in another that is emitted."""
    return name.startswith("windows") and bus == "none"


@pytest.fixture(
    params=[
        pytest.param(chosen, id=", ".join(chosen), marks=[pytest.mark.slow] * is_long(*chosen))
        for chosen in EMITTED
    ]
)
def emitted(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """Return a folder with a design, and its manifest."""
    name, bus = request.param
    emit(DESIGNS[name], bus, tmp_path / "core")
    return tmp_path / "core", json.loads((tmp_path / "core" / "manifest.json").read_text())


def execute(folder: Path, *command: str | Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def bench_output(folder: Path, top: str) -> str:
    bench = ("-s", "monpro_testbench", "-f", f"{top}.f", "monpro_testbench.sv")
    execute(folder, tools.find("iverilog"), "-g2012", "-o", "bench", *bench)
    return execute(folder, tools.find("vvp"), "-n", "bench")


def test_every_tool_takes_it_and_the_test_bench_passes(emitted: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = emitted
    top = manifest["top"]
    assert sorted(manifest["files"]) == sorted(set(files_in(folder)) - {"bench"})
    execute(folder, tools.find("verilator"), "--lint-only", "-Wall", "-f", f"{top}.f", "--top-module", top)
    assert slang.accepts(top, [folder / source for source in manifest["sources"]])
    script = (
        f"read_verilog -sv {' '.join(manifest['sources'])}; hierarchy -check -top {top}; proc; check -assert"
    )
    execute(folder, tools.find("yosys"), "-q", "-p", script)
    assert f"PASS: {VECTORS} powers" in bench_output(folder, top)


@pytest.mark.parametrize("bus", BUSES)
def test_the_test_bench_can_fail(bus: Bus, tmp_path: Path) -> None:
    emit(Systolic(16), bus, tmp_path / "core")
    folder = tmp_path / "core"
    lines = (folder / "vectors.hex").read_text().splitlines()
    *before, power = vectors(Systolic(16))[:4]
    lowest = sum(map(len, before)) + power[0] + 2  # the lowest word of the result
    lines[lowest] = f"{int(lines[lowest], 16) ^ 1:x}"
    (folder / "vectors.hex").write_text("\n".join(lines) + "\n")
    top = json.loads((folder / "manifest.json").read_text())["top"]
    assert f"FAIL: 1 of {VECTORS} powers" in bench_output(folder, top)


@pytest.mark.parametrize("bus", BUSES)
def test_the_test_bench_does_not_pass_without_its_vectors(bus: Bus, tmp_path: Path) -> None:
    emit(Systolic(16), bus, tmp_path / "core")
    (tmp_path / "core" / "vectors.hex").unlink()
    top = json.loads((tmp_path / "core" / "manifest.json").read_text())["top"]
    assert f"FAIL: {VECTORS} of {VECTORS} powers" in bench_output(tmp_path / "core", top)


@pytest.mark.parametrize("bus", BUSES)
def test_the_test_bench_of_a_core_that_never_answers_ends(bus: Bus, tmp_path: Path) -> None:
    emit(Systolic(16), bus, tmp_path / "core")
    exponentiator = tmp_path / "core" / "monpro_exp_systolic.sv"
    deaf = re.sub(r"assign ready_o .*;", "assign ready_o = 1'b0;", exponentiator.read_text())
    assert deaf != exponentiator.read_text()
    exponentiator.write_text(deaf)
    top = json.loads((tmp_path / "core" / "manifest.json").read_text())["top"]
    assert "FAIL: no answer" in bench_output(tmp_path / "core", top)


def test_the_ports_are_those_of_the_module(emitted: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = emitted
    assert paths.ports(folder, manifest["top"], manifest["sources"]) == manifest["ports"]
    if manifest["bus"] != "none":
        where = (folder, manifest["top"], manifest["sources"])
        assert paths.outputs_within_a_clock(*where, "s_a*") == []
        if manifest["bus"] == "axi4stream":
            assert paths.outputs_within_a_clock(*where, "m_axis*") == []


def resets(folder: Path, scan_mode: int) -> set[bool]:
    """Return whether the asynchronous resets of all registers are the port rst_ni itself, for a scan mode."""
    manifest = json.loads((folder / "manifest.json").read_text())
    top = folder / f"{manifest['top']}.sv"
    text = top.read_text().replace("  input  logic        scan_mode_i,\n", "", 1)
    top.write_text(text.replace(");\n", f");\n  wire scan_mode_i = 1'b{scan_mode};\n", 1))
    script = (
        f"read_verilog -sv {' '.join(manifest['sources'])}; hierarchy -top {manifest['top']}; proc; flatten; "
        "opt; write_json netlist.json"
    )
    execute(folder, tools.find("yosys"), "-q", "-p", script)
    module = json.loads((folder / "netlist.json").read_text())["modules"][manifest["top"]]
    port = module["ports"]["rst_ni"]["bits"]
    wired = [
        cell["connections"]["ARST"] for cell in module["cells"].values() if "ARST" in cell["connections"]
    ]
    assert len(wired) > 5
    return {one == port for one in wired}


def test_no_register_resets_another_in_scan_mode(tmp_path: Path) -> None:
    for scan_mode, direct in ((1, {True}), (0, {True, False})):
        emit(Systolic(16), "axi4lite", tmp_path / str(scan_mode))
        assert resets(tmp_path / str(scan_mode), scan_mode) == direct


def test_a_bus_of_other_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="word_width must not be larger"):
        emit(BinaryExponentiator.around(Mm(40), 64), "axi4lite", tmp_path / "core")
    assert not (tmp_path / "core").exists()

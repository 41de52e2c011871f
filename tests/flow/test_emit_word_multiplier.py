"""The folder that `monpro emit` writes for a multiplier whose ports carry words works in every tool."""

import json
import subprocess
from pathlib import Path

import pytest

import paths
import slang
from monpro.cores import WordMultiplier
from monpro.cores.dsp import Dsp
from monpro.cores.quotient_pipelined import QuotientPipelined
from monpro.flow import tools
from monpro.flow.buses import Bus
from monpro.flow.emit import emit
from monpro.flow.emit_word_serial import vectors

DESIGNS: dict[str, WordMultiplier] = {
    "radix 16": QuotientPipelined(97),
    "radix 8": QuotientPipelined(33, radix_log2=3, word_width=15),
    "dsp": Dsp(33),
    "dsp, folded": Dsp(40, fold=2),
}
BUSES: tuple[Bus, ...] = ("none", "axi4lite", "apb", "axi4stream")


def execute(folder: Path, *command: str | Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def bench_output(folder: Path, top: str) -> str:
    bench = ("-s", "monpro_testbench", "-f", f"{top}.f", "monpro_testbench.sv")
    execute(folder, tools.find("iverilog"), "-g2012", "-Wall", "-o", "bench", *bench)
    return execute(folder, tools.find("vvp"), "-n", "bench")


@pytest.mark.parametrize(
    ("name", "bus"),
    [(name, bus) for name in DESIGNS for bus in BUSES if bus in {"none", "axi4lite"} or name == "dsp"],
)
def test_every_tool_takes_it_and_the_test_bench_passes(name: str, bus: Bus, tmp_path: Path) -> None:
    core, folder = DESIGNS[name], tmp_path / "core"
    emit(core, bus, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    top = manifest["top"]
    execute(folder, tools.find("verilator"), "--lint-only", "-Wall", "-f", f"{top}.f", "--top-module", top)
    assert slang.accepts(top, [folder / source for source in manifest["sources"]])
    assert paths.ports(folder, top, manifest["sources"]) == manifest["ports"]
    assert f"PASS: {len(vectors(core))} products" in bench_output(folder, top)


@pytest.mark.parametrize("bus", BUSES)
def test_the_test_bench_can_fail(bus: Bus, tmp_path: Path) -> None:
    core, folder = DESIGNS["radix 16"], tmp_path / "core"
    emit(core, bus, folder)
    lines = (folder / "vectors.hex").read_text().splitlines()
    lowest = 1 + vectors(core)[0][0] + 1  # the lowest word of the first result
    lines[lowest] = f"{int(lines[lowest], 16) ^ 1:x}"
    (folder / "vectors.hex").write_text("\n".join(lines) + "\n")
    top = json.loads((folder / "manifest.json").read_text())["top"]
    assert f"FAIL: 1 of {len(vectors(core))} products" in bench_output(folder, top)

"""The folder that `monpro emit` writes works in every tool, without monpro."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import paths
import slang
from emitted import files_in
from monpro.cores import core
from monpro.flow import emit, tools
from monpro.flow.buses import Bus
from monpro.flow.synthesise import LIBERTY

DESIGNS = {
    "mm-64": ("mm", 64, {}),
    "scs-mm-1-97": ("scs-mm-1", 97, {"cpa_width": 64}),
    "fcs-mm-2-8": ("fcs-mm-2", 8, {}),
    "fcs-mmm42-40-pairs": ("fcs-mmm42", 40, {"carry_save_ports": 1}),
    "scs-mm-new-97": ("scs-mm-new", 97, {}),
    "scs-mm-new-255-constant-time": ("scs-mm-new", 255, {"constant_time": 1}),
}
BUSES: tuple[Bus, ...] = ("none", "axi4lite", "apb")


ON_APB = ("mm-64", "fcs-mmm42-40-pairs")
EMITTED = [(name, bus) for name in DESIGNS for bus in BUSES if bus != "apb" or name in ON_APB]


@pytest.fixture(params=EMITTED, ids="-".join)
def emitted(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """Return a folder with a design, and its manifest."""
    name, bus = request.param
    folder = tmp_path / "core"
    emit.emit(core(*DESIGNS[name]), bus, folder)
    return folder, json.loads((folder / "manifest.json").read_text())


def execute(folder: Path, *command: str | Path) -> str:
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_every_tool_takes_it_and_the_test_bench_passes(emitted: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = emitted
    top = manifest["top"]
    execute(folder, tools.find("verilator"), "--lint-only", "-Wall", "-f", f"{top}.f", "--top-module", top)
    assert slang.accepts(top, [folder / source for source in manifest["sources"]])
    script = (
        f"read_verilog -sv {' '.join(manifest['sources'])}; hierarchy -check -top {top}; proc; check -assert"
    )
    execute(folder, tools.find("yosys"), "-q", "-p", script)
    bench = ("-s", "monpro_testbench", "-f", f"{top}.f", "monpro_testbench.sv")
    execute(folder, tools.find("iverilog"), "-g2012", "-o", "bench", *bench)
    assert f"PASS: {emit.VECTORS} products" in execute(folder, tools.find("vvp"), "-n", "bench")


def test_the_test_bench_can_fail(tmp_path: Path) -> None:
    for bus in BUSES:
        folder = tmp_path / bus
        emit.emit(core("mm", 16), bus, folder)
        vectors = (folder / "vectors.hex").read_text().splitlines()
        vectors[3] = f"{int(vectors[3], 16) ^ 1 << 32:x}"  # the lowest bit of z
        (folder / "vectors.hex").write_text("\n".join(vectors) + "\n")
        bench = ("-s", "monpro_testbench", *(path.name for path in folder.glob("*.sv")))
        execute(folder, tools.find("iverilog"), "-g2012", "-o", "bench", *bench)
        assert f"FAIL: 1 of {emit.VECTORS} products" in execute(folder, tools.find("vvp"), "-n", "bench")


@pytest.mark.parametrize("bus", BUSES)
def test_the_test_bench_of_a_core_that_never_answers_ends(bus: Bus, tmp_path: Path) -> None:
    folder = tmp_path / bus
    emit.emit(core("mm", 16), bus, folder)
    multiplier = folder / "monpro_mul_mm.sv"
    deaf = re.sub(r"assign ready_o .*;", "assign ready_o = 1'b0;", multiplier.read_text())
    assert deaf != multiplier.read_text()
    multiplier.write_text(deaf)
    bench = ("-s", "monpro_testbench", *(path.name for path in folder.glob("*.sv")))
    execute(folder, tools.find("iverilog"), "-g2012", "-o", "bench", *bench)
    assert "FAIL:" in execute(folder, tools.find("vvp"), "-n", "bench")


def test_the_manifest_lists_files_ports_and_parameters(emitted: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = emitted
    assert sorted(manifest["files"]) == sorted(files_in(folder))
    parameters = manifest["core_parameters"]
    settings = {name: parameters[name] for name in parameters if name != "Width"}
    snake = {"".join(f"_{c.lower()}" if c.isupper() else c for c in n)[1:]: v for n, v in settings.items()}
    multiplier = core(manifest["core"], parameters["Width"], snake)
    if manifest["bus"] == "none":
        widths = {port["name"]: port["width"] for port in manifest["ports"]}
        assert (widths["x_i"], widths["n_i"]) == (multiplier.operand_bits, multiplier.modulus_bits)
        values = {name: int(value.removeprefix("1'b")) for name, value in manifest["parameters"].items()}
        assert values == parameters


def test_the_parameters_of_the_manifest_can_be_set(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    emit.emit(core("scs-mm-new", 97, {"constant_time": 1}), "none", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    settings = [f"-G{name}={value}" for name, value in manifest["parameters"].items()]
    assert "-GConstantTime=1'b1" in settings
    top = manifest["top"]
    lint = ("--lint-only", "-Wall", "-f", f"{top}.f", "--top-module", top)
    execute(folder, tools.find("verilator"), *lint, *settings)


def test_every_path_is_timed_by_the_constraints(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    emit.emit(core("fcs-mm-2", 8), "none", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    top, sources = manifest["top"], " ".join(manifest["sources"])
    mapped = (
        f"synth -flatten -top {top}; dfflibmap -liberty {LIBERTY}; abc -liberty {LIBERTY}; splitnets -ports"
    )
    script = f"read_verilog -sv {sources}; {mapped}; clean -purge; write_verilog -noattr mapped.v"
    execute(folder, tools.find("yosys"), "-q", "-p", script)
    (folder / "time.tcl").write_text(
        f"read_liberty {LIBERTY}\nread_verilog mapped.v\nlink_design {top}\nread_sdc {top}.sdc\n"
        "check_setup -verbose\n"
        "report_checks -from [get_ports y_i*]\nreport_checks -to [get_ports z_o*]\nexit\n"
    )
    report = execute(folder, tools.find("opensta"), "-exit", "time.tcl")
    assert "Warning" not in report
    assert "Error" not in report
    assert report.count("slack") == 2
    assert "input external delay" in report
    assert "output external delay" in report


def test_nextpnr_reads_the_constraint_of_the_clock(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    emit.emit(core("mm", 8), "none", folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    top, sources = manifest["top"], " ".join(manifest["sources"])
    script = f"read_verilog -sv {sources}; synth_ecp5 -top {top} -json netlist.json"
    execute(folder, tools.find("yosys"), "-q", "-p", script)
    place = ("--lpf", f"{top}.lpf", "--lpf-allow-unconstrained", "--no-route", "--timing-allow-fail")
    ended = subprocess.run(
        [tools.find("nextpnr-ecp5"), "--json", "netlist.json", *place],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "constraining clock net 'clk_i' to 100.00 MHz" in ended.stderr


def test_the_ports_are_those_of_the_module(emitted: tuple[Path, dict[str, Any]]) -> None:
    folder, manifest = emitted
    assert paths.ports(folder, manifest["top"], manifest["sources"]) == manifest["ports"]


PAST_A_REGISTER = {  # by bus: its ports, a cell, a line of it, one that lets inputs through, and to where
    "axi4lite": (
        "s_axi_*",
        "monpro_axi4lite_channel.sv",
        ("ready_o   = !waits_q", "ready_o   = !waits_q && valid_i"),
        ["s_axi_arready", "s_axi_awready", "s_axi_wready"],
    ),
    "apb": (
        "s_apb_*",
        "monpro_apb_port.sv",
        ("assign unused          = s_apb_penable;", "assign s_apb_pready = write_o || read_o;"),
        ["s_apb_pready"],
    ),
}


@pytest.mark.parametrize("bus", PAST_A_REGISTER)
@pytest.mark.parametrize("name", ["mm-64", "fcs-mmm42-40-pairs"])
def test_no_input_of_a_bus_reaches_an_output_within_a_clock(name: str, bus: Bus, tmp_path: Path) -> None:
    emit.emit(core(*DESIGNS[name]), bus, tmp_path / "core")
    manifest = json.loads((tmp_path / "core" / "manifest.json").read_text())
    ports, cell, (right, wrong), reached = PAST_A_REGISTER[bus]
    where = (tmp_path / "core", manifest["top"], manifest["sources"], ports)
    assert paths.outputs_within_a_clock(*where) == []
    source = tmp_path / "core" / cell
    assert right in source.read_text()
    source.write_text(source.read_text().replace(right, wrong).replace("s_apb_pready  <= ", "unused <= "))
    assert paths.outputs_within_a_clock(*where) == reached


@pytest.mark.parametrize("bus", BUSES)
def test_fusesoc_runs_its_targets(bus: Bus, tmp_path: Path) -> None:
    fusesoc = tools.find("fusesoc")
    emit.emit(core("scs-mm-new", 32), bus, tmp_path / "core")
    top = json.loads((tmp_path / "core" / "manifest.json").read_text())["top"]
    run = (fusesoc, "--cores-root", "core", "run", "--target")
    name = f"monpro:multiplier:{top}"
    tools.find("iverilog")
    assert f"PASS: {emit.VECTORS} products" in execute(tmp_path, *run, "sim", name)
    tools.find("verilator")
    execute(tmp_path, *run, "lint", name)


def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("kept")
    with pytest.raises(FileExistsError, match="not empty"):
        emit.emit(core("mm", 8), "none", tmp_path / "full")
    (tmp_path / "empty").mkdir()
    emit.emit(core("mm", 8), "none", tmp_path / "empty")
    assert (tmp_path / "empty" / "manifest.json").is_file()

    def failing(_self: Path, _text: str, **_options: str) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", failing)
    with pytest.raises(OSError, match="No space"):
        emit.emit(core("mm", 8), "none", tmp_path / "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "full"]

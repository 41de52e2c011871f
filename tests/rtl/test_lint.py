"""Every module, elaborated as a top module, is clean in every tool that reads the sources."""

import re
import subprocess
from pathlib import Path

import pytest

import slang
from monpro.cores import Design, exponentiators_of_width, of_width, word_multipliers_of_width
from monpro.flow import sources, tools
from monpro.flow.simulate import parameter_values

MODULES = [source.stem for source in sources.all_sources()]
CONFIGURATIONS: dict[str, Design] = {
    name: design
    for width_bits in (8, 97, 1024)
    for of_kind in (of_width, word_multipliers_of_width, exponentiators_of_width)
    for name, design in of_kind(width_bits).items()
}


def paths(module: str) -> list[str]:
    return list(map(str, sources.needed(module)))


@pytest.mark.parametrize("module", MODULES)
def test_verilator_lint_is_clean(module: str) -> None:
    verilator = tools.find("verilator")
    subprocess.run([verilator, "--lint-only", "-Wall", "--top-module", module, *paths(module)], check=True)


@pytest.mark.parametrize("module", MODULES)
def test_yosys_finds_no_problem(module: str, tmp_path: Path) -> None:
    script = (
        f"read_verilog -sv {' '.join(paths(module))}; hierarchy -check -top {module}; proc; check -assert"
    )
    tools.run("yosys", ["-q", "-p", script], log=tmp_path / "yosys.log")


@pytest.mark.parametrize("module", MODULES)
def test_slang_accepts_every_module(module: str) -> None:
    assert slang.accepts(module, sources.needed(module))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_slang_accepts_every_configuration(name: str) -> None:
    design = CONFIGURATIONS[name]
    assert slang.accepts(design.top, sources.needed(design.top), parameter_values(design))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("assign z_o = late; logic late; assign late = 1'b0;", "used before its declaration"),
        ("logic [1:0] two; assign two = '0; assign z_o = two[2];", "-Windex-oob"),
    ],
)
def test_slang_refuses_what_is_not_clean(
    body: str, complaint: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.sv").write_text(f"module bad (output logic z_o);\n  {body}\nendmodule\n")
    assert not slang.accepts("bad", [tmp_path / "bad.sv"])
    assert complaint in capfd.readouterr().err


@pytest.mark.parametrize("module", MODULES)
def test_icarus_compiles_without_a_word(module: str, tmp_path: Path) -> None:
    arguments = ["-g2012", "-s", module, "-o", str(tmp_path / "out"), *paths(module)]
    tools.run("iverilog", arguments, log=(log := tmp_path / "iverilog.log"))
    assert log.read_text(encoding="utf-8") == ""


def test_verible_lint_is_clean(tmp_path: Path) -> None:
    rules = sources.rtl_folder() / "verible.rules"
    arguments = ["--rules_config", str(rules), *map(str, (*sources.all_sources(), *sources.cells_of()))]
    tools.run("verible", arguments, log=tmp_path / "verible.log")


def source_of_copies(module: str) -> str:
    """Return the source of a module whose registers are copies, which Yosys, Vivado and Synplify keep."""
    source = (sources.rtl_folder() / f"{module}.sv").read_text(encoding="utf-8")
    assert '(* keep_hierarchy = "yes", syn_hier = "hard" *)\nmodule' in source
    return source


def test_no_synthesis_may_merge_the_copies_of_a_select_line() -> None:
    source = source_of_copies("monpro_pe_ccsa_slice")
    copies = [port.removesuffix("_d_i") for port in re.findall(r"input +logic .*?(\w+_d_i)", source)]
    assert len(copies) == 8
    for copy in copies:
        assert re.search(rf"\(\* dont_merge \*\) logic +(\[1:0\] )?{copy}_q;", source), "for Quartus"


def test_no_synthesis_may_merge_the_copies_of_a_register() -> None:
    source = source_of_copies("monpro_cell_copy")
    assert "(* dont_merge *) logic [Width-1:0] value_q;" in source, "for Quartus"


@pytest.mark.parametrize(
    ("module", "parameter"),
    [
        ("monpro_mul_mm", "Width=1"),
        ("monpro_mul_scs_mm_new", "Width=4097"),
        ("monpro_pe_ccsa_slice", "Width=4"),
    ],
)
def test_a_parameter_out_of_range_is_fatal(module: str, parameter: str, tmp_path: Path) -> None:
    program = str(tmp_path / "out")
    name, value = parameter.split("=")
    override = f"-P{module}.{name}={value}"
    subprocess.run(
        [tools.find("iverilog"), "-g2012", "-s", module, override, "-o", program, *paths(module)], check=True
    )
    ran = subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert f"{name} = {value}" in ran.stdout + ran.stderr

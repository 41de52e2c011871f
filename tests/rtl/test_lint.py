"""Every module, elaborated as the top of its own design, is clean in every tool that reads the sources."""

import subprocess
from pathlib import Path

import pytest

from monpro.flow import sources, tools

MODULES = [source.stem for source in sources.all_sources()]


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
def test_icarus_compiles_without_a_word(module: str, tmp_path: Path) -> None:
    arguments = ["-g2012", "-s", module, "-o", str(tmp_path / "out"), *paths(module)]
    tools.run("iverilog", arguments, log=(log := tmp_path / "iverilog.log"))
    assert log.read_text(encoding="utf-8") == ""


def test_verible_lint_is_clean(tmp_path: Path) -> None:
    rules = sources.rtl_folder() / "verible.rules"
    arguments = ["--rules_config", str(rules), *map(str, sources.all_sources())]
    tools.run("verible", arguments, log=tmp_path / "verible.log")


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

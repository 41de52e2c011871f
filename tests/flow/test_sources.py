"""The sources and their lists: complete, in dependency order, and the same for every tool."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from monpro.flow import generated, sources, tools
from monpro.flow.sources import layer


@pytest.mark.parametrize("name", generated.LISTS)
def test_the_lists_name_every_source(name: str) -> None:
    text = (sources.rtl_folder() / name).read_text()
    assert re.findall(r"^(?: +- )?(monpro_\w+\.sv)$", text, re.MULTILINE) == [
        path.name for path in sources.all_sources()
    ]


@pytest.mark.parametrize("name", generated.FILES)
def test_what_is_generated_is_up_to_date(name: str) -> None:
    text = (sources.rtl_folder() / name).read_text()
    assert text == generated.up_to_date(name), "run `python -m monpro.flow.generated`"


def test_a_source_that_is_added_enters_the_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = shutil.copytree(sources.rtl_folder(), tmp_path / "rtl")
    (folder / "monpro_mul_added.sv").write_text("module monpro_mul_added;\nendmodule\n")
    monkeypatch.setattr(sources, "rtl_folder", lambda: folder)
    assert generated.main() == 0
    for name in generated.LISTS:
        before = (Path(__file__).parents[2] / "rtl" / name).read_text().splitlines()
        after = (folder / name).read_text().splitlines()
        (added,) = [line for line in after if line not in before]
        assert added.removeprefix("      - ") == "monpro_mul_added.sv"
        assert after[after.index(added) + 1].endswith("monpro_mul_dsp.sv")


def test_a_source_without_a_layer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "monpro_new.sv").touch()
    monkeypatch.setattr(sources, "rtl_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=r"monpro_new\.sv belongs to no layer: name it one of monpro_cell_"):
        sources.all_sources()


def test_a_file_holds_the_module_of_its_name() -> None:
    for source in sources.all_sources():
        assert re.findall(r"^module (\w+)", source.read_text(), re.MULTILINE) == [source.stem]


@pytest.mark.parametrize("source", sources.all_sources(), ids=lambda source: source.stem)
def test_a_module_instantiates_lower_layers_that_stand_before_it(source: Path) -> None:
    names = [path.stem for path in sources.all_sources()]
    for used in sources.instantiated(source):
        assert layer(used) < layer(source.stem)
        assert names.index(used) < names.index(source.stem)


def test_the_sources_a_module_needs() -> None:
    needed = [path.stem for path in sources.needed("monpro_mul_scs_mm_2")]
    assert needed == ["monpro_cell_csa", "monpro_cell_zero_d", "monpro_mul_scs_mm_2"]


def test_an_installation_without_them_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cli: Any
) -> None:
    monkeypatch.setattr("importlib.resources.files", lambda _package: tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no SystemVerilog sources at .*: install monpro anew"):
        sources.rtl_folder()
    assert "install monpro anew" in cli.complaint("emit", "mm", "--output", str(tmp_path / "core"))


def fusesoc_lint(folder: Path, width: int, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run the target lint of the core file in a folder."""
    tools.find("verilator")
    name = re.findall(r'^name: "(.+)"$', (folder / "monpro.core").read_text(), re.MULTILINE)[0]
    arguments = ("--cores-root", folder, "run", "--target", "lint", name, "--Width", str(width))
    return subprocess.run(
        [tools.find("fusesoc"), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )


def test_fusesoc_runs_its_target(tmp_path: Path) -> None:
    ended = fusesoc_lint(sources.rtl_folder(), 97, tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_target_of_fusesoc_can_fail(tmp_path: Path) -> None:
    folder = shutil.copytree(sources.rtl_folder(), tmp_path / "rtl")
    broken = folder / "monpro_mul_scs_mm_new.sv"
    broken.write_text(broken.read_text().replace("assign ready_o", "assign never_declared", 1))
    ended = fusesoc_lint(folder, 97, tmp_path)
    assert ended.returncode != 0
    assert "never_declared" in ended.stdout + ended.stderr

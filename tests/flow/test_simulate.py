"""The compiled bench: its reports and its failures."""

from pathlib import Path

import pytest

from monpro.cores import core
from monpro.flow import simulate, sources, tools


def test_progress_counts_the_products() -> None:
    seen: list[int] = []
    multiplier = core("scs-mm-new", 8)
    simulate.simulate(multiplier, [(1, 2, 255)] * 3, progress=seen.append)
    assert seen == [1, 2, 3]


def test_a_build_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplier = core("mm", 8)
    program = simulate.build(multiplier)

    def forbidden(*_arguments: object, **_options: object) -> str:
        raise AssertionError("built again")

    monkeypatch.setattr(tools, "run", forbidden)
    assert simulate.build(multiplier) == program


def test_a_module_that_does_not_compile_shows_what_the_tool_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "monpro_mul_mm.sv"
    broken.write_text("module monpro_mul_mm; this is no SystemVerilog\n")
    monkeypatch.setattr(sources, "needed", lambda *_given: (broken,))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(tools.ToolError, match=r"verilator failed: %Error: .*monpro_mul_mm\.sv:1"):
        simulate.build(core("mm", 8))


def test_a_core_that_never_answers_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = sources.needed("monpro_mul_mm")[0].read_text()
    silent = tmp_path / "monpro_mul_mm.sv"
    silent.write_text(source.replace("StReduce: state_q <= StResult", "StReduce: state_q <= StReduce"))
    monkeypatch.setattr(sources, "needed", lambda *_given: (silent,))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(tools.ToolError, match="product 0: valid_o stays low"):
        simulate.simulate(core("mm", 8), [(1, 2, 255)])

"""Area and speed of a small core on every target: the target's figures, and None for all others."""

import dataclasses
import json
import re
import statistics

import pytest

from monpro.cores import core, design
from monpro.cores.dsp import Dsp
from monpro.flow import simulate, synthesise, tools


def test_the_asic_library_has_area_and_delay() -> None:
    figures = synthesise.synthesise(core("scs-mm-new", 16), "osu018")
    assert figures.area_um2 is not None
    assert figures.delay_ns is not None
    assert 0.5 < figures.delay_ns < 10
    assert figures.cells > 500
    assert figures.luts is figures.ffs is figures.brams is figures.fmax_mhz is None


@pytest.mark.parametrize("target", ["xc2v", "xc7", "xcup", "ecp5", "ice40"])
def test_an_fpga_has_luts_and_registers(target: str) -> None:
    multiplier = core("scs-mm-2", 16)
    figures = synthesise.synthesise(multiplier, target, place=False)
    assert figures.area_um2 is figures.delay_ns is figures.fmax_mhz is None
    assert figures.brams == 0
    assert figures.luts is not None
    assert figures.ffs is not None
    registers = 2 * multiplier.operand_bits + multiplier.modulus_bits + 2 * (16 + 3)
    assert registers <= figures.ffs < registers + 16  # A, B, N, SS, SC and the control
    assert figures.luts >= 2 * 16


def test_the_area_holds_the_carries_and_the_ports_of_memories() -> None:
    adders = synthesise.synthesise(core("mm", 64), "ecp5", place=False)
    two_long_additions_and_a_comparison = 3 * 64
    assert (adders.area_luts or 0) >= (adders.luts or 0) + two_long_additions_and_a_comparison / 2
    memories = synthesise.synthesise(design("systolic", 32), "ecp5", place=False)
    write_ports = (memories.memory_luts or 0) // 2
    assert write_ports > 0
    assert (memories.area_luts or 0) >= (memories.luts or 0) + (memories.memory_luts or 0) + write_ports


def test_a_carry_of_the_7_series_takes_no_further_table() -> None:
    figures = synthesise.synthesise(design("systolic", 32), "xc7", place=False)
    assert figures.area_luts == (figures.luts or 0) + (figures.memory_luts or 0)


@pytest.mark.parametrize(("target", "fold"), [("xc7", 8), ("xcup", 8), ("ecp5", 1), ("ecp5", 8)])
def test_each_product_of_a_word_takes_one_dsp_block(target: str, fold: int) -> None:
    multiplier = design("dsp", 97, {"fold": fold})
    figures = synthesise.synthesise(multiplier, target, place=False)
    assert isinstance(multiplier, Dsp)
    assert figures.dsps == 2 * multiplier.words // fold


def test_no_multiplier_of_a_word_has_an_enable_of_its_own() -> None:
    """Four multipliers of the ECP5 share four enables: with more of them, most of a device stays empty."""
    multiplier = design("dsp", 33, {"fold": 1})
    synthesise.synthesise(multiplier, "ecp5", place=False)
    netlist = simulate.cache_folder() / "synthesise" / f"{multiplier.configuration}-ecp5" / "netlist.json"
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    (element,) = (module for name, module in modules.items() if "monpro_pe_dsp" in name)
    products = [cell for cell in element["cells"].values() if cell["type"] == "MULT18X18D"]
    assert len(products) == 2
    enables = {bit for cell in products for i in range(4) for bit in cell["connections"].get(f"CE{i}", [])}
    assert enables <= {"0", "1"}


def test_the_digits_have_a_copy_for_each_region_of_a_device() -> None:
    """26 elements are two regions, and there are two digits. Without folding they come in every clock."""
    multiplier = Dsp(80, word_width=4, fold=1)
    assert multiplier.words == 26
    synthesise.synthesise(multiplier, "ecp5", place=False)
    netlist = simulate.cache_folder() / "synthesise" / f"{multiplier.configuration}-ecp5" / "netlist.json"
    modules = json.loads(netlist.read_text(encoding="utf-8"))["modules"]
    cells = [cell for module in modules.values() for cell in module["cells"].values()]
    copies = [cell["connections"] for cell in cells if "monpro_cell_copy" in cell["type"]]
    assert len(copies) == 4
    assert {tuple(copy["take_i"]) for copy in copies} == {("1",)}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ecp5", "ice40"])
def test_place_and_route_gives_a_clock(target: str) -> None:
    figures = synthesise.synthesise(core("scs-mm-new", 32), target)
    assert figures.fmax_mhz is not None
    assert 20 < figures.fmax_mhz < 500


def test_the_clock_is_the_median_of_the_seeds_beside_the_least_and_the_greatest() -> None:
    multiplier = core("scs-mm-2", 8)
    one, four = (synthesise.synthesise(multiplier, "ice40", seeds=seeds) for seeds in (1, 4))
    assert (one.seeds, four.seeds) == (1, 4)
    assert one.fmax_mhz == one.fmax_least_mhz == one.fmax_greatest_mhz
    folder = simulate.cache_folder() / "synthesise" / f"{multiplier.configuration}-ice40" / "placed"
    rates = [synthesise._fmax_mhz(synthesise.TARGETS["ice40"], folder, seed)[0] or 0 for seed in range(1, 5)]
    assert rates[0] == one.fmax_mhz
    assert (min(rates), max(rates)) == (four.fmax_least_mhz, four.fmax_greatest_mhz)
    assert len(set(rates)) > 2
    assert four.fmax_mhz == round(statistics.median(rates), 2)


def test_a_number_of_seeds_below_1_is_refused() -> None:
    with pytest.raises(ValueError, match="takes 1 seed or more, not 0"):
        synthesise.synthesise(core("mm", 8), "ice40", seeds=0)


def test_the_mapping_with_the_smaller_product_of_area_and_delay_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    multiplier = core("fcs-mm-2", 16)
    both = synthesise.synthesise(multiplier, "osu018")
    alone = []
    for name in synthesise.MAPPINGS:
        monkeypatch.setattr(synthesise, "MAPPINGS", {name: ""})
        alone.append(synthesise.synthesise(multiplier, "osu018"))
    assert alone[0] != alone[1]
    assert both == min(alone, key=lambda figures: (figures.area_um2 or 0) * (figures.delay_ns or 0))


def test_a_design_that_does_not_fit_has_the_figures_of_mapping_and_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = dataclasses.replace(
        synthesise.TARGETS["ice40"], place=("nextpnr-ice40", "--lp384", "--package", "qn32")
    )
    monkeypatch.setitem(synthesise.TARGETS, "ice40", small)
    figures = synthesise.synthesise(core("scs-mm-2", 64), "ice40")
    assert figures.fmax_mhz is None
    assert figures.luts is not None
    assert figures.luts > 384
    assert re.fullmatch(
        r"does not fit the Lattice iCE40 HX8K: [\d,]+ ICESTORM_LC of 384", figures.reason or ""
    )


@pytest.mark.slow  # its carry chain is as long as a modulus of 1024 bits
def test_a_design_whose_paths_are_too_long_for_nextpnr_has_a_reason() -> None:
    figures = synthesise.synthesise(core("mm", 1024), "ecp5")
    assert figures.fmax_mhz is None
    assert figures.area_luts is not None
    assert figures.reason == "has paths of more cells than the stack of nextpnr's WebAssembly allows"


def test_place_and_route_that_fails_otherwise_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = dataclasses.replace(synthesise.TARGETS["ice40"], place=("nextpnr-ice40", "--no-such-option"))
    monkeypatch.setitem(synthesise.TARGETS, "ice40", wrong)
    with pytest.raises(tools.ToolError, match=r"nextpnr-ice40 failed: .*no-such-option"):
        synthesise.synthesise(core("mm", 8), "ice40")


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(
        ValueError, match="there is no target 'vhs'; there are: osu018, xc2v, xc7, xcup, ecp5, ice40"
    ):
        synthesise.synthesise(core("mm", 16), "vhs")


def test_the_message_of_the_tool_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = synthesise.Target("ecp5", "broken", "no_such_command")
    monkeypatch.setitem(synthesise.TARGETS, "ecp5", broken)
    with pytest.raises(tools.ToolError, match=r"ERROR: No such command: no_such_command .*log: .*yosys\.log"):
        synthesise.synthesise(core("mm", 16), "ecp5")

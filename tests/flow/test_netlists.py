"""Synthesised netlists compute what the RTL does, in values and in clock cycles."""

from dataclasses import replace
from pathlib import Path

import pytest

import four_state
from monpro.cores import (
    Core,
    Exponentiator,
    WordSerial,
    core,
    design,
    exponentiators_of_width,
    of_width,
    word_multipliers_of_width,
)
from monpro.flow import netlists, tools
from monpro.flow.simulate import Netlist
from monpro.flow.synthesise import LIBERTY
from monpro.flow.trial import try_design

WIDTH_BITS = 8
LONG = {"dsp", "scalable-exp", "window-exp", "dsp-exp"}  # minutes of mapping or of simulation
EVERY = of_width(WIDTH_BITS) | word_multipliers_of_width(WIDTH_BITS) | exponentiators_of_width(WIDTH_BITS)

pytestmark = pytest.mark.skipif(not LIBERTY.is_file(), reason="the library is missing")


def of_cells(netlist: Netlist, old: str, new: str, folder: Path) -> Netlist:
    """Return the netlist with the models of its cells changed."""
    gates, cells = netlist.files
    text = cells.read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / cells.name).write_text(text.replace(old, new), encoding="utf-8")
    return replace(netlist, files=(gates, folder / cells.name))


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in four_state.NAMES],
)
def test_the_gates_of_every_core_pass_its_test_bench(name: str, tmp_path: Path) -> None:
    """Random and extreme operands, and chained products of word ports, by Icarus."""
    small = four_state.small(name)
    (netlist,) = netlists.netlists(small, "osu018", ["shortest"])
    printed = four_state.bench_output(small, tmp_path, four_state.around_netlist(small, netlist))
    assert four_state.passes(small, printed), printed


def test_a_cell_with_another_function_is_noticed(tmp_path: Path) -> None:
    small = four_state.small("mm")
    (netlist,) = netlists.netlists(small, "osu018", ["shortest"])
    wrong = of_cells(netlist, "assign Y = ~(A & B);", "assign Y = ~(A | B);", tmp_path)
    printed = four_state.bench_output(small, tmp_path, four_state.around_netlist(small, wrong))
    assert not four_state.passes(small, printed)


def agree(engine: Core | WordSerial, target: str, count: int) -> None:
    """Check that the netlists give the values and cycles of the RTL for chained products, all right."""
    chained = not isinstance(engine, Exponentiator)
    expected = try_design(engine, count, 5, lambda _done: None, rtl=True, chained=chained)
    assert expected.mismatches == 0
    for netlist in netlists.netlists(engine, target):
        trial = try_design(engine, count, 5, lambda _: None, rtl=True, chained=chained, netlist=netlist)
        assert trial == expected
        assert trial.values == expected.values


@pytest.mark.slow
def test_lookup_tables_compute_powers_as_the_rtl() -> None:
    agree(design("binary-exp:mm", WIDTH_BITS), "ecp5", 60)


@pytest.mark.slow
@pytest.mark.parametrize("target", netlists.SIMULATED)
@pytest.mark.parametrize(
    "name", [name for name in four_state.NAMES if name not in {"dsp", "scalable-exp", "dsp-exp"}]
)
def test_every_netlist_of_a_target_computes_chains_as_the_rtl(name: str, target: str) -> None:
    agree(four_state.small(name), target, 40)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_lookup_tables_of_every_variant_compute_as_the_rtl(name: str) -> None:
    """Where Yosys carries a model of each cell."""
    try:
        agree(EVERY[name], "ecp5", 20)
    except tools.ToolError as error:
        assert "cells without a model: MULT18X18D" in str(error) or "DP16KD" in str(error)  # noqa: PT017
        assert EVERY[name].name in {"dsp", "quotient-pipelined", "scalable-exp", "window-exp", "dsp-exp"}


@pytest.mark.slow
def test_a_cell_without_a_model_is_one_line() -> None:
    with pytest.raises(tools.ToolError, match=r"^a netlist for ecp5 has cells without a model: MULT18X18D; "):
        netlists.netlists(design("dsp", WIDTH_BITS, {"fold": 8}), "ecp5")


def test_cells_are_found_in_what_yosys_writes() -> None:
    gates = """module \\$paramod$1\\inner (a);
  FAX1 _0_ (
    .A(a)
  );
endmodule
module top(a, b);
  wire a;
  \\$paramod$1\\inner  \\u_b.c (
    .a(a)
  );
  LUT4 #(
    .INIT(16'h0f00)
  ) above_LUT4_D (
    .A(1'h0)
  );
  assign b = a;
endmodule
"""
    assert netlists.cells_without_model(gates, "") == ["FAX1", "LUT4"]
    with_ports_alone = "module FAX1(input A);\n  parameter B = 1;\nendmodule\n"
    assert netlists.cells_without_model(gates, with_ports_alone) == ["FAX1", "LUT4"]
    modelled = "module LUT4(input A, output Z);\n  assign Z = A;\nendmodule\n"
    assert netlists.cells_without_model(gates, modelled) == ["FAX1"]


def test_a_target_without_netlists_is_refused() -> None:
    with pytest.raises(ValueError, match="no netlists for 'ice40'; there are: osu018, ecp5"):
        netlists.netlists(core("mm", WIDTH_BITS), "ice40")

"""The commands for hardware: cores, sim, synth, emit."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from monpro.cli import main, sim, synth
from monpro.cores import Core, Result, design, everything, of_width
from monpro.flow import netlists, synthesis_records, tools
from monpro.flow.simulate import Netlist
from monpro.flow.synthesise import TARGETS, Figures

SIM_FIELDS = {"core", "bits", "count", "mismatches", "cycles_mean", "cycles_min", "cycles_max"}
Capture = pytest.CaptureFixture[str]


def answer(capture: Capture, *arguments: str, status: int = 0) -> Any:
    """Return the JSON that a command prints."""
    assert main([*arguments, "--json"]) == status
    output, errors = capture.readouterr()
    assert errors == ""
    return json.loads(output)


def test_cores(capsys: Capture) -> None:
    rows = answer(capsys, "cores")
    assert [row["name"] for row in rows] == [architecture.name for architecture in everything()]
    for row in rows:
        assert row["widths"] == [8, 4096]
        assert design(row["name"], 64, row["parameters"]).top == row["rtl"]
        assert row["available"] == (row["reason"] is None)
        assert f"{row['name']}-1024" in row["verified"]
    assert main(["cores"]) == 0
    output = capsys.readouterr().out
    assert max(len(line) for line in output.splitlines()) <= 100
    for row in rows:
        assert row["name"] in output
        assert all(f"{name}={value}" in output for name, value in row["parameters"].items())


@pytest.mark.parametrize("by", ["--model", "--rtl"])
@pytest.mark.parametrize("chained", [[], ["--chained"]])
def test_sim(by: str, chained: list[str], capsys: Capture) -> None:
    if by == "--rtl":
        tools.find("verilator")
    row = answer(capsys, "sim", "scs-mm-new", "--bits", "64", "--count", "50", "--seed", "3", by, *chained)
    assert set(row) == SIM_FIELDS
    assert (row["core"], row["bits"], row["count"], row["mismatches"]) == ("scs-mm-new", 64, 50, 0)
    assert row["cycles_min"] < row["cycles_mean"] < row["cycles_max"]
    constant = answer(
        capsys, "sim", "scs-mm-new", "--bits", "64", "--count", "9", by, "--set", "constant_time=1", *chained
    )
    assert constant["cycles_min"] == constant["cycles_mean"] == constant["cycles_max"]


def test_sim_has_the_same_operands_for_model_and_rtl(capsys: Capture) -> None:
    tools.find("verilator")
    arguments = ("sim", "fcs-mmm42", "--bits", "97", "--count", "40", "--seed", "11")
    assert answer(capsys, *arguments, "--rtl") == answer(capsys, *arguments, "--model")
    assert answer(capsys, *arguments, "--rtl") != answer(capsys, *arguments[:-1], "12", "--rtl")


def test_sim_in_words(capsys: Capture) -> None:
    assert main(["sim", "mm", "--bits", "16", "--count", "1000", "--model"]) == 0
    output = capsys.readouterr().out
    assert "1,000 products, all right" in output
    assert "17.0 on average, 17 to 17" in output


@pytest.mark.parametrize("by", ["--model", "--rtl"])
def test_sim_of_an_exponentiator(by: str, capsys: Capture) -> None:
    arguments = ("sim", "systolic", "--bits", "33", "--count", "20", by)
    row = answer(capsys, *arguments)
    assert set(row) == SIM_FIELDS
    assert row["mismatches"] == 0
    constant = answer(capsys, *arguments, "--set", "constant_time=1")
    assert constant["cycles_min"] == constant["cycles_max"] > row["cycles_mean"]
    assert main([*arguments, "--chained"]) == 2
    assert "chains of products already" in capsys.readouterr().err
    assert main([*arguments]) == 0
    assert "20 powers, all right" in capsys.readouterr().out


def test_sim_of_a_netlist_is_compared_with_the_rtl(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, tmp_path: Path
) -> None:
    tools.find("verilator"), tools.find("yosys")
    arguments = ("sim", "mm", "--bits", "8", "--count", "40", "--chained", "--netlist", "ecp5")
    row = answer(capsys, *arguments)
    (netlist,) = row.pop("netlists")
    assert (netlist.pop("netlist"), netlist.pop("unlike_rtl")) == ("ecp5 mapped", 0)
    assert netlist.items() <= row.items()
    assert main([*arguments]) == 0
    assert "netlist ecp5 mapped: 40 products, all right" in (output := capsys.readouterr().out)
    assert "values and cycles: each as the RTL's" in output

    def wrong(core: Core, target: str) -> list[Netlist]:
        (found,) = netlists.netlists(core, target)
        cells = tmp_path / "cells.v"
        cells.write_text(found.files[1].read_text().replace("LUT4_0 ^ gated_cin_0", "LUT4_0"))
        return [replace(found, files=(found.files[0], cells))]

    monkeypatch.setattr(sim, "netlists", wrong)
    (netlist,) = answer(capsys, *arguments, status=1)["netlists"]
    assert 0 < netlist["mismatches"] <= netlist["unlike_rtl"] <= 40
    assert main([*arguments]) == 1
    assert "UNLIKE the RTL's" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--netlist", "ice40"], "--netlist: there is no netlist for 'ice40'; there are: osu018, ecp5"),
        (
            ["--netlist", "ecp5", "--model"],
            "--netlist: a netlist is compared with the RTL: leave out --model",
        ),
    ],
)
def test_a_netlist_that_cannot_be_simulated_is_refused(
    options: list[str], complaint: str, capsys: Capture
) -> None:
    assert main(["sim", "mm", "--bits", "8", *options]) == 2
    assert capsys.readouterr().err == f"monpro: {complaint}\n"


def test_wrong_products_are_counted_and_fail(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    right = Core.run

    def wrong(self: Core, x: int, y: int, n: int) -> Result:
        product = right(self, x, y, n)
        return Result(product.z ^ (x & 1), product.cycles)

    monkeypatch.setattr(Core, "run", wrong)
    row = answer(capsys, "sim", "scs-mm-2", "--bits", "32", "--count", "200", "--model", status=1)
    assert 50 < row["mismatches"] < 150
    assert main(["sim", "scs-mm-2", "--bits", "32", "--count", "200", "--model"]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("verb", "program"),
    [
        (["sim", "mm"], "verilator"),
        (["synth", "mm", "--target", "osu018"], "yosys"),
        (["synth", "mm", "--target", "osu018"], "opensta"),
        (["synth", "mm", "--target", "ecp5"], "nextpnr-ecp5"),
    ],
)
def test_a_tool_that_is_missing_or_too_old_is_one_line(
    verb: list[str], program: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for replaced, message in (
        (tools.Tool(program, "no-such-program", (), "apt-get install it", "it"), "is not installed: apt-get"),
        (tools.Tool(program, "env", (9999,), "apt-get install it", "it"), "is too old, 9999 is the oldest"),
    ):
        tools.version_of.cache_clear()
        monkeypatch.setitem(tools.TOOLS, program, replaced)
        assert main(verb) == 2
        output, errors = capsys.readouterr()
        assert output == ""
        assert message in errors
        assert errors.count("\n") == 1
    tools.version_of.cache_clear()


def test_synth_of_every_target(capsys: Capture) -> None:
    for target in TARGETS:
        tools.find("yosys")
        row = answer(capsys, "synth", "scs-mm-2", "--bits", "8", "--target", target, "--no-place")
        assert {"area_um2", "cells", "delay_ns", "luts", "ffs", "brams", "fmax_mhz"} < set(row)
        assert row["cells"] > 0
        assert (row["area_um2"] is not None) == (row["delay_ns"] is not None) == (target == "osu018")
        assert (row["luts"] is None) == (row["ffs"] is None) == (target == "osu018")
        assert row["fmax_mhz"] is None


def test_synth_of_an_exponentiator(capsys: Capture) -> None:
    tools.find("nextpnr-ecp5")
    row = answer(capsys, "synth", "systolic", "--bits", "16", "--target", "ecp5")
    assert row["configuration"] == "systolic-16"
    assert row["fmax_mhz"] > 20


def test_synth_of_every_core_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(synthesis_records.record, "__kwdefaults__", {"results": tmp_path})
    monkeypatch.setattr(
        synth, "run", lambda core, _target, **_options: Figures(float(core.width_bits), 1, 2.0, *[None] * 4)
    )
    tools.find("yosys")
    assert main(["synth", "all", "--bits", "9", "--target", "osu018", "--record", "--json"]) == 0
    output, errors = capsys.readouterr()
    rows = json.loads(output)
    assert [row["configuration"] for row in rows] == list(of_width(9))
    assert errors.count("recorded ") == len(rows)
    assert set(synthesis_records.recorded("osu018", tmp_path)) == set(of_width(9))
    arguments = ["synth", "scs-mm-new", "--bits", "9", "--target", "xc7", "--set", "constant_time=1"]
    assert main([*arguments, "--record"]) == 0
    assert "recorded scs-mm-new-9-constant-time for xc7" in capsys.readouterr().err
    assert main(["synth", "all", "--target", "xc7", "--set", "constant_time=1"]) == 2
    assert "name a core" in capsys.readouterr().err
    assert main(["synth", "all", "--target", "xc7", "--bits", "7"]) == 2


def test_synth_with_place_and_route(capsys: Capture) -> None:
    tools.find("nextpnr-ice40")
    assert main(["synth", "mm", "--bits", "8", "--target", "ice40"]) == 0
    assert "MHz" in capsys.readouterr().out


def test_synth_from_several_seeds_shows_their_spread(capsys: Capture) -> None:
    tools.find("nextpnr-ice40")
    row = answer(capsys, "synth", "mm", "--bits", "8", "--target", "ice40", "--seeds", "3")
    assert row["seeds"] == 3
    assert row["fmax_least_mhz"] < row["fmax_mhz"] < row["fmax_greatest_mhz"]
    for seeds, shown in (("1", False), ("3", True)):
        assert main(["synth", "mm", "--bits", "8", "--target", "ice40", "--seeds", seeds]) == 0
        assert ("the least of the seeds" in capsys.readouterr().out) == shown


def test_a_tool_that_fails_shows_its_message(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    broken = tools.Tool("yosys", "false", (), "apt-get install yosys", "synth")
    monkeypatch.setitem(tools.TOOLS, "yosys", broken)
    assert main(["synth", "mm", "--bits", "8", "--target", "xc7"]) == 1
    errors = capsys.readouterr().err
    assert "false failed" in errors
    assert errors.count("\n") == 1


def test_emit(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "new" / "core"
    written = answer(capsys, "emit", "mm", "--bits", "97", "-o", str(folder))
    assert written["folder"] == str(folder)
    assert sorted(written["files"]) == sorted(path.name for path in folder.iterdir())
    assert main(["emit", "mm", "-o", str(folder)]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["emit", "mm", "--bits", "97", "--bus", "axi4lite", "-o", str(tmp_path / "bus")]) == 0
    assert "wrote" in capsys.readouterr().out

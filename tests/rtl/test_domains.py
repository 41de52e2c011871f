"""One clock and one reset: what Yosys makes of every core, with a bus and without, is searched for others."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import emitted
import four_state
from monpro.cores import Core, WordSerial, exponentiators_of_width, of_width, word_multipliers_of_width
from monpro.flow import tools
from monpro.flow.buses import Bus
from monpro.flow.emit import contents

BUSES: tuple[Bus, ...] = ("none", "axi4lite")
NARROW = of_width(8) | word_multipliers_of_width(8) | exponentiators_of_width(8)
BENCH = "monpro_testbench.sv"
ABORT = "core_rst_n"  # the reset of a core behind a bus, which software may ask for
SCAN = ("$mux", "B")  # rst_ni as that reset, in a scan test


def registers_of(files: dict[str, str], top: str, folder: Path) -> Iterator[str]:
    """Yield what is not as claimed: pins of registers, and uses of the clock and the reset."""
    sources = [name for name in files if name.endswith(".sv") and name != BENCH]
    for name in sources:
        (folder / name).write_text(files[name], encoding="utf-8")
    script = f"read_verilog -sv {' '.join(sources)}; hierarchy -top {top}; proc"
    script += "; setattr -mod -unset keep_hierarchy *; flatten; memory_collect; clean; write_json n.json"
    tools.run("yosys", ["-q", "-p", script], log=folder / "log", cwd=folder)
    module = json.loads((folder / "n.json").read_text())["modules"][top]
    (clock,), (reset,) = (module["ports"][port]["bits"] for port in ("clk_i", "rst_ni"))
    abort = module["netnames"].get(ABORT, {"bits": [reset]})["bits"][0]
    for cell in module["cells"].values():
        yield from _complaints(cell, clock, {reset, abort}, reset)


def _complaints(cell: dict, clock: int, resets: set[int], reset: int) -> Iterator[str]:  # type: ignore[type-arg]
    kind, parameters = cell["type"], cell["parameters"]
    if "latch" in kind or kind in {"$sr", "$ff", "$dffsr", "$aldff"}:
        yield f"{kind} is no register of one clock and one reset"
    for pin, bits in cell["connections"].items():
        if pin in {"CLK", "WR_CLK"} or (pin == "RD_CLK" and "1" in parameters["RD_CLK_ENABLE"]):
            is_rom = pin == "WR_CLK" and int(parameters["WR_PORTS"], 2) == 0  # a table made of a case
            if not is_rom and (set(bits) != {clock} or "0" in parameters[f"{pin}_POLARITY"]):
                yield f"{kind}.{pin} is not the rising clk_i"
        elif pin == "ARST":
            if not set(bits) <= resets or int(parameters["ARST_POLARITY"], 2):
                yield f"{kind}.{pin} is no low reset"
        elif clock in bits:
            yield f"clk_i goes to {kind}.{pin}"
        elif reset in bits and (kind, pin) != SCAN:
            yield f"rst_ni goes to {kind}.{pin}"


def files_of(core: Core | WordSerial, bus: Bus) -> tuple[dict[str, str], str]:
    """Return the files of a core and the name of its top module."""
    files = emitted.portable(contents(core, bus))
    return files, json.loads(files["manifest.json"])["top"]


@pytest.mark.parametrize("bus", [pytest.param("none", marks=pytest.mark.slow), "axi4lite"])
@pytest.mark.parametrize("name", four_state.NAMES)
def test_every_register_has_the_clock_and_the_reset_of_the_core(name: str, bus: Bus, tmp_path: Path) -> None:
    assert list(registers_of(*files_of(four_state.small(name), bus), tmp_path)) == []


@pytest.mark.slow
@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("name", NARROW)
def test_every_register_of_every_variant(name: str, bus: Bus, tmp_path: Path) -> None:
    assert list(registers_of(*files_of(NARROW[name], bus), tmp_path)) == []


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (r"posedge clk_i or", "negedge clk_i or", "CLK is not the rising clk_i"),
        (r"posedge clk_i or", "posedge valid_i or", "CLK is not the rising clk_i"),
        (r"(?s)or negedge rst_ni(.*?)!rst_ni", r"or posedge valid_i\1valid_i", "ARST is no low reset"),
        (r"assign ready_o +=", "assign ready_o = clk_i &", "clk_i goes to"),
        (r"assign ready_o +=", "assign ready_o = rst_ni &", "rst_ni goes to"),
        (
            r"assign ready_o +=",
            "logic l; always_latch if (valid_i) l = x_i[0];\nassign ready_o = l &",
            "latch",
        ),
    ],
)
def test_another_clock_or_reset_is_found(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    files, top = files_of(four_state.small("mm"), "none")
    files[f"{top}.sv"], changes = re.subn(old, new, files[f"{top}.sv"], count=1)
    assert changes == 1
    assert complaint in " ".join(registers_of(files, top, tmp_path))


def test_the_reset_of_an_abort_is_a_register_that_the_clock_releases(tmp_path: Path) -> None:
    """Nothing but scan_mode_i stands between it and the core, so no logic can make it glitch."""
    files, top = files_of(four_state.small("systolic"), "axi4lite")
    assert list(registers_of(files, top, tmp_path)) == []
    module = json.loads((tmp_path / "n.json").read_text())["modules"][top]
    (abort,), (scan,) = module["netnames"][ABORT]["bits"], module["ports"]["scan_mode_i"]["bits"]
    cells = module["cells"].values()
    (mux,) = (cell for cell in cells if cell["connections"].get("Y") == [abort])
    assert (mux["type"], mux["connections"]["S"]) == ("$mux", [scan])
    (register,) = (c for c in cells if c["connections"].get("Q") == mux["connections"]["A"])
    assert register["type"] == "$adff"
    assert register["connections"]["ARST"] == module["ports"]["rst_ni"]["bits"]

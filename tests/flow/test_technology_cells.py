"""Cells of one technology that replace portable ones: what they hold and give is the same."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from monpro.cores.dsp_exponentiator import DspExponentiator
from monpro.cores.exponentiator import Exponentiator
from monpro.cores.window_exponentiator import WindowExponentiator
from monpro.flow import multiplier, sources, tools
from monpro.flow.exponentiate import powers_on, word_ports
from monpro.flow.package import cells_of
from monpro.flow.synthesise import TARGETS, circuit

MODELS = Path(__file__).parents[1] / "cells" / "ecp5"  # of the blocks that the cells take from the device
CELLS = sources.cells_of()

DRIVEN = {
    "monpro_cell_registered_ram": """
  localparam int Width        = {Width};
  localparam int Depth        = {Depth};
  localparam int AddressWidth = $clog2(Depth);

  logic                    write = 1'b0;
  logic [AddressWidth-1:0] write_address = '0;
  logic [AddressWidth-1:0] read_address = '0;
  logic [Width-1:0]        word = '0;
  logic [Width-1:0]        portable, ecp5;

  portable_cell #(.Width(Width), .Depth(Depth)) u_portable (
    .clk_i(clk), .write_i(write), .write_address_i(write_address), .word_i(word),
    .read_address_i(read_address), .word_o(portable)
  );
  monpro_cell_registered_ram #(.Width(Width), .Depth(Depth)) u_ecp5 (
    .clk_i(clk), .write_i(write), .write_address_i(write_address), .word_i(word),
    .read_address_i(read_address), .word_o(ecp5)
  );

  task drive(int i);
    write         = i < Depth || $urandom_range(1) == 1;
    write_address = AddressWidth'((i < Depth) ? i : $urandom_range(Depth - 1));
    word          = Width'($urandom);
    read_address  = AddressWidth'((write_address + $urandom_range(Depth - 1, 1)) % Depth);  // another word
  endtask
""",
    "monpro_cell_product": """
  localparam int FactorWidth = {FactorWidth};
  localparam int DigitWidth  = {DigitWidth};

  logic                              take = 1'b0;
  logic [FactorWidth-1:0]            factor = '0;
  logic [DigitWidth-1:0]             digit = '0;
  logic [FactorWidth+DigitWidth-1:0] portable, ecp5;

  portable_cell #(.FactorWidth(FactorWidth), .DigitWidth(DigitWidth)) u_portable (
    .clk_i(clk), .take_i(take), .factor_i(factor), .digit_i(digit), .product_o(portable)
  );
  monpro_cell_product #(.FactorWidth(FactorWidth), .DigitWidth(DigitWidth)) u_ecp5 (
    .clk_i(clk), .take_i(take), .factor_i(factor), .digit_i(digit), .product_o(ecp5)
  );

  task drive(int i);
    take   = i < 4 || $urandom_range(1) == 1;
    factor = $urandom_range(3) == 0 ? '1 : FactorWidth'($urandom);
    digit  = $urandom_range(3) == 0 ? '1 : DigitWidth'($urandom);
  endtask
""",
}
BENCH = """
module bench;
  logic clk = 1'b0;
  int   differences = 0;
{driven}
  initial begin
    for (int i = 0; i < 8000; i++) begin
      drive(i);
      #5 clk = 1'b1;
      #5 clk = 1'b0;
      if (i > 4000 && portable !== ecp5) differences++;
    end
    $display("differences: %0d, unknown bits: %b", differences, ^ecp5 === 1'bx);
  end
endmodule
"""
RAM, PRODUCT = DRIVEN
SHAPES = [
    *(
        (RAM, {"Width": width, "Depth": depth})
        for width, depth in ((32, 512), (36, 66), (17, 528), (17, 1952))
    ),
    *(
        (PRODUCT, {"FactorWidth": factor, "DigitWidth": digit})
        for factor, digit in ((18, 17), (17, 17), (5, 4))
    ),
]
TOO_WIDE = [
    (RAM, {"Width": 37, "Depth": 66}, "Width = 37: 1 to 36"),
    (PRODUCT, {"FactorWidth": 19, "DigitWidth": 17}, "FactorWidth = 19"),
    (PRODUCT, {"FactorWidth": 17, "DigitWidth": 19}, "DigitWidth = 19"),
]


def with_models(folder: Path) -> tuple[Path, ...]:
    """Return the cells of the ECP5, each with the model of its block of the device behind it."""
    made = []
    for cell in sources.cells_of("ecp5"):
        text = cell.read_text(encoding="utf-8")
        block = re.search(r"^ +([A-Z0-9]+) #", text, re.MULTILINE)
        assert block is not None
        made.append(folder / cell.name)
        made[-1].write_text(text + (MODELS / f"{block[1]}.sv").read_text(encoding="utf-8"), encoding="utf-8")
    return tuple(made)


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.parent.name}/{cell.stem}")
def test_a_cell_replaces_a_portable_one(cell: Path) -> None:
    assert cell.stem in {source.stem for source in sources.all_sources()}


def driven(name: str, shape: dict[str, int], folder: Path) -> str:
    """Return what a bench in Icarus prints that drives the portable cell and that of the ECP5 at random."""
    text = DRIVEN[name]
    for parameter, value in shape.items():
        text = text.replace(f"{{{parameter}}}", str(value))
    (folder / "bench.sv").write_text(BENCH.replace("{driven}", text), encoding="utf-8")
    (portable,) = sources.needed(name)
    text = portable.read_text(encoding="utf-8").replace(f"module {name} ", "module portable_cell ")
    (folder / "portable.sv").write_text(text, encoding="utf-8")
    (folder / "ecp5").mkdir()
    (replacing,) = (path for path in with_models(folder / "ecp5") if path.stem == name)
    program, files = (
        str(folder / "program"),
        map(str, (folder / "portable.sv", replacing, folder / "bench.sv")),
    )
    tools.run("iverilog", ["-g2012", "-s", "bench", "-o", program, *files], log=folder / "iverilog.log")
    return tools.run("vvp", ["-n", program], log=folder / "vvp.log").strip()


@pytest.mark.parametrize(("name", "shape"), SHAPES, ids=str)
def test_a_cell_of_the_ecp5_is_the_portable_one(name: str, shape: dict[str, int], tmp_path: Path) -> None:
    assert driven(name, shape, tmp_path) == "differences: 0, unknown bits: 0"


@pytest.mark.parametrize(("name", "shape", "complaint"), TOO_WIDE, ids=str)
def test_what_is_too_wide_for_a_block_is_refused(
    name: str, shape: dict[str, int], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(tools.ToolError, match=complaint):
        driven(name, shape, tmp_path)


def test_every_cell_is_compared() -> None:
    assert {cell.stem for cell in CELLS} == set(DRIVEN)


@pytest.mark.parametrize("core", [WindowExponentiator(71), DspExponentiator(71)], ids=lambda core: core.name)
def test_powers_on_the_cells_of_the_ecp5_are_right(core: Exponentiator, tmp_path: Path) -> None:
    chance = random.Random(1)
    on_ecp5 = replace(word_ports(core), replaced=with_models(tmp_path))
    powers = [(chance.randrange(n), chance.getrandbits(71), n) for n in ((1 << 71) - 231, 35, (1 << 40) - 87)]
    assert list(powers_on(on_ecp5, core, powers)) == [core.run(*given) for given in powers]


def test_synthesis_takes_the_cells_of_its_target() -> None:
    core = WindowExponentiator(64)
    folders = {
        name: {path.parent.name for path in circuit(core, target).files} for name, target in TARGETS.items()
    }
    assert folders.pop("ecp5") == {"rtl", "ecp5"}
    assert set.union(*folders.values()) == {"rtl"}
    assert [path.name for path in circuit(core, TARGETS["ecp5"]).files] == [
        path.name for path in multiplier.sources_of(core)
    ]


def test_an_emitted_folder_has_the_cells_of_its_own_sources() -> None:
    assert list(cells_of(["monpro_cell_registered_ram.sv", "monpro_cell_ram.sv"])) == [
        "ecp5/monpro_cell_registered_ram.sv"
    ]
    assert cells_of(["monpro_cell_ram.sv"]) == {}

"""Models of cells from a Liberty file: their functions, their flip-flops, and what is refused."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from monpro.flow import liberty, tools
from monpro.flow.synthesise import LIBERTY

# What the cells of the library compute, as their names say.
CELLS: dict[str, tuple[str, str, Callable[..., int]]] = {
    "INVX1": ("A", "Y", lambda a: 1 - a),
    "AND2X2": ("AB", "Y", lambda a, b: a & b),
    "NOR3X1": ("ABC", "Y", lambda a, b, c: 1 - (a | b | c)),
    "XNOR2X1": ("AB", "Y", lambda a, b: 1 - (a ^ b)),
    "AOI22X1": ("ABCD", "Y", lambda a, b, c, d: 1 - (a & b | c & d)),
    "OAI21X1": ("ABC", "Y", lambda a, b, c: 1 - ((a | b) & c)),
    "MUX2X1": ("ABS", "Y", lambda a, b, s: 1 - (a if s else b)),
    "FAX1": ("ABC", "YC", lambda a, b, c: a + b + c >> 1),
    "HAX1": ("AB", "YS", lambda a, b: a ^ b),
}


def simulated(text: str, bench: str, folder: Path) -> list[str]:
    """Return the lines that a bench prints."""
    (folder / "bench.v").write_text(f"{text}\nmodule bench;\n{bench}\nendmodule\n")
    tools.run("iverilog", ["-s", "bench", "-o", "b", "bench.v"], log=folder / "log", cwd=folder)
    return tools.run("vvp", ["-n", "b"], log=folder / "log", cwd=folder).split()


@pytest.mark.skipif(not LIBERTY.is_file(), reason="the library is missing")
@pytest.mark.parametrize("cell", CELLS)
def test_cells_compute_what_their_names_say(cell: str, tmp_path: Path) -> None:
    pins, output, function = CELLS[cell]
    connections = ", ".join(f".{pin}(i[{place}])" for place, pin in enumerate(pins))
    values = list(product((0, 1), repeat=len(pins)))
    numbers = [sum(bit << place for place, bit in enumerate(bits)) for bits in values]
    shown = "\n".join(f"i = {number}; #1 $display(y);" for number in numbers)
    bench = f"reg [3:0] i; wire y; {cell} u ({connections}, .{output}(y));\ninitial begin {shown} end"
    model = liberty.models(liberty.read(LIBERTY))[cell]
    assert simulated(model, bench, tmp_path) == [str(int(function(*bits))) for bits in values]


@pytest.mark.skipif(not LIBERTY.is_file(), reason="the library is missing")
def test_a_flip_flop_is_cleared_at_once_and_takes_its_input_at_the_edge(tmp_path: Path) -> None:
    bench = """
  reg clk = 0, d = 1, r = 1, s = 1; wire q;
  DFFSR u (.CLK(clk), .D(d), .R(r), .S(s), .Q(q));
  initial begin
    #1 $display("%b", q);
    clk = 1; #1 $display("%b", q);
    d = 0; clk = 0; #1 $display("%b", q);
    r = 0; #1 $display("%b", q);
    s = 0; #1 $display("%b", q);
    r = 1; s = 1; #1 s = 0; #1 $display("%b", q);
    clk = 1; #1 $display("%b", q);
    s = 1; clk = 0; #1 clk = 1; #1 $display("%b", q);
  end"""
    models = liberty.models(liberty.read(LIBERTY))
    assert simulated(models["DFFSR"], bench, tmp_path) == ["x", "1", "1", "0", "0", "1", "1", "0"]


@pytest.mark.skipif(not LIBERTY.is_file(), reason="the library is missing")
def test_what_holds_no_state_of_its_own_or_floats_has_no_model() -> None:
    models = liberty.models(liberty.read(LIBERTY))
    assert {"NAND2X1", "DFFPOSX1", "DFFNEGX1", "FAX1"} < set(models)
    assert not {"LATCH", "TBUFX1", "TBUFX2"} & set(models)


@pytest.mark.parametrize(
    ("function", "expression"),
    [
        ("A", "A"),
        ("(A B)+C", "((A & B) | C)"),
        ("A+B*C^D", "(A | (B & (C ^ D)))"),
        ("A' B", "(~A & B)"),
        ("!(A&B)|1", "(~(A & B) | 1'b1)"),
        ("!A !B", "(~A & ~B)"),
    ],
)
def test_functions_bind_as_in_liberty(function: str, expression: str) -> None:
    assert liberty.verilog(function) == expression


@pytest.mark.parametrize("function", ["", "A+", "(A", "A)", "A $ B", "!"])
def test_what_is_no_function_is_refused(function: str) -> None:
    with pytest.raises(tools.ToolError, match="function of a Liberty file"):
        liberty.verilog(function)


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    for text in ("", "cell (A) { }", "library (a) {", "library (a) { } }", "library (a) { pin (b) x }"):
        (tmp_path / "a.lib").write_text(text)
        with pytest.raises(tools.ToolError):
            liberty.read(tmp_path / "a.lib")


def test_preset_wins_where_the_library_says_so() -> None:
    ff = 'ff (q, n) { next_state : "D"; clocked_on : "C"; clear : "R"; preset : "S"; clear_preset_var1 : H; }'
    pin = 'pin (Q) { direction : output; function : "q"; }'
    cell = liberty.Group("cell", ("F",))
    liberty._statements(iter(liberty._TOKEN.findall(f"{ff} {pin} }}".replace('"', ""))), cell)
    text = liberty.model(cell)
    assert text.index("if (preset)") < text.index("if (clear)")

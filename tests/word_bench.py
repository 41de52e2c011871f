"""A bench in Icarus for an exponentiator with word ports, whose lines a test gives."""

from collections.abc import Sequence
from pathlib import Path

import wiped
from monpro.cores import Exponentiator
from monpro.flow import sources, tools
from monpro.flow.simulate import parameter_values


def send(words: Sequence[int]) -> list[str]:
    """Return lines of the bench that give words to the core."""
    return [f"    send(32'h{word:x});" for word in words]


def run(core: Exponentiator, lines: list[str], folder: Path) -> list[str]:
    """Return what the lines print. The core has a clock gate of a chip.

    Tasks: send and reset; show, which prints error, ready and busy; count, which prints how many clocks
    of 100 reach the registers.
    """
    parameters = ", ".join(f".{name}({value})" for name, value in parameter_values(core).items())
    clock = "u_power.clk" if core.top == "monpro_exp_window" else "clk"
    values = {"top": core.top, "parameters": parameters, "msb": str(core.port_bits - 1), "clock": clock}
    text = BENCH.replace("{lines}", "\n".join(lines))
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    (folder / "bench.sv").write_text(text, encoding="utf-8")
    files = [*map(str, sources.needed(core.top, (wiped.CLOCK_GATE,))), "bench.sv"]
    tools.run("iverilog", ["-g2012", "-s", "bench", "-o", "b", *files], log=folder / "log", cwd=folder)
    return tools.run("vvp", ["-n", "b"], log=folder / "log", cwd=folder).splitlines()


BENCH = """
module bench;
  logic clk = 1'b0, rst_n = 1'b0, valid = 1'b0, ready_in = 1'b1;
  logic ready, busy, error, valid_out, last;
  logic [{msb}:0] word = '0, out;
  int i = 0, clocks = 0;
  {top} #({parameters}) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(valid), .ready_o(ready), .word_i(word), .busy_o(busy),
    .error_o(error), .valid_o(valid_out), .ready_i(ready_in), .word_o(out), .last_o(last));
  always #5 clk = ~clk;
  always @(posedge u_dut.{clock}) clocks = clocks + 1;
  task send(input logic [31:0] given);
    word = given;
    valid = 1'b1;
    while (!ready) @(negedge clk);
    @(negedge clk);
    valid = 1'b0;
  endtask
  task reset;
    rst_n = 1'b0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
  endtask
  task show;
    repeat (400) @(negedge clk);
    $display("error %0d, ready %0d, busy %0d", error, ready, busy | valid_out);
  endtask
  task count;
    repeat (5) @(negedge clk);
    clocks = 0;
    repeat (100) @(negedge clk);
    $display("%0d clocks of 100", clocks);
  endtask
  initial begin
    repeat (200000) @(negedge clk);
    $display("it takes too long");
    $finish;
  end
  initial begin
    reset;
{lines}
    $finish;
  end
endmodule
"""

// The clock of a core that may rest: clk_o is clk_i while enable_i is high, and may stand still, low, while it is low.
// enable_i is stable before clk_i rises.
//
// Here it is a wire, which is right for an FPGA: its registers have enables. For a chip, replace this file by one around the
// clock gate of the library, which holds enable_i by a latch while clk_i is high. Its test enable is for the scan test.
module monpro_cell_clock_gate (
  input  logic clk_i,
  input  logic enable_i,
  output logic clk_o
);
  logic unused;

  assign unused = enable_i;
  assign clk_o  = clk_i;
endmodule

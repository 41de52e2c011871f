// A clock gate as the libraries of chips have it: a latch holds enable_i while clk_i is high.
module monpro_cell_clock_gate (
  input  logic clk_i,
  input  logic enable_i,
  output logic clk_o
);
  logic enable;

  always_latch if (!clk_i) enable = enable_i;

  assign clk_o = clk_i & enable;
endmodule

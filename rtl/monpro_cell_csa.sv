// A row of full adders: one carry-save level [kuang16, Fig. 8(a)].
//
//   sum_o + 2·carry_o = a_i + b_i + c_i,   carry_o[j] has weight 2^(j+1).
//
// Combinational. No bound on the operands.
module monpro_cell_csa #(
  parameter int Width = 64
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o
);
  assign sum_o   = a_i ^ b_i ^ c_i;
  assign carry_o = (a_i & b_i) | (a_i & c_i) | (b_i & c_i);
endmodule

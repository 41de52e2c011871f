// A row of simplified multiplexers that select the addend of an iteration; one of the four inputs is zero
// [kuang16, Fig. 8(d); Fig. 10, steps 8–11].
//
//   x_o = 0, n_i, b_i, d_i  for  (operand_i, quotient_i) = (0,0), (0,1), (1,0), (1,1).
//
// Combinational.
module monpro_cell_sm3 #(
  parameter int Width = 64
) (
  input  logic             operand_i,
  input  logic             quotient_i,
  input  logic [Width-1:0] n_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] x_o
);
  assign x_o = operand_i ? (quotient_i ? d_i : b_i) : ({Width{quotient_i}} & n_i);
endmodule

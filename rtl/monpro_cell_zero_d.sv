// The zero detector Zero_D: zero_o = (a_i = 0) [kuang16, Fig. 7(b), Fig. 11].
//
// Combinational.
module monpro_cell_zero_d #(
  parameter int Width = 64
) (
  input  logic [Width-1:0] a_i,
  output logic             zero_o
);
  assign zero_o = ~|a_i;
endmodule

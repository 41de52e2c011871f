// A row of configurable full adders (CCSA): one full adder a bit, or two half adders in series
// [kuang16, Fig. 8(b), 8(c)].
//
//   full_i = 1 (1F_CSA)   sum_o + 2·carry_o = a_i + b_i + x_i
//   full_i = 0 (2H_CSA)   sum_o + 2·carry_o = a_i + b_i, by two rows of half adders:
//                         (s, g) = (a ^ b, a & b), then (s ^ 2g, s & 2g). The top bit of g leaves
//                         as generate_o, with weight 2^Width.
//   carry_o[j] has weight 2^(j+1); generate_i is the generate_o of the row below, 0 below the lowest bit.
//
// The paper's gates G1 to G5 for one bit: G1 and G2 are the first half adder, MUXI2 replaces x by the
// neighbour's G2, and G3 to G5 are the second half adder. G5 drops its own G2 when full_i = 0, because the
// neighbour above has consumed it.
//
// Combinational.
module monpro_cell_cfa #(
  parameter int Width = 64
) (
  input  logic             full_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] x_i,
  input  logic             generate_i,
  output logic [Width-1:0] sum_o,
  output logic [Width-1:0] carry_o,
  output logic             generate_o
);
  logic [Width-1:0] half_sum;
  logic [Width-1:0] half_carry;
  logic [Width  :0] half_carry_moved;
  logic [Width-1:0] second;

  assign half_sum         = a_i ^ b_i;
  assign half_carry       = a_i & b_i;
  assign half_carry_moved = {half_carry, generate_i};
  assign generate_o       = half_carry_moved[Width];
  assign second           = full_i ? x_i : half_carry_moved[Width-1:0];
  assign sum_o            = half_sum ^ second;
  assign carry_o          = ({Width{full_i}} & half_carry) | (half_sum & second);
endmodule

// The barrel register full adder: it takes a carry-save pair and delivers the bits of its sum from the lowest up
// [kuang16, Fig. 6].
//
//   bits_o = the next four bits of the loaded sum_i + carry_i, from the full adders without a register.
//   step_i moves on by one bit, or by two bits with two_i.
//
// It has two shift registers, one full adder for each bit of bits_o, and a flip-flop for the carry.
module monpro_cell_brfa #(
  parameter int Width = 64
) (
  input  logic             clk_i,
  input  logic             load_i,
  input  logic             step_i,
  input  logic             two_i,
  input  logic [Width-1:0] sum_i,
  input  logic [Width-1:0] carry_i,
  output logic [3:0]       bits_o
);
  logic [Width-1:0] sum_q;
  logic [Width-1:0] carry_q;
  logic             ripple_q;
  logic             ripple_1;
  logic             ripple_2;
  logic [3:0]       total;

  assign total    = sum_q[3:0] + carry_q[3:0] + {3'b000, ripple_q};
  assign bits_o   = total;
  assign ripple_1 = (sum_q[0] & carry_q[0]) | (ripple_q & (sum_q[0] | carry_q[0]));
  assign ripple_2 = (sum_q[1] & carry_q[1]) | (ripple_1 & (sum_q[1] | carry_q[1]));

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      sum_q    <= sum_i;
      carry_q  <= carry_i;
      ripple_q <= 1'b0;
    end else if (step_i) begin
      sum_q    <= two_i ? sum_q >> 2 : sum_q >> 1;
      carry_q  <= two_i ? carry_q >> 2 : carry_q >> 1;
      ripple_q <= two_i ? ripple_2 : ripple_1;
    end
  end

`ifndef SYNTHESIS
  initial begin
    if (Width < 4) $fatal(1, "monpro_cell_brfa: Width = %0d: at least 4", Width);
  end
`endif
endmodule

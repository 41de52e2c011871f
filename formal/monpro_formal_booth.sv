// monpro_cell_booth, for every digit: what it recodes to is the digit's value, and within its range.
module monpro_formal_booth #(
  parameter int RadixLog2 = 2
) (
  input logic                 clk_i,
  input logic [RadixLog2-1:0] digit_i,
  input logic                 carry_i
);
  logic [RadixLog2-1:0] digit_q = '0;
  logic                 carry_q = 1'b0;
  logic                 negative;
  logic [RadixLog2-1:0] magnitude;
  logic [RadixLog2+1:0] value;

  monpro_cell_booth #(.RadixLog2(RadixLog2)) u_dut (
    .digit_i    (digit_q),
    .carry_i    (carry_q),
    .negative_o (negative),
    .magnitude_o(magnitude)
  );

  assign value = {{2{digit_q[RadixLog2-1]}}, digit_q} + carry_q;

  always_ff @(posedge clk_i) begin
    digit_q <= digit_i;
    carry_q <= carry_i;
  end

  always_comb begin
    assert (magnitude <= 2 ** (RadixLog2 - 1));
    assert (negative ? value + magnitude == '0 : value == magnitude);
  end
endmodule

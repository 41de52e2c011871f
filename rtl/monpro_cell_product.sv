// A product of two registered factors, in a register. The product comes two clocks after its digit, and with it belongs the
// factor that was taken last when the digit came.
//
// Multipliers of FPGAs have such registers of their own: a tool that does not take these into them loses clock frequency. For
// Yosys and the ECP5 replace this file by ecp5/monpro_cell_product.sv.
module monpro_cell_product #(
  parameter int FactorWidth = 18,
  parameter int DigitWidth  = 17
) (
  input  logic                              clk_i,
  input  logic                              take_i,     // factor_i is the factor of the next digits
  input  logic [FactorWidth-1:0]            factor_i,
  input  logic [DigitWidth-1:0]             digit_i,
  output logic [FactorWidth+DigitWidth-1:0] product_o
);
  logic [FactorWidth-1:0] factor_q;
  logic [DigitWidth-1:0]  digit_q;

  always_ff @(posedge clk_i) begin
    if (take_i) factor_q <= factor_i;
    digit_q   <= digit_i;
    product_o <= factor_q * digit_q;
  end
endmodule

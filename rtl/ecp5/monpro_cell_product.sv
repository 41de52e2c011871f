// monpro_cell_product for the ECP5: one multiplier of 18 x 18 bits with its registers at both factors and at the product. Yosys
// leaves registers beside the multiplier, and the wires to them then are on its way.
module monpro_cell_product #(
  parameter int FactorWidth = 18,                     // up to 18
  parameter int DigitWidth  = 17                      // up to 18
) (
  input  logic                              clk_i,
  input  logic                              take_i,
  input  logic [FactorWidth-1:0]            factor_i,
  input  logic [DigitWidth-1:0]             digit_i,
  output logic [FactorWidth+DigitWidth-1:0] product_o
);
  logic [17:0] factor;
  logic [17:0] digit;
  logic [35:0] product;
  logic        unused;

  assign factor    = 18'(factor_i);
  assign digit     = 18'(digit_i);
  assign product_o = product[FactorWidth+DigitWidth-1:0];
  assign unused    = &{1'b0, product};

  MULT18X18D #(
    .REG_INPUTA_CLK  ("CLK0"),
    .REG_INPUTA_CE   ("CE1"),
    .REG_INPUTA_RST  ("RST0"),
    .REG_INPUTB_CLK  ("CLK0"),
    .REG_INPUTB_CE   ("CE0"),
    .REG_INPUTB_RST  ("RST0"),
    .REG_PIPELINE_CLK("NONE"),
    .REG_OUTPUT_CLK  ("CLK0"),
    .REG_OUTPUT_CE   ("CE0"),
    .REG_OUTPUT_RST  ("RST0"),
    .CLK0_DIV        ("ENABLED"),
    .GSR             ("DISABLED"),
    .RESETMODE       ("SYNC"),
    .MULT_BYPASS     ("DISABLED"),
    .SOURCEB_MODE    ("B_SHIFT")
  ) u_product (
    .CLK0(clk_i), .CE0(1'b1), .CE1(take_i), .RST0(1'b0),
    .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
    .A0(factor[0]), .A1(factor[1]), .A2(factor[2]), .A3(factor[3]),
    .A4(factor[4]), .A5(factor[5]), .A6(factor[6]), .A7(factor[7]),
    .A8(factor[8]), .A9(factor[9]), .A10(factor[10]), .A11(factor[11]),
    .A12(factor[12]), .A13(factor[13]), .A14(factor[14]), .A15(factor[15]),
    .A16(factor[16]), .A17(factor[17]),
    .B0(digit[0]), .B1(digit[1]), .B2(digit[2]), .B3(digit[3]),
    .B4(digit[4]), .B5(digit[5]), .B6(digit[6]), .B7(digit[7]),
    .B8(digit[8]), .B9(digit[9]), .B10(digit[10]), .B11(digit[11]),
    .B12(digit[12]), .B13(digit[13]), .B14(digit[14]), .B15(digit[15]),
    .B16(digit[16]), .B17(digit[17]),
    .P0(product[0]), .P1(product[1]), .P2(product[2]), .P3(product[3]),
    .P4(product[4]), .P5(product[5]), .P6(product[6]), .P7(product[7]),
    .P8(product[8]), .P9(product[9]), .P10(product[10]), .P11(product[11]),
    .P12(product[12]), .P13(product[13]), .P14(product[14]), .P15(product[15]),
    .P16(product[16]), .P17(product[17]), .P18(product[18]), .P19(product[19]),
    .P20(product[20]), .P21(product[21]), .P22(product[22]), .P23(product[23]),
    .P24(product[24]), .P25(product[25]), .P26(product[26]), .P27(product[27]),
    .P28(product[28]), .P29(product[29]), .P30(product[30]), .P31(product[31]),
    .P32(product[32]), .P33(product[33]), .P34(product[34]), .P35(product[35])
  );

`ifndef SYNTHESIS
  initial begin
    if (FactorWidth > 18 || DigitWidth > 18) begin
      $fatal(1, "monpro_cell_product: FactorWidth = %0d, DigitWidth = %0d: 1 to 18", FactorWidth,
             DigitWidth);
    end
  end
`endif
endmodule

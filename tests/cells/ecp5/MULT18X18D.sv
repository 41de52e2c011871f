// verilator lint_off DECLFILENAME
// verilator lint_off UNUSEDPARAM
// verilator lint_off MULTITOP
// Functional model of the ECP5's multiplier in the mode of monpro_cell_product, after the family's data sheet: registers at
// both factors and at the product, no signs, no reset.
module MULT18X18D #(
  parameter REG_INPUTA_CLK   = "NONE",
  parameter REG_INPUTA_CE    = "CE0",
  parameter REG_INPUTA_RST   = "RST0",
  parameter REG_INPUTB_CLK   = "NONE",
  parameter REG_INPUTB_CE    = "CE0",
  parameter REG_INPUTB_RST   = "RST0",
  parameter REG_PIPELINE_CLK = "NONE",
  parameter REG_OUTPUT_CLK   = "NONE",
  parameter REG_OUTPUT_CE    = "CE0",
  parameter REG_OUTPUT_RST   = "RST0",
  parameter CLK0_DIV         = "ENABLED",
  parameter GSR              = "ENABLED",
  parameter RESETMODE        = "SYNC",
  parameter MULT_BYPASS      = "DISABLED",
  parameter SOURCEB_MODE     = "B_SHIFT"
) (
  input  logic CLK0, CE0, CE1, RST0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  input  logic A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15, A16, A17,
  input  logic B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17,
  output logic P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19, P20,
               P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
  logic [17:0] a_q;
  logic [17:0] b_q;
  logic [35:0] product_q;
  logic        unused;

  assign unused = &{1'b0, RST0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB};

  always_ff @(posedge CLK0) begin
    if (CE1) a_q <= {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
    if (CE0) b_q <= {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
    if (CE0) product_q <= a_q * b_q;
  end

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
        P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product_q;

  initial begin
    if (REG_INPUTA_CLK != "CLK0" || REG_INPUTB_CLK != "CLK0" || REG_PIPELINE_CLK != "NONE" ||
        REG_OUTPUT_CLK != "CLK0" || REG_INPUTA_CE != "CE1" || REG_INPUTB_CE != "CE0" || REG_OUTPUT_CE != "CE0") begin
      $fatal(1, "MULT18X18D: no model of this mode");
    end
  end
endmodule

// The multiplier of monpro_exp_binary: scs-mm-new, Configurable = 1'b1, ConsecutiveSkip = 1'b1, ConstantTime = 1'b0.
//
// The ports are as wide as the widest multiplier needs; a narrower one leaves the upper bits of x_i, y_i and n_i unused.
//   n_i    n, or where hat_o is 1, N^: the multiple of four among n + 1 and 3n + 1
//   hat_o  constant: which of the two, and so whether the product by 1 is at most n, or at most 3n
//
// monpro writes this file from a template. Where another multiplier is wanted:
//
//   python -m monpro.flow.multiplier CORE [PARAMETER=VALUE ...] > monpro_multiplier.sv
module monpro_multiplier #(
  parameter int Width = 1024
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width+2:0] x_i,
  input  logic [Width+2:0] y_i,
  input  logic [Width+1:0] n_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width+2:0] z_o,
  output logic             hat_o
);
  localparam int OperandWidth = Width + 3;
  localparam int ModulusWidth = Width + 2;

  logic [OperandWidth-1:0] z;
  logic                    unused;

  assign z_o    = (Width + 3)'(z);
  assign hat_o  = 1'b1;
  assign unused = &{1'b0, x_i, y_i, n_i};

  monpro_mul_scs_mm_new #(
    .Width(Width),
    .Configurable(1'b1),
    .ConsecutiveSkip(1'b1),
    .ConstantTime(1'b0)
  ) u_multiplier (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .x_i    (x_i[OperandWidth-1:0]),
    .y_i    (y_i[OperandWidth-1:0]),
    .n_i    (n_i[0+:ModulusWidth]),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .z_o    (z)
  );
endmodule

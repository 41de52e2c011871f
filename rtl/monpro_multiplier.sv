// The multiplier of monpro_exp_binary: scs-mm-new, Configurable = 1'b1, ConsecutiveSkip = 1'b1, ConstantTime = 1'b0.
//
// The ports are as wide as the widest multiplier needs. A narrower one ignores the upper bits of x_i, y_i, n_i.
//   n_i    n if hat_o is 0; if hat_o is 1, N^: the multiple of four among n + 1 and 3n + 1
//   hat_o  constant: 0 if the product by 1 is at most n, 1 if it is at most 3n
//
// monpro writes this file from a template. To write it for another multiplier:
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

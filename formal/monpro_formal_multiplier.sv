// The frame of the proofs by induction: a multiplier beside monpro_formal_radix_2, on the same operands. A template: the
// flow fills in the core, its parameters and widths, and its invariant, monpro_formal_<core>.svh. That says in which
// clocks the multiplier has an iteration, with which bits, and what its registers hold.
//
// The names with a dot in an invariant are those of the multiplier's own registers; Yosys connects them when it
// flattens.
module monpro_formal_multiplier #(
  localparam int OperandWidth = ${operand_bits},
  localparam int ModulusWidth = ${modulus_bits}
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    valid_i,
  input logic                    ready_i,
  input logic [OperandWidth-1:0] x_i,
  input logic [OperandWidth-1:0] y_i,
  input logic [ModulusWidth-1:0] n_i
);
  ${settings}
  localparam int ValueWidth   = ${value_bits};
  localparam bit Hat          = 1'b${uses_n_hat};  // n_i takes N^ = N_eff + 1, and B^ is 8·y
  localparam int OperandShift = Hat ? 3 : 0;
  localparam int Iterations   = ${r_log2} + OperandShift;
  localparam int SumWidth     = ValueWidth + OperandShift + 2;
  localparam int IndexWidth   = $$clog2(Iterations + 1);

  logic                    ready;
  logic                    valid;
  logic [OperandWidth-1:0] z;

  ${top} #(
    ${parameters}
  ) u_dut (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_i),
    .ready_o(ready),
    .x_i    (x_i),
    .y_i    (y_i),
    .n_i    (n_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .z_o    (z)
  );

  // the numbers at the ports, where a port carries one or a pair
  logic [ValueWidth:0] x_value;
  logic [ValueWidth:0] y_value;
  logic [ValueWidth:0] z_value;

  if (OperandWidth > ValueWidth) begin : gen_pairs
    assign x_value = {1'b0, x_i[ValueWidth-1:0]} + {1'b0, x_i[OperandWidth-1:ValueWidth]};
    assign y_value = {1'b0, y_i[ValueWidth-1:0]} + {1'b0, y_i[OperandWidth-1:ValueWidth]};
    assign z_value = {1'b0, z[ValueWidth-1:0]} + {1'b0, z[OperandWidth-1:ValueWidth]};
  end else begin : gen_binary
    assign x_value = {1'b0, x_i};
    assign y_value = {1'b0, y_i};
    assign z_value = {1'b0, z};
  end

  // what the algorithm has
  logic                  take;
  logic                  taken;
  logic [ValueWidth-1:0] x;
  logic [ValueWidth-1:0] y;
  logic [ValueWidth-1:0] n;
  logic [IndexWidth-1:0] index;
  logic [SumWidth-1:0]   sum;
  // what the invariant says of an iteration
  logic                  step;
  logic                  skip;
  logic                  operand;
  logic                  quotient;

  assign take = rst_ni && valid_i && ready;

  always_comb begin
    if (take && Hat) assume (n_i[1:0] == 2'b00 && n_i != '0);
  end

  monpro_formal_radix_2 #(
    .ValueWidth  (ValueWidth),
    .OperandShift(OperandShift),
    .Iterations  (Iterations),
    .Reduced     (1'b${is_reduced})
  ) u_radix_2 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .take_i    (take),
    .x_i       (x_value),
    .y_i       (y_value),
    .n_i       (ValueWidth'(n_i) - ValueWidth'(Hat)),
    .step_i    (step),
    .skip_i    (skip),
    .operand_i (operand),
    .quotient_i(quotient),
    .taken_o   (taken),
    .x_o       (x),
    .y_o       (y),
    .n_o       (n),
    .index_o   (index),
    .sum_o     (sum)
  );

${invariant}
endmodule

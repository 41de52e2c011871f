// SCS-MM-2: the radix-2 Montgomery product with two levels of carry-save adders, which also convert the result:
// (SS, SC) = SS + SC until SC = 0 [kuang16, Fig. 2, 4].
//
//   z = x·y·2^-(K+2)  mod N,   K = Width
//
//   n_i   N odd, N < 2^K
//   x, y  < 2N, K + 1 bits
//   z     < 2N: products may be chained without a subtraction
//
// Bounds. S[i+1] = (S[i] + A_i·B + q_i·N)/2 < B + N < 3N, so SS and SC, whose sum is S, keep K + 2 bits after the
// shift and K + 3 before it. After K + 2 iterations with A < 2^(K+1): S < x·y/2^(K+2) + N < 2N.
//
// Latency: K + 2 + c cycles, from the edge that takes the operands to the edge after which valid_o is high.
// c, from 1 to ceil((K+1)/2), is the number of clocks of two half adders until SC = 0. The cycle count depends on the
// operands.
//
//   clock           | SS, SC (not shifted)                            | A
//   idle            | := 0, 0                                         | := x
//   1..K+2   StLoop | := SS/2 + SC/2 + A_0·B + q·N                    | := A >> 1   q = SS_1 ^ SC_1 ^ A_0·B_0
//   ..      StShift | := SS/2 + SC/2                                  | -
//   ..     StResult | := SS + SC;  SC = 0: valid_o                    | -
module monpro_mul_scs_mm_2 #(
  parameter  int Width        = 1024,
  localparam int ModulusWidth = Width,
  localparam int OperandWidth = Width + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [OperandWidth-1:0] x_i,
  input  logic [OperandWidth-1:0] y_i,
  input  logic [ModulusWidth-1:0] n_i,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [OperandWidth-1:0] z_o
);
  localparam int Iterations = Width + 2;
  localparam int StateWidth = Width + 3;
  localparam int CountWidth = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StShift,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;

  logic [OperandWidth-1:0] a_q;
  logic [OperandWidth-1:0] b_q;
  logic [ModulusWidth-1:0] n_q;
  logic [StateWidth-1:0]   ss_q;
  logic [StateWidth-1:0]   sc_q;

  logic                  shift;
  logic                  add_operand;
  logic                  quotient;
  logic [StateWidth-1:0] s;
  logic [StateWidth-1:0] c;
  logic [StateWidth-1:0] operand;
  logic [StateWidth-1:0] modulus;
  logic [StateWidth-1:0] sum_1;
  logic [StateWidth-1:0] carry_1;
  logic [StateWidth-1:0] sum_2;
  logic [StateWidth-1:0] carry_2;
  logic                  zero;

  // M1 and M2
  assign shift       = state_q != StResult;
  assign s           = shift ? ss_q >> 1 : ss_q;
  assign c           = shift ? sc_q >> 1 : sc_q;
  assign add_operand = (state_q == StLoop) & a_q[0];
  assign quotient    = (state_q == StLoop) & (s[0] ^ c[0] ^ (a_q[0] & b_q[0]));
  assign operand     = add_operand ? StateWidth'(b_q) : '0;
  assign modulus     = quotient ? StateWidth'(n_q) : '0;

  monpro_cell_csa #(.Width(StateWidth)) u_csa_1 (
    .a_i    (s),
    .b_i    (c),
    .c_i    (operand),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  monpro_cell_csa #(.Width(StateWidth)) u_csa_2 (
    .a_i    (sum_1),
    .b_i    ({carry_1[StateWidth-2:0], 1'b0}),
    .c_i    (modulus),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  monpro_cell_zero_d #(.Width(StateWidth)) u_zero_d (
    .a_i   (sc_q),
    .zero_o(zero)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle:  if (valid_i) state_q <= StLoop;
        StLoop:  if (left_q == CountWidth'(1)) state_q <= StShift;
        StShift: state_q <= StResult;
        default: if (zero && ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_operands
    if (state_q == StIdle) begin
      left_q <= CountWidth'(Iterations);
      a_q    <= x_i;
      b_q    <= y_i;
      n_q    <= n_i;
    end else if (state_q == StLoop) begin
      left_q <= left_q - CountWidth'(1);
      a_q    <= a_q >> 1;
    end
  end

  always_ff @(posedge clk_i) begin : p_carry_save
    if (state_q == StIdle) begin
      ss_q <= '0;
      sc_q <= '0;
    end else begin
      ss_q <= sum_2;
      sc_q <= {carry_2[StateWidth-2:0], 1'b0};
    end
  end

  logic unused_bits;
  assign unused_bits = ^{carry_1[StateWidth-1], carry_2[StateWidth-1]};

  assign ready_o = state_q == StIdle;
  assign valid_o = (state_q == StResult) & zero;
  assign z_o     = ss_q[OperandWidth-1:0];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_scs_mm_2: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

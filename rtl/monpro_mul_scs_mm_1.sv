// SCS-MM-1: the radix-2 Montgomery product with two levels of carry-save adders, and a carry-propagate adder
// of CpaWidth bits that converts the result [kuang16, Fig. 2, 3].
//
//   z = x·y·2^-(K+2)  mod N,   K = Width
//
//   n_i   N odd, N < 2^K
//   x, y  < 2N, K + 1 bits
//   z     < 2N: products may be chained without a subtraction
//
// Bounds. S[i+1] = (S[i] + A_i·B + q_i·N)/2 < B + N < 3N, so SS and SC, whose sum is S, keep K + 2 bits.
// After K + 2 iterations with A < 2^(K+1): S < x·y/2^(K+2) + N < 2N, because 4N < 2^(K+2).
//
// Latency: K + 2 + ceil(K/CpaWidth) cycles, from the edge that takes the operands to the edge after which valid_o
// is high. The last step of the conversion also forms bit K of z, from the carry and SS_K, SC_K.
//
//   clock            | SS, SC                                          | A
//   idle             | := 0, 0                                         | := x
//   1..K+2    StLoop | := (SS + SC + A_0·B + q·N)/2                    | := A >> 1   q = SS_0 ^ SC_0 ^ A_0·B_0
//   ..     StConvert | >> CpaWidth; the sum of a slice, and the bit    | -
//                    | above it, enter SS at the top                   |
//   ..      StResult | z from bit 1 of SS                              | -
module monpro_mul_scs_mm_1 #(
  parameter  int Width        = 1024,
  parameter  int CpaWidth     = 32,
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
  localparam int Slices     = (Width + CpaWidth - 1) / CpaWidth;
  localparam int StateWidth = Slices * CpaWidth + 2;  // K + 2 bits are needed in the loop
  localparam int CountWidth = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StConvert,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;
  logic                  last;

  logic [OperandWidth-1:0] a_q;
  logic [OperandWidth-1:0] b_q;
  logic [ModulusWidth-1:0] n_q;
  logic [StateWidth-1:0]   ss_q;
  logic [StateWidth-1:0]   sc_q;
  logic                    cpa_carry_q;

  logic [StateWidth-1:0] operand;
  logic [StateWidth-1:0] modulus;
  logic [StateWidth-1:0] sum_1;
  logic [StateWidth-1:0] carry_1;
  logic [StateWidth-1:0] sum_2;
  logic [StateWidth-1:0] carry_2;
  logic                  quotient;
  logic [CpaWidth+1:0]   cpa;

  assign quotient = ss_q[0] ^ sc_q[0] ^ (a_q[0] & b_q[0]);
  assign operand  = a_q[0] ? StateWidth'(b_q) : '0;
  assign modulus  = quotient ? StateWidth'(n_q) : '0;

  monpro_cell_csa #(.Width(StateWidth)) u_csa_1 (
    .a_i    (ss_q),
    .b_i    (sc_q),
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

  // one bit more than a slice; in the last slice this is bit K of the result
  assign cpa = {1'b0, ss_q[CpaWidth:0]} + {1'b0, sc_q[CpaWidth:0]} + (CpaWidth + 2)'(cpa_carry_q);

  assign last = left_q == CountWidth'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle:    if (valid_i) state_q <= StLoop;
        StLoop:    if (last) state_q <= StConvert;
        StConvert: if (last) state_q <= StResult;
        default:   if (ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    case (state_q)
      StIdle: begin
        left_q      <= CountWidth'(Iterations);
        a_q         <= x_i;
        b_q         <= y_i;
        n_q         <= n_i;
        ss_q        <= '0;
        sc_q        <= '0;
        cpa_carry_q <= 1'b0;
      end
      StLoop: begin
        left_q <= last ? CountWidth'(Slices) : left_q - CountWidth'(1);
        a_q    <= a_q >> 1;
        ss_q   <= {1'b0, sum_2[StateWidth-1:1]};
        sc_q   <= carry_2;
      end
      StConvert: begin
        left_q      <= left_q - CountWidth'(1);
        ss_q        <= {cpa[CpaWidth:0], ss_q[StateWidth-2:CpaWidth]};
        sc_q        <= sc_q >> CpaWidth;
        cpa_carry_q <= cpa[CpaWidth] ^ ss_q[CpaWidth] ^ sc_q[CpaWidth];
      end
      default: ;
    endcase
  end

  logic unused_bits;
  assign unused_bits = ^{sum_2[0], carry_1[StateWidth-1], cpa[CpaWidth+1], ss_q};

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StResult;
  assign z_o     = ss_q[OperandWidth:1];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_scs_mm_1: Width = %0d: 2 to 4096", Width);
    if (CpaWidth < 2) $fatal(1, "monpro_mul_scs_mm_1: CpaWidth = %0d: at least 2", CpaWidth);
  end
`endif
endmodule

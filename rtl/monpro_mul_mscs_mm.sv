// MSCS-MM: the radix-2 Montgomery product with one level of carry-save adders, which also form D = B + N and
// convert the result: (SS, SC) = SS + SC until SC = 0 [kuang16, Fig. 7].
//
//   z = x·y·2^-(K+2)  mod N,   K = Width
//
//   n_i   N odd, N < 2^K
//   x, y  < 2N, K + 1 bits
//   z     < 2N: products may be chained without a subtraction
//
// Bounds. S[i+1] = (S[i] + A_i·B + q_i·N)/2 < B + N < 3N, so SS and SC, whose sum is S, keep K + 2 bits after the
// shift and K + 3 before it. D < 3N has K + 2 bits. After K + 2 iterations: S < x·y/2^(K+2) + N < 2N.
//
// Latency: 1 + p + (K + 2) + c cycles, from the edge that takes the operands to the edge after which valid_o is
// high. p, from 0 to K + 1, is the number of half-adder clocks until B + N has no carries; c, from 1 to K + 1, is
// the number for the result. The cycle count depends on the operands.
//
//   clock           | SS, SC (not shifted)                            | A         | D     | A^, q^ (of the next)
//   idle            | := 0, 0                                         | := x      | -     | -
//   1        StAdd  | := B + N                                        | -         | -     | A_0, A_0·B_0
//   2..      StSum  | := SS + SC                while SC != 0         | -         | -     | A_0, A_0·B_0
//   ..       StSum  | := x,   iteration 0       when SC = 0           | := A >> 1 | := SS | Q_L
//   ..       StLoop | := SS/2 + SC/2 + x                              | := A >> 1 | -     | Q_L
//   ..      StShift | := SS/2 + SC/2                                  | -         | -     | -
//   ..     StResult | := SS + SC;  SC = 0: valid_o                    | -         | -     | -
//
// x = 0, N, B, D for (A^, q^) = (0,0), (0,1), (1,0), (1,1); D of iteration 0 is SS itself. Q_L computes the quotient
// of the next iteration from the sum of this iteration: q = SS_1 ^ SC_1 ^ A_1·B_0 with the new SS and SC.
module monpro_mul_mscs_mm #(
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

  typedef enum logic [2:0] {
    StIdle,
    StAdd,
    StSum,
    StLoop,
    StShift,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;
  logic                  last;

  logic [OperandWidth-1:0] a_q;
  logic [OperandWidth-1:0] b_q;
  logic [ModulusWidth-1:0] n_q;
  logic [StateWidth-1:0]   d_q;
  logic [StateWidth-1:0]   ss_q;
  logic [StateWidth-1:0]   sc_q;
  logic                    operand_q;   // A^
  logic                    quotient_q;  // q^

  logic [StateWidth-1:0] s;
  logic [StateWidth-1:0] c;
  logic [StateWidth-1:0] x;
  logic [StateWidth-1:0] sum;
  logic [StateWidth-1:0] carry;
  logic                  zero;
  logic                  first;

  assign first = (state_q == StSum) & zero;
  assign last  = left_q == CountWidth'(1);

  always_comb begin : p_select
    s = ss_q >> 1;
    c = sc_q >> 1;
    x = '0;
    case (state_q)
      StAdd: begin
        s = StateWidth'(b_q);
        c = '0;
        x = StateWidth'(n_q);
      end
      StSum: begin
        s = ss_q;
        c = sc_q;
        if (first) begin
          if (!(operand_q && quotient_q)) s = '0;
          if (operand_q && !quotient_q) x = StateWidth'(b_q);
        end
      end
      StLoop: begin
        case ({operand_q, quotient_q})
          2'b00:   x = '0;
          2'b01:   x = StateWidth'(n_q);
          2'b10:   x = StateWidth'(b_q);
          default: x = d_q;
        endcase
      end
      StShift: ;
      default: begin
        s = ss_q;
        c = sc_q;
      end
    endcase
  end

  monpro_cell_csa #(.Width(StateWidth)) u_csa (
    .a_i    (s),
    .b_i    (c),
    .c_i    (x),
    .sum_o  (sum),
    .carry_o(carry)
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
        StIdle:  if (valid_i) state_q <= StAdd;
        StAdd:   state_q <= StSum;
        StSum:   if (zero) state_q <= StLoop;
        StLoop:  if (last) state_q <= StShift;
        StShift: state_q <= StResult;
        default: if (zero && ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    if (state_q == StIdle) begin
      left_q <= CountWidth'(Iterations);
      a_q    <= x_i;
      b_q    <= y_i;
      n_q    <= n_i;
    end else if (first || state_q == StLoop) begin
      left_q <= left_q - CountWidth'(1);
      a_q    <= a_q >> 1;
    end
    if (first) begin
      d_q <= ss_q;
    end
    if (state_q == StIdle) begin
      ss_q <= '0;
      sc_q <= '0;
    end else begin
      ss_q <= sum;
      sc_q <= {carry[StateWidth-2:0], 1'b0};
    end
  end

  // Q_L
  always_ff @(posedge clk_i) begin : p_quotient
    if (first || state_q == StLoop) begin
      operand_q  <= a_q[1];
      quotient_q <= sum[1] ^ carry[0] ^ (a_q[1] & b_q[0]);
    end else begin
      operand_q  <= a_q[0];
      quotient_q <= a_q[0] & b_q[0];
    end
  end

  logic unused_bits;
  assign unused_bits = carry[StateWidth-1];

  assign ready_o = state_q == StIdle;
  assign valid_o = (state_q == StResult) & zero;
  assign z_o     = ss_q[OperandWidth-1:0];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_mscs_mm: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

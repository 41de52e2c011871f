// FCS-MMM42: the radix-2 Montgomery product of carry-save pairs. It has two levels of carry-save adders, computes
// quotients one iteration ahead, and skips iterations without an addition [kuang16, §I, §IV-A]. The paper names its
// parts and takes the rest from its reference [10]. The skip rule is the rule of Fig. 12.
//
//   z = x·y·2^-(K'+2)  mod N,   K' = Width + 2
//
//   n_i   N^ = N + 1 if N = 3 mod 4, 3N + 1 if N = 1 mod 4: a constant of the modulus, K' bits.
//         N odd, N < 2^Width. N_eff = N^ - 1 is N or 3N: the core works modulo N_eff.
//   x, y  < 2·N_eff, ValueWidth = K' + 1 bits for each vector of a pair
//   z     < 2·N_eff: products may be chained without a subtraction. A product by 1, which converts from Montgomery
//         form, is <= N_eff, not < N: reduce it modulo N; it may be as large as 3N.
//   CarrySavePorts = 0: the operands are the pairs (x, 0) and (y, 0), and one combinational adder forms z_o = SS + SC.
//   CarrySavePorts = 1: x_i, y_i, z_o = {carry, sum}, ValueWidth bits each, as in the paper, without an adder.
//
// Bounds. S < B^ + N^ < 17·N_eff always, B^ = 8·B, so SS and SC keep K' + 5 bits after the shift and K' + 6 before it.
// After K' + 5 iterations with A < 2^(K'+1): S < x·y/2^(K'+2) + N_eff < 2·N_eff, because 4·N_eff < 2^(K'+2).
//
// Latency: 1 + P cycles, from the edge that takes the operands to the edge after which valid_o is high.
// P = K' + 6 minus the number of skips. The cycle count depends on the operands.
//
//   clock       | SS, SC (not shifted)                     | DS, DC             | BRFA          | A^, q^, skip
//   idle        | := N^, BC^                               | -                  | := x          | -
//   1     StAdd | := 0, 0                                  | := SS + SC + BS^   | -             | := 0, 0, 0
//   2..  StLoop | := SS >> 1|2 + SC >> 1|2 + xS + xC       | -                  | 1 or 2 bits on| Skip_D
//               |    (the first clock is pass i = -1)      |                    |               |
//   .. StResult | z = SS >> 1|2 + SC >> 1|2                | -                  | -             | -
module monpro_mul_fcs_mmm42 #(
  parameter  int Width          = 1024,
  parameter  bit CarrySavePorts = 1'b0,
  localparam int ModulusWidth   = Width + 2,
  localparam int ValueWidth     = Width + 3,
  localparam int OperandWidth   = CarrySavePorts ? 2 * ValueWidth : ValueWidth
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
  localparam int StateWidth = ModulusWidth + 6;
  localparam int LastIndex  = ModulusWidth + 4;
  localparam int CountWidth = $clog2(LastIndex + 2);

  typedef enum logic [1:0] {
    StIdle,
    StAdd,
    StLoop,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;  // K' + 4 - i
  logic                  first_q;

  logic [ValueWidth-1:0] as;
  logic [ValueWidth-1:0] ac;
  logic [ValueWidth-1:0] bs;
  logic [ValueWidth-1:0] bc;

  logic [ValueWidth-1:0]   bs_q;
  logic [ValueWidth-1:0]   bc_q;
  logic [ModulusWidth-1:0] n_q;
  logic [StateWidth-1:0]   ds_q;
  logic [StateWidth-1:0]   dc_q;
  logic [StateWidth-1:0]   ss_q;
  logic [StateWidth-1:0]   sc_q;
  logic                    operand_q;   // A^
  logic                    quotient_q;  // q^
  logic                    skip_q;

  logic                  load;
  logic                  step;
  logic [3:0]            operand_bits;
  logic [1:0]            operand_next;
  logic                  skip;
  logic                  quotient;
  logic                  operand;
  logic                  add;
  logic [StateWidth-1:0] bs_hat;
  logic [StateWidth-1:0] bc_hat;
  logic [StateWidth-1:0] s;
  logic [StateWidth-1:0] c;
  logic [StateWidth-1:0] xs;
  logic [StateWidth-1:0] xc;
  logic [StateWidth-1:0] sum_1;
  logic [StateWidth-1:0] carry_1;
  logic [StateWidth-1:0] sum_2;
  logic [StateWidth-1:0] carry_2;

  if (CarrySavePorts) begin : gen_pairs
    assign as  = x_i[ValueWidth-1:0];
    assign ac  = x_i[OperandWidth-1:ValueWidth];
    assign bs  = y_i[ValueWidth-1:0];
    assign bc  = y_i[OperandWidth-1:ValueWidth];
    assign z_o = {c[ValueWidth-1:0], s[ValueWidth-1:0]};
  end else begin : gen_binary
    assign as  = x_i;
    assign ac  = '0;
    assign bs  = y_i;
    assign bc  = '0;
    assign z_o = s[ValueWidth-1:0] + c[ValueWidth-1:0];
  end

  assign load = state_q == StIdle;
  assign step = state_q == StLoop && !first_q;

  monpro_cell_brfa #(.Width(StateWidth)) u_brfa (
    .clk_i  (clk_i),
    .load_i (load),
    .step_i (step),
    .two_i  (skip_q),
    .sum_i  (StateWidth'(as)),
    .carry_i(StateWidth'(ac)),
    .bits_o (operand_bits)
  );

  // M1 and M2; the BRFA is still at the bit after the bit of the pass before
  assign add          = state_q == StAdd;
  assign s            = add ? ss_q : skip_q ? ss_q >> 2 : ss_q >> 1;
  assign c            = add ? sc_q : skip_q ? sc_q >> 2 : sc_q >> 1;
  assign operand_next = first_q ? operand_bits[1:0] :
                        skip_q ? operand_bits[3:2] : operand_bits[2:1];

  monpro_cell_skip_d u_skip_d (
    .sum_i        (s[2:0]),
    .carry_i      (c[2:0]),
    .quotient_i   (quotient_q),
    .modulus_bit_i(n_q[2]),
    .operand_i    (operand_next),
    .allow_i      (left_q != '0),
    .skip_o       (skip),
    .quotient_o   (quotient),
    .operand_o    (operand)
  );

  assign bs_hat = StateWidth'({bs_q, 3'b000});
  assign bc_hat = StateWidth'({bc_q, 3'b000});

  monpro_cell_sm3 #(.Width(StateWidth)) u_sm3_sum (
    .operand_i (operand_q | add),
    .quotient_i(quotient_q & ~add),
    .n_i       (StateWidth'(n_q)),
    .b_i       (bs_hat),
    .d_i       (ds_q),
    .x_o       (xs)
  );

  monpro_cell_sm3 #(.Width(StateWidth)) u_sm3_carry (
    .operand_i (operand_q),
    .quotient_i(quotient_q),
    .n_i       ({StateWidth{1'b0}}),
    .b_i       (bc_hat),
    .d_i       (dc_q),
    .x_o       (xc)
  );

  monpro_cell_csa #(.Width(StateWidth)) u_csa_1 (
    .a_i    (s),
    .b_i    (c),
    .c_i    (xs),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  monpro_cell_csa #(.Width(StateWidth)) u_csa_2 (
    .a_i    (sum_1),
    .b_i    ({carry_1[StateWidth-2:0], 1'b0}),
    .c_i    (xc),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle:  if (valid_i) state_q <= StAdd;
        StAdd:   state_q <= StLoop;
        StLoop:  if (left_q == '0 || (left_q == CountWidth'(1) && skip)) state_q <= StResult;
        default: if (ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    case (state_q)
      StIdle: begin
        bs_q <= bs;
        bc_q <= bc;
        n_q  <= n_i;
        ss_q <= StateWidth'(n_i);
        sc_q <= StateWidth'({bc, 3'b000});
      end
      StAdd: begin
        left_q     <= CountWidth'(LastIndex + 1);
        first_q    <= 1'b1;
        operand_q  <= 1'b0;
        quotient_q <= 1'b0;
        skip_q     <= 1'b0;
        ds_q       <= sum_1;
        dc_q       <= {carry_1[StateWidth-2:0], 1'b0};
        ss_q       <= '0;
        sc_q       <= '0;
      end
      StLoop: begin
        left_q     <= left_q - (skip ? CountWidth'(2) : CountWidth'(1));
        first_q    <= 1'b0;
        operand_q  <= operand;
        quotient_q <= quotient;
        skip_q     <= skip;
        ss_q       <= sum_2;
        sc_q       <= {carry_2[StateWidth-2:0], 1'b0};
      end
      default: ;
    endcase
  end

  logic unused_bits;
  assign unused_bits = ^{carry_1[StateWidth-1], carry_2[StateWidth-1], s, c};

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StResult;

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_fcs_mmm42: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

// FCS-MM-2: the radix-2 Montgomery product of carry-save pairs, with two levels of carry-save adders and the
// precomputed pair D = B + N [kuang16, §II-C].
//
//   z = x·y·2^-(K+2)  mod N,   K = Width
//
//   n_i   N odd, N < 2^K
//   x, y  < 2N, ValueWidth = K + 1 bits for each vector of a pair
//   z     < 2N: products may be chained without a subtraction
//   CarrySavePorts = 0: the operands are the pairs (x, 0) and (y, 0), and one combinational adder forms z_o = SS + SC.
//   CarrySavePorts = 1: x_i, y_i, z_o = {carry, sum}, ValueWidth bits each, as in the paper, without an adder.
//
// Bounds. S[i+1] = (S[i] + A_i·B + q_i·N)/2 < B + N < 3N, so SS and SC, whose sum is S, keep K + 2 bits after the
// shift and K + 3 before it. D < 3N. After K + 2 iterations with A < 2^(K+1): S < x·y/2^(K+2) + N < 2N.
//
// Latency: 1 + K + 2 cycles, from the edge that takes the operands to the edge after which valid_o is high.
//
//   clock         | SS, SC                                       | DS, DC                           | BRFA
//   idle          | := N, BC                                     | -                                | := x
//   1       StAdd | := 0, 0                                      | := SS + SC + BS, the first level | -
//   2..    StLoop | := (SS + SC + xS + xC)/2                     | -                                | next bit
//   ..   StResult | -                                            | -                                | -
//
// (xS, xC) = (0, 0), (N, 0), (BS, BC), (DS, DC) for (A_i, q) = (0,0), (0,1), (1,0), (1,1);
// q = SS_0 ^ SC_0 ^ A_i·(BS_0 ^ BC_0).
module monpro_mul_fcs_mm_2 #(
  parameter  int Width          = 1024,
  parameter  bit CarrySavePorts = 1'b0,
  localparam int ModulusWidth   = Width,
  localparam int ValueWidth     = Width + 1,
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
  localparam int Iterations = Width + 2;
  localparam int StateWidth = Width + 3;
  localparam int CountWidth = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StIdle,
    StAdd,
    StLoop,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;

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

  logic                  load;
  logic                  step;
  logic [3:0]            operand_bits;
  logic                  operand;
  logic                  quotient;
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
    assign z_o = {sc_q[ValueWidth-1:0], ss_q[ValueWidth-1:0]};
  end else begin : gen_binary
    assign as  = x_i;
    assign ac  = '0;
    assign bs  = y_i;
    assign bc  = '0;
    assign z_o = ss_q[ValueWidth-1:0] + sc_q[ValueWidth-1:0];
  end

  assign load = state_q == StIdle;
  assign step = state_q == StLoop;

  monpro_cell_brfa #(.Width(StateWidth)) u_brfa (
    .clk_i  (clk_i),
    .load_i (load),
    .step_i (step),
    .two_i  (1'b0),
    .sum_i  (StateWidth'(as)),
    .carry_i(StateWidth'(ac)),
    .bits_o (operand_bits)
  );

  assign operand  = (state_q == StAdd) | operand_bits[0];
  assign quotient = (state_q != StAdd) & (ss_q[0] ^ sc_q[0] ^ (operand & (bs_q[0] ^ bc_q[0])));

  monpro_cell_sm3 #(.Width(StateWidth)) u_sm3_sum (
    .operand_i (operand),
    .quotient_i(quotient),
    .n_i       (StateWidth'(n_q)),
    .b_i       (StateWidth'(bs_q)),
    .d_i       (ds_q),
    .x_o       (xs)
  );

  monpro_cell_sm3 #(.Width(StateWidth)) u_sm3_carry (
    .operand_i (operand),
    .quotient_i(quotient),
    .n_i       ({StateWidth{1'b0}}),
    .b_i       (StateWidth'(bc_q)),
    .d_i       (dc_q),
    .x_o       (xc)
  );

  monpro_cell_csa #(.Width(StateWidth)) u_csa_1 (
    .a_i    (ss_q),
    .b_i    (sc_q),
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
        StLoop:  if (left_q == CountWidth'(1)) state_q <= StResult;
        default: if (ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    case (state_q)
      StIdle: begin
        left_q <= CountWidth'(Iterations);
        bs_q   <= bs;
        bc_q   <= bc;
        n_q    <= n_i;
        ss_q   <= StateWidth'(n_i);
        sc_q   <= StateWidth'(bc);
      end
      StAdd: begin
        ds_q <= sum_1;
        dc_q <= {carry_1[StateWidth-2:0], 1'b0};
        ss_q <= '0;
        sc_q <= '0;
      end
      StLoop: begin
        left_q <= left_q - CountWidth'(1);
        ss_q   <= sum_2 >> 1;
        sc_q   <= carry_2;
      end
      default: ;
    endcase
  end

  logic unused_bits;
  assign unused_bits = ^{operand_bits[3:1], carry_1[StateWidth-1]};

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StResult;

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_fcs_mm_2: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

// SCS-MM-New: the radix-2 Montgomery product with one level of configurable carry-save adders. It computes
// quotients one iteration ahead and skips iterations without an addition [kuang16, Fig. 10, 11].
//
//   z = x·y·2^-(K'+2)  mod N,   K' = Width + 2
//
//   n_i   N^ = N + 1 if N = 3 mod 4, 3N + 1 if N = 1 mod 4: a constant of the modulus, K' bits.
//         N odd, N < 2^Width. N_eff = N^ - 1 is N or 3N: the core works modulo N_eff.
//   x, y  < 2·N_eff, OperandWidth = K' + 1 bits
//   z     < 2·N_eff: products may be chained without a subtraction. A product by 1, which converts from Montgomery
//         form, is <= N_eff, not < N: reduce it modulo N; it may be as large as 3N.
//
// Bounds. S[i+1] = (S[i] + A_i·B^ + q_i·N^ - dropped)/2 < (S[i] + B^ + N^)/2, hence S < B^ + N^ < 17·N_eff always, and
// SS and SC keep K' + 5 bits after the shift and K' + 6 before it. After K' + 5 iterations with A < 2^(K'+1) and
// B^ = 8·y: S < 8·x·y/2^(K'+5) + N_eff = x·y/2^(K'+2) + N_eff < 2·N_eff, because 4·N_eff < 2^(K'+2).
// In the paper k is the bit length of N. If N = 1 mod 4, results then grow from product to product. Here K' is enough
// bits for N_eff in both cases.
//
// Latency in cycles, from the edge that takes the operands to the edge after which valid_o is high:
//   6 + p + P + c     p  clocks of 2H_CSA for D^ = B^ + N^ until SC = 0 (0 if there is no carry)
//                     P  passes of the loop, K' + 6 minus the number of skips
//                     c  clocks of 2H_CSA for the result until SC = 0, at least 1
// Configurable = 0: one row of half adders a clock instead of two, so p and c about double.
// ConsecutiveSkip = 0: no skip directly after a skip.
// ConstantTime = 1: no skips, p = c = C = ceil((K' + 1)/h), h = 2 (Configurable) or 1: 2 + C + (K' + 6) + C cycles.
// WITHOUT ConstantTime THE CYCLE COUNT DEPENDS ON THE OPERANDS AND LEAKS THEM THROUGH TIME.
//
//   clock            | SS, SC                                    | A             | D^  | next selection
//   idle             | -                                         | := x          | -   | A^ = 0, q^ = 1
//   1      StLoad    | := 1F_CSA(0, 0, N^)                       | -             | -   | A^ = 1, q^ = 0
//   2      StAdd     | := 1F_CSA(SS, SC, B^)                     | -             | -   | 2H
//   3..    StSum     | := 2H_CSA(SS, SC); ends two clocks after  | -             | :=SS| 2H, or that of pass 0
//                      SC = 0; its last clock is pass i = -1
//   ..     StLoop    | := 1F_CSA(SS >> 1|2, SC >> 1|2, x)        | := A >> 1|2   | -   | Skip_D
//                      (pass 0 or 1, the first: 1F_CSA(0, 0, x))
//   ..     StShift   | := 2H_CSA(SS >> 1|2, SC >> 1|2)           | -             | -   | 2H
//   ..     StResult  | := 2H_CSA(SS, SC); valid_o two clocks     | -             | -   | 2H
//                      after SC = 0 (2H_CSA of (SS, 0) changes nothing)
//
// The critical path: the quotient of the next iteration must be known when this iteration ends. It depends on three
// bits of SS and SC that this iteration shifts (M4, M5, Skip_D), and must then reach every bit. Only its distribution
// can be shortened: monpro_pe_ccsa_slice keeps a registered copy of each select line for every SliceWidth bits.
// Zero_D likewise has K' + 6 inputs spread over the chip. A register in each slice and one behind their join take it
// off the critical path, for two clocks more in each of the two conversions. Step 2 takes two clocks, first N^, then
// B^: a fourth input of M1 and M2 for them would cost an eighth of the area.
module monpro_mul_scs_mm_new #(
  parameter  int Width           = 1024,
  parameter  bit Configurable    = 1'b1,
  parameter  bit ConsecutiveSkip = 1'b1,
  parameter  bit ConstantTime    = 1'b0,
  parameter  int SliceWidth      = 64,
  localparam int ModulusWidth    = Width + 2,
  localparam int OperandWidth    = Width + 3
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
  localparam int StateWidth  = ModulusWidth + 6;
  localparam int NumSlices   = (StateWidth + SliceWidth - 1) / SliceWidth;
  localparam int Levels      = Configurable ? 2 : 1;
  localparam int Conversion  = (OperandWidth + Levels - 1) / Levels;  // clocks, ConstantTime
  localparam int LastIndex   = ModulusWidth + 4;
  localparam int CountWidth  = $clog2(LastIndex + 2);

  localparam logic [1:0] ShiftClear = 2'd0;
  localparam logic [1:0] ShiftNone  = 2'd1;

  typedef enum logic [2:0] {
    StReset,
    StIdle,
    StLoad,
    StAdd,
    StSum,
    StLoop,
    StShift,
    StResult
  } state_e;

  state_e state_q;
  state_e state_d;

  // ---- the data path, in slices of about equal width ------------------------------------------------

  logic       load_d;
  logic       step_d;
  logic       capture_d;
  logic [1:0] shift_d;
  logic       full_d;
  logic       operand_d;
  logic       quotient_d;
  logic       skip_d;

  logic [StateWidth-1:0] x;
  logic [StateWidth-1:0] y;
  logic [StateWidth-1:0] n;
  logic [StateWidth-1:0] sum;
  logic [4:0]            carry_low     [NumSlices+1];
  logic [3:0]            operand_low   [NumSlices+1];
  logic [1:0]            sum_low       [NumSlices+1];
  logic [NumSlices:0]    generate_chain;
  logic [NumSlices:0]    carry_chain;
  logic [NumSlices-1:0]  modulus_bit;
  logic [NumSlices-1:0]  zero;

  assign x = StateWidth'(x_i);
  assign y = StateWidth'({y_i, 3'b000});
  assign n = StateWidth'(n_i);

  assign generate_chain[0]      = 1'b0;
  assign carry_chain[0]         = 1'b0;
  assign sum_low[NumSlices]     = '0;
  assign carry_low[NumSlices]   = '0;
  assign operand_low[NumSlices] = '0;

  for (genvar i = 0; i < NumSlices; i++) begin : gen_slice
    localparam int Low  = i * StateWidth / NumSlices;
    localparam int High = (i + 1) * StateWidth / NumSlices;

    monpro_pe_ccsa_slice #(
      .Width       (High - Low),
      .Configurable(Configurable)
    ) u_slice (
      .clk_i          (clk_i),
      .load_d_i       (load_d),
      .step_d_i       (step_d),
      .skip_d_i       (skip_d),
      .capture_d_i    (capture_d),
      .shift_d_i      (shift_d),
      .full_d_i       (full_d),
      .operand_d_i    (operand_d),
      .quotient_d_i   (quotient_d),
      .x_i            (x[High-1:Low]),
      .y_i            (y[High-1:Low]),
      .n_i            (n[High-1:Low]),
      .sum_above_i    (sum_low[i+1]),
      .carry_above_i  (carry_low[i+1][1:0]),
      .operand_above_i(operand_low[i+1][1:0]),
      .generate_i     (generate_chain[i]),
      .carry_i        (carry_chain[i]),
      .generate_o     (generate_chain[i+1]),
      .carry_o        (carry_chain[i+1]),
      .sum_o          (sum[High-1:Low]),
      .carry_low_o    (carry_low[i]),
      .operand_low_o  (operand_low[i]),
      .modulus_bit_o  (modulus_bit[i]),
      .zero_o         (zero[i])
    );
    assign sum_low[i] = sum[Low+1:Low];
  end

  logic unused_slices;
  assign unused_slices = ^{sum, generate_chain, carry_chain, modulus_bit};

  // ---- the quotient and the skip of the next iteration ----------------------------------------------

  logic       skip_q;      // this pass was reached by a skip
  logic       quotient_q;  // q^ of this pass
  logic       blank_q;     // passes -1 and the first after it see SS = SC = 0
  logic       first_q;     // pass -1: A has not moved yet
  logic [2:0] sum_shifted;
  logic [2:0] carry_shifted;
  logic [1:0] operand_next;
  logic       allow_skip;
  logic       last_q;      // i = K' + 4
  logic       select_detected;
  logic       detected_operand;
  logic       detected_quotient;

  assign sum_shifted   = {3{~blank_q}} & (skip_q ? sum[4:2] : sum[3:1]);
  assign carry_shifted = {3{~blank_q}} & (skip_q ? carry_low[0][4:2] : carry_low[0][3:1]);
  assign operand_next  = first_q ? operand_low[0][1:0] :
                         skip_q ? operand_low[0][3:2] : operand_low[0][2:1];
  assign allow_skip    = ~ConstantTime & ~last_q & (ConsecutiveSkip | ~skip_q);

  monpro_cell_skip_d u_skip_d (
    .sum_i        (sum_shifted),
    .carry_i      (carry_shifted),
    .quotient_i   (quotient_q),
    .modulus_bit_i(modulus_bit[0]),
    .operand_i    (operand_next),
    .allow_i      (allow_skip),
    .skip_o       (skip_d),
    .quotient_o   (detected_quotient),
    .operand_o    (detected_operand)
  );

  // ---- iterations left: K' + 4 - i. The comparisons are made ahead of the skip ----------------------

  logic [CountWidth-1:0] left_q;
  logic                  last_but_one_q;
  logic                  pass;       // this clock is a pass of the loop
  logic                  settled;    // the conversion is complete
  logic                  loop_ends;

  assign pass      = (state_q == StLoop) || (state_q == StSum && settled);
  assign loop_ends = last_q | (last_but_one_q & skip_d);

  always_ff @(posedge clk_i) begin : p_iterations
    if (state_q == StAdd) begin
      left_q         <= CountWidth'(LastIndex + 1);
      last_q         <= 1'b0;
      last_but_one_q <= 1'b0;
    end else if (pass) begin
      left_q         <= skip_d ? left_q - CountWidth'(2) : left_q - CountWidth'(1);
      last_q         <= skip_d ? left_q == CountWidth'(2) : left_q == CountWidth'(1);
      last_but_one_q <= skip_d ? left_q == CountWidth'(3) : left_q == CountWidth'(2);
    end
  end

  if (ConstantTime) begin : gen_constant_time
    localparam int StepWidth = $clog2(Conversion + 1);
    logic [StepWidth-1:0] steps_q;
    logic                 unused_zero;

    always_ff @(posedge clk_i) begin : p_steps
      if (state_q == StAdd || state_q == StLoop) begin
        steps_q <= StepWidth'(Conversion);
      end else if (!settled) begin
        steps_q <= steps_q - StepWidth'(1);
      end
    end
    assign settled     = steps_q == '0;
    assign unused_zero = ^zero;
  end else begin : gen_zero_d
    logic converting;
    logic converting_q;

    assign converting = (state_q == StSum) || (state_q == StResult);

    always_ff @(posedge clk_i) begin : p_zero_d
      converting_q <= converting;
      settled      <= converting & converting_q & (&zero);
    end
  end

  // ---- control: the selection that the slices register for the next clock ---------------------------

  always_comb begin : p_state
    state_d = state_q;
    case (state_q)
      StReset:  state_d = StIdle;
      StIdle:   if (valid_i) state_d = StLoad;
      StLoad:   state_d = StAdd;
      StAdd:    state_d = StSum;
      StSum:    if (settled) state_d = StLoop;
      StLoop:   if (loop_ends) state_d = StShift;
      StShift:  state_d = StResult;
      default:  if (settled && ready_i) state_d = StIdle;  // StResult
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state_register
    if (!rst_ni) begin
      state_q <= StReset;
    end else begin
      state_q <= state_d;
    end
  end

  // This depends on the state of this clock, not of the next, which may wait for the skip. If full_d is 0, a
  // configurable adder ignores the operand and the quotient; a plain adder must see zeros.
  assign select_detected = Configurable | ((state_q == StSum) ? settled : ~loop_ends);
  assign load_d          = state_d == StIdle;
  assign capture_d       = (state_q == StAdd) | (state_q == StSum);

  always_comb begin : p_selection
    operand_d  = 1'b0;
    quotient_d = 1'b0;
    shift_d    = ShiftNone;
    full_d     = ~Configurable;
    step_d     = 1'b0;
    case (state_q)
      StIdle: begin
        quotient_d = 1'b1;
        shift_d    = ShiftClear;
        full_d     = 1'b1;
      end
      StLoad: begin
        operand_d = 1'b1;
        full_d    = 1'b1;
      end
      StSum: begin
        operand_d  = select_detected & detected_operand;
        quotient_d = select_detected & detected_quotient;
        shift_d    = settled ? ShiftClear : ShiftNone;
        full_d     = settled | ~Configurable;
        step_d     = settled;
      end
      StLoop: begin
        operand_d  = select_detected & detected_operand;
        quotient_d = select_detected & detected_quotient;
        shift_d    = {1'b1, skip_d};
        full_d     = ~loop_ends | ~Configurable;
        step_d     = 1'b1;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin : p_own_selection
    skip_q     <= skip_d & pass;
    quotient_q <= detected_quotient & pass;
    blank_q    <= (state_q == StAdd) | (state_q == StSum);
    first_q    <= (state_q == StAdd) | (state_q == StSum && !settled);
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = (state_q == StResult) & settled;
  assign z_o     = sum[OperandWidth-1:0];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) begin
      $fatal(1, "monpro_mul_scs_mm_new: Width = %0d: 2 to 4096", Width);
    end
    if (SliceWidth < 9) begin
      $fatal(1, "monpro_mul_scs_mm_new: SliceWidth = %0d: at least 9", SliceWidth);
    end
  end
`endif
endmodule

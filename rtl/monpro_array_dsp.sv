// The loop of a product with late quotient digits on words of multipliers, and the conversion of its result [orup95].
//
//   S := S div 2^w + q'·N^ + a·B,   q = S mod 2^w,   w = WordWidth,   N^ = (M~ + 1)/2^(w(d+1))
//
// q' is the q of d steps before, d = Delay. S, B and N^ have Fold·NumPe words. Word j is word j div NumPe of element
// j mod NumPe, so that the words above and below come from the neighbours in the same clock. A step takes Fold clocks. q
// passes five registers on its way into S, and d is so large that this takes d + 1 steps at most.
//
// The d digits that the last d steps shift out of S are the lowest digits of the result, S·2^(wd) + their number. After two
// passes of the carries, in which word j goes to word j + d, the result is in the words of B, each at most 2^w + 2.
// monpro_pe_dsp proves the bound. The result is below 2^(w·words), and no word is negative: so no carry leaves the highest
// word, and nothing is in the d words that go beyond it.
//
// read_i is high in `words` clocks, the first of them at the earliest 7 - d clocks after the last of run_i. Four clocks
// after each of them valid_o and word_o give a word of the result with all carries, the lowest first. A gated register of
// each element and a tree of ORs take the words out of B. The d lowest words come from a register of their own instead, so
// that they need not wait for B.
//
// With Chained the next steps may come while words are read: their first clock may be the one of the first word, 11 - d
// clocks after the last of run_i, if the clocks of read_i are Fold apart. So word j can be digit j of a square. All words
// have been read before the last d steps, which fill the register of the lowest words anew.
module monpro_array_dsp #(
  parameter  int WordWidth  = 17,
  parameter  int Fold       = 1,
  parameter  int NumPe      = 66,
  parameter  bit Chained    = 1'b0,
  localparam int PhaseWidth = (Fold > 2) ? $clog2(Fold) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // steps
  input  logic                  run_i,
  input  logic [PhaseWidth-1:0] phase_i,
  input  logic                  last_step_i,
  input  logic [WordWidth-1:0]  digit_i,       // of a, in phase 0
  // words, from element to element
  input  logic                  write_n_i,
  input  logic                  write_b_i,
  input  logic [WordWidth-1:0]  word_i,
  input  logic                  read_i,
  output logic                  valid_o,
  output logic [WordWidth-1:0]  word_o
);
  localparam int Delay     = (Fold == 1) ? 4 : (Fold == 2) ? 2 : (Fold == 4) ? 1 : 0;
  localparam int Tap       = (Delay + 1) * Fold - 5;  // where q is when it is taken
  localparam int LowWords  = (Delay > 0) ? Delay : 1;
  localparam int LowWidth  = LowWords * WordWidth;
  localparam int HighWidth = WordWidth + 2;
  localparam int ZWidth    = WordWidth + 1;
  localparam int Group     = 4;                       // words that the first gates of the tree join
  localparam int NumGroups = (NumPe + Group - 1) / Group;
  localparam int Stages    = 4;                       // from read_i to valid_o
  localparam int Last      = 6;                       // of the stages of a step
  localparam int Region    = 17;                      // elements that have a copy of the digits
  localparam int Regions   = (NumPe + Region - 1) / Region;

  // ---- the steps' controls, stage by stage ----------------------------------------------------------

  logic [Regions*WordWidth-1:0] digit_q;       // a copy for each region
  logic [Regions*WordWidth-1:0] quotient_q;
  logic [Last*PhaseWidth-1:0] phase_q;         // the newest lowest
  logic [3:0]            run_q;
  logic                  clear_q;
  logic [Last-1:0]       last_step_q;
  logic                  first;                // phase 0
  logic [Last-1:0]       first_q;
  logic [3:0]            final_q;              // the last phase
  logic [NumPe*WordWidth-1:0] taps;            // that of the lowest element is q

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_run
    if (!rst_ni) begin
      run_q       <= '0;
      last_step_q <= '0;
    end else begin
      run_q       <= {run_q[2:0], run_i};
      last_step_q <= {last_step_q[Last-2:0], run_i & last_step_i};
    end
  end

  assign first = phase_i == '0;

  for (genvar i = 0; i < Regions; i++) begin : gen_region
    monpro_cell_copy #(.Width(WordWidth)) u_digit (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .take_i (first),
      .value_i(digit_i),
      .value_o(digit_q[i*WordWidth+:WordWidth])
    );

    monpro_cell_copy #(.Width(WordWidth)) u_quotient (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .take_i (first),
      .value_i(taps[WordWidth-1:0]),
      .value_o(quotient_q[i*WordWidth+:WordWidth])
    );
  end

  always_ff @(posedge clk_i) begin : p_stages
    clear_q    <= ~run_i;
    phase_q    <= {phase_q[(Last-1)*PhaseWidth-1:0], phase_i};
    first_q <= {first_q[Last-2:0], first};
    final_q <= {final_q[2:0], phase_i == PhaseWidth'(Fold - 1)};
  end

  // ---- the element whose word is written or read ----------------------------------------------------

  logic [NumPe-1:0]      token_q;
  logic [PhaseWidth-1:0] token_phase_q;
  logic                  token_moves;
  logic                  write_z;
  logic [PhaseWidth-1:0] write_phase;

  assign token_moves = write_n_i | write_b_i | read_i;
  assign write_z     = last_step_q[Last-1];
  assign write_phase = write_z ? phase_q[(Last-1)*PhaseWidth+:PhaseWidth] : token_phase_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_token
    if (!rst_ni) begin
      token_q       <= NumPe'(1);
      token_phase_q <= '0;
    end else if (token_moves) begin
      token_q <= NumPe'({token_q, token_q[NumPe-1]});
      if (Fold > 1 && token_q[NumPe-1]) token_phase_q <= token_phase_q + PhaseWidth'(1);
    end
  end

  // ---- elements -------------------------------------------------------------------------------------

  logic [NumPe*WordWidth-1:0]        lowest;
  logic [NumPe*WordWidth-1:0]        next_lowest;
  logic [NumPe*HighWidth-1:0]        carry;
  logic [NumPe*2-1:0]                second_carry;
  logic [NumPe*ZWidth-1:0]           z;
  logic [NumGroups*Group*ZWidth-1:0] read;
  logic [WordWidth-1:0]              above_highest;
  logic [HighWidth-1:0]              carry_q;          // of the highest element, a clock ago
  logic [1:0]                        second_carry_q;
  logic [LowWidth-1:0]               low_q;            // the lowest digits of the result

  assign above_highest = (Fold == 1 || final_q[3]) ? '0 : next_lowest[WordWidth-1:0];

  always_ff @(posedge clk_i) begin : p_wrap
    carry_q        <= carry[(NumPe-1)*HighWidth+:HighWidth];
    second_carry_q <= second_carry[(NumPe-1)*2+:2];
  end

  for (genvar j = 0; j < NumGroups * Group; j++) begin : gen_word
    if (j < NumPe) begin : gen_pe
      logic [WordWidth-1:0]      above;
      logic [HighWidth-1:0]      carry_below;
      logic [1:0]                second_carry_below;
      logic [ZWidth-1:0]         written;

      if (j == NumPe - 1) begin : gen_highest
        assign above = above_highest;
      end else begin : gen_above
        assign above = lowest[(j+1)*WordWidth+:WordWidth];
      end

      if (j == 0) begin : gen_lowest
        assign carry_below        = first_q[4] ? '0 : carry_q;
        assign second_carry_below = first_q[5] ? '0 : second_carry_q;
      end else begin : gen_below
        logic unused;
        assign carry_below        = carry[(j-1)*HighWidth+:HighWidth];
        assign second_carry_below = second_carry[(j-1)*2+:2];
        assign unused             = &{1'b0, taps[j*WordWidth+:WordWidth],
                                      next_lowest[j*WordWidth+:WordWidth]};
      end

      if (j >= Delay) begin : gen_written
        assign written = z[(j-Delay)*ZWidth+:ZWidth];
      end else begin : gen_wrapped
        logic [ZWidth-1:0] z_q;         // of the phase before

        always_ff @(posedge clk_i) z_q <= z[(NumPe+j-Delay)*ZWidth+:ZWidth];
        assign written = first_q[5] ? {1'b0, low_q[j*WordWidth+:WordWidth]} : z_q;
      end

      monpro_pe_dsp #(
        .WordWidth(WordWidth),
        .Fold     (Fold),
        .Tap      (Tap),
        .Chained  (Chained)
      ) u_pe (
        .clk_i         (clk_i),
        .clear_i       (clear_q),
        .phase_i       (phase_q[PhaseWidth-1:0]),
        .digit_i       (digit_q[(j/Region)*WordWidth+:WordWidth]),
        .quotient_i    (quotient_q[(j/Region)*WordWidth+:WordWidth]),
        .above_i       (above),
        .lowest_o      (lowest[j*WordWidth+:WordWidth]),
        .next_lowest_o (next_lowest[j*WordWidth+:WordWidth]),
        .tap_o         (taps[j*WordWidth+:WordWidth]),
        .write_n_i     (write_n_i & token_q[j]),
        .write_b_i     (write_b_i & token_q[j]),
        .write_phase_i (write_phase),
        .word_i        (word_i),
        .write_z_i     (write_z),
        .z_i           (written),
        .carry_i       (carry_below),
        .second_carry_i(second_carry_below),
        .carry_o       (carry[j*HighWidth+:HighWidth]),
        .second_carry_o(second_carry[j*2+:2]),
        .z_o           (z[j*ZWidth+:ZWidth]),
        .skip_i        (~(read_i & token_q[j])),
        .read_phase_i  (token_phase_q),
        .read_o        (read[j*ZWidth+:ZWidth])
      );
    end else begin : gen_none
      assign read[j*ZWidth+:ZWidth] = '0;
    end
  end

  // ---- the word that is read ------------------------------------------------------------------------

  logic [NumGroups*ZWidth-1:0] group_q;
  logic [ZWidth-1:0]           any;
  logic [ZWidth-1:0]           read_q;

  for (genvar i = 0; i < NumGroups; i++) begin : gen_group
    always_ff @(posedge clk_i) begin
      group_q[i*ZWidth+:ZWidth] <= read[(4*i)*ZWidth+:ZWidth] | read[(4*i+1)*ZWidth+:ZWidth] |
                                   read[(4*i+2)*ZWidth+:ZWidth] | read[(4*i+3)*ZWidth+:ZWidth];
    end
  end

  always_comb begin : p_any
    any = '0;
    for (int i = 0; i < NumGroups; i++) any = any | group_q[i*ZWidth+:ZWidth];
  end

  // ---- conversion -----------------------------------------------------------------------------------

  logic [Stages-1:0]   valid_q;
  logic [LowWords-1:0] low_words_q;      // which words of the result are still to come from low_q
  logic                low;
  logic                carry_in_q;
  logic [ZWidth-1:0]   converted;

  assign low       = (Delay > 0) && low_words_q[0];
  assign converted = (low ? {1'b0, low_q[WordWidth-1:0]} : read_q) + ZWidth'(carry_in_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_valid
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[Stages-2:0], read_i};
    end
  end

  always_ff @(posedge clk_i) begin : p_convert
    read_q <= any;
    word_o <= converted[WordWidth-1:0];
    if (last_step_q[0]) begin
      low_words_q <= '1;
      carry_in_q  <= 1'b0;
    end else if (valid_q[Stages-2]) begin
      low_words_q <= LowWords'({1'b0, low_words_q} >> 1);
      carry_in_q  <= converted[WordWidth];
    end
    if (run_q[3] && first_q[3]) begin
      low_q <= LowWidth'({lowest[WordWidth-1:0], low_q} >> WordWidth);
    end else if (valid_q[Stages-2]) begin
      low_q <= LowWidth'({{WordWidth{1'b0}}, low_q} >> WordWidth);
    end
  end

  assign valid_o = valid_q[Stages-1];
endmodule

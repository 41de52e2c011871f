// An element of the array of monpro_array_dsp: the products of its words of B and N^, and the sums of its words of S
// [orup95].
//
//   S_j := S_j div 2^w + S_(j+1) mod 2^w + a·B_j + q·N^_j,   w = WordWidth
//
// It has Fold words, one in each clock of a step: the words of S go round in Fold registers. Word j has its carry, S_j div 2^w,
// with it, so that no carry goes from word to word. Each sum has a clock.
//
// B_j has w + 1 bits, a and q have w. The two products are cells of their own with registers, for which synthesis takes
// multipliers of 18 x 18 bits or larger, with w <= 17.
//
// carried_o is a word after one pass of the carries: S_j mod 2^w + S_(j-1) div 2^w. z_o is a word after the second pass.
//
// Bounds: if B_j <= 2^w + 2, then S_j <= 2^(2w+1) + 2^(w+1), and z_o <= 2^w + 2 again:
//   the sum       2^w - 1 + (2^w - 1)(2^w + 2) + (2^w - 1)^2 + S_j div 2^w = 2^(2w+1) - 2 + S_j div 2^w
//   S_j div 2^w   2^(w+1) + 2 at most
//   carried_o     2^w - 1 + 2^(w+1) + 2 = 3·2^w + 1 at most, hence its carry is at most 3
//   z_o           2^w - 1 + 3 at most
//
// With Chained and Fold > 1 the words that leave come from a second copy of B, so that steps can run while they leave.
//
// Clocks, from the clock in which digit_i, quotient_i, phase_i and clear_i are given:
//   0  copies, and the words of this phase     1  products     2  their sum T     3  S     4  carried_o     z_o in the next
(* keep_hierarchy *)
module monpro_pe_dsp #(
  parameter  int WordWidth  = 17,
  parameter  int Fold       = 1,
  parameter  int Tap        = 0,                  // the register of S at tap_o
  parameter  bit Chained    = 1'b0,
  localparam int Depth      = (Fold > 2) ? Fold : 2,
  localparam int PhaseWidth = $clog2(Depth),
  localparam int SumWidth   = 2 * WordWidth + 2,
  localparam int HighWidth  = SumWidth - WordWidth,
  localparam int AllWidth   = Fold * SumWidth,
  localparam int Next       = (Fold > 1) ? Fold - 2 : 0  // where the word of the next phase is
) (
  input  logic                  clk_i,
  // steps
  input  logic                  clear_i,          // no step
  input  logic [PhaseWidth-1:0] phase_i,
  input  logic [WordWidth-1:0]  digit_i,
  input  logic [WordWidth-1:0]  quotient_i,
  input  logic [WordWidth-1:0]  above_i,          // the lowest digit of the word above
  output logic [WordWidth-1:0]  lowest_o,         // the lowest digit of the word of this phase
  output logic [WordWidth-1:0]  next_lowest_o,    // of the next phase
  output logic [WordWidth-1:0]  tap_o,
  // words
  input  logic                  write_n_i,
  input  logic                  write_b_i,
  input  logic [PhaseWidth-1:0] write_phase_i,
  input  logic [WordWidth-1:0]  word_i,
  input  logic                  write_z_i,        // z_i is this element's word of B
  input  logic [WordWidth  :0]  z_i,
  // the result
  input  logic [HighWidth-1:0]  carry_i,          // of the word below, into carried_o
  input  logic [1:0]            second_carry_i,   // of the word below, into z_o
  output logic [HighWidth-1:0]  carry_o,
  output logic [1:0]            second_carry_o,
  output logic [WordWidth  :0]  z_o,
  input  logic                  skip_i,
  input  logic [PhaseWidth-1:0] read_phase_i,
  output logic [WordWidth  :0]  read_o            // 0 if skip_i was high, else a word of B
);
  // ---- words of B and N^ ----------------------------------------------------------------------------

  logic [WordWidth-1:0] n_word;           // of this phase
  logic [WordWidth  :0] b_word;
  logic [WordWidth  :0] b_read;           // that leaves
  logic [WordWidth  :0] b_written;
  logic                 write_b;

  assign write_b   = write_b_i | write_z_i;
  assign b_written = write_z_i ? z_i : {1'b0, word_i};

  // The registers at the factors of a multiplier take a word in every clock. With Fold = 1 each word has a register of its own
  // before them: an enable for each word would be a signal of its own, and four multipliers of the ECP5 have four together. This
  // costs no clock: a word is at its multiplier two clocks after it is written, and the next digit three at the earliest.
  if (Fold == 1) begin : gen_registers
    logic [WordWidth-1:0] n_q;
    logic [WordWidth  :0] b_q;
    logic                 unused;

    always_ff @(posedge clk_i) begin : p_words
      if (write_n_i) n_q <= word_i;
      if (write_b) b_q <= b_written;
    end

    assign n_word = n_q;
    assign b_word = b_q;
    assign b_read = b_q;
    assign unused = &{1'b0, phase_i, write_phase_i, read_phase_i};
  end else begin : gen_memories
    monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Depth)) u_n (
      .clk_i          (clk_i),
      .write_i        (write_n_i),
      .write_address_i(write_phase_i),
      .word_i         (word_i),
      .read_address_i (phase_i),
      .word_o         (n_word)
    );

    monpro_cell_lut_ram #(.Width(WordWidth + 1), .Depth(Depth)) u_b (
      .clk_i          (clk_i),
      .write_i        (write_b),
      .write_address_i(write_phase_i),
      .word_i         (b_written),
      .read_address_i ((Chained || skip_i) ? phase_i : read_phase_i),
      .word_o         (b_word)
    );

    if (Chained) begin : gen_copy
      monpro_cell_lut_ram #(.Width(WordWidth + 1), .Depth(Depth)) u_copy (
        .clk_i          (clk_i),
        .write_i        (write_b),
        .write_address_i(write_phase_i),
        .word_i         (b_written),
        .read_address_i (read_phase_i),
        .word_o         (b_read)
      );
    end else begin : gen_shared
      assign b_read = b_word;
    end
  end

  // ---- steps ----------------------------------------------------------------------------------------

  logic [2*WordWidth  :0] b_product;
  logic [2*WordWidth-1:0] n_product;
  logic [SumWidth-1:0]    t_q;
  logic [2:0]             clear_q;
  logic [AllWidth-1:0]    s_q;              // all words, the newest lowest
  logic [SumWidth-1:0]    oldest;
  logic [SumWidth-1:0]    sum;

  assign oldest = s_q[AllWidth-1-:SumWidth];
  assign sum    = t_q + SumWidth'(oldest[SumWidth-1:WordWidth]) + SumWidth'(above_i);

  monpro_cell_product #(.FactorWidth(WordWidth + 1), .DigitWidth(WordWidth)) u_b_product (
    .clk_i    (clk_i),
    .take_i   (1'b1),
    .factor_i (b_word),
    .digit_i  (digit_i),
    .product_o(b_product)
  );

  monpro_cell_product #(.FactorWidth(WordWidth), .DigitWidth(WordWidth)) u_n_product (
    .clk_i    (clk_i),
    .take_i   (1'b1),
    .factor_i (n_word),
    .digit_i  (quotient_i),
    .product_o(n_product)
  );

  always_ff @(posedge clk_i) begin : p_products
    t_q     <= SumWidth'(b_product) + SumWidth'(n_product);
    clear_q <= {clear_q[1:0], clear_i};
  end

  always_ff @(posedge clk_i) begin : p_sum
    if (clear_q[2]) begin
      s_q <= '0;
    end else begin
      s_q <= AllWidth'({s_q, sum});
    end
  end

  assign lowest_o      = oldest[WordWidth-1:0];
  assign tap_o         = s_q[Tap*SumWidth+:WordWidth];
  assign next_lowest_o = s_q[Next*SumWidth+:WordWidth];

  // ---- the result -----------------------------------------------------------------------------------

  logic [WordWidth+1:0] carried_q;

  assign carry_o        = s_q[SumWidth-1:WordWidth];
  assign second_carry_o = carried_q[WordWidth+1:WordWidth];
  assign z_o            = {1'b0, carried_q[WordWidth-1:0]} + (WordWidth + 1)'(second_carry_i);

  always_ff @(posedge clk_i) begin : p_result
    carried_q <= (WordWidth + 2)'(s_q[WordWidth-1:0]) + (WordWidth + 2)'(carry_i);
    if (skip_i) begin
      read_o <= '0;
    end else begin
      read_o <= b_read;
    end
  end
endmodule

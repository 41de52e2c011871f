// The exact product of two numbers and a third one: a·b + T, or a·b, in words of w = WordWidth bits, `words` each.
//
// A pass for each digit b_i of b, the lowest first, k = RadixLog2 bits:  T := (T + b_i·a) div 2^k.  The digit that the
// division leaves out is the next one of the result. It has 2·words words: the lower ones leave with valid_o, the lowest
// first, and the others are T.
//
// a and b are in memories of the user, who gives the words of the addresses in the same clock. T is written before the
// start by write_i, which an idle unit takes; with add_i it counts. T is read by address_i, while the unit is idle.
//
// Bounds. If T <= a, then (T + (2^k - 1)·a)/2^k <= a, so T fits its words. A word of the sum is at most
// (2^w - 1) + (2^k - 1)(2^w - 1) + c = 2^k·(2^w - 1) + c, so that a carry c < 2^k leads to another one. After the highest
// word comes a word of zeros, whose sum is the carry: its bits are the highest ones of T.
//
// A pass takes words + 3 clocks. Its words are written before the next one reads them, as words >= 2:
//   clock j      T_j and a_j are read
//         j + 1  b_i·a_j, for the two lowest bits of b_i and for the others
//         j + 2  the sum of both
//         j + 3  the sum with T_j; word j - 1 of the new T is written, to be read in clock words + 2 + j
// busy_o is high for words·(w/k)·(words + 3) + 1 clocks after start_i.
module monpro_pe_long_product #(
  parameter  int RadixLog2    = 4,
  parameter  int WordWidth    = 32,
  parameter  int MaxWords     = 17,
  localparam int AddressWidth = $clog2(MaxWords)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,        // with write_i at all addresses
  input  logic                    write_i,
  input  logic [WordWidth-1:0]    word_i,
  input  logic [AddressWidth-1:0] address_i,
  output logic [WordWidth-1:0]    t_word_o,
  input  logic                    start_i,
  input  logic                    add_i,
  input  logic [AddressWidth-1:0] highest_i,     // words - 1
  output logic                    busy_o,
  output logic [AddressWidth-1:0] a_address_o,
  input  logic [WordWidth-1:0]    a_word_i,
  output logic [AddressWidth-1:0] b_address_o,
  input  logic [WordWidth-1:0]    b_word_i,
  output logic                    valid_o,
  output logic [AddressWidth-1:0] index_o,
  output logic [WordWidth-1:0]    word_o
);
  localparam int Steps      = WordWidth / RadixLog2;
  localparam int IndexWidth = $clog2(MaxWords + 3);
  localparam int StepWidth  = $clog2(Steps);
  localparam int TotalWidth = WordWidth + RadixLog2;

  logic                    run_q;
  logic                    drain_q;          // the last word of T is written
  logic                    add_q;            // T counts in the pass
  logic [IndexWidth-1:0]   index_q;          // of a word
  logic [StepWidth-1:0]    step_q;           // of a digit in its word
  logic [AddressWidth-1:0] digits_q;         // the word of the digit
  logic                    in_number;        // the numbers have the word
  logic                    beyond;           // the word of zeros
  logic                    pass_ends;
  logic                    last_step;

  assign in_number = run_q && index_q <= IndexWidth'(highest_i);
  assign beyond    = run_q && index_q == IndexWidth'(highest_i) + IndexWidth'(1);
  assign pass_ends = index_q == IndexWidth'(highest_i) + IndexWidth'(3);
  assign last_step = step_q == StepWidth'(Steps - 1);
  assign busy_o    = run_q | drain_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_control
    if (!rst_ni) begin
      run_q    <= 1'b0;
      drain_q  <= 1'b0;
      index_q  <= '0;
      step_q   <= '0;
      digits_q <= '0;
    end else begin
      drain_q <= run_q;
      if (start_i) begin
        run_q <= 1'b1;
      end else if (run_q && !pass_ends) begin
        index_q <= index_q + IndexWidth'(1);
      end else if (run_q) begin
        index_q <= '0;
        step_q  <= last_step ? '0 : step_q + StepWidth'(1);
        if (last_step) begin
          digits_q <= (digits_q == highest_i) ? '0 : digits_q + AddressWidth'(1);
          run_q    <= digits_q != highest_i;
        end
      end
    end
  end

  // ---- b_i·a_j, a sum over bits, so that no tool infers a multiplier ----------------------------------

  logic [WordWidth-1:0]  b_q;                // the digit of the pass is the lowest one
  logic [WordWidth-1:0]  t_word;
  logic [WordWidth-1:0]  a_q;
  logic [WordWidth-1:0]  t_q;
  logic [WordWidth-1:0]  t_1_q;
  logic [WordWidth-1:0]  t_2_q;
  logic [TotalWidth-1:0] low;                // of two bits of the digit
  logic [TotalWidth-1:0] low_q;
  logic [TotalWidth-1:0] high;               // of the others
  logic [TotalWidth-1:0] high_q;
  logic [TotalWidth-1:0] product_q;

  assign a_address_o = AddressWidth'(index_q);
  assign b_address_o = digits_q;

  always_ff @(posedge clk_i) begin : p_words
    a_q       <= a_word_i & {WordWidth{in_number}};
    t_q       <= t_word & {WordWidth{in_number & add_q}};
    t_1_q     <= t_q;
    t_2_q     <= t_1_q;
    low_q     <= low;
    high_q    <= high;
    product_q <= low_q + high_q;
    if (wipe_i) begin
      b_q <= '0;
    end else if (run_q && index_q == '0) begin
      b_q <= (step_q == '0) ? b_word_i : b_q >> RadixLog2;
    end
    if (start_i) add_q <= add_i;
    else if (pass_ends) add_q <= 1'b1;
  end

  always_comb begin : p_product
    low  = '0;
    high = '0;
    for (int i = 0; i < 2; i++) begin
      if (b_q[i]) low = low + (TotalWidth'(a_q) << i);
    end
    for (int i = 2; i < RadixLog2; i++) begin
      if (b_q[i]) high = high + (TotalWidth'(a_q) << i);
    end
  end

  // ---- the sum, and its words without the lowest digit ------------------------------------------------

  logic [2:0]                   lowest_q;    // the lowest word is in a_q; in low_q; in product_q
  logic [2:0]                   higher_q;    // a word above it, or the word of zeros
  logic [AddressWidth-1:0]      below_0_q;   // the index of the word below that in a_q
  logic [AddressWidth-1:0]      below_1_q;
  logic [AddressWidth-1:0]      below_2_q;
  logic [TotalWidth-1:0]        total;
  logic [RadixLog2-1:0]         carry;
  logic [RadixLog2-1:0]         carry_q;
  logic [WordWidth-1:RadixLog2] before_q;

  assign carry = lowest_q[2] ? '0 : carry_q;
  assign total = TotalWidth'(t_2_q) + product_q + TotalWidth'(carry);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_marks
    if (!rst_ni) begin
      lowest_q <= '0;
      higher_q <= '0;
    end else begin
      lowest_q <= {lowest_q[1:0], run_q && index_q == '0};
      higher_q <= {higher_q[1:0], (in_number && index_q != '0) || beyond};
    end
  end

  always_ff @(posedge clk_i) begin : p_sum
    below_0_q <= AddressWidth'(index_q - IndexWidth'(1));
    below_1_q <= below_0_q;
    below_2_q <= below_1_q;
    carry_q   <= total[WordWidth+:RadixLog2];
    before_q  <= total[WordWidth-1:RadixLog2];
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_t (
    .clk_i          (clk_i),
    .write_i        (higher_q[2] | write_i),
    .write_address_i(higher_q[2] ? below_2_q : address_i),
    .word_i         (higher_q[2] ? {total[RadixLog2-1:0], before_q} : word_i),
    .read_address_i (busy_o ? AddressWidth'(index_q) : address_i),
    .word_o         (t_word)
  );

  assign t_word_o = t_word;

  // ---- the lower words of the result ------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_valid
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else begin
      valid_o <= lowest_q[2] & last_step;
    end
  end

  always_ff @(posedge clk_i) begin : p_low
    if (wipe_i) begin
      word_o <= '0;
    end else if (lowest_q[2]) begin
      word_o <= {total[RadixLog2-1:0], word_o[WordWidth-1:RadixLog2]};
    end
    index_o <= digits_q;
  end
endmodule

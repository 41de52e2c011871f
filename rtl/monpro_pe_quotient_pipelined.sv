// A word of the array of monpro_array_quotient_pipelined: the multiples of its words of B and N^, and the word S_j of S
// [orup95].
//
//   T_j := (a·B)_j + (q·N^)_j          S_j := word j of S/2^k  + T_j,    k = RadixLog2
//
// Both additions have a carry chain of WordWidth bits of their own. A carry out of it has the weight 2^(w(j+1)),
// w = WordWidth. It waits for D = w/k steps. S has then moved down by w bits, so that the carry has the weight 2^(wj): it
// is the carry into the same chain. No carry ever goes from word to word.
//
// The array is systolic: a word does a clock later what the word below does, and has the digits from it. So word j has made
// i steps when word j-1 makes step i+1, for which it needs the lowest digit of this word after step i, when step i is still to
// be made: next_o has this digit early. It is 0 before the first step, and always in words above the highest one, which
// stay cleared.
//
// The digits pass three registers before they reach S: one in each word, the multiple, T.
//
// A token fills a table. It comes from the word below, one clock of filling for each word later, and stays for 2^k such
// clocks; fill_next_i is high in the clock before each. In the first of them, with first_i, fill_word_i is this word of the
// number. Each further one adds this word once more, with the carry of the word below, which has computed the same multiple
// one clock before.
//
// Clocks, from the clock in which digit_i, quotient_i and run_i are given:
//   0  copies := digits      1  multiples := tables[copies]      2  T := sum of the multiples      3  S := S/2^k + T
module monpro_pe_quotient_pipelined #(
  parameter  int RadixLog2 = 4,
  parameter  int WordWidth = 32,
  localparam int Steps     = WordWidth / RadixLog2,  // that a carry waits
  localparam int ReadWidth = WordWidth + 2 * Steps + 1
) (
  input  logic                 clk_i,
  // steps, from the word below and to the word above
  input  logic                 clear_i,
  input  logic                 run_i,
  input  logic [RadixLog2-1:0] digit_i,
  input  logic [RadixLog2-1:0] quotient_i,
  output logic                 clear_o,
  output logic                 run_o,
  output logic [RadixLog2-1:0] digit_o,
  output logic [RadixLog2-1:0] quotient_o,
  input  logic [RadixLog2-1:0] above_i,       // next_o of the word above
  output logic [RadixLog2-1:0] next_o,        // the lowest digit of S_j after this step
  output logic [RadixLog2-1:0] lowest_o,      // the lowest digit of S_j
  // the token that fills a table
  input  logic                 fill_next_i,   // the next clock is one of filling
  input  logic [WordWidth-1:0] fill_word_i,
  input  logic                 fill_last_i,   // fill_word_i is the highest word of the number
  input  logic [1:0]           tables_i,      // it fills the multiples of N^, of B
  input  logic                 token_i,
  input  logic                 first_i,       // the first clock of the token
  input  logic [RadixLog2-1:0] multiple_i,
  input  logic                 carry_i,
  output logic [1:0]           tables_o,
  output logic                 token_o,
  output logic                 first_o,
  output logic [RadixLog2-1:0] multiple_o,
  output logic                 carry_o,
  // the result
  input  logic                 skip_i,
  output logic                 skip_o,
  // 0 if skip_i was high, else: is this the highest word? the waiting carries, and S_j
  output logic [ReadWidth-1:0] read_o
);
  // ---- multiples ------------------------------------------------------------------------------------

  logic [WordWidth-1:0] word_q;
  logic [WordWidth-1:0] multiple_q;
  logic [WordWidth  :0] next_multiple;
  logic                 fill_q;        // of this word only, as it reaches all its registers
  logic                 start;
  logic                 top_q;         // this is the highest word

  assign start         = fill_q & first_i;
  assign next_multiple = {1'b0, multiple_q} + {1'b0, word_q} + (WordWidth + 1)'(carry_i);

  always_ff @(posedge clk_i) begin : p_fill
    fill_q <= fill_next_i;
    if (fill_q) begin
      token_o    <= token_i;
      first_o    <= first_i;
      tables_o   <= tables_i;
      multiple_o <= multiple_i;
      carry_o    <= next_multiple[WordWidth];
    end
    if (start) begin
      word_q     <= fill_word_i;
      top_q      <= fill_last_i;
      multiple_q <= '0;
    end else if (fill_q) begin
      multiple_q <= next_multiple[WordWidth-1:0];
    end
  end

  logic [WordWidth-1:0] b_multiple;
  logic [WordWidth-1:0] n_multiple;

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(2 ** RadixLog2)) u_b (
    .clk_i          (clk_i),
    .write_i        (token_o & tables_o[0]),
    .write_address_i(multiple_o),
    .word_i         (multiple_q),
    .read_address_i (digit_o),
    .word_o         (b_multiple)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(2 ** RadixLog2)) u_n (
    .clk_i          (clk_i),
    .write_i        (token_o & tables_o[1]),
    .write_address_i(multiple_o),
    .word_i         (multiple_q),
    .read_address_i (quotient_o),
    .word_o         (n_multiple)
  );

  // ---- steps ----------------------------------------------------------------------------------------

  logic                 clear_q;
  logic                 run_s_q;
  logic [WordWidth-1:0] b_multiple_q;
  logic [WordWidth-1:0] n_multiple_q;
  logic [WordWidth-1:0] t_q;
  logic [WordWidth-1:0] s_q;
  logic [Steps-1:0]     t_carries_q;   // that wait, the newest lowest
  logic [Steps-1:0]     s_carries_q;
  // While steps run, the oldest: for the sums only, as those that wait are placed between them and the gates that read words.
  logic                 t_carry_q;
  logic                 s_carry_q;
  logic [WordWidth  :0] t_sum;
  logic [WordWidth  :0] s_sum;
  // The lowest digit of the next s_sum, from what its three terms will be; below it a bit that makes the carry.
  logic [RadixLog2  :0] next_digit;

  assign t_sum = {1'b0, b_multiple_q} + {1'b0, n_multiple_q} +
                 (WordWidth + 1)'(t_carry_q);
  assign s_sum = {1'b0, above_i, s_q[WordWidth-1:RadixLog2]} + {1'b0, t_q} +
                 (WordWidth + 1)'(s_carry_q);

  assign next_digit = {s_sum[RadixLog2+:RadixLog2], 1'b1} +
                      {t_sum[RadixLog2-1:0], s_carries_q[Steps-2]};

  always_ff @(posedge clk_i) begin : p_digits
    digit_o      <= digit_i;
    quotient_o   <= quotient_i;
    b_multiple_q <= b_multiple;
    n_multiple_q <= n_multiple;
    run_o        <= run_i;
    run_s_q      <= run_o;
    clear_q      <= clear_i;
  end

  assign clear_o = clear_q | top_q;

  always_ff @(posedge clk_i) begin : p_sum
    if (clear_q) begin
      t_q         <= '0;
      next_o      <= '0;
      t_carries_q <= '0;
      s_carries_q <= '0;
      t_carry_q   <= 1'b0;
      s_carry_q   <= 1'b0;
      s_q         <= '0;
    end else begin
      t_q <= t_sum[WordWidth-1:0];
      next_o <= RadixLog2'(next_digit >> 1);
      // A run has no pause, and behind it nothing is added: these two need no enable, so no tool takes them for copies.
      t_carry_q <= t_carries_q[Steps-2];
      s_carry_q <= s_carries_q[Steps-2];
      if (run_o) t_carries_q <= {t_carries_q[Steps-2:0], t_sum[WordWidth]};
      if (run_s_q) begin
        s_carries_q <= {s_carries_q[Steps-2:0], s_sum[WordWidth]};
        s_q         <= s_sum[WordWidth-1:0];
      end
    end
  end

  assign lowest_o = s_q[RadixLog2-1:0];

  // ---- the result -----------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin : p_read
    skip_o <= skip_i | top_q;
    if (skip_i) begin
      read_o <= '0;
    end else begin
      read_o <= {top_q, s_carries_q, t_carries_q, s_q};
    end
  end
endmodule

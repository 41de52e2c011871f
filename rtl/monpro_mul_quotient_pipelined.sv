// A Montgomery product in radix 2^k whose quotient digits are used d steps late, for any length up to Width [orup95].
//
//   z = x·y·R^-1  mod n,   R = 2^(w·words),   w = WordWidth,   k = RadixLog2,   d = 4
//
//   n      odd, 3 <= n < 2^K, K <= Width;  words >= 2 and w·words >= K + k(d + 2) + 1
//   M~     = (-n^-1 mod 2^e)·n,  e = k(d + 1): the multiple of n below 2^e·n that is -1 modulo 2^e
//   N^     = (M~ + 1)/2^e <= n
//
// The numbers come and go in words of w bits, the lowest first; each has `words` of them. The input is a command, and then
// what its bits ask for, in this order:
//   bit 0  words (the length), and n: a new modulus
//   bit 1  y                     otherwise y is the last result
//   bit 2  x                     otherwise x is the last result, which a new modulus overwrites: bit 0 needs bit 2
//   bit 3  nothing: z < n, fully reduced. It requires x < n.
//   bit 4  nothing: a wipe in place of a product. There is no output.
//   bits 5 to 8  nothing: a number of squares. So many squares of the result follow, each of the one before, and the last of
//          them is the output. With bit 3 there are none.
// x, y < 2M~. The output is z, with last_o at its last word. z < 2M~, so that it may be an operand; with bit 3 z < n.
// busy_o is high from the clock after the last word of the input until the last word of the output is taken.
// `words` below 2 or above MaxWords is refused: error_o is then high and ready_o low, until a reset.
//
// Bounds. The core computes x·y·R^-1 modulo M~. Each digit of x adds to S, which is S div 2^k + a·B + q·N^ after it, at most
// (2^k - 1)·(B + N^) + S/2^k, so S < 2^k·(B + N^) <= 2^k·(2(2^e - 1)n + n) < 2^(K+e+k+1) <= 2^(w·words): S fits its words,
// and so do the multiples of B. The result is (x·y + Q·M~)/R with Q < R, below x·y/R + M~ < 4M~²/R + M~ < 2M~, since
// 4M~ < 2^(K+e+2) <= R. The digits of x beyond its length are 0.
//
// With bit 3, d + 2 digits of x are left out, which are 0: x < n < 2^K and w·words - k(d+2) >= K + 1. The result so far is
// T < 2M~/2 + M~ = 2M~, as x < R/2^(e+k)/2 and y < 2M~. It is then divided d + 2 times by 2^k, modulo n, and is at most
// (T + (2^(e+k) - 1)n)/2^(e+k) < 2n/2^k + n < 2n. One subtraction of n is enough. N^ is 1, divided d + 1 times by 2^k.
//
// Time does not depend on the numbers, only on words and on the command. The result of a product goes to the memory of x
// and, as multiples, to the array while it leaves. A square of it therefore needs a command and no numbers. Each word of the
// array is a clock behind the word below. A square of the same command begins when the lowest word has its table: the words
// above are then still filled, and the result is still read.
//
//   state      | what happens                                                        | clocks
//   StCommand  | waits for a command                                                 |
//   StSettle   | waits until the last fill is over                                   | 1 or more
//   StLength   | waits for `words`                                                   |
//   StJudge    | is it refused?                                                      | 1
//   StError    | `words` is refused                                                  | until a reset
//   StModulus  | n to its memory                                                     | words
//   StShrink   | d + 1 passes T := (T + q·n)/2^k from T = 1; the last one fills the  | (d + 1)(words + 10)
//              | table of N^                                                         |
//   StDrain    | waits until the last fill is over                                   | 1 or more
//   StY        | y fills the table of B                                              | words
//   StX        | x to its memory                                                     | words
//   StStart    | waits until the table of the lowest word is full                    | 2 or more
//   StLoop     | a digit of x a clock                                                | D·words, D = w/k; with bit 3
//              |                                                                     | d + 2 less
//   StTail     | the last digits of the quotient; the pipeline empties               | d + 5
//   StRead     | the words of the result to the memory of x, and from there to the   | words + 8 or more, with bit 3
//              | port; with bit 3 they are T and stay. If a square follows, StLoop   | words + 5, before a square
//              | comes next, and the rest of the words meanwhile                     | 2^k + 6
//   StReduce   | d + 2 passes T := (T + q·n)/2^k, then T := T - n                    | (d + 3)(words + 10)
//   StGive     | T, plus n if it was negative, to the memory and to the port         | words + 12 or more
//   StWipe     | zeros to both memories and tables, when the last fill is over       | MaxWords + 2^k + d + 9
module monpro_mul_quotient_pipelined #(
  parameter int Width     = 1024,
  parameter int RadixLog2 = 4,
  parameter int WordWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [WordWidth-1:0] word_i,
  output logic                 busy_o,
  output logic                 error_o,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [WordWidth-1:0] word_o,
  output logic                 last_o
);
  localparam int Delay        = 4;
  localparam int Steps        = WordWidth / RadixLog2;
  localparam int LongWords    = (Width + RadixLog2 * (Delay + 2) + WordWidth) / WordWidth;
  localparam int MaxWords     = (LongWords > 2) ? LongWords : 2;
  localparam int SkipWords    = (Delay + 2) / Steps;     // of the digits that bit 3 leaves out
  localparam int SkipDigits   = (Delay + 2) % Steps;
  localparam int Tail         = Delay + 5;
  localparam int ShrinkPasses = Delay + 1;
  localparam int ReducePasses = Delay + 3;               // the last one subtracts
  localparam int Flush        = 9;                       // clocks of a pass after the word of zeros

  localparam int IndexWidth   = $clog2(MaxWords + Flush + 2);
  localparam int AddressWidth = $clog2(MaxWords);
  localparam int StepWidth    = $clog2(Steps);
  localparam int PassWidth    = $clog2(Tail + 1);

  localparam int BitModulus = 0;
  localparam int BitY       = 1;
  localparam int BitX       = 2;
  localparam int BitReduce  = 3;
  localparam int BitWipe    = 4;
  localparam int BitSquares = 5;           // the lowest of four

  typedef enum logic [4:0] {
    StCommand,
    StSettle,
    StLength,
    StJudge,
    StError,
    StModulus,
    StShrink,
    StDrain,
    StY,
    StX,
    StStart,
    StLoop,
    StTail,
    StRead,
    StReduce,
    StGive,
    StWipe
  } state_e;

  (* fsm_encoding = "auto" *)
  state_e                state_q;
  logic                  y_q;             // words of y come
  logic                  x_q;
  logic                  reduce_q;
  logic                  wrong_length_q;
  logic [IndexWidth-1:0] words_q;
  logic [IndexWidth-1:0] highest_q;       // words - 1
  logic [AddressWidth-1:0] next_highest_q; // words - 2
  logic [IndexWidth-1:0] flushes_q;       // words + Flush - 1
  logic [IndexWidth-1:0] index_q;         // of a word
  logic [PassWidth-1:0]  pass_q;          // of a pass, or a clock of StTail
  logic [StepWidth-1:0]  step_q;          // of a digit in its word
  logic [StepWidth-1:0]  next_step;
  logic                  last_step_q;     // the last digit of a word
  logic                  skip_step_q;     // the step of a product's last digit with bit 3
  logic [IndexWidth-1:0] next_end_q;      // the index before that of a product's last digit
  logic                  end_word_q;      // index_q is that of the last digit
  logic                  beyond_q;        // the index of a pass is behind the highest word
  logic                  last_digit;
  logic [3:0]            squares_q;       // of the result, that follow
  logic                  follows_q;       // one follows
  logic                  last_pass_q;     // from the second clock of the pass on
  logic                  pass_ends_q;
  logic                  drained_q;       // the tokens of the last fill are above the highest word
  logic                  settled_q;       // the tables are full
  logic                  wipe_q;          // a word of zeros
  logic                  zeros_q;         // all of them have come
  logic                  wiped;
  logic                  reading;
  logic                  giving;
  logic                  starts;          // the loop
  logic                  given;           // the last word of the result is taken

  assign reading    = state_q == StRead;
  assign giving     = state_q == StGive;
  assign next_step  = (state_q != StLoop || last_step_q) ? '0 : step_q + StepWidth'(1);
  assign last_digit = (reduce_q ? skip_step_q : last_step_q) && end_word_q;

  // Where words come from outside, the core is ready: a word is taken if it is valid.
  always_ff @(posedge clk_i) begin : p_command
    pass_ends_q <= index_q == flushes_q && (state_q == StShrink || state_q == StReduce);
    last_pass_q <= pass_q == ((state_q == StShrink) ? PassWidth'(ShrinkPasses - 1) :
                                                      PassWidth'(ReducePasses - 1));
    if (state_q == StCommand && valid_i) begin
      y_q       <= word_i[BitY];
      x_q       <= word_i[BitX];
      reduce_q  <= word_i[BitReduce];
      squares_q <= word_i[BitSquares+:4];  // with bit 3 no table fills in StRead, so none begins
    end else if (reading && starts) begin
      squares_q <= squares_q - 4'd1;
    end
    follows_q <= squares_q != '0;
    if (state_q == StLength && valid_i) begin
      words_q        <= IndexWidth'(word_i);
      highest_q      <= IndexWidth'(word_i) - IndexWidth'(1);
      next_highest_q <= AddressWidth'(word_i) - AddressWidth'(2);
      flushes_q      <= IndexWidth'(word_i) + IndexWidth'(Flush - 1);
      wrong_length_q <= word_i < WordWidth'(2) || word_i > WordWidth'(MaxWords);
    end
  end

  // ---- words come from outside, from the array, or from a pass ---------------------------------------

  logic                    come;          // a word comes
  logic                    come_first_q;
  logic                    come_last_q;   // it is the highest one
  logic                    array_valid;
  logic [WordWidth-1:0]    array_word;
  logic                    pass_valid;
  logic [WordWidth-1:0]    pass_word;
  logic                    from_outside;
  logic                    from_pass;
  logic [AddressWidth-1:0] come_index_q;
  logic [AddressWidth-1:0] next_last_q;
  logic [WordWidth-1:0]    word_q;

  // The index of the word before the highest one, of all numbers or of a memory.
  always_ff @(posedge clk_i) begin : p_next_last
    if (state_q == StWipe) next_last_q <= AddressWidth'(MaxWords - 2);
    else next_last_q <= next_highest_q;
  end

  assign from_outside = state_q == StModulus || state_q == StY || state_q == StX;
  assign from_pass    = state_q == StShrink || state_q == StReduce || giving;
  // The array gives words in StRead and, while a square begins, in StLoop; a pass in its own state.
  assign come         = array_valid | pass_valid | wipe_q | (valid_i & from_outside);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_come
    if (!rst_ni) begin
      come_index_q <= '0;
      come_first_q <= 1'b1;
      come_last_q  <= 1'b0;
    end else if (come) begin
      come_first_q <= come_last_q;
      come_last_q  <= come_index_q == next_last_q;
      come_index_q <= come_last_q ? '0 : come_index_q + AddressWidth'(1);
    end
  end

  // While words come from the array, those of the passes are 0, because words of zeros go in; while words come from a
  // pass, the array is cleared. A wipe waits until both are 0.
  always_ff @(posedge clk_i) word_q <= from_outside ? word_i : array_word | pass_word;

  // ---- memories: n, and x or T or the result --------------------------------------------------------

  logic                    write_n_q;
  logic                    write_x_q;
  logic [AddressWidth-1:0] write_address_q;
  logic [WordWidth-1:0]    n_word;
  logic [WordWidth-1:0]    x_word;
  logic [WordWidth-1:0]    n_word_q;
  logic [WordWidth-1:0]    x_word_q;

  always_ff @(posedge clk_i) begin : p_write
    write_n_q       <= come && (state_q == StModulus || state_q == StWipe);
    write_x_q       <= come && state_q != StModulus && state_q != StY;
    write_address_q <= come_index_q;
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_n (
    .clk_i          (clk_i),
    .write_i        (write_n_q),
    .write_address_i(write_address_q),
    .word_i         (word_q),
    .read_address_i (AddressWidth'(index_q)),
    .word_o         (n_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_x (
    .clk_i          (clk_i),
    .write_i        (write_x_q),
    .write_address_i(write_address_q),
    .word_i         (word_q),
    .read_address_i (AddressWidth'(index_q)),
    .word_o         (x_word)
  );

  always_ff @(posedge clk_i) begin : p_read
    n_word_q <= n_word;
    x_word_q <= x_word;
  end

  // ---- n' = -n^-1 modulo 2^k ------------------------------------------------------------------------

  // n' is the sum of the 2^i that clear bit i of 1 + n'·n, from the lowest bit on.
  logic [RadixLog2-1:0] n_digit_q;
  logic [RadixLog2-1:0] cleared;
  logic [RadixLog2-1:0] n0;
  logic [RadixLog2-1:0] n0_q;

  always_comb begin : p_inverse
    cleared = RadixLog2'(1);
    n0      = '0;
    for (int i = 0; i < RadixLog2; i++) begin
      n0[i]   = cleared[i];
      cleared = cleared + ((n_digit_q & {RadixLog2{n0[i]}}) << i);
    end
  end

  always_ff @(posedge clk_i) begin : p_n0
    if (write_n_q && write_address_q == '0) n_digit_q <= word_q[RadixLog2-1:0];
    n0_q <= n0;
  end

  // ---- a number fills a table: N^, y, the result, or zeros ------------------------------------------

  logic                 fill;
  logic                 fills_q;       // the words of this state fill a table
  logic                 fill_q;        // the tokens move
  logic                 fill_last_q;
  logic [1:0]           tables_q;
  logic                 token_q;
  logic                 token_ends_q;  // unless words are waited for
  logic                 first_q;
  logic [RadixLog2-1:0] multiple_q;
  logic [RadixLog2-1:0] drain_q;       // clocks in which the tokens still move after the last word

  // Words come in the first clock of StY, and later in the other states. Those of the array fill a table also while a square
  // of them has begun.
  assign fill      = (array_valid && !reduce_q) || (come && (state_q == StY || fills_q));
  assign wiped     = zeros_q && settled_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_drain
    if (!rst_ni) begin
      fill_q      <= 1'b0;
      fill_last_q <= 1'b0;
      drain_q     <= '0;
      drained_q   <= 1'b1;
      settled_q   <= 1'b1;
      wipe_q      <= 1'b0;
      token_q     <= 1'b0;
    end else begin
      if (fill && come_first_q) token_q <= 1'b1;
      else if (fill_q && multiple_q == '1) token_q <= 1'b0;
      if (wipe_q) begin
        wipe_q <= ~come_last_q;
      end else begin
        wipe_q <= state_q == StWipe && pass_q == PassWidth'(Tail) && drained_q && !zeros_q;
      end
      fill_q      <= fill | fill_last_q | ~drained_q;
      fill_last_q <= fill & come_last_q;
      if (fill_last_q) begin
        drain_q <= '1;
      end else if (drain_q != '0) begin
        drain_q <= drain_q - RadixLog2'(1);
      end
      drained_q <= !fill_last_q && drain_q <= RadixLog2'(1);
      settled_q <= ~fill & ~fill_last_q & drained_q;
    end
  end

  always_ff @(posedge clk_i) begin : p_fill
    zeros_q      <= state_q == StWipe && (zeros_q || (wipe_q && come_last_q));
    fills_q      <= state_q == StWipe || giving || (state_q == StShrink && last_pass_q);
    token_ends_q <= token_q && multiple_q == RadixLog2'(2 ** RadixLog2 - 2);
    // The lowest word finds these ready: the tokens of the number before do not move any more.
    if (come_first_q && !fill_q) begin
      first_q    <= 1'b1;
      multiple_q <= '0;
      tables_q   <= {state_q == StShrink || state_q == StWipe, state_q != StShrink};
    end else if (fill_q) begin
      first_q    <= 1'b0;
      multiple_q <= multiple_q + RadixLog2'(1);
    end
  end

  // ---- the loop -------------------------------------------------------------------------------------

  logic [WordWidth-1:0] x_shift_q;     // the lowest digit is next
  logic [RadixLog2-1:0] digit;
  logic                 waited_q;      // the lowest word of x is in its register
  logic                 run;
  logic                 active_q;      // the lowest word makes steps, or is about to be read
  logic                 skip_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_active
    if (!rst_ni) begin
      active_q <= 1'b0;
    end else begin
      active_q <= starts || (active_q && !reading);
    end
  end

  always_ff @(posedge clk_i) begin : p_x
    if (state_q == StLoop && !last_step_q) begin
      x_shift_q <= x_shift_q >> RadixLog2;
    end else begin
      x_shift_q <= x_word_q;
    end
    waited_q    <= state_q == StStart;
    step_q      <= next_step;
    last_step_q <= next_step == StepWidth'(Steps - 1);
    skip_step_q <= next_step == StepWidth'(Steps - 1 - SkipDigits);
    next_end_q  <= reduce_q ? highest_q - IndexWidth'(SkipWords) : highest_q;
  end

  // The lowest word needs its table and its digit of x. What it waits for, the words above have in time: they are filled a clock
  // later each, as they make their steps. In StRead words come in each clock, and behind StStart none is waited for.
  assign starts     = reading ? follows_q & token_ends_q : waited_q & ~token_q;
  assign digit      = x_shift_q[RadixLog2-1:0] & {RadixLog2{state_q == StLoop}};
  assign run        = state_q == StLoop || (state_q == StTail && pass_q <= PassWidth'(Delay + 1));

  // Low in the first clock of StRead.
  always_ff @(posedge clk_i) skip_q <= state_q != StTail || pass_q != PassWidth'(Tail - 1);

  monpro_array_quotient_pipelined #(
    .RadixLog2(RadixLog2),
    .WordWidth(WordWidth),
    .MaxWords (MaxWords)
  ) u_array (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (~active_q),
    .run_i       (run),
    .digit_i     (digit),
    .fill_i      (fill_q),
    .fill_word_i (word_q),
    .fill_last_i (fill_last_q),
    .tables_i    (tables_q),
    .token_i     (token_q),
    .first_i     (first_q),
    .multiple_i  (multiple_q),
    .skip_i      (skip_q),
    .valid_o     (array_valid),
    .word_o      (array_word)
  );

  // ---- reduction ------------------------------------------------------------------------------------

  logic                 subtract;
  logic                 divide;
  logic                 from_one;
  logic                 pass_zero;
  logic                 pass_asks;
  logic                 pass_first;
  logic                 pass_asks_q;
  logic                 pass_first_q;
  logic                 pass_zero_q;
  logic                 from_one_q;
  logic                 subtract_q;

  assign subtract     = state_q == StReduce && last_pass_q;
  assign divide       = !subtract && !giving;
  assign from_one     = state_q == StShrink && pass_q == '0;
  assign pass_asks    = from_pass && (!beyond_q || (divide && index_q == words_q));
  assign pass_first   = index_q == '0;
  assign pass_zero    = beyond_q || !from_pass;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_pass_asks
    if (!rst_ni) begin
      pass_asks_q <= 1'b0;
    end else begin
      pass_asks_q <= pass_asks;
    end
  end

  // With the words from the registers behind the memories.
  always_ff @(posedge clk_i) begin : p_pass
    pass_first_q   <= pass_first;
    pass_zero_q    <= pass_zero;
    from_one_q     <= from_one;
    subtract_q     <= subtract;
  end

  monpro_pe_word_reduction #(.RadixLog2(RadixLog2), .WordWidth(WordWidth)) u_reduction (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .subtract_i(subtract_q),
    .add_back_i(giving),
    .n0_i      (n0_q),
    .valid_i   (pass_asks_q),
    .first_i   (pass_first_q),
    .from_one_i(from_one_q),
    .zero_i    (pass_zero_q),
    .t_word_i  (x_word_q),
    .n_word_i  (n_word_q),
    .valid_o   (pass_valid),
    .word_o    (pass_word)
  );

  // ---- the port of the result, which reads a memory of its own behind the words that come ------------

  logic                  out;           // a word leaves the memory
  logic [WordWidth-1:0]  result_word;
  logic                  holds_q;       // the memory has words that have not left it
  logic [IndexWidth-1:0] written_q;
  logic [IndexWidth-1:0] out_next_q;    // out_index_q + 1
  logic [IndexWidth-1:0] out_index_q;
  logic                  reads_out_q;

  always_ff @(posedge clk_i) reads_out_q <= (reading & ~reduce_q & ~follows_q) | giving;

  // The words of the memory of x, without a choice of addresses before them.
  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_result (
    .clk_i          (clk_i),
    .write_i        (write_x_q),
    .write_address_i(write_address_q),
    .word_i         (word_q),
    .read_address_i (AddressWidth'(out_index_q)),
    .word_o         (result_word)
  );

  assign out          = reads_out_q && holds_q && (!valid_o || ready_i);
  assign given        = valid_o & ready_i & last_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_valid
    if (!rst_ni) begin
      valid_o <= 1'b0;
    end else if (out) begin
      valid_o <= 1'b1;
    end else if (ready_i) begin
      valid_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : p_out
    if (state_q == StWipe) begin
      word_o <= '0;
    end else if (out) begin
      word_o <= result_word;
    end
    if (out) last_o <= out_index_q == highest_q;
    if (!reads_out_q) begin
      holds_q     <= 1'b0;
      written_q   <= '0;
      out_index_q <= '0;
      out_next_q  <= IndexWidth'(1);
    end else begin
      holds_q <= write_x_q || (out ? written_q != out_next_q : holds_q);
      if (write_x_q) written_q <= written_q + IndexWidth'(1);
      if (out) begin
        out_index_q <= out_next_q;
        out_next_q  <= out_next_q + IndexWidth'(1);
      end
    end
  end

  // ---- control --------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StCommand;
    end else begin
      case (state_q)
        StCommand: begin
          if (valid_i) begin
            if (word_i[BitWipe]) state_q <= StWipe;
            else if (word_i[BitModulus]) state_q <= StSettle;
            else if (word_i[BitY]) state_q <= StDrain;
            else if (word_i[BitX]) state_q <= StX;
            else state_q <= StStart;
          end
        end
        StSettle:  if (settled_q) state_q <= StLength;
        StLength:  if (valid_i) state_q <= StJudge;
        StJudge:   state_q <= wrong_length_q ? StError : StModulus;
        StError: ;
        StModulus: if (valid_i && come_last_q) state_q <= StShrink;
        StShrink:  if (pass_ends_q && last_pass_q) state_q <= y_q ? StDrain : x_q ? StX : StStart;
        StDrain:   if (drained_q && !fill_last_q) state_q <= StY;
        StY:       if (valid_i && come_last_q) state_q <= x_q ? StX : StStart;
        StX:       if (valid_i && come_last_q) state_q <= StStart;
        StStart:   if (starts) state_q <= StLoop;
        StLoop:    if (last_digit) state_q <= StTail;
        StTail:    if (pass_q == PassWidth'(Tail - 1)) state_q <= StRead;
        StRead: begin
          if (starts) state_q <= StLoop;
          else if (reduce_q && array_valid && come_last_q) state_q <= StReduce;
          else if (given) state_q <= StCommand;
        end
        StReduce:  if (pass_ends_q && last_pass_q) state_q <= StGive;
        StGive:    if (given) state_q <= StCommand;
        StWipe:    if (wiped) state_q <= StCommand;
        default:   state_q <= StCommand;
      endcase
    end
  end

  logic index_moves;
  logic index_ends;
  logic pass_moves;
  logic pass_clears;

  always_comb begin : p_moves
    index_moves = 1'b0;
    index_ends  = 1'b1;
    case (state_q)
      StShrink, StReduce: begin
        index_moves = 1'b1;
        index_ends  = pass_ends_q;
      end
      StStart, StRead: begin
        index_moves = starts;
        index_ends  = 1'b0;
      end
      StLoop: begin
        index_moves = last_step_q;
        index_ends  = last_digit;
      end
      StGive: begin
        index_moves = !beyond_q;
        index_ends  = 1'b0;
      end
      default: ;
    endcase
    pass_moves  = 1'b1;
    pass_clears = 1'b1;
    case (state_q)
      StShrink, StReduce: begin
        pass_moves  = pass_ends_q;
        pass_clears = pass_ends_q & last_pass_q;
      end
      StTail: pass_clears = pass_q == PassWidth'(Tail - 1);
      StWipe: begin
        pass_moves  = pass_q != PassWidth'(Tail);
        pass_clears = wiped;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_index
    if (!rst_ni) begin
      index_q    <= '0;
      end_word_q <= 1'b0;
      beyond_q   <= 1'b0;
      pass_q     <= '0;
    end else begin
      if (index_ends) begin
        index_q    <= '0;
        end_word_q <= 1'b0;
      end else if (index_moves) begin
        index_q    <= index_q + IndexWidth'(1);
        end_word_q <= index_q == next_end_q;
      end
      if (!from_pass || (!giving && pass_ends_q)) beyond_q <= 1'b0;
      else if (index_q == highest_q) beyond_q <= 1'b1;
      if (pass_clears) pass_q <= '0;
      else if (pass_moves) pass_q <= pass_q + PassWidth'(1);
    end
  end

  assign ready_o = state_q == StCommand || state_q == StLength || state_q == StModulus ||
                   state_q == StY || state_q == StX;
  assign error_o = state_q == StError;
  assign busy_o  = state_q == StStart || state_q == StLoop || state_q == StTail || reading ||
                   state_q == StReduce || giving;

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) begin
      $fatal(1, "monpro_mul_quotient_pipelined: Width = %0d: 2 to 4096", Width);
    end
    if (RadixLog2 < 3 || RadixLog2 > 6) begin
      $fatal(1, "monpro_mul_quotient_pipelined: RadixLog2 = %0d: 3 to 6", RadixLog2);
    end
    if (WordWidth % RadixLog2 != 0 || WordWidth < RadixLog2 * (Delay + 1) || WordWidth > 32) begin
      $fatal(1, "monpro_mul_quotient_pipelined: WordWidth = %0d: a multiple of %0d from %0d to 32",
             WordWidth, RadixLog2, RadixLog2 * (Delay + 1));
    end
  end
`endif
endmodule

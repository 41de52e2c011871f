// The private operation of RSA by the Chinese remainder theorem: two powers of half the length at the same time, each on
// its own monpro_power_window, and Garner's step. From plain numbers to a plain number, for primes of any length up to
// half of Width, in a time that depends on lengths alone.
//
//   result = m2 + q·((m1 - m2)·qinv mod p),   m1 = x^dp mod p,   m2 = x^dq mod q,   qinv = q^-1 mod p
//   p, q, x   p and q are odd and have K bits each, 3 <= K <= ceil(Width/2), and no common factor; x < p·q
// The result is below p·q, congruent to x^dp modulo p and to x^dq modulo q. That p and q are primes, that dp and dq belong
// together and that qinv is the inverse is not checked, and neither is the result.
//
// The numbers come and go in words of w = WordWidth bits, the lowest first. The input is
//   words            w·words >= K + k(d + 2) + 1, k = RadixLog2, d = 4, and 2 <= words <= MaxWords,
//                    MaxWords = max(2, ceil((ceil(Width/2) + k(d + 2) + 1)/w))
//   exponent_words   1 to MaxWords
//   p, q, qinv       `words` words each
//   x                2·words words, after which ready_o is low while x is reduced
//   dp, dq           exponent_words words each
// The output is the result, in 2·words words; last_o comes with its last word. busy_o is high from the clock after the
// last word of dq is taken until the result's last word is taken.
//
// What is refused: other lengths, p or q that is even, below 3 or too long for `words`, p and q of different lengths,
// qinv >= p, and x >= p·q. error_o is then high and ready_o low, until a reset. Lengths are refused in the second clock
// after the last one is taken, p, q and qinv in at most four clocks after the last word of dq is taken, and x when both
// powers are there.
//
// 0 in place of `words` is a wipe: zeros to all memories and to all registers that hold numbers, in at most
// max(MaxWords·2^c, MaxWords + 2^(k+1) + d + 9) + 9 clocks, c = WindowWidth. There is no output; then the core takes
// the next job. A wipe can be given only between jobs, so a reset comes first where one runs.
//
// What happens. R = 2^(w·words). M~ < 2^(K+e) <= R/2^(k+1), e = k(d + 1), is that of monpro_mul_quotient_pipelined, for
// p or q. Products with words from and to this module are direct ones, of both multipliers or of that of p.
//
//   kind      | product, by Montgomery
//   Scale     | x0·1, x = x1·R + x0. It is at most (x0 + (R - 1)·M~)/R < M~ + 1. With x1 added, it is congruent to x·R^-1
//             | and below M~ + 1 + 2^(2K)/R < R/2: a base of monpro_power_window with Scaled
//   Power     | the two powers: m1 < p, m2 < q. Meanwhile p·q, to be compared with x: it takes fewer clocks
//   Enter     | qinv·R^3 (modulo p), the last constant of the power modulo p: qinv·R^2
//   Multiply  | by D = m1 - m2, plus 2p if that is negative: it is from 0 to 2p - 1, as m2 < 2^K < 2p
//   Leave     | by 1, reduced: h = D·qinv mod p
//
// Then the result is q·h + m2, by monpro_pe_long_product: m2 < q, so T <= a there, and q·h + m2 <= q(p - 1) + q - 1 < p·q.
//
//   state                 | what happens                                        | clocks
//   StLength              | waits for `words`                                   |
//   StExponentLength      | waits for `exponent_words`                          |
//   StLengths             | are they refused?                                   | 1
//   StP, StQ, StInverse   | p, q, qinv to their memories                        | words each
//   StNumber              | x to its memories                                   | 2·words
//   StOrder               | a command to the multipliers                        | 1
//   StGiveLength,         | lengths to the multipliers, and to the powers       | 1 or more
//   StGiveExponentLength  |                                                     |
//   StGiveN               | p and q to them                                     | words or more
//   StGiveY, StGiveX      | operands                                            | words or more
//   StExponentP,          | dp and dq to the powers                             | exponent_words each
//   StExponentQ           |                                                     |
//   StTake                | products, or the powers                             | the headers there say
//   StCorrect             | 2p is added to D if it is negative                  | words
//   StProduct             | q·h + m2                                            | (w/k)·words·(words + 3) + 2
//   StShow                | the result                                          | 2·words or more
//   StError               | something is refused                                | until a reset
//   StWipeOrder, StWipe   | a wipe of the powers, and of this core              | as a wipe takes
module monpro_exp_window_crt #(
  parameter int Width       = 1024,
  parameter int RadixLog2   = 4,
  parameter int WordWidth   = 32,
  parameter int WindowWidth = 5
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
  localparam int PrimeWidth = (Width + 1) / 2;
  localparam int SpareBits  = 6 * RadixLog2 + 1;                 // of a number, above p or q
  localparam int LongWords  = (PrimeWidth + SpareBits + WordWidth - 1) / WordWidth;
  localparam int MaxWords   = (LongWords > 2) ? LongWords : 2;

  localparam int IndexWidth   = $clog2(MaxWords + 1);
  localparam int AddressWidth = $clog2(MaxWords);

  localparam logic [WordWidth-1:0] CommandNew    = WordWidth'(7);   // n, y and x follow
  localparam logic [WordWidth-1:0] CommandBoth   = WordWidth'(6);   // y and x
  localparam logic [WordWidth-1:0] CommandX      = WordWidth'(4);
  localparam logic [WordWidth-1:0] CommandReduce = WordWidth'(12);  // x; the result is below n

  typedef enum logic [4:0] {
    StLength,
    StExponentLength,
    StLengths,
    StP,
    StQ,
    StInverse,
    StNumber,
    StOrder,
    StGiveLength,
    StGiveExponentLength,
    StGiveN,
    StGiveY,
    StGiveX,
    StExponentP,
    StExponentQ,
    StTake,
    StCorrect,
    StProduct,
    StShow,
    StError,
    StWipeOrder,
    StWipe
  } state_e;

  typedef enum logic [2:0] {
    Scale,
    Power,
    Enter,
    Multiply,
    Leave
  } kind_e;

  state_e                state_q;
  kind_e                 kind_q;
  logic [IndexWidth-1:0] words_q;
  logic [IndexWidth-1:0] highest_q;            // words - 1
  logic [IndexWidth-1:0] exponent_words_q;
  logic [IndexWidth-1:0] exponent_highest_q;   // exponent_words - 1
  logic [IndexWidth-1:0] index_q;              // of a word
  logic                  upper_q;              // in the upper half of x, or of the result
  logic                  wrong_length_q;
  logic                  wrong_q;              // numbers are refused
  logic                  clk;
  logic                  active;
  logic                  take;
  logic                  last_index;
  logic                  last_exponent;
  logic                  garner;               // products modulo p only
  logic                  wiping;
  logic                  loads;                // a word for the powers or multipliers, in given_q
  logic                  takes;                // a word from them
  logic                  takes_last;
  logic                  starts;               // a long product
  logic                  multiplies;

  // Between jobs, and after a refusal, all registers and memories keep what they have.
  assign active        = valid_i || (state_q != StLength && state_q != StError);

  monpro_pe_resting_clock u_resting_clock (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .active_i(active),
    .clk_o   (clk)
  );

  assign take          = valid_i & ready_o;
  assign last_index    = index_q == highest_q;
  assign last_exponent = index_q == exponent_highest_q;
  assign garner        = kind_q == Enter || kind_q == Multiply || kind_q == Leave;
  assign wiping        = state_q == StWipe && index_q != IndexWidth'(MaxWords);
  assign takes_last    = takes & last_index;

  always_ff @(posedge clk) begin : p_lengths
    if (state_q == StLength && take) begin
      words_q        <= IndexWidth'(word_i);
      highest_q      <= IndexWidth'(word_i) - IndexWidth'(1);
      wrong_length_q <= word_i == WordWidth'(1) || word_i > WordWidth'(MaxWords);
    end
    if (state_q == StExponentLength && take) begin
      exponent_words_q   <= IndexWidth'(word_i);
      exponent_highest_q <= IndexWidth'(word_i) - IndexWidth'(1);
      wrong_length_q     <= wrong_length_q || word_i == '0 || word_i > WordWidth'(MaxWords);
    end
  end

  // ---- the powers -------------------------------------------------------------------------------------

  logic                 p_valid;
  logic                 p_ready;
  logic                 p_error;
  logic                 p_constant;
  logic                 p_result_valid;
  logic [WordWidth-1:0] p_result;
  logic                 p_result_last;
  logic                 q_valid;
  logic                 q_ready;
  logic                 q_error;
  logic                 q_constant;
  logic                 q_result_valid;
  logic [WordWidth-1:0] q_result;
  logic                 q_result_last;
  logic                 direct;
  logic [1:0]           busy;
  logic [1:0]           fault;
  logic [1:0]           random_ready;
  logic                 unused;
  logic                 given_q;               // p_given_q and q_given_q hold words
  logic                 for_p_q;
  logic                 for_q_q;
  logic                 given_taken;
  logic [WordWidth-1:0] p_given_q;
  logic [WordWidth-1:0] q_given_q;

  assign direct      = kind_q != Power;
  assign unused      = &{1'b0, q_constant, q_result_last, busy, fault, random_ready};
  assign given_taken = (p_ready || !for_p_q) && (q_ready || !for_q_q);
  assign p_valid     = given_q && for_p_q && (q_ready || !for_q_q);
  assign q_valid     = given_q && for_q_q && (p_ready || !for_p_q);
  assign takes       = state_q == StTake && p_result_valid && (garner || q_result_valid);

  monpro_power_window #(
    .Width      (PrimeWidth),
    .RadixLog2  (RadixLog2),
    .WordWidth  (WordWidth),
    .WindowWidth(WindowWidth),
    .Blinding   (1'b0),
    .Scaled     (1'b1)
  ) u_power_p (
    .clk_i         (clk),
    .rst_ni        (rst_ni),
    .valid_i       (p_valid),
    .ready_o       (p_ready),
    .word_i        (p_given_q),
    .direct_i      (direct),
    .busy_o        (busy[0]),
    .error_o       (p_error),
    .fault_o       (fault[0]),
    .constant_o    (p_constant),
    .random_valid_i(1'b0),
    .random_ready_o(random_ready[0]),
    .random_i      (WordWidth'(0)),
    .valid_o       (p_result_valid),
    .ready_i       (takes),
    .word_o        (p_result),
    .last_o        (p_result_last)
  );

  monpro_power_window #(
    .Width      (PrimeWidth),
    .RadixLog2  (RadixLog2),
    .WordWidth  (WordWidth),
    .WindowWidth(WindowWidth),
    .Blinding   (1'b0),
    .Scaled     (1'b1)
  ) u_power_q (
    .clk_i         (clk),
    .rst_ni        (rst_ni),
    .valid_i       (q_valid),
    .ready_o       (q_ready),
    .word_i        (q_given_q),
    .direct_i      (direct),
    .busy_o        (busy[1]),
    .error_o       (q_error),
    .fault_o       (fault[1]),
    .constant_o    (q_constant),
    .random_valid_i(1'b0),
    .random_ready_o(random_ready[1]),
    .random_i      (WordWidth'(0)),
    .valid_o       (q_result_valid),
    .ready_i       (takes & ~garner),
    .word_o        (q_result),
    .last_o        (q_result_last)
  );

  // ---- memories ---------------------------------------------------------------------------------------

  logic [AddressWidth-1:0] address;              // index_q
  logic [AddressWidth-1:0] a_address;            // of the long product
  logic [AddressWidth-1:0] b_address;
  logic                    low_valid;            // a lower word of it
  logic [AddressWidth-1:0] low_address;
  logic [WordWidth-1:0]    low_word;
  logic                    low_writes;
  logic [WordWidth-1:0]    t_word;               // an upper word, or m2
  logic [WordWidth-1:0]    p_word;
  logic [WordWidth-1:0]    q_word;
  logic [WordWidth-1:0]    inverse_word;
  logic [WordWidth-1:0]    x_low_word;           // of x0; of the lower half of the result
  logic [WordWidth-1:0]    x_high_word;          // of x1
  logic [WordWidth-1:0]    p_base_word;          // of the base modulo p; of D
  logic [WordWidth-1:0]    q_base_word;          // of the base modulo q; of h
  logic [WordWidth-1:0]    constant_word;        // of R^3 modulo p
  logic [AddressWidth-1:0] constant_index_q;
  logic                    takes_p;
  logic                    takes_q;
  logic                    takes_inverse;
  logic                    takes_x;
  logic                    subtracts;            // D comes
  logic                    corrects;
  logic [WordWidth-1:0]    p_sum;
  logic                    sum_write_q;
  logic [AddressWidth-1:0] sum_address_q;
  logic [WordWidth-1:0]    sum_q;
  logic [WordWidth-1:0]    q_sum;

  assign address       = AddressWidth'(index_q);
  assign takes_p       = state_q == StP && take;
  assign takes_q       = state_q == StQ && take;
  assign takes_inverse = state_q == StInverse && take;
  assign takes_x       = state_q == StNumber && take;
  assign corrects      = state_q == StCorrect;
  assign low_writes    = state_q == StProduct && low_valid;

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_p (
    .clk_i          (clk),
    .write_i        (takes_p | wiping),
    .write_address_i(address),
    .word_i         (wiping ? '0 : word_i),
    .read_address_i (multiplies ? b_address : address),
    .word_o         (p_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_q (
    .clk_i          (clk),
    .write_i        (takes_q | wiping),
    .write_address_i(address),
    .word_i         (wiping ? '0 : word_i),
    .read_address_i (multiplies ? a_address : address),
    .word_o         (q_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_inverse (
    .clk_i          (clk),
    .write_i        (takes_inverse | wiping),
    .write_address_i(address),
    .word_i         (wiping ? '0 : word_i),
    .read_address_i (address),
    .word_o         (inverse_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_x_low (
    .clk_i          (clk),
    .write_i        ((takes_x & ~upper_q) | wiping | low_writes),
    .write_address_i(low_writes ? low_address : address),
    .word_i         (wiping ? '0 : low_writes ? low_word : word_i),
    .read_address_i (low_valid ? low_address : address),
    .word_o         (x_low_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_x_high (
    .clk_i          (clk),
    .write_i        ((takes_x & upper_q) | wiping),
    .write_address_i(address),
    .word_i         (wiping ? '0 : word_i),
    .read_address_i (address),
    .word_o         (x_high_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_p_base (
    .clk_i          (clk),
    .write_i        (sum_write_q),
    .write_address_i(sum_address_q),
    .word_i         (sum_q),
    .read_address_i (address),
    .word_o         (p_base_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_q_base (
    .clk_i          (clk),
    .write_i        ((takes & ~subtracts) | wiping),
    .write_address_i(address),
    .word_i         (wiping ? '0 : garner ? p_result : q_sum),
    .read_address_i (multiplies ? b_address : address),
    .word_o         (q_base_word)
  );

  // A sum can be read two clocks after it is formed. That is early enough for the highest word, which is formed last: a number
  // is read from its lowest word on, and words >= 2.
  always_ff @(posedge clk or negedge rst_ni) begin : p_sum_write
    if (!rst_ni) sum_write_q <= 1'b0;
    else sum_write_q <= (takes & ~garner) | corrects | wiping;
  end

  always_ff @(posedge clk) begin : p_sum_word
    sum_address_q <= address;
    if (wiping) sum_q <= '0;
    else sum_q <= p_sum;
  end

  // The constants on the way to R^3 overwrite each other. The last one stays.
  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_constant (
    .clk_i          (clk),
    .write_i        (p_constant | wiping),
    .write_address_i(wiping ? address : constant_index_q),
    .word_i         (wiping ? '0 : p_result),
    .read_address_i (address),
    .word_o         (constant_word)
  );

  always_ff @(posedge clk or negedge rst_ni) begin : p_constant_index
    if (!rst_ni) begin
      constant_index_q <= '0;
    end else if (p_constant) begin
      constant_index_q <= p_result_last ? '0 : constant_index_q + AddressWidth'(1);
    end
  end

  // ---- bases, and D ------------------------------------------------------------------------------------

  // Scale: the result of each multiplier plus x1. Power: m1 - m2 as m1 + ~m2 + 1, whose carry is 0 if it is negative.
  // StCorrect: D plus 2p or 0. The carry into the lowest word is 1 for a difference.
  logic                 p_carry;
  logic                 q_carry;
  logic                 p_carry_q;
  logic                 q_carry_q;
  logic                 negative_q;
  logic                 p_top_q;               // the highest bit of the word of p below
  logic [WordWidth-1:0] p_twice;               // of 2p
  logic [WordWidth-1:0] p_left;
  logic [WordWidth-1:0] p_right;
  logic [WordWidth:0]   p_total;
  logic [WordWidth:0]   q_total;
  logic                 first;

  assign first     = index_q == '0;
  assign subtracts = kind_q == Power && state_q == StTake;
  assign p_twice   = {p_word[WordWidth-2:0], p_top_q & ~first};

  always_comb begin : p_operands
    p_left  = p_result;
    p_right = x_high_word;
    if (corrects) begin
      p_left  = p_base_word;
      p_right = p_twice & {WordWidth{negative_q}};
    end else if (subtracts) begin
      p_right = ~q_result;
    end
  end

  assign p_carry = first ? subtracts : p_carry_q;
  assign q_carry = q_carry_q & ~first;
  assign p_total = {1'b0, p_left} + {1'b0, p_right} + (WordWidth + 1)'(p_carry);
  assign q_total = {1'b0, q_result} + {1'b0, x_high_word} + (WordWidth + 1)'(q_carry);
  assign p_sum   = p_total[WordWidth-1:0];
  assign q_sum   = q_total[WordWidth-1:0];

  always_ff @(posedge clk) begin : p_carries
    p_top_q <= p_word[WordWidth-1];
    if (wiping) begin
      p_carry_q  <= 1'b0;
      q_carry_q  <= 1'b0;
      negative_q <= 1'b0;
    end else begin
      if (takes || corrects) begin
        p_carry_q <= p_total[WordWidth];
        q_carry_q <= q_total[WordWidth];
      end
      if (takes && subtracts) negative_q <= ~p_total[WordWidth];
    end
  end

  // ---- the long product: p·q, then q·h + m2 ------------------------------------------------------------

  assign starts = (state_q == StExponentQ && loads && last_exponent) ||
                  (state_q == StTake && kind_q == Leave && takes_last);

  monpro_pe_long_product #(
    .RadixLog2(RadixLog2),
    .WordWidth(WordWidth),
    .MaxWords (MaxWords)
  ) u_product (
    .clk_i      (clk),
    .rst_ni     (rst_ni),
    .wipe_i     (wiping),
    .write_i    ((takes & subtracts) | wiping),
    .word_i     (wiping ? '0 : q_result),
    .address_i  (address),
    .t_word_o   (t_word),
    .start_i    (starts),
    .add_i      (garner),
    .highest_i  (AddressWidth'(highest_q)),
    .busy_o     (multiplies),
    .a_address_o(a_address),
    .a_word_i   (q_word),
    .b_address_o(b_address),
    .b_word_i   (garner ? q_base_word : p_word),
    .valid_o    (low_valid),
    .index_o    (low_address),
    .word_o     (low_word)
  );

  // ---- what is refused: each comparison must find that the left number is less -------------------------

  // p and q have the same bit length if (p ^ q) < (p & q): then alone is their highest bit in the right number.
  logic                 compares;
  logic                 compares_first;
  logic                 compares_last;
  logic                 compare_q;
  logic                 compare_first_q;
  logic                 compare_last_q;
  logic                 judge_q;
  logic                 less_q;
  logic [WordWidth-1:0] left;
  logic [WordWidth-1:0] right;
  logic [WordWidth-1:0] left_q;
  logic [WordWidth-1:0] right_q;

  always_comb begin : p_compared
    compares       = take;
    compares_first = first;
    compares_last  = last_index;   // never of a lower word of p·q: index_q is 0 then
    left           = word_i;
    right          = p_word;
    case (state_q)
      StQ: begin
        left  = p_word ^ word_i;
        right = p_word & word_i;
      end
      StInverse: ;
      StTake: begin
        if (multiplies) begin
          compares       = low_valid;
          compares_first = low_address == '0;
          left           = x_low_word;
          right          = low_word;
        end else begin
          compares       = takes & subtracts;
          compares_first = 1'b0;
          left           = x_high_word;
          right          = t_word;
        end
      end
      default: compares = 1'b0;
    endcase
  end

  always_ff @(posedge clk) begin : p_compare
    if (wiping) begin
      left_q  <= '0;
      right_q <= '0;
    end else if (compares) begin
      left_q  <= left;
      right_q <= right;
    end
    compare_q       <= compares;
    compare_first_q <= compares_first;
    compare_last_q  <= compares_last;
    judge_q         <= compare_q & compare_last_q;
    if (compare_q) less_q <= left_q < right_q || (left_q == right_q && less_q && !compare_first_q);
    if (state_q == StLength) wrong_q <= 1'b0;
    else if (judge_q) wrong_q <= wrong_q | ~less_q;
  end

  // ---- words for the powers and multipliers, from a register -------------------------------------------

  logic                 gives;
  logic [WordWidth-1:0] p_gives;
  logic [WordWidth-1:0] q_gives;

  always_comb begin : p_gives_words
    gives   = 1'b1;
    p_gives = '0;
    case (state_q)
      StWipeOrder: ;
      StOrder: begin
        case (kind_q)
          Enter:    p_gives = CommandBoth;
          Multiply: p_gives = CommandX;
          Leave:    p_gives = CommandReduce;
          default:  p_gives = CommandNew;
        endcase
      end
      StGiveLength:         p_gives = WordWidth'(words_q);
      StGiveExponentLength: p_gives = WordWidth'(exponent_words_q);
      StGiveN:              p_gives = p_word;
      StGiveY: begin
        if (kind_q == Enter) p_gives = constant_word;
        else p_gives = WordWidth'(first);
      end
      StGiveX: begin
        case (kind_q)
          Scale:           p_gives = x_low_word;
          Enter:           p_gives = inverse_word;
          Power, Multiply: p_gives = p_base_word;
          default:         p_gives = WordWidth'(first);
        endcase
      end
      StExponentP, StExponentQ: begin
        gives   = valid_i;
        p_gives = word_i;
      end
      default: gives = 1'b0;
    endcase
    q_gives = p_gives;
    if (state_q == StGiveN) q_gives = q_word;
    if (state_q == StGiveX && kind_q == Power) q_gives = q_base_word;
  end

  assign loads = gives && (!given_q || given_taken);

  // The last word of dp waits for that of dq, so that both powers begin in the same clock.
  always_ff @(posedge clk or negedge rst_ni) begin : p_given
    if (!rst_ni) begin
      given_q <= 1'b0;
      for_p_q <= 1'b0;
      for_q_q <= 1'b0;
    end else if (loads) begin
      given_q <= 1'b1;
      for_p_q <= (state_q != StExponentP && state_q != StExponentQ) ||
                 (last_exponent == (state_q == StExponentQ));
      for_q_q <= state_q != StExponentP && !garner;
    end else if (given_taken) begin
      given_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin : p_given_words
    if (loads && state_q != StExponentQ) p_given_q <= p_gives;
    if (loads) q_given_q <= q_gives;
  end

  // ---- control ----------------------------------------------------------------------------------------

  logic refuses;

  assign refuses = state_q == StTake && kind_q != Scale && (p_error || q_error || wrong_q);

  always_ff @(posedge clk or negedge rst_ni) begin : p_kind
    if (!rst_ni) begin
      kind_q <= Power;
    end else if (state_q == StLength) begin
      kind_q <= Power;
    end else if (state_q == StNumber) begin
      kind_q <= Scale;
    end else if (takes_last) begin
      case (kind_q)
        Scale:   kind_q <= Power;
        Power:   kind_q <= Enter;
        Enter:   kind_q <= Multiply;
        default: kind_q <= Leave;
      endcase
    end
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StLength;
    end else begin
      case (state_q)
        StLength:             if (take) state_q <= (word_i == '0) ? StWipeOrder : StExponentLength;
        StExponentLength:     if (take) state_q <= StLengths;
        StLengths: begin
          if (wrong_length_q) state_q <= StError;
          else state_q <= StP;
        end
        StP:                  if (take && last_index) state_q <= StQ;
        StQ:                  if (take && last_index) state_q <= StInverse;
        StInverse:            if (take && last_index) state_q <= StNumber;
        StNumber:             if (take && last_index && upper_q) state_q <= StOrder;
        StOrder: begin
          if (loads) begin
            if (kind_q == Scale) state_q <= StGiveLength;
            else if (kind_q == Enter) state_q <= StGiveY;
            else state_q <= StGiveX;
          end
        end
        StGiveLength: begin
          if (loads) state_q <= (kind_q == Scale) ? StGiveN : StGiveExponentLength;
        end
        StGiveExponentLength: if (loads) state_q <= StGiveN;
        StGiveN: begin
          if (loads && last_index) state_q <= (kind_q == Scale) ? StGiveY : StGiveX;
        end
        StGiveY:              if (loads && last_index) state_q <= StGiveX;
        StGiveX: begin
          if (loads && last_index) state_q <= (kind_q == Power) ? StExponentP : StTake;
        end
        StExponentP:          if (loads && last_exponent) state_q <= StExponentQ;
        StExponentQ:          if (loads && last_exponent) state_q <= StTake;
        StTake: begin
          if (refuses) begin
            state_q <= StError;
          end else if (takes_last) begin
            case (kind_q)
              Scale:   state_q <= StGiveLength;
              Power:   state_q <= StCorrect;
              Leave:   state_q <= StProduct;
              default: state_q <= StOrder;
            endcase
          end
        end
        StCorrect:            if (last_index) state_q <= StOrder;
        StProduct:            if (!multiplies) state_q <= StShow;
        StShow:               if (ready_i && last_index && upper_q) state_q <= StLength;
        StError: ;
        StWipeOrder:          if (loads) state_q <= StWipe;
        StWipe:               if (!wiping && p_ready && q_ready) state_q <= StLength;
        default:              state_q <= StLength;
      endcase
    end
  end

  logic index_moves;
  logic index_ends;

  always_comb begin : p_moves
    index_moves = 1'b0;
    index_ends  = last_index;
    case (state_q)
      StP, StQ, StInverse, StNumber: index_moves = take;
      StGiveN, StGiveY, StGiveX:     index_moves = loads;
      StExponentP, StExponentQ: begin
        index_moves = loads;
        index_ends  = last_exponent;
      end
      StTake:    index_moves = takes;
      StCorrect: index_moves = 1'b1;
      StShow:    index_moves = ready_i;
      StWipe: begin
        index_moves = wiping || (p_ready && q_ready);
        index_ends  = !wiping;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_index
    if (!rst_ni) begin
      index_q <= '0;
      upper_q <= 1'b0;
    end else if (index_moves) begin
      index_q <= index_ends ? '0 : index_q + IndexWidth'(1);
      if ((state_q == StNumber || state_q == StShow) && last_index) upper_q <= ~upper_q;
    end
  end

  assign ready_o = state_q == StLength || state_q == StExponentLength || state_q == StP ||
                   state_q == StQ || state_q == StInverse || state_q == StNumber ||
                   ((state_q == StExponentP || state_q == StExponentQ) &&
                    (!given_q || given_taken));
  assign error_o = state_q == StError;
  assign busy_o  = (state_q == StTake && kind_q != Scale) || state_q == StCorrect ||
                   state_q == StProduct || valid_o || (state_q == StOrder && garner) ||
                   ((state_q == StGiveY || state_q == StGiveX) && garner);

  assign valid_o = state_q == StShow;
  assign word_o  = (upper_q ? t_word : x_low_word) & {WordWidth{valid_o}};
  assign last_o  = valid_o & upper_q & last_index;

`ifndef SYNTHESIS
  initial begin
    if (Width < 3) $fatal(1, "monpro_exp_window_crt: Width = %0d: 3 to 4096", Width);
  end
`endif
endmodule

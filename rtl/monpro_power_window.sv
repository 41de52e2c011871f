// Modular exponentiation by windows of a fixed length, on the multiplier with late quotient digits: from plain numbers
// to a plain number, for any length up to Width, in a time that depends on lengths alone. monpro_exp_window and, with
// Blinding = 1, monpro_exp_window_blinded are this module with the ports that they need; their headers say what goes in
// and comes out.
//
//   result = base^exponent mod n, fully reduced;   n odd, 3 <= n < 2^K, K <= Width;   base < n
//
// R = 2^(w·words). The core starts from 2^(K-1) < n. Doublings modulo n give R mod n, which is 1 in Montgomery form, and
// after w·words/2^s more 2^(w·words/2^s) in Montgomery form, where 2^s is the highest power of 2 that divides w. The
// square of this, s times, is R², and base·R² is the base in Montgomery form. With w = 32 few doublings are needed.
//
// A table holds the powers 0 to 2^c - 1 of the base, c = WindowWidth. The exponent has windows of c bits, but for the
// highest, which has what is left. Each window takes c squares and a product with an entry of the table, also where the
// entry is 1. The multiplier is given the product of a window and the squares of the next one in one command. To find the entry,
// every word of every entry is read and masked, so no address depends on the exponent. This takes 2^c·words + c + 6 clocks,
// while a product and c - 1 squares run, or more, and the result leaves. Each of them takes more than (w/k)·words + 16 clocks
// and a square 2^k more, so that for c >= 4 this is enough:
//
//   2^c·MaxWords <= (c·w/k + 1)·MaxWords + c·2^k
//
// The last product is with 1, and is reduced by n.
//
// With Blinding, for a random mask s < 2^(K-1) and the public exponent v, the products are these; all numbers are in
// Montgomery form but m, s, F, z and what is compared with m. The exponent is e' of monpro_pe_blinded_exponent.
//
//   kind                           | product
//   Convert                        | s = s·R²
//   PublicSquare, PublicMultiply   | s^(v-1), by the bits of v below the highest; the lowest one of v
//   Close                          | is the product with m: F = m·s^(v-1), reduced by n
//   Join, Enter                    | F·s, which is plain, and c = F·s·R²
//   Fill, Square, Multiply         | c^e'
//   Unblind                        | z = c^e'·F, reduced by n, so that it is plain
//   Convert to Close again         | z^v from z·R², with z in place of m in the last product, to be compared with m
//
// A word of z leaves only if all words of z^v and m have been found equal. If not, the core wipes itself and then is in
// StError.
//
// With Scaled, for monpro_exp_window_crt:
//   result = (base·R)^exponent mod n,  base < R/2, which is not compared with n: one square more leads to R³ in place of
//            R², and base·R³ is base·R in Montgomery form. Its Montgomery product is below 2M~, as base < R/2.
//   constant_o is high while words of squares on the way to R³ are at word_o, with last_o at the last one
// Between jobs, direct_i makes the ports of the words those of the multiplier, which keeps the last n.
//
//   state            | what happens                                              | clocks
//   StLength         | waits for `words`                                         |
//   StExponentLength | waits for `exponent_words`                                |
//   StError          | lengths or numbers are refused, or the check has failed   | until a reset
//   StHandCommand,   | a command and `words` to the multiplier                   | 2 or more
//   StHandLength     |                                                           |
//   StModulus        | n to its memory and to the multiplier                     | words or more
//   StBase           | the base to its memory; is it below n?                    | words
//   StExponent       | the exponent to its memory                                | exponent_words
//   StMultiple       | a multiple of the order of the units to its memory        | exponent_words
//   StPublic         | v                                                         | 1
//   StVerify         | are the numbers refused?                                  | 1
//   StBlind          | random words for t, and e'                                | t + 65(exponent_words + t + 3),
//                    |                                                           | t = ceil(64/w)
//   StMask           | random words for s                                        | words
//   StDouble         | doublings of T modulo n                                   | words + 3 each
//   StPrime          | the first word of T comes, or of z                        | 1
//   StFetch          | the first word of an operand is there                     | 1
//   StAwait          | waits until the entry of the highest window is found      | 2^c·words + c + 6, or less
//   StOrder          | a command to the multiplier                               | 1
//   StGiveY, StGiveX | an operand to the multiplier                              | words each
//   StTake           | a product                                                 | the header of the multiplier says
//   StRecall         | z to the memory of operands                               | words + 2
//   StJudge          | have all words been found equal?                          | 1
//   StShow           | z leaves                                                  | words
//   StWipeOrder,     | a wipe of the multiplier, and of this core                | as a wipe takes
//   StWipe, StWiped  |                                                           |
module monpro_power_window #(
  parameter int Width       = 1024,
  parameter int RadixLog2   = 4,
  parameter int WordWidth   = 32,
  parameter int WindowWidth = 5,
  parameter bit Blinding    = 1'b0,
  parameter bit Scaled      = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [WordWidth-1:0] word_i,
  input  logic                 direct_i,
  output logic                 busy_o,
  output logic                 error_o,
  output logic                 fault_o,
  output logic                 constant_o,
  input  logic                 random_valid_i,
  output logic                 random_ready_o,
  input  logic [WordWidth-1:0] random_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [WordWidth-1:0] word_o,
  output logic                 last_o
);
  localparam int Delay      = 4;
  localparam int SpareBits  = RadixLog2 * (Delay + 2) + 1;       // of a number, above n
  localparam int SpareWords = SpareBits / WordWidth;
  localparam int SpareRest  = SpareBits % WordWidth;
  localparam int LongWords  = (Width + SpareBits + WordWidth - 1) / WordWidth;
  localparam int MaxWords   = (LongWords > 2) ? LongWords : 2;
  localparam int PowerOfTwo = WordWidth & -WordWidth;            // 2^s
  localparam int Squares    = $clog2(PowerOfTwo);                // s
  localparam int Constants  = Scaled ? Squares + 1 : Squares;
  localparam int OddPart    = WordWidth / PowerOfTwo;
  localparam int Entries    = 1 << WindowWidth;
  localparam int Flush      = 3;                                 // clocks of a doubling after it
  localparam int BlindWords = (64 + WordWidth - 1) / WordWidth;  // of t; of e' beyond
  localparam int MoreWords  = Blinding ? BlindWords : 0;         // those of the exponent
  localparam int Beyond     = (MoreWords > Flush) ? MoreWords : Flush;

  localparam int IndexWidth   = $clog2(MaxWords + Beyond + 1);
  localparam int AddressWidth = $clog2(MaxWords);
  localparam int PowerWidth   = $clog2(MaxWords + MoreWords);    // of an address of the exponent
  localparam int TableWidth   = AddressWidth + WindowWidth;
  localparam int BankWidth    = (TableWidth < 9) ? TableWidth : 9;
  localparam int Banks        = (MaxWords * Entries + (1 << BankWidth) - 1) >> BankWidth;
  localparam int BitWidth     = $clog2(WordWidth + 1);
  localparam int CountWidth   = (Constants > 1) ? $clog2(Constants) : 1;

  // The squares of a window, in a command. It has room for 15, and the limit of WindowWidth allows 7 at most.
  localparam logic [WordWidth-1:0] SquaresAll    = WordWidth'(32 * WindowWidth);
  localparam logic [WordWidth-1:0] SquaresFew    = WordWidth'(32 * (WindowWidth - 1));
  localparam logic [WordWidth-1:0] CommandNew    = WordWidth'(7);   // n, y and x follow
  localparam logic [WordWidth-1:0] CommandBoth   = WordWidth'(6);   // y and x
  localparam logic [WordWidth-1:0] CommandX      = WordWidth'(4);
  localparam logic [WordWidth-1:0] CommandSquare = WordWidth'(0);
  localparam logic [WordWidth-1:0] CommandReduce = WordWidth'(12);  // x; the result is below n
  localparam logic [WordWidth-1:0] CommandWipe   = WordWidth'(16);

  typedef enum logic [4:0] {
    StLength,
    StExponentLength,
    StError,
    StHandCommand,
    StHandLength,
    StModulus,
    StBase,
    StExponent,
    StMultiple,
    StPublic,
    StVerify,
    StBlind,
    StMask,
    StDouble,
    StPrime,
    StFetch,
    StAwait,
    StOrder,
    StGiveY,
    StGiveX,
    StTake,
    StRecall,
    StJudge,
    StShow,
    StWipeOrder,
    StWipe,
    StWiped
  } state_e;

  typedef enum logic [3:0] {
    Constant,         // the way to R²
    Convert,          // R²·s, and for the check z·R²
    PublicSquare,     // towards the power to v
    PublicMultiply,
    Close,            // the last product of that power, by the base or by z, reduced by n
    Join,             // F·s
    Enter,            // R² by the base, or by F·s
    Fill,             // a power of the base, for the table
    Square,           // of the entry of the highest window, and the other squares of the next one
    Multiply,         // by an entry of the table, and the squares of the next window
    Unblind,          // by F
    Leave             // by 1
  } kind_e;

  typedef enum logic [1:0] {
    NumberBase,
    NumberSquare,     // R²
    NumberFactor,     // s or z in Montgomery form, of which powers to v are computed
    NumberMask        // s, then F, then z
  } number_e;

  (* fsm_encoding = "auto" *)
  state_e                  state_q;
  kind_e                   kind_q;
  kind_e                   next_kind;
  kind_e                   next_kind_q;
  logic [WordWidth-1:0]    next_command_q;      // to the multiplier
  logic                    leaves_q;            // the product is the last one
  logic [IndexWidth-1:0]   words_q;
  logic [IndexWidth-1:0]   highest_q;           // words - 1
  logic [IndexWidth-1:0]   flushes_q;           // words + Flush - 2
  logic [IndexWidth-1:0]   spare_q;             // the lowest word with bits that are too high for n
  logic [IndexWidth-1:0]   exponent_highest_q;  // exponent_words - 1
  logic [IndexWidth-1:0]   index_q;             // of a word
  logic [AddressWidth-1:0] read_address_q;      // index_q; of operands the one after it
  logic [CountWidth-1:0]   count_q;             // of squares on the way to R²
  logic [WindowWidth-1:0]   entry_q;             // of the table, that the product is for
  logic                    length_long_q;       // the highest bits of the word before are not 0,
  logic                    length_over_q;       // its lowest bits are more than MaxWords,
  logic                    length_none_q;       // 0,
  logic                    length_one_q;        // or 1
  logic                    words_came_q;        // that word is `words`
  logic                    wrong_words_q;
  logic                    wrong_length;        // in StHandCommand
  logic                    clk;
  logic                    active;
  logic                    take;
  logic                    last_index;
  logic                    wiping;

  logic                    mul_valid;
  logic                    mul_ready;
  logic                    product_valid;
  logic                    product_ready;
  logic                    product_last;
  logic [WordWidth-1:0]    product_word;
  logic                    product_take;
  logic                    product_ends;
  logic                    scanned_q;           // the entry is in the memory of operands
  logic                    pending_q;           // there is another window
  logic                    doubled;             // the last doubling ends
  logic                    refused;
  logic                    exponent_last_index;
  logic                    checking_q;          // the product is of the check
  logic                    fault_q;             // the check has failed
  logic                    blinded;             // e' is computed
  logic                    mask_take;           // a word of s comes
  logic                    public_bit;          // the next bit of v
  logic                    public_last;         // is its lowest one
  logic                    key_refused;
  logic                    compares_q;          // the product is z to the power of v,
  logic                    agrees;              // which is the base
  logic                    recalled;            // number_word is a word for the memory of operands
  logic                    recall_ends;         // the highest
  logic [AddressWidth-1:0] recalled_index;
  logic [WordWidth-1:0]    number_word;         // of the numbers of the blinding
  logic [WordWidth-1:0]    give_q;              // to the multiplier; of z, to the port

  // Between jobs, and after a refusal, all registers and memories keep what they have.
  assign active       = valid_i || direct_i || (state_q != StLength && state_q != StError);

  monpro_pe_resting_clock u_resting_clock (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .active_i(active),
    .clk_o   (clk)
  );

  assign take         = valid_i & ~direct_i;  // in the states that are ready for a word
  assign last_index   = index_q == highest_q;
  assign exponent_last_index = index_q == exponent_highest_q;
  assign wiping       = state_q == StWipe;
  assign product_take = product_valid & product_ready;
  assign product_ends = product_take & product_last;

  always_ff @(posedge clk) begin : p_lengths
    if (state_q == StLength && take) begin
      words_q        <= IndexWidth'(word_i);
      highest_q      <= IndexWidth'(word_i) - IndexWidth'(1);
      flushes_q      <= IndexWidth'(word_i) + IndexWidth'(Flush - 2);
      spare_q        <= IndexWidth'(word_i) - IndexWidth'(SpareWords + 1);
    end
    if (state_q == StExponentLength && take) begin
      exponent_highest_q <= IndexWidth'(word_i) - IndexWidth'(1);
    end
    length_long_q <= word_i >> IndexWidth != '0;
    length_over_q <= IndexWidth'(word_i) > IndexWidth'(MaxWords);
    length_none_q <= IndexWidth'(word_i) == '0;
    length_one_q  <= IndexWidth'(word_i) == IndexWidth'(1);
    words_came_q  <= state_q == StLength && take;
    if (words_came_q) wrong_words_q <= length_long_q || length_over_q || length_one_q;
  end

  assign wrong_length = wrong_words_q || length_long_q || length_over_q || length_none_q;

  // ---- n, its highest bit, and what is refused --------------------------------------------------------

  logic                    take_n;
  logic                    wipes_q;             // came_q is a word of a wipe
  logic                    take_base;
  logic                    take_exponent;
  logic [AddressWidth-1:0] wipe_index;
  logic [AddressWidth+1:0] wipe_number;
  logic [WordWidth-1:0]    n_word;
  logic [WordWidth-1:0]    n_q;
  logic [WordWidth-1:0]    n_later_q;           // beside T
  logic [WordWidth-1:0]    highest_word_q;      // the highest word of n that is not 0
  logic [WordWidth-1:0]    close;               // its 1s, and the three bits below each
  logic [WordWidth-1:0]    close_q;
  logic [WordWidth-1:0]    below;               // its highest 1, and ones below it
  logic [WordWidth-1:0]    ones_q;
  logic [WordWidth-1:0]    highest_bit;
  logic [WordWidth-1:0]    power_q;             // T is congruent to a power of two: its bit
  logic [IndexWidth-1:0]   power_word_q;        // and the word of it
  logic                    odd_q;
  logic                    above_one_q;
  logic                    long_q;
  logic                    spare;               // these bits are too high for n
  logic [WordWidth-1:0]    came_q;              // the word that came in the clock before: of what,
  logic                    came_any_q;          // is it not 0
  logic                    came_n_q;
  logic                    came_base_q;
  logic                    came_exponent_q;
  logic                    came_first_q;        // and where in its number
  logic [IndexWidth-1:0]   came_index_q;
  logic                    at_spare_q;
  logic                    above_spare_q;
  logic                    less_q;              // the word of the base is less than that of n
  logic                    equal_q;             // it is equal, and not the lowest one
  logic                    came_base_then_q;    // came_base_q a clock before
  logic                    below_q;             // base < n

  assign take_n    = state_q == StModulus && take;
  assign take_base = state_q == StBase && take;
  assign refused   = !odd_q || !above_one_q || long_q || (!below_q && !Scaled) || key_refused;

  // A wipe writes zeros from the clock after its first one on, and to the highest word once more.
  always_ff @(posedge clk) begin : p_came
    came_q          <= wiping ? '0 : word_i;
    came_any_q      <= word_i != '0;
    came_n_q        <= take_n;
    came_base_q     <= take_base;
    came_exponent_q <= take_exponent;
    came_first_q    <= index_q == '0;
    came_index_q    <= wiping ? IndexWidth'(wipe_index) : index_q;
    at_spare_q      <= index_q == spare_q;
    above_spare_q   <= index_q > spare_q;
    wipes_q         <= wiping;
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_n (
    .clk_i          (clk),
    .write_i        (came_n_q | wipes_q),
    .write_address_i(AddressWidth'(came_index_q)),
    .word_i         (came_q),
    .read_address_i (read_address_q),
    .word_o         (n_word)
  );

  always_comb begin : p_spare
    spare = above_spare_q && came_any_q;
    if (at_spare_q) spare = came_q >> (WordWidth - SpareRest) != '0;
  end

  always_ff @(posedge clk) begin : p_n
    n_q       <= n_word;
    n_later_q <= n_q;
    if (came_n_q) begin
      if (came_first_q) odd_q <= came_q[0];
      above_one_q <= came_q[WordWidth-1:1] != '0 || (!came_first_q && (came_q[0] || above_one_q));
      long_q      <= (!came_first_q && long_q) || spare;
    end
    less_q           <= came_q < n_q;
    equal_q          <= came_q == n_q && !came_first_q;
    came_base_then_q <= came_base_q;
    if (came_base_then_q) below_q <= less_q || (equal_q && below_q);
  end

  always_comb begin : p_highest_bit
    close = highest_word_q;
    for (int i = 0; i < 2; i++) close = close | (close >> (1 << i));
    below = close_q;
    for (int i = 2; i < $clog2(WordWidth); i++) below = below | (below >> (1 << i));
    highest_bit = ones_q & ~(ones_q >> 1);
  end

  // The first doubling waits for nothing of this: n came more than three clocks before it.
  always_ff @(posedge clk) begin : p_ones
    close_q <= close;
    ones_q  <= below;
  end

  // ---- T := 2T modulo n: 2T and 2T - n in two memories, one of which is T of the next doubling ----------

  logic                    reached_q;           // T = R modulo n
  logic                    pass_ends_q;
  logic                    last_pass_q;
  logic                    later_q;             // T is not the power of two below n
  logic                    takes_high_q;        // T is 2T - n of the doubling before
  logic [BitWidth-1:0]     odd_part_q;
  logic [IndexWidth-1:0]   more_q;              // words whose bits have been doubled beyond R
  logic [WordWidth-1:0]    low_word;
  logic [WordWidth-1:0]    high_word;
  logic [WordWidth-1:0]    low_q;               // a clock later
  logic [WordWidth-1:0]    high_q;
  logic [WordWidth-1:0]    doubled_word;        // of T
  logic                    asked_q;             // a word of T has been asked for
  logic                    asked_first_q;
  logic [AddressWidth-1:0] asked_index_q;
  logic                    at_power_q;          // the power of two is in this word
  logic [WordWidth-1:0]    t_q;
  logic                    t_valid_q;
  logic                    t_first_q;
  logic [AddressWidth-1:0] t_index_q;
  logic                    lower_top_q;         // the highest bit of the word below
  logic                    lower_borrow_q;
  logic                    borrow;
  logic [WordWidth-1:0]    twice;
  logic [WordWidth:0]      difference;
  logic                    write_q;
  logic [AddressWidth-1:0] write_index_q;
  logic [WordWidth-1:0]    twice_q;
  logic [WordWidth-1:0]    difference_q;

  assign doubled      = pass_ends_q & last_pass_q;
  assign doubled_word = takes_high_q ? high_q : low_q;
  assign borrow       = lower_borrow_q & ~t_first_q;
  assign twice        = {t_q[WordWidth-2:0], lower_top_q & ~t_first_q};
  assign difference   = {1'b0, twice} - {1'b0, n_later_q} - (WordWidth + 1)'(borrow);

  // Within a pass they keep the values of its second clock.
  always_ff @(posedge clk) begin : p_pass
    pass_ends_q <= state_q == StDouble && index_q == flushes_q;
    reached_q   <= power_word_q == words_q;
    last_pass_q <= odd_part_q == BitWidth'(OddPart - 1) && more_q == highest_q;
  end

  always_ff @(posedge clk) begin : p_power
    if (came_n_q && came_any_q) begin
      highest_word_q <= came_q;
      power_word_q   <= came_index_q;
    end else if (wiping) begin
      highest_word_q <= '0;
    end
    if (!later_q && !pass_ends_q) power_q <= highest_bit;
    if (pass_ends_q) begin  // in StDouble only
      later_q <= 1'b1;
      takes_high_q <= ~lower_borrow_q;
      if (!reached_q) begin
        power_q <= {power_q[WordWidth-2:0], power_q[WordWidth-1]};
        if (power_q[WordWidth-1]) power_word_q <= power_word_q + IndexWidth'(1);
      end else if (odd_part_q == BitWidth'(OddPart - 1)) begin
        odd_part_q <= '0;
        more_q     <= more_q + IndexWidth'(1);
      end else begin
        odd_part_q <= odd_part_q + BitWidth'(1);
      end
    end else if (state_q != StDouble) begin
      later_q    <= 1'b0;
      odd_part_q <= '0;
      more_q     <= '0;
    end
  end

  always_ff @(posedge clk) begin : p_double
    asked_q       <= state_q == StDouble && index_q < words_q;
    asked_first_q <= index_q == '0;
    asked_index_q <= AddressWidth'(index_q);
    t_valid_q     <= asked_q;
    t_first_q     <= asked_first_q;
    t_index_q     <= asked_index_q;
    at_power_q <= index_q == power_word_q;
    t_q        <= later_q ? doubled_word : power_q & {WordWidth{at_power_q}};
    write_q       <= t_valid_q;
    write_index_q <= t_index_q;
    twice_q       <= twice;
    difference_q  <= difference[WordWidth-1:0];
    lower_top_q    <= t_q[WordWidth-1];
    lower_borrow_q <= difference[WordWidth];
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_low (
    .clk_i          (clk),
    .write_i        (write_q | wiping),
    .write_address_i(wiping ? wipe_index : write_index_q),
    .word_i         (wiping ? '0 : twice_q),
    .read_address_i (read_address_q),
    .word_o         (low_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_high (
    .clk_i          (clk),
    .write_i        (write_q | wiping),
    .write_address_i(wiping ? wipe_index : write_index_q),
    .word_i         (wiping ? '0 : difference_q),
    .read_address_i (read_address_q),
    .word_o         (high_word)
  );

  // ---- the exponent: a window of bits, the highest first ----------------------------------------------

  localparam int RestWidth = $clog2(2 * WindowWidth + 1);
  localparam int WordRest  = WordWidth % WindowWidth;

  logic                    gathers_q;           // a bit of the window a clock
  logic                    searches_q;          // a word of the table a clock
  logic                    scan_starts_q;
  logic                    scan_highest_q;      // for the highest window
  logic [RestWidth-1:0]    rest_q;              // the bits of the exponent modulo WindowWidth
  logic [RestWidth-1:0]    rest;
  logic [RestWidth-1:0]    left_q;              // bits of the window that are to come
  logic [WindowWidth-1:0]   window_q;
  logic [WordWidth-1:0]    bits_q;              // the highest bit is next
  logic [BitWidth-1:0]     bits_left_q;         // in bits_q
  logic [IndexWidth-1:0]   exponent_index_q;    // of the word in bits_q
  logic [PowerWidth-1:0]   exponent_below_q;    // of the word that is next
  logic [WordWidth-1:0]    exponent_word;
  logic                    exponent_ends_q;     // all of its bits have been in a window

  logic                    comes;               // a word of the exponent that windows read
  logic [IndexWidth-1:0]   comes_index;
  logic [WordWidth-1:0]    comes_word;
  logic [PowerWidth-1:0]   exponent_wipe_address;
  logic [PowerWidth-1:0]   exponent_write_address;
  logic [PowerWidth-1:0]   exponent_read_address;
  logic                    blind_write;         // a word of e'
  logic [PowerWidth-1:0]   blind_write_address;
  logic [PowerWidth-1:0]   blind_read_address;
  logic [WordWidth-1:0]    blind_word;

  assign take_exponent = state_q == StExponent && take;
  assign comes         = Blinding ? blind_write : came_exponent_q;
  assign comes_index   = Blinding ? IndexWidth'(blind_write_address) : came_index_q;
  assign comes_word    = Blinding ? blind_word : came_q;
  assign rest          = ((comes_index == '0) ? '0 : rest_q) + RestWidth'(WordRest);

  always_comb begin : p_exponent_address
    exponent_write_address = PowerWidth'(came_index_q);
    if (wiping) exponent_write_address = exponent_wipe_address;
    else if (Blinding && blind_write) exponent_write_address = blind_write_address;
    exponent_read_address = exponent_below_q;
    if (Blinding && state_q == StBlind) exponent_read_address = blind_read_address;
  end

  monpro_cell_ram #(.Width(WordWidth), .Depth(MaxWords + MoreWords)) u_exponent (
    .clk_i          (clk),
    .write_i        (came_exponent_q | blind_write | wiping),
    .write_address_i(exponent_write_address),
    .word_i         (wiping ? '0 : blind_write ? blind_word : came_q),
    .read_address_i (exponent_read_address),
    .word_o         (exponent_word)
  );

  always_ff @(posedge clk) begin : p_exponent
    exponent_below_q <= (exponent_index_q == '0) ? '0 : PowerWidth'(exponent_index_q) -
                                                        PowerWidth'(1);
    if (comes) begin
      rest_q           <= (rest >= RestWidth'(WindowWidth)) ? rest - RestWidth'(WindowWidth) : rest;
      bits_q           <= comes_word;
      bits_left_q      <= BitWidth'(WordWidth);
      exponent_index_q <= comes_index;
      exponent_ends_q  <= 1'b0;
      left_q           <= '0;
      window_q         <= '0;
    end else if (wiping) begin
      bits_q           <= '0;
      window_q         <= '0;
      exponent_index_q <= '0;
    end else if (scan_starts_q) begin
      left_q   <= (scan_highest_q && rest_q != '0) ? rest_q : RestWidth'(WindowWidth);
      window_q <= '0;
    end else if (gathers_q) begin
      left_q   <= left_q - RestWidth'(1);
      window_q <= {window_q[WindowWidth-2:0], bits_q[WordWidth-1]};
      if (bits_left_q == BitWidth'(1)) begin
        bits_q           <= exponent_word;
        bits_left_q      <= BitWidth'(WordWidth);
        exponent_index_q <= exponent_index_q - IndexWidth'(1);
        exponent_ends_q  <= exponent_index_q == '0;
      end else begin
        bits_q      <= bits_q << 1;
        bits_left_q <= bits_left_q - BitWidth'(1);
      end
    end
  end

  // ---- the table, and the entry of a window: all entries are read, and all but one masked ---------------

  logic [WindowWidth-1:0]   scan_entry_q;
  logic [AddressWidth-1:0] scan_word_q;
  logic                    scan_ends;
  logic                    scan_counts;
  logic                    found_entry_q;       // the word is of the entry of the window
  logic [Banks-1:0]        found_q;             // and of this bank
  logic [1:0]              read_q;              // bit 0: from the memory; bit 1: at its port
  logic [1:0]              read_first_q;
  logic [1:0]              read_last_q;
  logic [AddressWidth-1:0] read_0_q;            // the index of the word
  logic [AddressWidth-1:0] read_1_q;
  logic [WordWidth-1:0]    found_word_q;
  logic                    store_q;
  logic [AddressWidth-1:0] store_word_q;
  logic                    store_unity;
  logic                    store_product;
  logic                    write_table_q;
  logic [31:0]             write_bank;
  logic [31:0]             read_bank;
  logic [Banks*WordWidth-1:0] table_word;
  logic [WordWidth-1:0]    masked;              // the word, or 0

  // Each word of the table takes a clock of a wipe, and 2^c·MaxWords clocks run through all words of the longer exponent.
  assign wipe_index    = scan_word_q;
  assign wipe_number   = {scan_word_q, scan_entry_q[1:0]};
  assign exponent_wipe_address = Blinding ? PowerWidth'({scan_word_q, scan_entry_q}) :
                                            PowerWidth'(scan_word_q);
  assign scan_counts   = searches_q || wiping;
  assign scan_ends     = scan_entry_q == '1 &&
                         scan_word_q == (wiping ? AddressWidth'(MaxWords - 1) :
                                                  AddressWidth'(highest_q));
  assign store_unity   = t_valid_q && odd_part_q == '0 && more_q == '0;
  assign store_product = state_q == StTake && product_valid && (kind_q == Enter || kind_q == Fill);

  always_ff @(posedge clk or negedge rst_ni) begin : p_scan
    if (!rst_ni) begin
      scan_starts_q <= 1'b0;
      gathers_q    <= 1'b0;
      searches_q   <= 1'b0;
      scan_entry_q <= '0;
      scan_word_q  <= '0;
    end else begin
      scan_starts_q <= (state_q == StTake && product_ends && kind_q == Fill && entry_q == '1) ||
                       (state_q == StGiveX && last_index && !exponent_ends_q &&
                        (kind_q == Square || kind_q == Multiply));
      if (scan_starts_q) gathers_q <= 1'b1;
      else if (left_q == RestWidth'(1)) gathers_q <= 1'b0;
      if (gathers_q && left_q == RestWidth'(1)) searches_q <= 1'b1;
      else if (scan_ends) searches_q <= 1'b0;
      if (scan_counts) begin
        scan_entry_q <= scan_entry_q + WindowWidth'(1);
        if (scan_ends) begin
          scan_word_q <= '0;
        end else if (scan_entry_q == '1) begin
          scan_word_q <= scan_word_q + AddressWidth'(1);
        end
      end
    end
  end

  always_ff @(posedge clk) begin : p_found
    scan_highest_q <= kind_q == Fill;
    read_q       <= {read_q[0], searches_q};
    read_first_q <= {read_first_q[0], scan_entry_q == '0};
    read_last_q  <= {read_last_q[0], scan_entry_q == '1};
    found_entry_q <= scan_entry_q == window_q;
    read_0_q     <= scan_word_q;
    read_1_q     <= read_0_q;
    store_q      <= read_q[1] & read_last_q[1];
    store_word_q <= read_1_q;
    if (wiping) begin
      found_word_q <= '0;
    end else if (read_q[1]) begin
      found_word_q <= (found_word_q & {WordWidth{~read_first_q[1]}}) |
                      masked;
    end
    if (scan_starts_q || kind_q == Fill) begin
      scanned_q <= 1'b0;
    end else if (store_q && store_word_q == AddressWidth'(highest_q)) begin
      scanned_q <= 1'b1;
    end
    if (state_q == StGiveX && kind_q == Multiply && last_index) pending_q <= ~exponent_ends_q;
  end

  logic [TableWidth-1:0] table_write_address_q;
  logic [WordWidth-1:0]  table_write_word_q;

  always_comb begin : p_masked
    masked = '0;
    for (int i = 0; i < Banks; i++) begin
      masked = masked | (table_word[i*WordWidth+:WordWidth] & {WordWidth{found_q[i]}});
    end
  end

  assign write_bank  = 32'(table_write_address_q) >> BankWidth;
  assign read_bank   = 32'(read_0_q) >> (BankWidth - WindowWidth);

  always_ff @(posedge clk) begin : p_table_write
    write_table_q         <= wiping | store_unity | store_product;
    table_write_address_q <= {AddressWidth'(index_q), entry_q};
    table_write_word_q    <= product_word;
    if (wiping) begin
      table_write_address_q <= {scan_word_q, scan_entry_q};
      table_write_word_q    <= '0;
    end else if (store_unity) begin
      table_write_address_q <= {t_index_q, WindowWidth'(0)};
      table_write_word_q    <= t_q;
    end
  end

  // Each bank is as deep as a block RAM that is 32 bits wide, so that its words reach registers of its own, which may be
  // those inside the block RAM.
  for (genvar bank = 0; bank < Banks; bank++) begin : gen_bank
    logic write_here;

    assign write_here = write_table_q && write_bank == bank;

    monpro_cell_registered_ram #(.Width(WordWidth), .Depth(1 << BankWidth)) u_table (
      .clk_i          (clk),
      .write_i        (write_here),
      .write_address_i(BankWidth'(table_write_address_q)),
      .word_i         (table_write_word_q),
      .read_address_i (BankWidth'({scan_word_q, scan_entry_q})),
      .word_o         (table_word[bank*WordWidth+:WordWidth])
    );

    always_ff @(posedge clk) found_q[bank] <= found_entry_q && read_bank == bank;
  end

  // ---- the operand that is not the last product: the base, plain or not, the entry of a window, or a number of the blinding

  logic [WordWidth-1:0]    operand_word;
  logic                    operand_write_q;
  logic [AddressWidth-1:0] operand_write_address_q;
  logic [WordWidth-1:0]    operand_write_word_q;
  logic                    enters;

  assign enters = store_product && kind_q == Enter;

  always_ff @(posedge clk) begin : p_operand_write
    operand_write_q         <= wiping | (came_base_q & ~Blinding) | enters | store_q | recalled;
    operand_write_address_q <= store_word_q;
    operand_write_word_q    <= found_word_q;
    if (wiping) begin
      operand_write_address_q <= wipe_index;
      operand_write_word_q    <= '0;
    end else if (came_base_q && !Blinding) begin
      operand_write_address_q <= AddressWidth'(came_index_q);
      operand_write_word_q    <= came_q;
    end else if (enters) begin
      operand_write_address_q <= AddressWidth'(index_q);
      operand_write_word_q    <= product_word;
    end else if (recalled) begin
      operand_write_address_q <= recalled_index;
      operand_write_word_q    <= number_word;
    end
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_operand (
    .clk_i          (clk),
    .write_i        (operand_write_q),
    .write_address_i(operand_write_address_q),
    .word_i         (operand_write_word_q),
    .read_address_i (read_address_q),
    .word_o         (operand_word)
  );

  // ---- blinding: the exponent, the mask s, the powers to v, and the check -------------------------------

  if (Blinding) begin : gen_blinding
    logic                    blind_start;
    logic                    take_order;
    logic                    order_any_q;         // the multiple of the order is not 0
    logic                    exponent_odd_q;
    logic [WordWidth-1:0]    v_q;
    logic [WordWidth-1:0]    public_q;            // the bits of v that are left, the next highest
    logic                    public_moves;
    logic                    random_ready;
    logic [WordWidth-1:0]    mask;                // s < 2^(K-1) < n
    logic                    copies_t;            // R² is T, if w is odd
    logic                    writes_product;
    number_e                 number_written;
    logic                    recall;              // a number is asked for
    logic                    recall_next;         // the next product is by a number
    number_e                 number_next;
    number_e                 number_read_q;
    logic [1:0]              takes_q;             // bit i: StTake, i + 1 clocks before
    logic                    recalls_q;           // a word of it is read
    logic [1:0]              recalled_q;          // bit 0: from the memory; bit 1: at its port
    logic [AddressWidth-1:0] recall_index_q;
    logic [AddressWidth-1:0] recall_0_q;          // the index of the word
    logic [AddressWidth-1:0] recall_1_q;
    logic                    number_write_q;
    logic [AddressWidth+1:0] number_write_address_q;
    logic [WordWidth-1:0]    number_write_word_q;
    logic                    compared_q;          // number_write_word_q is a word of z^v
    logic                    compared_first_q;
    logic [WordWidth-1:0]    unlike_q;            // bits in which words of z^v and the base differ

    assign blind_start = state_q == StVerify && !refused;
    assign take_order  = state_q == StMultiple && take;
    assign key_refused = !exponent_odd_q || !order_any_q || !v_q[0] || v_q[WordWidth-1:1] == '0;

    always_ff @(posedge clk) begin : p_key
      if (wiping) begin
        v_q <= '0;
      end else if (state_q == StPublic && take) begin
        v_q <= word_i;
      end
      if (take_exponent && index_q == '0) exponent_odd_q <= word_i[0];
      if (take_order) order_any_q <= word_i != '0 || (index_q != '0 && order_any_q);
    end

    monpro_pe_blinded_exponent #(.WordWidth(WordWidth), .MaxWords(MaxWords)) u_blinded (
      .clk_i          (clk),
      .rst_ni         (rst_ni),
      .wipe_i         (wiping),
      .write_i        (take_order),
      .write_address_i(wiping ? exponent_wipe_address : PowerWidth'(index_q)),
      .word_i         (word_i),
      .start_i        (blind_start),
      .highest_i      (PowerWidth'(exponent_highest_q)),
      .random_valid_i (random_valid_i),
      .random_ready_o (random_ready),
      .random_i       (random_i),
      .read_address_o (blind_read_address),
      .d_i            (exponent_word),
      .write_o        (blind_write),
      .write_address_o(blind_write_address),
      .word_o         (blind_word),
      .done_o         (blinded)
    );

    assign random_ready_o = random_ready || state_q == StMask;
    assign mask_take      = state_q == StMask && random_valid_i;

    always_comb begin : p_mask
      mask = '0;
      if (index_q < power_word_q) mask = '1;
      else if (index_q == power_word_q) mask = ones_q >> 1;
    end

    // v is shifted until its highest 1 is the highest bit, which takes fewer clocks than a product by a new factor:
    // w - 2 against (w/k + 2)·words + 18. Each square takes a bit more; the lowest one, which is 1, ends the power.
    assign public_bit   = public_q[WordWidth-1];
    assign public_last  = public_q[WordWidth-2:0] == '0;
    assign public_moves = (kind_q == Convert && !public_bit) ||
                          (state_q == StTake && product_ends &&
                           (kind_q == Convert || kind_q == PublicSquare));

    always_ff @(posedge clk) begin : p_public
      if (wiping) begin
        public_q <= '0;
      end else if (state_q == StVerify || (state_q == StTake && kind_q == Unblind)) begin
        public_q <= v_q;
      end else if (public_moves) begin
        public_q <= public_q << 1;
      end
    end

    // The check fails unless a comparison of all words has found nothing: it begins with bits that differ.
    always_ff @(posedge clk) begin : p_unlike
      if (wiping) begin
        unlike_q <= '0;
      end else if (state_q == StVerify) begin
        unlike_q <= '1;
      end else if (compared_q) begin
        unlike_q <= (unlike_q & {WordWidth{~compared_first_q}}) |
                    (number_write_word_q ^ operand_word);
      end
    end

    always_ff @(posedge clk) begin : p_compared
      compared_q       <= state_q == StTake && product_valid && compares_q;
      compared_first_q <= index_q == '0;
    end

    assign agrees = unlike_q == '0;

    always_ff @(posedge clk or negedge rst_ni) begin : p_checking
      if (!rst_ni) begin
        checking_q <= 1'b0;
        fault_q    <= 1'b0;
        compares_q <= 1'b0;
      end else begin
        if (state_q == StVerify) checking_q <= 1'b0;
        else if (state_q == StTake && product_ends && kind_q == Unblind) checking_q <= 1'b1;
        compares_q <= kind_q == Close && checking_q;
        if (state_q == StJudge) fault_q <= !agrees;
      end
    end

    assign copies_t       = Squares == 0 && state_q == StGiveY && kind_q == Convert;
    assign writes_product = state_q == StTake && product_valid &&
                            (kind_q == Constant || kind_q == Convert || kind_q == Unblind ||
                             (kind_q == Close && !checking_q));

    always_comb begin : p_number_written
      number_written = NumberMask;
      if (take_base) number_written = NumberBase;
      else if (copies_t || kind_q == Constant) number_written = NumberSquare;
      else if (kind_q == Convert) number_written = NumberFactor;
    end

    always_ff @(posedge clk) begin : p_number_write
      number_write_q         <= wiping | take_base | mask_take | copies_t | writes_product;
      number_write_address_q <= {AddressWidth'(index_q), number_written};
      number_write_word_q    <= product_word;
      if (wiping) begin
        number_write_address_q <= wipe_number;
        number_write_word_q    <= '0;
      end else if (take_base) begin
        number_write_word_q <= word_i;
      end else if (mask_take) begin
        number_write_address_q <= {AddressWidth'(index_q), NumberMask};
        number_write_word_q    <= random_i & mask;
      end else if (copies_t) begin
        number_write_word_q <= give_q;
      end
    end

    // The operand of the next product comes to its memory while a product is computed: which one is known in the second clock
    // of StTake, and words + 5 clocks are less than a product takes. s comes during the doublings, and is still there
    // after the way to R². The last product of the check is compared with the base, and behind it z comes.
    always_comb begin : p_number_next
      recall_next = 1'b1;
      number_next = NumberMask;
      case (next_kind_q)
        Convert: begin
          recall_next = kind_q == Unblind;
          number_next = NumberSquare;
        end
        Enter:                number_next = NumberSquare;
        PublicMultiply, Join: number_next = NumberFactor;
        Close:                if (!checking_q) number_next = NumberBase;
        Unblind: ;
        default:              recall_next = 1'b0;
      endcase
      if (compares_q) number_next = NumberBase;
    end

    assign recall = (takes_q == 2'b01 && recall_next) || (mask_take && last_index) ||
                    (state_q == StTake && product_ends && compares_q);

    always_ff @(posedge clk or negedge rst_ni) begin : p_recall
      if (!rst_ni) begin
        takes_q       <= '0;
        recalls_q     <= 1'b0;
        recalled_q    <= '0;
        number_read_q <= NumberMask;
      end else begin
        takes_q <= {takes_q[0], state_q == StTake};
        if (recall) recalls_q <= 1'b1;
        else if (recall_index_q == AddressWidth'(highest_q)) recalls_q <= 1'b0;
        recalled_q <= {recalled_q[0], recalls_q};
        if (recall) number_read_q <= takes_q == 2'b01 ? number_next : NumberMask;
      end
    end

    always_ff @(posedge clk) begin : p_recall_index
      recall_index_q <= recalls_q ? recall_index_q + AddressWidth'(1) : '0;
      recall_0_q     <= recall_index_q;
      recall_1_q     <= recall_0_q;
    end

    assign recalled       = recalled_q[1];
    assign recall_ends    = recalled_q == 2'b10;
    assign recalled_index = recall_1_q;

    monpro_cell_registered_ram #(.Width(WordWidth), .Depth(4 * MaxWords)) u_numbers (
      .clk_i          (clk),
      .write_i        (number_write_q),
      .write_address_i(number_write_address_q),
      .word_i         (number_write_word_q),
      .read_address_i ({recall_index_q, number_read_q}),
      .word_o         (number_word)
    );
  end else begin : gen_plain
    logic unused_of_blinding;

    assign unused_of_blinding = &{1'b0, random_valid_i, random_i, wipe_number, checking_q,
                                  mask_take, blinded, agrees, public_bit, public_last,
                                  blind_read_address, exponent_wipe_address, recall_ends};
    assign key_refused         = 1'b0;
    assign random_ready_o      = 1'b0;
    assign mask_take           = 1'b0;
    assign blinded             = 1'b0;
    assign blind_write         = 1'b0;
    assign blind_write_address = '0;
    assign blind_read_address  = '0;
    assign blind_word          = '0;
    assign public_bit          = 1'b0;
    assign public_last         = 1'b0;
    assign agrees              = 1'b0;
    assign checking_q          = 1'b0;
    assign compares_q          = 1'b0;
    assign fault_q             = 1'b0;
    assign recalled            = 1'b0;
    assign recall_ends         = 1'b0;
    assign recalled_index      = '0;
    assign number_word         = '0;
  end

  // ---- the multiplier ---------------------------------------------------------------------------------

  logic [WordWidth-1:0] ahead_operand_q;
  logic                 ahead_is_t_q;
  logic [WordWidth-1:0] ahead;
  logic                 first_y_q;       // y of the first product is read
  logic                 takes_y;         // y comes before x
  logic                 reads_next;      // another word of an operand
  logic                 read_moves;      // the next address is that of the next word
  logic                 read_stays;      // or the same one, while no word moves
  logic                 read_ends;       // that was its highest
  logic                 give_n_q;        // give_q is a word of n
  logic                 mul_busy;
  logic                 mul_error;
  logic                 unused;

  assign unused = &{1'b0, mul_busy, mul_error};

  // Every word to the multiplier comes from a register, and the multiplier takes it at once: it is ready for n after its
  // length, for a command when the result before has been taken, for x in the next clock, and for y in the one after that,
  // as no table fills then. Of an operand, the word after the one that is taken waits in a register, and the one after that
  // comes from its memory. The operands of the way to R², and y of the first product, are T.
  always_ff @(posedge clk) begin : p_ahead
    if (state_q == StDouble) first_y_q <= 1'b1;
    else if (reads_next && read_ends) first_y_q <= 1'b0;
    if (wiping) begin
      low_q           <= '0;
      high_q          <= '0;
      ahead_operand_q <= '0;
    end else if (reads_next || state_q == StDouble) begin
      low_q           <= low_word;
      high_q          <= high_word;
      ahead_operand_q <= operand_word;
      ahead_is_t_q    <= kind_q == Constant || first_y_q;
    end
  end

  assign ahead = ahead_is_t_q ? doubled_word : ahead_operand_q;

  always_ff @(posedge clk) begin : p_give
    case (state_q)
      StLength:         if (take) give_q <= CommandWipe;
      StExponentLength: give_q <= CommandNew;
      StHandCommand:    give_q <= WordWidth'(words_q);
      StModulus:        if (take) give_q <= word_i;
      StAwait:          give_q <= CommandBoth | SquaresFew;
      StTake:           give_q <= next_command_q;
      StFetch: give_q <= leaves_q ? WordWidth'(1) : ahead;
      StGiveY, StGiveX: give_q <= leaves_q ? '0 : ahead;
      StJudge: if (Blinding) give_q <= agrees ? ahead : CommandWipe;
      StShow:  if (Blinding && ready_i) give_q <= ahead;
      StWipe:  give_q <= '0;
      default: ;
    endcase
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_give_n
    if (!rst_ni) begin
      give_n_q <= 1'b0;
    end else begin
      give_n_q <= take_n;
    end
  end

  assign mul_valid     = (direct_i && valid_i) || give_n_q ||
                         (state_q == StHandCommand && !wrong_length) ||
                         state_q == StHandLength || state_q == StOrder || state_q == StGiveY ||
                         state_q == StGiveX || state_q == StWipeOrder;
  assign takes_y       = first_y_q || kind_q == Square;
  assign product_ready = ~leaves_q | ready_i;

  monpro_mul_quotient_pipelined #(
    .Width    (Width),
    .RadixLog2(RadixLog2),
    .WordWidth(WordWidth)
  ) u_multiplier (
    .clk_i  (clk),
    .rst_ni (rst_ni),
    .valid_i(mul_valid),
    .ready_o(mul_ready),
    .word_i (direct_i ? word_i : give_q),
    .busy_o (mul_busy),
    .error_o(mul_error),
    .valid_o(product_valid),
    .ready_i(product_ready),
    .word_o (product_word),
    .last_o (product_last)
  );

  // ---- control ----------------------------------------------------------------------------------------

  logic last_square;

  assign last_square = count_q == CountWidth'(Constants - 1);

  always_comb begin : p_next_kind
    next_kind = kind_q;
    case (kind_q)
      Constant: if (last_square) next_kind = Blinding ? Convert : Enter;
      Convert:  next_kind = PublicSquare;
      PublicSquare: begin
        if (public_bit && public_last) next_kind = Close;
        else if (public_bit) next_kind = PublicMultiply;
      end
      PublicMultiply: next_kind = PublicSquare;
      Close:    next_kind = Join;
      Join:     next_kind = Enter;
      Unblind:  next_kind = Convert;
      Enter:    next_kind = Fill;
      Fill:     if (entry_q == '1) next_kind = Square;
      Square:   next_kind = Multiply;
      default:  if (!pending_q) next_kind = Blinding ? Unblind : Leave;
    endcase
  end

  // What it depends on is known long before a product ends.
  always_ff @(posedge clk) begin : p_next_kind_q
    next_kind_q <= next_kind;
    leaves_q    <= kind_q == Leave;
    case (next_kind_q)
      Constant, PublicSquare: next_command_q <= CommandSquare;
      Close, Unblind, Leave:  next_command_q <= CommandReduce;
      Multiply:               next_command_q <= exponent_ends_q ? CommandX : CommandX | SquaresAll;
      default:                next_command_q <= CommandX;
    endcase
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_kind
    if (!rst_ni) begin
      kind_q  <= Leave;
      count_q <= '0;
      entry_q <= WindowWidth'(1);
    end else if (state_q == StVerify) begin
      if (Constants == 0) kind_q <= Blinding ? Convert : Enter;
      else kind_q <= Constant;
      count_q <= '0;
      entry_q <= WindowWidth'(1);
    end else if (state_q == StTake && product_ends) begin
      kind_q  <= next_kind_q;
      count_q <= (next_kind_q == kind_q) ? count_q + CountWidth'(1) : '0;
      entry_q <= entry_q + WindowWidth'(kind_q == Enter || kind_q == Fill);
    end
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StLength;
    end else begin
      case (state_q)
        StLength:         if (take) state_q <= (word_i == '0) ? StWipeOrder : StExponentLength;
        StExponentLength: if (take) state_q <= StHandCommand;
        StError: ;
        StHandCommand: begin
          if (wrong_length) state_q <= StError;
          else state_q <= StHandLength;
        end
        StHandLength: if (mul_ready) state_q <= StModulus;
        StModulus:    if (take && last_index) state_q <= StBase;
        StBase:       if (take && last_index) state_q <= StExponent;
        StExponent:   if (take && exponent_last_index) state_q <= Blinding ? StMultiple : StVerify;
        StMultiple:   if (take && exponent_last_index) state_q <= StPublic;
        StPublic:     if (take) state_q <= StVerify;
        StVerify:     state_q <= refused ? StError : Blinding ? StBlind : StDouble;
        StBlind:      if (blinded) state_q <= StMask;
        StMask:       if (mask_take && last_index) state_q <= StDouble;
        StDouble:     if (doubled) state_q <= StPrime;
        StPrime:      state_q <= (Blinding && !first_y_q) ? StJudge : StFetch;
        StFetch:      state_q <= takes_y ? StGiveY : StGiveX;
        StAwait:      if (scanned_q) state_q <= StOrder;
        StOrder: begin
          if (kind_q == Constant || kind_q == PublicSquare) state_q <= StTake;
          else state_q <= StFetch;
        end
        StGiveY:      if (last_index) state_q <= StGiveX;
        StGiveX:      if (last_index) state_q <= StTake;
        StTake: begin
          if (product_ends) begin
            if (kind_q == Leave) state_q <= StLength;
            else if (compares_q) state_q <= StRecall;
            else if (kind_q == Fill && next_kind_q == Square) state_q <= StAwait;
            else state_q <= StOrder;
          end
        end
        StRecall:     if (recall_ends) state_q <= StPrime;
        StJudge:      state_q <= agrees ? StShow : StWipeOrder;
        StShow:       if (ready_i && last_index) state_q <= StLength;
        StWipeOrder:  if (mul_ready) state_q <= StWipe;
        StWipe:       if (scan_ends) state_q <= StWiped;
        StWiped:      if (mul_ready) state_q <= fault_q ? StError : StLength;
        default:      state_q <= StLength;
      endcase
    end
  end

  logic index_moves;
  logic index_ends;

  always_comb begin : p_moves
    index_moves = 1'b0;
    index_ends  = 1'b1;
    case (state_q)
      StModulus, StBase: begin
        index_moves = take;
        index_ends  = take & last_index;
      end
      StExponent, StMultiple: begin
        index_moves = take;
        index_ends  = take & exponent_last_index;
      end
      StMask: begin
        index_moves = mask_take;
        index_ends  = mask_take & last_index;
      end
      StShow: begin
        index_moves = ready_i;
        index_ends  = ready_i & last_index;
      end
      StDouble: begin
        index_moves = 1'b1;
        index_ends  = pass_ends_q;
      end
      StGiveY, StGiveX: begin
        index_moves = 1'b1;
        index_ends  = last_index;
      end
      StTake: begin
        index_moves = product_valid && kind_q != Leave;  // where the words are stored
        index_ends  = product_valid && product_last;
      end
      default: ;
    endcase
  end

  assign reads_next  = state_q == StPrime || state_q == StOrder || state_q == StFetch ||
                       state_q == StGiveY || state_q == StGiveX ||
                       (Blinding && (state_q == StJudge || (state_q == StShow && ready_i)));
  assign read_moves  = reads_next || state_q == StDouble || (state_q == StBase && take);
  assign read_stays  = state_q == StBase || (Blinding && state_q == StShow);
  assign read_ends   = read_address_q == AddressWidth'(highest_q);

  always_ff @(posedge clk or negedge rst_ni) begin : p_index
    if (!rst_ni) begin
      index_q        <= '0;
      read_address_q <= '0;
    end else begin
      if (index_ends) index_q <= '0;
      else if (index_moves) index_q <= index_q + IndexWidth'(1);
      if (read_moves) begin
        if (state_q == StDouble ? pass_ends_q : read_ends) read_address_q <= '0;
        else read_address_q <= read_address_q + AddressWidth'(1);
      end else if (compares_q) begin
        read_address_q <= AddressWidth'(index_q);
      end else if (!read_stays) begin
        read_address_q <= '0;
      end
    end
  end

  assign ready_o = direct_i ? mul_ready :
                   state_q == StLength || state_q == StExponentLength || state_q == StBase ||
                   state_q == StExponent || state_q == StMultiple || state_q == StPublic ||
                   state_q == StModulus;
  assign error_o = state_q == StError;
  assign fault_o = error_o & fault_q;
  assign busy_o  = state_q == StVerify || state_q == StBlind || state_q == StMask ||
                   state_q == StDouble || state_q == StPrime || state_q == StFetch ||
                   state_q == StAwait || state_q == StOrder || state_q == StGiveY ||
                   state_q == StGiveX ||
                   state_q == StTake || state_q == StRecall || state_q == StJudge ||
                   state_q == StShow ||
                   (fault_q && !error_o);

  if (Blinding) begin : gen_shown
    assign valid_o = state_q == StShow;
    assign word_o  = give_q & {WordWidth{valid_o}};
    assign last_o  = last_index & valid_o;
  end else begin : gen_left
    assign valid_o = product_valid && kind_q == Leave;
    assign word_o  = product_word & {WordWidth{Scaled || kind_q == Leave}};
    assign last_o  = product_last && (Scaled || kind_q == Leave);
  end

  assign constant_o = Scaled && state_q == StTake && kind_q == Constant && product_valid;

`ifndef SYNTHESIS
  always @(posedge clk or negedge rst_ni) begin
    if (rst_ni && !mul_ready &&
        (give_n_q || (state_q == StHandCommand && !wrong_length) || state_q == StOrder ||
         state_q == StGiveY || state_q == StGiveX)) begin
      $fatal(1, "monpro_power_window: the multiplier did not take a word");
    end
  end

  initial begin
    if (RadixLog2 > 5) $fatal(1, "monpro_power_window: RadixLog2 = %0d: 3 to 5", RadixLog2);
    // W = MaxWords
    if (WindowWidth < 4 || Entries * MaxWords > (WindowWidth * (WordWidth / RadixLog2) + 1) *
                                                MaxWords + WindowWidth * 2 ** RadixLog2) begin
      $fatal(1, "monpro_power_window: WindowWidth = %0d: 4, or c if 2^c*W <= (c*w/k+1)*W + c*2^k",
             WindowWidth);
    end
  end
`endif
endmodule

// Modular exponentiation by windows of a fixed length on the multipliers of an FPGA: from plain numbers to a plain number,
// in a time that depends on lengths alone.
//
//   result = base^exponent mod n, fully reduced;   n odd, 3 <= n < 2^Width;   base < n
//
// The numbers come and go in words of w = WordWidth bits, the lowest first. The input is
//   exponent_words   1 to Words
//   n, base          NumberWords = floor(Width/w) + 1 words each
//   exponent         exponent_words words
// The output is the result, in NumberWords words; last_o comes with its last word. busy_o is high from the clock after the
// exponent's last word is taken until the result's last word is taken.
//
// What is refused: another exponent_words, n that is even, below 3 or not below 2^Width, and base >= n. error_o is then high
// and ready_o low, until a reset. A length is refused in the clock after it is taken, numbers in clock PassWords + 3 after
// the exponent's last word is taken.
//
// 0 in place of exponent_words is a wipe: zeros to all memories and to all registers that hold numbers; registers behind a
// memory follow within three clocks of its end. There is no output; then the core takes the next job. A wipe can be given
// only between jobs, so a reset comes first where one runs.
//
// Words, d, e, M~, N^ and R are those of monpro_mul_dsp, whose array is here; d = 4, 2, 1, 0 for Fold = 1, 2, 4, 8. The core
// finds its constants by monpro_pe_residue:
//   N^        is 2^-e mod n: 1, divided by 2^w d + 1 times. Indeed (1 + Q·n)/2^e with the least Q is (M~ + 1)/2^e
//   R mod n   from 2^(K-1) by w·Words - K + 1 doublings, K the bit length of n: 1 in Montgomery form
//   2R mod n  by one more: 2 in Montgomery form. Squares, and products by it, raise it to w·Words: this is R²
//
// A table holds the powers 0 to 2^c - 1 of the base, c = WindowWidth. The exponent has windows of c bits, but for the
// highest, which has what is left. Each window takes c squares and a product with an entry of the table, also where the
// entry is 1. The entry comes by monpro_pe_table, digit by digit: no address depends on the exponent. The last product
// is with 2^e, and is then divided by 2^e.
//
// Bounds. All factors are below 2M~, as monpro_mul_dsp asks, but for 2^e. The last product is z = (y·2^e + Q·M~)/R with Q < R,
// y < 2M~ and 2^(K+e+2) <= R, so z < M~ + M~/2^(K+1). After e bits are divided out of it, it is below
// z/2^e + n(1 - 2^-e) < n(1 - 2^-e)(1 + 2^-(K+1)) + n < 2n. OpReduce of monpro_pe_residue makes it less than n.
//
// One product follows the other in T + Fold·(Words + d + 1) clocks, T = max(10 - d, Fold + 4): of a square, the words of the
// last result are the digits while they leave the array.
//
//   state            | what happens                                   | clocks
//   StLength         | waits for exponent_words                       |
//   StModulus        | n                                              | NumberWords
//   StBase           | the base                                       | NumberWords
//   StExponent       | the exponent                                   | exponent_words
//   StError          | a length or the numbers are refused            | until a reset
//   StCompare        | the base modulo n; was it below n?             | PassWords + 1
//   StVerify         | are the numbers refused?                       | 1
//   StInverse        | n' of monpro_pe_residue                        | w + 1
//   StGiveBase       | the base to the table                          | Words + 1
//   StOne, StDivide  | N^                                             | Words, and Words + 6 each
//   StGiveModulus    | N^ to the array                                | Words + 1
//   StTop, StDouble  | R mod n                                        | Words, and PassWords + 1 each
//   StGiveOne        | R mod n to the table                           | Words + 1
//   StTwice          | 2R mod n                                       | PassWords + 1
//   StGiveTwo        | 2R mod n to the table and to the array         | Words + 1
//   StTail           | the end of a product, the beginning of another | T
//   StLoop           | the steps of a product                         | Fold·(Words + d + 1)
//   StDrain          | the words of the last product leave the array  | Fold·(Words - 1) + 1
//   StSelect, StLoad | the entry of the highest window to the array   | 1, and Fold·Words + 4
//   StUnscale        | the last product divided by 2^w                | Words + 6 each
//   StReduce         | the result modulo n                            | PassWords + 1
//   StShow           | the result                                     | NumberWords + 1 or more
//   StWipe           | zeros                                          | Fold·Words, and then StTail to StReduce
//
// PassWords is NumberWords, but 2 at least.
module monpro_exp_dsp #(
  parameter int Width       = 1024,
  parameter int WordWidth   = 17,
  parameter int Fold        = 1,
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
  localparam int Delay       = (Fold == 1) ? 4 : (Fold == 2) ? 2 : (Fold == 4) ? 1 : 0;
  localparam int LeastWords  = (Width + WordWidth * (Delay + 2) + 1) / WordWidth;
  localparam int NumPe       = (LeastWords + Fold - 1) / Fold;
  localparam int Words       = Fold * NumPe;
  localparam int NumberWords = Width / WordWidth + 1;
  localparam int PassWords   = (NumberWords > 1) ? NumberWords : 2;
  localparam int Spare       = Width % WordWidth;                // bits of n in its highest word
  localparam int Steps       = Words + Delay + 1;
  localparam int Tail        = (10 - Delay > Fold + 4) ? 10 - Delay : Fold + 4;
  localparam int Scan        = Tail - Fold - 4;   // where in a tail the table is read
  localparam int Read        = Tail - 5;          // and the array
  localparam int RLog2       = WordWidth * Words;
  localparam int RBits       = $clog2(RLog2 + 1);
  localparam int MostCount   = (Words + 6 > WordWidth + 1) ? Words + 6 : WordWidth + 1;
  localparam int IndexWidth  = $clog2(MostCount + 1);
  localparam int PhaseWidth  = (Fold > 2) ? $clog2(Fold) : 1;
  localparam int CountWidth  = $clog2(RBits + WindowWidth);      // of squares, bits, divisions
  localparam int TableIndex  = $clog2(Words);

  localparam logic [2:0] OpNone    = 3'd0;
  localparam logic [2:0] OpUnit    = 3'd1;
  localparam logic [2:0] OpDouble  = 3'd2;
  localparam logic [2:0] OpReduce  = 3'd3;
  localparam logic [2:0] OpDivide  = 3'd4;
  localparam logic [2:0] OpInverse = 3'd5;

  localparam logic [RBits-1:0]       RLog2Bits = RBits'(RLog2);
  // Entries 1 and 2 hold 2R mod n and the plain base, until the powers 1 and 2 take their places.
  localparam logic [WindowWidth-1:0] EntryOne  = '0;
  localparam logic [WindowWidth-1:0] EntryTwo  = WindowWidth'(1);
  localparam logic [WindowWidth-1:0] EntryBase = WindowWidth'(2);

  typedef enum logic [4:0] {
    StLength,
    StModulus,
    StBase,
    StExponent,
    StError,
    StCompare,
    StVerify,
    StInverse,
    StGiveBase,
    StOne,
    StDivide,
    StGiveModulus,
    StTop,
    StDouble,
    StGiveOne,
    StTwice,
    StGiveTwo,
    StTail,
    StLoop,
    StDrain,
    StSelect,
    StLoad,
    StUnscale,
    StReduce,
    StShow,
    StWipe
  } state_e;

  typedef enum logic [2:0] {
    ConstantSquare,   // the way to R²
    ConstantDouble,   // a product by 2 on it
    Enter,            // the base by R²
    Fill,             // a power of the base, for the table
    Square,
    Multiply,         // by an entry of the table
    Leave,            // by 2^e
    Ended             // no product: the words of the last one leave
  } kind_e;

  state_e                 state_q;
  kind_e                  kind_q;             // of the product of StLoop; in StTail, of the next
  kind_e                  next_kind;
  logic [IndexWidth-1:0]  index_q;            // of a word, a step or a clock
  logic [IndexWidth-1:0]  residue_index_q;    // a copy of index_q
  logic [IndexWidth-1:0]  highest_q;          // exponent_words - 1
  logic                   at_last_q;          // index_q is the last of this state
  logic [PhaseWidth-1:0]  phase_q;
  logic [CountWidth-1:0]  count_q;
  logic [WindowWidth-1:0] fill_q;             // the entry that a product of Enter or Fill is for
  logic                   fresh_q;            // no product has been computed since B was given
  logic                   wiping_q;           // the power of zeros that ends a wipe
  logic                   long_q;             // n is not below 2^Width
  logic                   clk;
  logic                   active;
  logic                   take;
  logic                   last_phase;
  logic                   index_ends;
  logic                   refused;
  logic                   wrong_length;
  logic                   wipes;
  logic                   running;
  logic                   loop_ends;
  logic                   tail_ends;
  logic                   divided;            // d + 1 divisions
  logic                   pending;            // there is another window
  logic                   drained;

  // Between jobs, and after a refusal, all registers and memories keep what they have.
  assign active       = valid_i || (state_q != StLength && state_q != StError);

  monpro_pe_resting_clock u_resting_clock (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .active_i(active),
    .clk_o   (clk)
  );

  assign take         = valid_i & ready_o;
  assign last_phase   = Fold == 1 || phase_q == PhaseWidth'(Fold - 1);
  assign wipes        = state_q == StWipe;
  assign running      = state_q == StLoop;
  assign loop_ends    = running & index_ends;
  assign tail_ends    = state_q == StTail && index_ends;
  assign divided      = count_q == CountWidth'(Delay);
  assign wrong_length = 32'(word_i) > 32'(Words);

  // ---- numbers modulo n -----------------------------------------------------------------------------

  logic [2:0]            op;
  logic                  load;
  logic                  load_n;
  logic                  from_top;            // the number is the highest power of two in n
  logic [WordWidth-1:0]  loaded;
  logic [IndexWidth-1:0] load_index;
  logic [WordWidth-1:0]  residue_word;
  logic                  reached;
  logic                  below;
  logic                  even;
  logic                  one;
  logic                  leaves;              // a word of a product leaves the array
  logic [WordWidth-1:0]  product_word;
  logic [IndexWidth-1:0] left_q;              // the index of that word

  always_comb begin : p_op
    op = OpNone;
    case (state_q)
      StOne, StTop:        op = OpUnit;
      StDouble, StTwice:   op = OpDouble;
      StCompare, StReduce: op = OpReduce;
      StDivide, StUnscale: op = OpDivide;
      StInverse:           op = OpInverse;
      default: ;
    endcase
  end

  assign load       = (take && (state_q == StModulus || state_q == StBase)) ||
                      (leaves && kind_q == Ended);
  assign load_n     = state_q == StModulus;
  assign from_top   = state_q == StTop;
  assign loaded     = leaves ? product_word : word_i;
  assign load_index = leaves ? left_q : index_q;
  assign refused    = even | one | long_q | ~below;

  monpro_pe_residue #(
    .WordWidth  (WordWidth),
    .Words      (Words),
    .NumberWords(NumberWords),
    .IndexWidth (IndexWidth)
  ) u_residue (
    .clk_i       (clk),
    .op_i        (op),
    .index_i     (residue_index_q),
    .last_i      (index_ends),
    .top_i       (from_top),
    .wiping_i    (wipes),
    .hold_i      (valid_o & ~ready_i),
    .load_i      (load),
    .load_n_i    (load_n),
    .load_index_i(load_index),
    .word_i      (loaded),
    .word_o      (residue_word),
    .reached_o   (reached),
    .below_o     (below),
    .even_o      (even),
    .one_o       (one)
  );

  always_ff @(posedge clk) begin : p_long
    if (wipes) begin
      long_q <= 1'b0;
    end else if (take && state_q == StModulus) begin
      long_q <= index_q == IndexWidth'(NumberWords - 1) && (word_i >> Spare) != '0;
    end
  end

  // ---- the exponent, whose bits leave from the highest on --------------------------------------------

  localparam int BitWidth  = $clog2(WordWidth + 1);
  localparam int WantWidth = $clog2(2 * WindowWidth);
  localparam int WordRest  = WordWidth % WindowWidth;

  logic                   write_exponent_q;
  logic [TableIndex-1:0]  exponent_address_q;
  logic [WordWidth-1:0]   exponent_taken_q;
  logic [WordWidth-1:0]   exponent_word;
  logic [WordWidth-1:0]   exponent_word_q;
  logic [WordWidth-1:0]   bits_q;             // the next bit highest
  logic [BitWidth-1:0]    bits_left_q;
  logic [IndexWidth-1:0]  words_left_q;
  logic [WantWidth-1:0]   wanted_q;           // bits of the window that are still to come
  logic [WantWidth-1:0]   rest_q;             // w·exponent_words modulo c
  logic [WantWidth-1:0]   rest_sum;
  logic [WindowWidth-1:0] window_q;
  logic                   take_exponent;
  logic                   next_window;

  assign take_exponent = take && state_q == StExponent;
  assign rest_sum      = rest_q + WantWidth'(WordRest);
  assign pending       = bits_left_q != '0 || words_left_q != '0;
  assign next_window   = kind_q == Square && count_q == '0 && tail_ends;

  // A word is in the memory two clocks after it is taken, and behind it a clock after words_left_q tells it.
  always_ff @(posedge clk) begin : p_exponent_word
    write_exponent_q   <= take_exponent | wipes;
    exponent_address_q <= TableIndex'(index_q);
    exponent_taken_q   <= word_i & {WordWidth{take_exponent}};
    if (wipes) exponent_word_q <= '0;
    else if (words_left_q != '0) exponent_word_q <= exponent_word;
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Words)) u_exponent (
    .clk_i          (clk),
    .write_i        (write_exponent_q),
    .write_address_i(exponent_address_q),
    .word_i         (exponent_taken_q),
    .read_address_i (TableIndex'(words_left_q - IndexWidth'(1))),
    .word_o         (exponent_word)
  );

  always_ff @(posedge clk) begin : p_exponent
    if (state_q == StLength || wipes) begin
      rest_q <= '0;
    end else if (take_exponent) begin
      if (rest_sum >= WantWidth'(WindowWidth)) rest_q <= rest_sum - WantWidth'(WindowWidth);
      else rest_q <= rest_sum;
    end
    if (state_q == StCompare) words_left_q <= highest_q + IndexWidth'(1);
    if (state_q == StVerify || wipes) begin
      if (wipes) words_left_q <= '0;
      bits_left_q  <= '0;
      bits_q       <= '0;
      window_q     <= '0;
      wanted_q     <= wipes ? '0 : (rest_q == '0) ? WantWidth'(WindowWidth) : rest_q;
    end else if (next_window) begin
      wanted_q <= WantWidth'(WindowWidth);
    end else if (wanted_q != '0) begin
      if (bits_left_q == '0) begin
        bits_q       <= exponent_word_q;
        bits_left_q  <= BitWidth'(WordWidth);
        words_left_q <= words_left_q - IndexWidth'(1);
      end else begin
        bits_q      <= {bits_q[WordWidth-2:0], 1'b0};
        bits_left_q <= bits_left_q - BitWidth'(1);
        window_q    <= {window_q[WindowWidth-2:0], bits_q[WordWidth-1]};
        wanted_q    <= wanted_q - WantWidth'(1);
      end
    end
  end

  // ---- the table ------------------------------------------------------------------------------------

  logic                   given;              // residue_word is a word for the table or the array
  logic                   by_entry;           // x of the next product is an entry
  logic                   by_entry_q;
  logic                   start;
  logic [WindowWidth-1:0] entry;
  logic                   store_q;            // the words that leave are an entry
  logic [WindowWidth-1:0] store_entry_q;
  logic                   table_write_q;
  logic [WindowWidth-1:0] table_entry_q;
  logic [TableIndex-1:0]  table_index_q;
  logic [WordWidth-1:0]   table_word_q;
  logic                   table_valid;
  logic                   table_last;
  logic [WordWidth-1:0]   table_word;

  assign given = index_q != '0 && (state_q == StGiveBase || state_q == StGiveModulus ||
                                   state_q == StGiveOne || state_q == StGiveTwo);

  always_comb begin : p_by_entry
    case (kind_q)
      ConstantDouble, Enter, Multiply: by_entry = 1'b1;
      Fill:                            by_entry = fill_q != EntryBase;
      ConstantSquare, Square:          by_entry = fresh_q;
      default:                         by_entry = 1'b0;
    endcase
  end

  always_comb begin : p_entry
    case (kind_q)
      ConstantSquare, ConstantDouble, Fill: entry = EntryTwo;
      Enter:                                entry = EntryBase;
      default:                              entry = window_q;
    endcase
  end

  always_ff @(posedge clk) by_entry_q <= by_entry;

  assign start = (state_q == StTail && index_q == IndexWidth'(Scan) && by_entry) ||
                 state_q == StSelect;

  always_ff @(posedge clk or negedge rst_ni) begin : p_table_write
    if (!rst_ni) table_write_q <= 1'b0;
    else table_write_q <= (leaves & store_q) | (given && state_q != StGiveModulus);
  end

  always_ff @(posedge clk) begin : p_table_word
    table_index_q <= given ? TableIndex'(index_q - IndexWidth'(1)) : TableIndex'(left_q);
    table_word_q  <= given ? residue_word : product_word;
    case (state_q)
      StGiveBase: table_entry_q <= EntryBase;
      StGiveOne:  table_entry_q <= EntryOne;
      StGiveTwo:  table_entry_q <= EntryTwo;
      default:    table_entry_q <= store_entry_q;
    endcase
  end

  monpro_pe_table #(
    .WordWidth (WordWidth),
    .Words     (Words),
    .EntryWidth(WindowWidth),
    .Fold      (Fold)
  ) u_table (
    .clk_i        (clk),
    .rst_ni       (rst_ni),
    .wiping_i     (wipes),
    .wipe_index_i (TableIndex'(index_q)),
    .wipe_phase_i (phase_q),
    .write_i      (table_write_q),
    .write_entry_i(table_entry_q),
    .write_index_i(table_index_q),
    .word_i       (table_word_q & {WordWidth{~wipes}}),
    .start_i      (start),
    .entry_i      (entry),
    .valid_o      (table_valid),
    .last_o       (table_last),
    .word_o       (table_word)
  );

  // ---- the array ------------------------------------------------------------------------------------

  logic                 beyond_q;             // the digits of x are over
  logic                 loads;                // words of an entry to the array
  logic                 write_n_q;
  logic                 write_b_q;
  logic [WordWidth-1:0] digit;
  logic [WordWidth-1:0] array_word_q;
  logic                 reads_q;              // words of the last product are read from the array
  logic [PhaseWidth-1:0] read_phase_q;
  logic [IndexWidth-1:0] read_index_q;
  logic                 read;

  assign loads   = state_q == StLoad && table_valid;
  assign read    = reads_q && read_phase_q == '0;

  always_comb begin : p_digit
    digit = by_entry_q ? table_word : product_word;
    if (kind_q == Leave) digit = WordWidth'(index_q == IndexWidth'(Delay + 1));
    if (beyond_q) digit = '0;
  end

  // A word comes to the array and to the table from a register. It is there before it is asked for: a tail is between them.
  always_ff @(posedge clk or negedge rst_ni) begin : p_write
    if (!rst_ni) begin
      write_n_q <= 1'b0;
      write_b_q <= 1'b0;
    end else begin
      write_n_q <= wipes | (given && state_q == StGiveModulus);
      write_b_q <= wipes | loads | (given && state_q == StGiveTwo);
    end
  end

  always_ff @(posedge clk) begin : p_array_word
    if (wipes) array_word_q <= '0;
    else if (loads) array_word_q <= table_word;
    else array_word_q <= residue_word;
  end

  monpro_array_dsp #(
    .WordWidth(WordWidth),
    .Fold     (Fold),
    .NumPe    (NumPe),
    .Chained  (1'b1)
  ) u_array (
    .clk_i      (clk),
    .rst_ni     (rst_ni),
    .run_i      (running),
    .phase_i    (running ? phase_q : '0),
    .last_step_i(at_last_q),
    .digit_i    (digit),
    .write_n_i  (write_n_q),
    .write_b_i  (write_b_q),
    .word_i     (array_word_q),
    .read_i     (read),
    .valid_o    (leaves),
    .word_o     (product_word)
  );

  assign drained = leaves && left_q == IndexWidth'(Words - 1);

  always_ff @(posedge clk or negedge rst_ni) begin : p_leave
    if (!rst_ni) begin
      reads_q      <= 1'b0;
      read_phase_q <= '0;
      read_index_q <= '0;
      left_q       <= '0;
    end else begin
      if (state_q == StTail && index_q == IndexWidth'(Read) && !fresh_q) begin
        reads_q <= 1'b1;
      end else if (read && read_index_q == IndexWidth'(Words - 1)) begin
        reads_q <= 1'b0;
      end
      if (Fold == 1 || !reads_q || read_phase_q == PhaseWidth'(Fold - 1)) read_phase_q <= '0;
      else read_phase_q <= read_phase_q + PhaseWidth'(1);
      if (!reads_q) read_index_q <= '0;
      else if (read) read_index_q <= read_index_q + IndexWidth'(1);
      if (leaves) left_q <= drained ? '0 : left_q + IndexWidth'(1);
    end
  end

  always_ff @(posedge clk) begin : p_beyond
    if (!running) beyond_q <= 1'b0;
    else if (last_phase && index_q == IndexWidth'(Words - 1)) beyond_q <= 1'b1;
  end

  // ---- products -------------------------------------------------------------------------------------

  logic [RBits-1:0] way;                      // what is left of the bits of w·Words
  logic             doubles;
  logic             unused_of_way;

  assign way           = RLog2Bits >> count_q;
  assign doubles       = way[0];
  assign unused_of_way = &{1'b0, way[RBits-1:1]};

  always_comb begin : p_next_kind
    next_kind = kind_q;
    case (kind_q)
      ConstantSquare: begin
        if (doubles) next_kind = ConstantDouble;
        else if (count_q == '0) next_kind = Enter;
      end
      ConstantDouble: begin
        next_kind = ConstantSquare;
        if (count_q == '0) next_kind = Enter;
      end
      Enter:          next_kind = Fill;
      Fill:           if (fill_q == '1) next_kind = Ended;
      Square:         if (count_q == CountWidth'(WindowWidth - 1)) next_kind = Multiply;
      Multiply: begin
        next_kind = Leave;
        if (pending) next_kind = Square;
      end
      default:        next_kind = Ended;
    endcase
  end

  always_ff @(posedge clk) begin : p_kind
    if (state_q == StGiveTwo) begin
      kind_q  <= ConstantSquare;
      count_q <= CountWidth'(RBits - 2);
      fill_q  <= EntryTwo;
      fresh_q <= 1'b1;
    end else if (state_q == StSelect) begin
      if (pending) kind_q <= Square;
      else kind_q <= Leave;
      count_q <= '0;
      fresh_q <= 1'b1;
    end else if (wipes) begin
      kind_q  <= Leave;
      count_q <= '0;
      fill_q  <= '0;
      fresh_q <= 1'b1;
    end else if (loop_ends) begin
      kind_q  <= next_kind;
      fresh_q <= 1'b0;
      if (kind_q == Enter || kind_q == Fill) fill_q <= fill_q + WindowWidth'(1);
      case (kind_q)
        ConstantSquare: if (!doubles) count_q <= count_q - CountWidth'(1);
        ConstantDouble: count_q <= count_q - CountWidth'(1);
        Square:         count_q <= count_q + CountWidth'(1);
        default:        count_q <= '0;
      endcase
    end else if (state_q == StOne || state_q == StDrain) begin
      count_q <= '0;
    end else if ((state_q == StDivide || state_q == StUnscale) && index_ends) begin
      count_q <= count_q + CountWidth'(1);
    end
    if (loop_ends) begin
      store_q       <= kind_q == Enter || kind_q == Fill;
      store_entry_q <= fill_q;
    end else if (state_q == StGiveTwo) begin
      store_q       <= 1'b0;
      store_entry_q <= '0;
    end
  end

  // ---- control --------------------------------------------------------------------------------------

  logic                  moves;
  logic [IndexWidth-1:0] next_index;
  logic [IndexWidth-1:0] index_then;          // of the next clock, if it moves
  logic [IndexWidth-1:0] last;                // index
  logic                  shows;

  assign shows = state_q == StShow;

  always_comb begin : p_moves
    moves = 1'b1;
    last  = '0;
    case (state_q)
      StModulus, StBase: begin
        moves = take;
        last  = IndexWidth'(NumberWords - 1);
      end
      StExponent: begin
        moves = take;
        last  = highest_q;
      end
      StCompare, StDouble, StTwice, StReduce: last = IndexWidth'(PassWords);
      StInverse:                              last = IndexWidth'(WordWidth);
      StGiveBase, StGiveModulus, StGiveOne, StGiveTwo: last = IndexWidth'(Words);
      StOne, StTop:                           last = IndexWidth'(Words - 1);
      StDivide, StUnscale:                    last = IndexWidth'(Words + 5);
      StTail:                                 last = IndexWidth'(Tail - 1);
      StLoop: begin
        moves = last_phase;
        last  = IndexWidth'(Steps - 1);
      end
      StWipe: begin
        moves = last_phase;
        last  = IndexWidth'(Words - 1);
      end
      StShow: begin
        moves = !valid_o || ready_i;
        last  = IndexWidth'(NumberWords);
      end
      default: moves = 1'b0;
    endcase
  end

  assign index_ends = moves & at_last_q;
  assign next_index = index_q + IndexWidth'(1);
  assign index_then = index_ends ? '0 : next_index;

  monpro_cell_copy #(.Width(IndexWidth)) u_residue_index (
    .clk_i  (clk),
    .rst_ni (rst_ni),
    .take_i (moves),
    .value_i(index_then),
    .value_o(residue_index_q)
  );

  // Where the count of the next state is 1, its only index is the last one.
  always_ff @(posedge clk or negedge rst_ni) begin : p_counters
    if (!rst_ni) begin
      index_q   <= '0;
      phase_q   <= '0;
      at_last_q <= 1'b0;
    end else begin
      if (moves) index_q <= index_then;
      if (state_q == StLength) begin
        at_last_q <= NumberWords == 1 && word_i != '0;
      end else if (index_ends) begin
        at_last_q <= (state_q == StModulus && NumberWords == 1) ||
                     (state_q == StBase && highest_q == '0);
      end else if (moves) begin
        at_last_q <= next_index == last;
      end
      phase_q <= ((running || wipes) && !last_phase) ? phase_q + PhaseWidth'(1) : '0;
    end
  end

  always_ff @(posedge clk) begin : p_length
    if (take && state_q == StLength) highest_q <= IndexWidth'(word_i) - IndexWidth'(1);
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_wiping
    if (!rst_ni) begin
      wiping_q <= 1'b0;
    end else if (take && state_q == StLength) begin
      wiping_q <= word_i == '0;
    end
  end

  always_ff @(posedge clk or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StLength;
    end else begin
      case (state_q)
        StLength: begin
          if (take) begin
            if (word_i == '0) state_q <= StWipe;
            else if (wrong_length) state_q <= StError;
            else state_q <= StModulus;
          end
        end
        StModulus:     if (index_ends) state_q <= StBase;
        StBase:        if (index_ends) state_q <= StExponent;
        StExponent:    if (index_ends) state_q <= StCompare;
        StError: ;
        StCompare:     if (index_ends) state_q <= StVerify;
        StVerify: begin
          if (refused) state_q <= StError;
          else state_q <= StInverse;
        end
        StInverse:     if (index_ends) state_q <= StGiveBase;
        StGiveBase:    if (index_ends) state_q <= StOne;
        StOne:         if (index_ends) state_q <= StDivide;
        StDivide:      if (index_ends && divided) state_q <= StGiveModulus;
        StGiveModulus: if (index_ends) state_q <= StTop;
        StTop:         if (index_ends) state_q <= StDouble;
        StDouble:      if (index_ends && reached) state_q <= StGiveOne;
        StGiveOne:     if (index_ends) state_q <= StTwice;
        StTwice:       if (index_ends) state_q <= StGiveTwo;
        StGiveTwo:     if (index_ends) state_q <= StTail;
        StTail: begin
          if (index_ends && kind_q == Ended) state_q <= StDrain;
          else if (index_ends) state_q <= StLoop;
        end
        StLoop:        if (index_ends) state_q <= StTail;
        StDrain: begin
          if (drained && store_q) state_q <= StSelect;
          else if (drained) state_q <= StUnscale;
        end
        StSelect:      state_q <= StLoad;
        StLoad:        if (table_valid && table_last) state_q <= StTail;
        StUnscale:     if (index_ends && divided) state_q <= StReduce;
        StReduce: begin
          if (index_ends && wiping_q) state_q <= StLength;
          else if (index_ends) state_q <= StShow;
        end
        StShow:        if (index_ends) state_q <= StLength;
        StWipe:        if (index_ends) state_q <= StTail;
        default:       state_q <= StLength;
      endcase
    end
  end

  // ---- the port of the result: residue_word is the word of the index before -------------------------

  assign valid_o = shows && index_q != '0;
  assign word_o  = residue_word & {WordWidth{valid_o}};
  assign last_o  = valid_o && index_q == IndexWidth'(NumberWords);

  assign ready_o = state_q == StLength || state_q == StModulus || state_q == StBase ||
                   state_q == StExponent;
  assign error_o = state_q == StError;
  assign busy_o  = !ready_o && !error_o && !wiping_q;

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) begin
      $fatal(1, "monpro_exp_dsp: Width = %0d: 2 to 4096", Width);
    end
    if (WordWidth < 4 || WordWidth > 17 || Words >= 1 << WordWidth) begin
      $fatal(1, "monpro_exp_dsp: WordWidth = %0d: 4 to 17, and Words = %0d below 2^WordWidth",
             WordWidth, Words);
    end
    if (Fold != 1 && Fold != 2 && Fold != 4 && Fold != 8) begin
      $fatal(1, "monpro_exp_dsp: Fold = %0d: 1, 2, 4 or 8", Fold);
    end
    if (WindowWidth < 4 || WindowWidth > 6) begin
      $fatal(1, "monpro_exp_dsp: WindowWidth = %0d: 4 to 6", WindowWidth);
    end
  end
`endif
endmodule

// Modular exponentiation on the scalable multiplier: square and multiply, from the highest bit of the exponent on,
// for operands of any length up to Width bits [amberg08, §II-A, §V].
//
//   result = base^exponent mod n
//
//   n         odd, 3 <= n < 2^K, K <= Width
//   r2        = R² mod n,  R = 2^(v(NumPe·passes - 1)), v = RadixLog2
//   base      < 2·M~,  M~ = (-n^-1 mod 2^v)·n: in particular base < n
//   exponent  of exponent_words port words
//
// The length comes with the numbers. The input is in words of 32 bits, the lowest first; a number has as many of them
// as words·w bits take, w = WordWidth:
//   words, passes    as monpro_array_scalable requires them for the length of n; words is at most Words below
//   exponent_words   at least 1; 32·exponent_words is at most w·Words, rounded up to port words
//   n, r2, base      bits above `words` words of w bits are ignored
//   exponent         exponent_words words
// The output is the result, as long as n, from valid_o on; last_o comes with its last word.
// busy_o is high from the clock after the exponent's last word is taken until the result's last word is taken.
//
// Lengths that fit no modulus of this build are refused: words that the memories do not hold, fewer passes than the
// shortest modulus of so many words needs, more than the longest needs, no word of the exponent or too many. error_o is
// high from the second clock after the last length is taken, and ready_o is low, until a reset. Nothing is written then.
//
// Products run one after the other. The first is base·r2. Each bit of the exponent below the highest 1 takes a square
// and, if it is 1, a product with the base. The last is a product with 1. Their number is the number of bits plus the
// number of ones of the exponent, at most 2K, and 3 for the exponent 0. With ConstantTime the first two are base·r2
// and 1·r2. Each of 32·exponent_words bits takes a product, which is not used if the bit is 0, and, except for the
// first bit, a square before it. With the product with 1 these are 64·exponent_words + 2. The words of a product
// become operands of the next one as they come out. The last product is at most M~ and is then reduced: 2^i·n is
// subtracted for i from v - 1 down to 0, each time if that leaves no borrow.
//
// Latency, from the edge that takes the last word of the exponent to the edge after which valid_o is first high:
//   zeros + (products - 1)·max(F + 1, passes·P) + F + words + v(words + 1) + 32/w + 2
// F = (passes - 1)·P + D + 4 with P and D of monpro_array_scalable. zeros = the zeros at the top of the exponent's
// highest word that is not 0; with ConstantTime zeros = 0.
//
//   state      | what happens
//   StHeader   | waits for the lengths, word by word
//   StCheck    | compares the lengths with those of this build
//   StError    | the lengths are refused, until a reset
//   StWord     | waits for a word of n, r2 or base
//   StUnpack   | writes words of w bits to the memories: n and its M^ = (M~ + 1)/2^v; r2 as y; base as x
//   StFlush    | writes the highest word of M^
//   StExponent | waits for a word of the exponent
//   StScan     | shifts out the zeros above the highest 1
//   StRun      | products
//   StReduce   | a subtraction, words + 1 clocks
//   StPack     | puts words of w bits together, 32/w + 1 clocks
//   StGive     | a word of the result waits
module monpro_exp_scalable #(
  parameter int Width        = 4096,
  parameter int RadixLog2    = 2,
  parameter int WordWidth    = 16,
  parameter int NumPe        = 32,
  parameter bit LeftShift    = 1'b1,
  parameter bit Booth        = 1'b0,
  parameter bit ConstantTime = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [31:0] word_i,
  output logic        busy_o,
  output logic        error_o,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [31:0] word_o,
  output logic        last_o
);
  localparam int PortWidth     = 32;
  localparam int ZBits         = 2 * RadixLog2 + 2 + (Booth ? 1 : 0);
  localparam int YBits         = LeftShift ? 3 * RadixLog2 + 1 : 0;
  localparam int MoreBits      = (YBits > ZBits) ? YBits : ZBits;
  localparam int LongWords     = (Width + MoreBits + WordWidth - 1) / WordWidth;
  localparam int Words         = (LongWords > 2) ? LongWords : 2;
  localparam int Chunks        = PortWidth / WordWidth;  // words of w bits in a port word
  localparam int LongExponent  = (Words + Chunks - 1) / Chunks;
  localparam int ExponentWords = (LongExponent > 2) ? LongExponent : 2;
  localparam int ShortWords    = (2 + MoreBits + WordWidth - 1) / WordWidth;
  localparam int LeastWords    = (ShortWords > 2) ? ShortWords : 2;  // of a modulus of 2 bits
  localparam int PassBits      = RadixLog2 * NumPe;      // of x that a pass takes
  localparam int SpareBits     = 2 * RadixLog2 + 2;      // that all passes take beyond those of n

  localparam int IndexWidth    = $clog2(Words + Chunks + 1);
  localparam int AddressWidth  = $clog2(Words + 1);
  localparam int PassesWidth   = $clog2(Words * WordWidth / (RadixLog2 * NumPe) + 3);
  localparam int ChunkWidth    = $clog2(Chunks + 1);
  localparam int BitWidth      = $clog2(PortWidth);
  localparam int RamWidth      = $clog2(Words);
  localparam int ExponentWidth = $clog2(ExponentWords);
  localparam int ResultWidth   = $clog2(2 * Words);
  localparam int StepWidth     = (RadixLog2 > 1) ? $clog2(RadixLog2) : 1;

  typedef enum logic [3:0] {
    StHeader,
    StCheck,
    StError,
    StWord,
    StUnpack,
    StFlush,
    StExponent,
    StScan,
    StRun,
    StReduce,
    StPack,
    StGive
  } state_e;

  typedef enum logic [2:0] {
    Enter,     // base·r2, the base in Montgomery form
    One,       // 1·r2
    Square,
    Multiply,  // by the base
    Leave      // by 1
  } kind_e;

  localparam logic [1:0] NumberN    = 2'd0;
  localparam logic [1:0] NumberR2   = 2'd1;
  localparam logic [1:0] NumberBase = 2'd2;

  localparam logic [1:0] HeaderWords    = 2'd0;
  localparam logic [1:0] HeaderPasses   = 2'd1;
  localparam logic [1:0] HeaderExponent = 2'd2;

  state_e                  state_q;
  logic [1:0]              header_q;   // which length comes in
  logic [1:0]              number_q;   // which number
  logic [AddressWidth-1:0] words_q;
  logic [PassesWidth-1:0]  passes_q;
  logic [IndexWidth-1:0]   exponent_words_q;
  logic [IndexWidth-1:0]   index_q;    // of the word of a number
  logic [ChunkWidth-1:0]   chunk_q;    // which part of a port word
  logic [PortWidth-1:0]    shift_q;    // the word that comes in or goes out
  logic [IndexWidth-1:0]   words;
  logic                    take;
  logic                    last_index;
  logic                    last_chunk;
  logic                    all_packed;
  logic                    last_exponent;
  logic                    unpack_n;
  logic                    long_q;     // a length has more bits than its register

  assign words      = IndexWidth'(words_q);
  assign take       = valid_i & ready_o;
  assign last_index = index_q == words - IndexWidth'(1);
  assign unpack_n   = state_q == StUnpack && number_q == NumberN;

  always_ff @(posedge clk_i) begin : p_lengths
    if (state_q == StHeader && take) begin
      case (header_q)
        HeaderWords: begin
          words_q <= AddressWidth'(word_i);
          long_q  <= word_i >> AddressWidth != '0;
        end
        HeaderPasses: begin
          passes_q <= PassesWidth'(word_i);
          long_q   <= long_q || word_i >> PassesWidth != '0;
        end
        default: begin
          exponent_words_q <= IndexWidth'(word_i);
          long_q           <= long_q || word_i >> IndexWidth != '0;
        end
      endcase
    end
  end

  // The longest modulus of `words` words has w·words - MoreBits bits, the shortest one w - 1 bits less, or 2 bits. A
  // modulus of K bits needs passes so that PassBits·passes >= K + SpareBits, and no more.
  logic [31:0] bits;          // of `words` words, and the spare ones
  logic [31:0] pass_bits;
  logic        refused_words;
  logic        refused_passes;
  logic        refused_exponent;

  assign bits             = 32'(words_q) * WordWidth + SpareBits;
  assign pass_bits        = 32'(passes_q) * PassBits;
  assign refused_words    = words_q < AddressWidth'(LeastWords) ||
                            bits > Words * WordWidth + SpareBits;
  assign refused_passes   = pass_bits < SpareBits + 2 ||
                            (words_q > AddressWidth'(LeastWords) &&
                             pass_bits + MoreBits + WordWidth <= bits) ||
                            pass_bits + MoreBits >= bits + PassBits;
  assign refused_exponent = exponent_words_q == '0 ||
                            exponent_words_q > IndexWidth'(ExponentWords);

  // ---- M^, as n comes in ----------------------------------------------------------------------------

  logic [WordWidth-1:0]           chunk;
  logic [RadixLog2-1:0]           lowest;
  logic [RadixLog2-1:0]           factor;        // M~ = factor·n
  logic [RadixLog2-1:0]           factor_q;
  logic [RadixLog2-1:0]           carry;
  logic [RadixLog2-1:0]           carry_q;
  logic [WordWidth+RadixLog2-1:0] m_tilde;       // a word of M~ + 1, and its carry
  logic [WordWidth-1:0]           m_tilde_q;     // the word before
  logic [WordWidth-1:0]           m_hat;

  // n³ = n^-1 modulo 16, because the fourth power of every odd residue is 1. The factor has RadixLog2 bits, so its
  // product with a word of n is a sum of RadixLog2 numbers.
  assign chunk   = shift_q[WordWidth-1:0];
  assign lowest  = chunk[RadixLog2-1:0];
  assign factor  = (index_q == '0) ? -(lowest * lowest * lowest) : factor_q;
  assign carry   = (index_q == '0) ? RadixLog2'(1) : carry_q;
  assign m_tilde = (WordWidth + RadixLog2)'(chunk) * (WordWidth + RadixLog2)'(factor) +
                   (WordWidth + RadixLog2)'(carry);
  assign m_hat   = WordWidth'({m_tilde[RadixLog2-1:0] & {RadixLog2{unpack_n}}, m_tilde_q} >>
                              RadixLog2);

  always_ff @(posedge clk_i) begin : p_m_hat
    if (unpack_n) begin
      factor_q  <= factor;
      carry_q   <= m_tilde[WordWidth+:RadixLog2];
      m_tilde_q <= m_tilde[WordWidth-1:0];
    end
  end

  // ---- the exponent ---------------------------------------------------------------------------------

  logic [PortWidth-1:0]     fetched;
  logic [PortWidth-1:0]     scanned_q;    // the current bit is the top bit
  logic [ExponentWidth-1:0] scanned_word_q;
  logic [BitWidth-1:0]      bit_q;        // bits of the word that have been scanned
  logic                     nonzero_q;
  logic                     take_exponent;
  logic                     scanned;      // the highest 1 is found
  logic                     exponent_bit;
  logic                     last_bit;
  logic                     next_bit;

  assign take_exponent = state_q == StExponent && take;
  assign scanned       = ConstantTime || exponent_bit || !nonzero_q;
  assign exponent_bit  = scanned_q[PortWidth-1];
  assign last_bit      = bit_q == '1 && scanned_word_q == '0;

  monpro_cell_ram #(.Width(PortWidth), .Depth(ExponentWords)) u_exponent (
    .clk_i          (clk_i),
    .write_i        (take_exponent),
    .write_address_i(index_q[ExponentWidth-1:0]),
    .word_i         (word_i),
    .read_address_i (scanned_word_q - ExponentWidth'(1)),
    .word_o         (fetched)
  );

  always_ff @(posedge clk_i) begin : p_exponent
    if (state_q == StHeader) begin
      nonzero_q <= 1'b0;
      bit_q     <= '0;
    end else if (take_exponent && (ConstantTime || word_i != '0)) begin
      nonzero_q      <= 1'b1;
      scanned_q      <= word_i;
      scanned_word_q <= index_q[ExponentWidth-1:0];
    end else if ((state_q == StScan && !scanned) || next_bit) begin
      bit_q     <= bit_q + BitWidth'(1);
      scanned_q <= scanned_q << 1;
      if (bit_q == '1) begin
        scanned_q      <= fetched;
        scanned_word_q <= scanned_word_q - ExponentWidth'(1);
      end
    end
  end

  // ---- products: x and bank 0 of y have the power so far, bank 1 the base -----------------------------

  kind_e                   kind_q;       // of the product whose words come out next
  kind_e                   next_kind;
  logic                    bank_q;       // the bank that the product reads
  logic                    next_bank_q;
  logic                    start_q;      // a product waits for the array
  logic                    leaving_q;    // words of a product are coming out
  logic                    array_ready;
  logic                    array_valid;
  logic                    array_last;
  logic [WordWidth-1:0]    array_word;
  logic                    first_leaving;
  logic                    product_ends;
  logic                    keep;
  logic [WordWidth-1:0]    one;
  logic                    load;
  logic                    write_x;
  logic                    write_y;
  logic                    write_bank;
  logic                    write_m;
  logic [WordWidth-1:0]    x_word;
  logic [WordWidth-1:0]    y_word;
  logic [AddressWidth-1:0] write_address;

  always_comb begin : p_next_kind
    next_kind = Square;
    if (last_bit || kind_q == One) next_kind = Leave;
    case (kind_q)
      Enter:   if (ConstantTime || !nonzero_q) next_kind = One;
      One:     if (ConstantTime) next_kind = Multiply;
      Square:  if (ConstantTime || exponent_bit) next_kind = Multiply;
      default: ;
    endcase
  end

  assign first_leaving = array_valid & ~leaving_q;
  assign product_ends  = array_valid & array_last;
  assign next_bit      = product_ends && next_kind == Square;

  // The next product starts after the first word of this product is out, and before its last word is out.
  always_ff @(posedge clk_i or negedge rst_ni) begin : p_start
    if (!rst_ni) begin
      start_q   <= 1'b0;
      leaving_q <= 1'b0;
    end else begin
      leaving_q <= array_valid & ~array_last;
      if (state_q == StScan) begin
        start_q <= scanned;
      end else if (first_leaving && kind_q != Leave) begin
        start_q <= 1'b1;
      end else if (array_ready) begin
        start_q <= 1'b0;
      end
    end
  end

  // bank_q changes at the start only, because the product before may read its bank until then.
  always_ff @(posedge clk_i) begin : p_kind
    if (state_q == StScan) begin
      kind_q      <= Enter;
      next_bank_q <= 1'b0;
    end else begin
      if (product_ends) kind_q <= next_kind;
      if (first_leaving) begin
        next_bank_q <= next_kind == Multiply || (next_kind == Square && kind_q == Enter);
      end
    end
    if (start_q && array_ready) bank_q <= next_bank_q;
  end

  // The output is the next x and, for a square, the next y. base·r2 stays in bank 1 as the base.
  assign load          = state_q == StUnpack;
  assign keep          = !(ConstantTime && kind_q == Multiply && !exponent_bit);
  assign one           = WordWidth'(index_q == '0);
  assign write_x       = load ? number_q == NumberBase : array_valid & keep;
  assign write_y       = load ? number_q == NumberR2 : array_valid & (keep || next_kind == Leave);
  assign x_word        = load ? chunk : (next_kind == One) ? one : array_word;
  assign y_word        = load ? chunk : (next_kind == Leave) ? one : array_word;
  assign write_bank    = !load && kind_q == Enter && next_kind != Leave;
  assign write_m       = (unpack_n && index_q != '0) || state_q == StFlush;
  assign write_address = AddressWidth'(write_m ? index_q - IndexWidth'(1) : index_q);

  monpro_array_scalable #(
    .RadixLog2(RadixLog2),
    .WordWidth(WordWidth),
    .NumPe    (NumPe),
    .MaxWords (Words),
    .NumBanks (2),
    .LeftShift(LeftShift),
    .Booth    (Booth)
  ) u_array (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .write_address_i(write_address),
    .write_x_i      (write_x),
    .x_word_i       (x_word),
    .write_y_i      (write_y),
    .write_bank_i   (write_bank),
    .y_word_i       (y_word),
    .write_m_i      (write_m),
    .m_word_i       (m_hat),
    .start_i        (start_q),
    .ready_o        (array_ready),
    .words_i        (words_q),
    .passes_i       (passes_q),
    .read_bank_i    (bank_q),
    .valid_o        (array_valid),
    .last_o         (array_last),
    .word_o         (array_word)
  );

  // ---- the result, in one of two banks, less 2^step·n in the other one -------------------------------

  logic [WordWidth-1:0]    n_word;
  logic [WordWidth-1:0]    n_before_q;
  logic [WordWidth-1:0]    multiple;     // of n
  logic [WordWidth-1:0]    result;
  logic [WordWidth:0]      difference;   // with its borrow
  logic                    borrow_q;
  logic [StepWidth-1:0]    step_q;
  logic                    result_bank_q;
  logic                    read_q;       // words have been read
  logic [RamWidth-1:0]     read_index_q;
  logic                    reduce;       // the words that were read are reduced
  logic                    reduce_ends;
  logic                    write_result;
  logic                    written_bank;
  logic [RamWidth-1:0]     written_index;

  assign reduce        = state_q == StReduce && read_q;
  assign reduce_ends   = state_q == StReduce && index_q == words;
  assign multiple      = WordWidth'(({n_word, n_before_q} << step_q) >> WordWidth);
  assign difference    = {1'b0, result} - {1'b0, multiple} - (WordWidth + 1)'(borrow_q);
  assign write_result  = reduce || (array_valid && kind_q == Leave);
  assign written_bank  = reduce && !result_bank_q;
  assign written_index = reduce ? read_index_q : index_q[RamWidth-1:0];

  monpro_cell_ram #(.Width(WordWidth), .Depth(Words)) u_n (
    .clk_i          (clk_i),
    .write_i        (unpack_n),
    .write_address_i(index_q[RamWidth-1:0]),
    .word_i         (chunk),
    .read_address_i (index_q[RamWidth-1:0]),
    .word_o         (n_word)
  );

  monpro_cell_ram #(.Width(WordWidth), .Depth(2 * Words)) u_result (
    .clk_i          (clk_i),
    .write_i        (write_result),
    .write_address_i(ResultWidth'(written_index) + (written_bank ? ResultWidth'(Words) : '0)),
    .word_i         (reduce ? difference[WordWidth-1:0] : array_word),
    .read_address_i (ResultWidth'(index_q[RamWidth-1:0]) +
                     (result_bank_q ? ResultWidth'(Words) : '0)),
    .word_o         (result)
  );

  always_ff @(posedge clk_i) begin : p_reduce
    read_q       <= (state_q == StReduce || (state_q == StPack && !all_packed)) && index_q < words;
    read_index_q <= index_q[RamWidth-1:0];
    n_before_q   <= reduce ? n_word : '0;
    borrow_q     <= reduce & difference[WordWidth];
    if (state_q == StRun) begin
      result_bank_q <= 1'b0;
      step_q        <= StepWidth'(RadixLog2 - 1);
    end else if (reduce_ends) begin
      result_bank_q <= result_bank_q ^ ~difference[WordWidth];
      step_q        <= step_q - StepWidth'(1);
    end
  end

  // ---- control --------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q  <= StHeader;
      header_q <= HeaderWords;
      number_q <= NumberN;
    end else begin
      case (state_q)
        StHeader: begin
          if (take) begin
            header_q <= (header_q == HeaderExponent) ? HeaderWords : header_q + 2'd1;
            if (header_q == HeaderExponent) state_q <= StCheck;
          end
        end
        StCheck: begin
          if (long_q || refused_words || refused_passes || refused_exponent) state_q <= StError;
          else state_q <= StWord;
        end
        StError: ;
        StWord: if (take) state_q <= StUnpack;
        StUnpack: begin
          if (last_index) begin
            number_q <= (number_q == NumberBase) ? NumberN : number_q + 2'd1;
            case (number_q)
              NumberN:  state_q <= StFlush;
              NumberR2: state_q <= StWord;
              default:  state_q <= StExponent;
            endcase
          end else if (last_chunk) begin
            state_q <= StWord;
          end
        end
        StFlush:    state_q <= StWord;
        StExponent: if (take && last_exponent) state_q <= StScan;
        StScan:     if (scanned) state_q <= StRun;
        StRun:      if (product_ends && kind_q == Leave) state_q <= StReduce;
        StReduce:   if (reduce_ends && step_q == '0) state_q <= StPack;
        StPack:     if (all_packed) state_q <= StGive;
        default:    if (ready_i) state_q <= last_o ? StHeader : StPack;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_indices
    case (state_q)
      StWord:     index_q <= index_q;
      StUnpack:   index_q <= (last_index && number_q != NumberN) ? '0 : index_q + IndexWidth'(1);
      StExponent: index_q <= (take && last_exponent) ? '0 : index_q + IndexWidth'(take);
      StRun:      index_q <= product_ends ? '0 : index_q + IndexWidth'(array_valid);
      StReduce:   index_q <= reduce_ends ? '0 : index_q + IndexWidth'(1);
      StPack:     index_q <= index_q + IndexWidth'(!all_packed);
      StGive:     index_q <= index_q;
      default:    index_q <= '0;
    endcase
    chunk_q <= (state_q == StUnpack || state_q == StPack) ? chunk_q + ChunkWidth'(1) : '0;
    if (state_q == StWord) begin
      shift_q <= word_i;
    end else if (state_q == StUnpack) begin
      shift_q <= shift_q >> WordWidth;
    end else if (state_q == StPack && chunk_q != '0) begin
      shift_q <= PortWidth'({(read_q ? result : '0), shift_q} >> WordWidth);
    end
  end

  assign last_chunk    = chunk_q == ChunkWidth'(Chunks - 1);
  assign all_packed    = chunk_q == ChunkWidth'(Chunks);
  assign last_exponent = index_q == exponent_words_q - IndexWidth'(1);

  assign ready_o = state_q == StHeader || state_q == StWord || state_q == StExponent;
  assign busy_o  = state_q == StScan || state_q == StRun || state_q == StReduce ||
                   state_q == StPack || state_q == StGive;
  assign error_o = state_q == StError;
  assign valid_o = state_q == StGive;
  assign word_o  = shift_q;
  assign last_o  = valid_o && index_q >= words;

`ifndef SYNTHESIS
  initial begin
    if (Width < 8 || Width > 4096) begin
      $fatal(1, "monpro_exp_scalable: Width = %0d: 8 to 4096", Width);
    end
    if (WordWidth < 2 || PortWidth % WordWidth != 0) begin
      $fatal(1, "monpro_exp_scalable: WordWidth = %0d: 2, 4, 8, 16 or 32", WordWidth);
    end
  end
`endif
endmodule

// Modular exponentiation on a systolic array: squares and products in parallel, in radix 2^k, k = RadixLog2
// [blum01, Algorithm 3.1, Fig. 3].
//
//   result = base^exponent  mod n, but not reduced: result <= M~, which may be as large as (2^k - 1)·n
//
//   n         odd, 3 <= n < 2^Width, m = ceil(Width/k) digits
//   M~        = (-n^-1 mod 2^k)·n,  n itself in radix 2
//   r2        = R² mod n,  R = 2^(k(m+2))
//   base      < 2·M~
//   exponent  < 2^(WordWidth·Words), with ConstantTime < 2^Width
//
// The ports carry numbers word by word, the lowest word first, Words = ceil(k(m+2)/WordWidth) words for each number:
//   in   M~, then r2, then base, then exponent
//   out  the result, from valid_o on; last_o comes with its last word
// busy_o is high from the clock after the exponent's last word is taken until the result's last word is taken.
//
// Latency, from the edge that takes the last word of the exponent to the edge after which valid_o is first high:
//   (Steps + 2)·Pitch + 3 + 2·WordWidth/k - max(2^k - 2, 2),   Pitch = 2(m + 3) + max(2^k - 2, 2)
// This is 2(Steps + 2)(m + 10) + 5 in radix 16 with words of 32 bits. Steps = bits of the exponent without leading
// zeros, or Width with ConstantTime. The latency depends on nothing else of the numbers: a bit that is 0 takes a
// product too, which is not used. The array is busy for (Steps + 2)·Pitch clocks; it could start again while the
// result's digits leave.
//
// The memory of operands holds the digits of P and Z alternately, in the order of the array.
//
//   state      | array                               | memory of operands
//   StClear    | b := 0                              | -
//   StZero     | B-RAM[0], M~-RAM[0] := 0            | -
//   StPad      | loads the lowest digit 0 of B·2^k   | -
//   StWord     | -                                   | -           waits for a word
//   StDigits   | loads M~ or B = r2, digit by digit  | Z, P := base, 1
//   StMultiple | M~-RAM[t] or B-RAM[t], t = 1, …     | -
//   StEnter    | Z·r2 and P·r2                       | Z, P := the products
//   StBit      | Z·Z and P·Z, then B := Z            | Z, P := the products, P where the bit is 1
//   StLeave    | P·1                                 | P := the product
//   StRead     | -                                   | P
module monpro_exp_systolic #(
  parameter int Width        = 1024,
  parameter int WordWidth    = 32,
  parameter int RadixLog2    = 4,
  parameter int UnitWidth    = 1,  // bits of a unit in radix 2
  parameter bit ConstantTime = 1'b0
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
  localparam int Digits     = (Width + RadixLog2 - 1) / RadixLog2;
  localparam int Words      = (RadixLog2 * (Digits + 2) + WordWidth - 1) / WordWidth;
  localparam int WordDigits = WordWidth / RadixLog2;
  localparam int Multiples  = 2 ** RadixLog2 - 1;
  localparam int Entries    = 2 * (Digits + 2);  // of the memory of operands
  localparam int Pitch      = Entries + ((Multiples > 3) ? Multiples + 1 : 4);

  localparam int PositionWidth  = $clog2(Pitch + 1);
  localparam int EntryWidth     = $clog2(2 * Words * WordDigits + 2);
  localparam int AddressWidth   = $clog2(Entries);
  localparam int DigitWidth     = $clog2(WordDigits + 1);
  localparam int WordCountWidth = $clog2(Words + 1);
  localparam int WordEntryWidth = (Words > 1) ? $clog2(Words) : 1;
  localparam int BitWidth       = $clog2(WordWidth);
  localparam int StepWidth      = $clog2(Width + 1);

  localparam logic [1:0] SourceHold  = 2'd0;
  localparam logic [1:0] SourceSum   = 2'd1;
  localparam logic [1:0] SourceClear = 2'd2;
  localparam logic [1:0] SourceLoad  = 2'd3;

  localparam logic [1:0] NumberM        = 2'd0;
  localparam logic [1:0] NumberR2       = 2'd1;
  localparam logic [1:0] NumberBase     = 2'd2;
  localparam logic [1:0] NumberExponent = 2'd3;

  typedef enum logic [3:0] {
    StClear,
    StZero,
    StPad,
    StWord,
    StDigits,
    StMultiple,
    StEnter,
    StBit,
    StLeave,
    StRead
  } state_e;

  state_e                    state_q;
  state_e                    next_state;  // after this pair of products
  logic [1:0]                number_q;    // which number comes in
  logic [WordCountWidth-1:0] word_q;
  logic [DigitWidth-1:0]     digit_q;     // of the word
  logic                      phase_q;
  logic [WordWidth-1:0]      shift_q;     // the word that comes in or goes out
  logic [RadixLog2-1:0]      multiple_q;
  logic [PositionWidth-1:0]  position_q;  // clock of the product, one ahead of unit 0

  logic running;
  logic take;
  logic last_word;
  logic last_digit;
  logic last_multiple;
  logic pitch_end;

  assign running       = state_q == StEnter || state_q == StBit || state_q == StLeave;
  assign take          = state_q == StWord && valid_i;
  assign last_word     = word_q == WordCountWidth'(Words - 1);
  assign last_digit    = digit_q == DigitWidth'(WordDigits - 1);
  assign last_multiple = multiple_q == RadixLog2'(Multiples);
  assign pitch_end     = position_q == PositionWidth'(Pitch - 1);

  // ---- the exponent: its words, the scanned word, the number of significant words -------------------

  logic [WordWidth-1:0]      exponent_ram [Words];
  logic [WordCountWidth-1:0] fetch_q;        // the word after the scanned word
  logic [WordCountWidth-1:0] significant_q;  // number of words without zero words at the top
  logic [WordWidth-1:0]      fetched_q;
  logic [WordWidth-1:0]      scanned_q;
  logic [BitWidth-1:0]       bit_q;
  logic [StepWidth-1:0]      step_q;
  logic                      last_bit_q;
  logic                      exponent_zero;
  logic                      last_step;
  logic                      word_done;

  assign exponent_zero = ConstantTime ? 1'b0 : significant_q == '0;
  assign last_step     = ConstantTime ? step_q == StepWidth'(Width) : last_bit_q;
  assign word_done     = bit_q == BitWidth'(WordWidth - 1);

  always_ff @(posedge clk_i) begin : p_exponent_ram
    if (take && number_q == NumberExponent) exponent_ram[WordEntryWidth'(word_q)] <= word_i;
    fetched_q <= exponent_ram[WordEntryWidth'(fetch_q)];
  end

  always_ff @(posedge clk_i) begin : p_exponent
    if (take && number_q == NumberExponent) begin
      if (word_q == '0) significant_q <= '0;
      if (word_i != '0) significant_q <= word_q + WordCountWidth'(1);
    end
    last_bit_q <= fetch_q == significant_q && scanned_q[WordWidth-1:1] == '0;
    if (!running) begin
      fetch_q <= '0;
      step_q  <= '0;
    end else if (pitch_end) begin
      step_q <= step_q + StepWidth'(1);
      if (state_q == StEnter || word_done) begin
        scanned_q <= fetched_q;
        bit_q     <= '0;
        fetch_q   <= fetch_q + WordCountWidth'(1);
      end else begin
        scanned_q <= scanned_q >> 1;
        bit_q     <= bit_q + BitWidth'(1);
      end
    end
  end

  // ---- the memory of operands: digit d of Z in entry 2d, of P in entry 2d + 1 -------------------------

  logic [RadixLog2-1:0]    operand_ram [Entries];
  logic [RadixLog2-1:0]    operand_q;
  logic [EntryWidth-1:0]   entry_q;     // the entry that is written
  logic                    results_q;   // results of the array are written
  logic                    keep_q;      // the results of the product are written too
  logic                    base_comes;
  logic                    write;
  logic [RadixLog2-1:0]    written;
  logic [AddressWidth-1:0] read_entry;
  logic [AddressWidth-1:0] read_q;      // while the result goes out
  logic [RadixLog2-1:0]    z;

  assign base_comes = state_q == StDigits && number_q == NumberBase;
  assign write      = (results_q && (!entry_q[0] || keep_q)) ||
                      (base_comes && entry_q < EntryWidth'(Entries));
  assign written    = results_q ? z : entry_q[0] ? RadixLog2'(entry_q == EntryWidth'(1)) :
                      shift_q[RadixLog2-1:0];
  assign read_entry = running ? AddressWidth'(position_q) : read_q;

  always_ff @(posedge clk_i) begin : p_operand_ram
    if (write) operand_ram[AddressWidth'(entry_q)] <= written;
    operand_q <= operand_ram[read_entry];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_results
    if (!rst_ni) begin
      results_q <= 1'b0;
    end else if (running && position_q == PositionWidth'(Entries + 2)) begin
      results_q <= 1'b1;
    end else if (entry_q == EntryWidth'(Entries - 1)) begin
      results_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : p_entry
    if (running && position_q == PositionWidth'(Entries + 2)) begin
      entry_q <= '0;
      keep_q  <= state_q != StBit || scanned_q[0];
    end else if (results_q || base_comes) begin
      entry_q <= entry_q + EntryWidth'(1);
    end else if (state_q == StMultiple) begin
      entry_q <= '0;
    end
  end

  // ---- the array and its commands, one clock behind the state ---------------------------------------

  logic                 first_q;
  logic                 last_q;
  logic [1:0]           source_q;
  logic                 write_b_q;
  logic                 write_m_q;
  logic                 from_ram_q;
  logic [RadixLog2-1:0] immediate_q;

  always_ff @(posedge clk_i) begin : p_commands
    first_q     <= running && position_q < PositionWidth'(2);
    last_q      <= running && position_q >= PositionWidth'(Entries) &&
                   position_q < PositionWidth'(Entries + 2);
    from_ram_q  <= running && position_q < PositionWidth'(Entries);
    write_b_q   <= 1'b0;
    write_m_q   <= 1'b0;
    source_q    <= SourceHold;
    immediate_q <= '0;
    case (state_q)
      StClear: source_q <= SourceClear;
      StZero: begin
        write_b_q <= 1'b1;
        write_m_q <= 1'b1;
      end
      StPad: source_q <= SourceLoad;
      StDigits: begin
        if (number_q != NumberBase) source_q <= SourceLoad;
        immediate_q <= shift_q[RadixLog2-1:0];
      end
      StMultiple: begin
        write_b_q   <= number_q == NumberR2;
        write_m_q   <= number_q == NumberM;
        immediate_q <= multiple_q;
      end
      StEnter, StBit: begin
        if (position_q == PositionWidth'(Entries)) begin
          // B := Z, or 1 before the last product
          source_q    <= (next_state == StLeave) ? SourceClear : SourceSum;
          immediate_q <= RadixLog2'(next_state == StLeave);
        end
        if (RadixLog2 > 1 && position_q > PositionWidth'(Entries) &&
            position_q <= PositionWidth'(Entries + Multiples)) begin
          write_b_q   <= 1'b1;
          immediate_q <= RadixLog2'(position_q - PositionWidth'(Entries));
        end
      end
      default: ;
    endcase
  end

  if (UnitWidth == 1) begin : gen_digits
    monpro_mul_systolic #(
      .Digits   (Digits),
      .RadixLog2(RadixLog2)
    ) u_array (
      .clk_i    (clk_i),
      .first_i  (first_q),
      .last_i   (last_q),
      .source_i (source_q),
      .write_b_i(write_b_q),
      .write_m_i(write_m_q),
      .a_i      (from_ram_q ? operand_q : immediate_q),
      .z_o      (z)
    );
  end else begin : gen_bits
    monpro_mul_systolic_radix2 #(
      .Digits   (Digits),
      .UnitWidth(UnitWidth)
    ) u_array (
      .clk_i    (clk_i),
      .first_i  (first_q),
      .last_i   (last_q),
      .source_i (source_q),
      .write_b_i(write_b_q),
      .write_m_i(write_m_q),
      .a_i      (from_ram_q ? operand_q[0] : immediate_q[0]),
      .z_o      (z[0])
    );
  end

  // ---- control --------------------------------------------------------------------------------------

  always_comb begin : p_next_state
    next_state = StBit;
    if ((state_q == StEnter) ? exponent_zero : last_step) next_state = StLeave;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q  <= StClear;
      number_q <= NumberM;
      word_q   <= '0;
    end else begin
      case (state_q)
        StClear: state_q <= StZero;
        StZero:  state_q <= (number_q == NumberM) ? StWord : StPad;
        StPad:   state_q <= StWord;
        StWord: begin
          if (valid_i) begin
            if (number_q != NumberExponent) begin
              state_q <= StDigits;
            end else begin
              word_q <= word_q + WordCountWidth'(1);
              if (last_word) begin
                word_q   <= '0;
                number_q <= NumberM;
                state_q  <= StEnter;
              end
            end
          end
        end
        StDigits: begin
          if (last_digit && (phase_q || number_q != NumberBase)) begin
            state_q <= StWord;
            word_q  <= word_q + WordCountWidth'(1);
            if (last_word) begin
              word_q <= '0;
              if (number_q == NumberBase) begin
                number_q <= NumberExponent;
              end else begin
                state_q <= StMultiple;
              end
            end
          end
        end
        StMultiple: begin
          if (last_multiple) begin
            number_q <= number_q + 2'd1;
            state_q  <= (number_q == NumberM) ? StClear : StWord;
          end
        end
        StEnter, StBit: if (pitch_end) state_q <= next_state;
        StLeave: if (position_q == PositionWidth'(Entries + 4)) state_q <= StRead;
        default: begin
          if (valid_o && ready_i) begin
            word_q <= word_q + WordCountWidth'(1);
            if (last_word) begin
              word_q  <= '0;
              state_q <= StClear;
            end
          end
        end
      endcase
    end
  end

  assign ready_o = state_q == StWord;
  assign busy_o  = running || state_q == StRead;
  assign error_o = 1'b0;  // no length comes in that could be wrong
  assign valid_o = state_q == StRead && digit_q == DigitWidth'(WordDigits);
  assign word_o  = shift_q;
  assign last_o  = valid_o && last_word;

  // One digit passes every two clocks while the base comes in and the result goes out.
  always_ff @(posedge clk_i) begin : p_words
    if (state_q == StWord) begin
      shift_q <= word_i;
    end else if (state_q == StRead) begin
      if (phase_q) shift_q <= WordWidth'({operand_q, shift_q} >> RadixLog2);
    end else if (phase_q || number_q != NumberBase) begin
      shift_q <= shift_q >> RadixLog2;
    end
    if (state_q == StWord || running || (valid_o && ready_i)) begin
      digit_q <= '0;
      phase_q <= 1'b0;
    end else if (state_q == StDigits && number_q != NumberBase) begin
      digit_q <= digit_q + DigitWidth'(1);
    end else if (!valid_o) begin
      phase_q <= !phase_q;
      if (phase_q) digit_q <= digit_q + DigitWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin : p_positions
    if (running && (!pitch_end || state_q == StLeave)) begin
      position_q <= position_q + PositionWidth'(1);
    end else begin
      position_q <= '0;
    end
    multiple_q <= (state_q == StMultiple) ? multiple_q + RadixLog2'(1) : RadixLog2'(1);
    if (running) begin
      read_q <= AddressWidth'(1);
    end else if (state_q == StRead && phase_q && read_q != AddressWidth'(Entries - 1)) begin
      read_q <= read_q + AddressWidth'(2);
    end
  end

`ifndef SYNTHESIS
  initial begin
    if (Width < 8 || Width > 4096) begin
      $fatal(1, "monpro_exp_systolic: Width = %0d: 8 to 4096", Width);
    end
    if (RadixLog2 != 1 && RadixLog2 != 2 && RadixLog2 != 4) begin
      $fatal(1, "monpro_exp_systolic: RadixLog2 = %0d: 1, 2 or 4", RadixLog2);
    end
    if (UnitWidth < 1 || (UnitWidth > 1 && RadixLog2 != 1)) begin
      $fatal(1, "monpro_exp_systolic: UnitWidth = %0d: 1, or more in radix 2", UnitWidth);
    end
    if (WordWidth < 4 || WordWidth % RadixLog2 != 0) begin
      $fatal(1, "monpro_exp_systolic: WordWidth = %0d: at least 4, a multiple of RadixLog2",
             WordWidth);
    end
  end
`endif
endmodule

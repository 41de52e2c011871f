// A Montgomery product on the multipliers of an FPGA, in radix 2^w with quotient digits that are used d steps late [orup95].
//
//   z = x·y·R^-1  mod n,   R = 2^(w·words),   w = WordWidth
//
//   n      odd, 3 <= n < 2^Width
//   M~     = (-n^-1 mod 2^e)·n,  e = w(d + 1): the multiple of n below 2^e·n that is -1 modulo 2^e
//   N^     = (M~ + 1)/2^e <= n
//   d      4, 2, 1, 0 for Fold = 1, 2, 4, 8
//   words  the least multiple of Fold with w·words >= Width + e + 2
//
// Each multiplication of words by a digit has a multiplier of its own, or Fold of them share it: there are 2·words/Fold
// multipliers, of w x w and w x (w + 1) bits, and a step takes Fold clocks.
//
// The numbers come and go in words of w bits, the lowest first; each has `words` of them. The input is a command, and then
// what its bits ask for, in this order:
//   bit 0  N^, of a new modulus
//   bit 1  y                     otherwise y is the last result
//   bit 2  x                     otherwise x is the last result
// x, y < 2M~. The output is z < 2M~, which may be an operand, with last_o at its last word. The host reduces the last one.
// busy_o is high from the clock after the last word of the input until the last word of the output is taken.
//
// Bounds. The result is (x·y + Q·M~)/R with Q < R, below x·y/R + M~ < 4M~²/R + M~ < 2M~, since 4M~ < 2^(Width+e+2) <= R.
// The digits of x beyond its words are 0. No word of S overflows: see monpro_pe_dsp.
//
// Time does not depend on the numbers. The result goes to the words of B at once, and to the memory of x while it leaves: a
// square of it needs a command and no numbers. A product of zeros with N^ = 0 leaves no number in the core.
//
// Latency, from the edge that takes the last word of the input to the edge after which valid_o is first high:
//   Fold·(words + d + 1) + 12 - d
// The slowest path is expected to be a multiplier or the sum of a word of S.
//
//   state     | what happens                                                        | clocks
//   StCommand | waits for a command                                                 |
//   StModulus | N^ to its words                                                     | words
//   StY       | y to the words of B                                                 | words
//   StX       | x to its memory                                                     | words
//   StLoop    | a digit of x in each step                                           | Fold·(words + d + 1)
//   StTail    | the pipeline empties                                                | 6 - d
//   StRead    | the words of the result to the memory of x, and from there          | words + 6 or more
//             | to the port                                                         |
module monpro_mul_dsp #(
  parameter int Width     = 1024,
  parameter int WordWidth = 17,
  parameter int Fold      = 1
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
  localparam int Delay        = (Fold == 1) ? 4 : (Fold == 2) ? 2 : (Fold == 4) ? 1 : 0;
  localparam int LeastWords   = (Width + WordWidth * (Delay + 2) + 1) / WordWidth;
  localparam int NumPe        = (LeastWords + Fold - 1) / Fold;
  localparam int Words        = Fold * NumPe;
  localparam int Steps        = Words + Delay + 1;
  localparam int Tail         = 6 - Delay;
  localparam int IndexWidth   = $clog2(Steps + 1);
  localparam int AddressWidth = $clog2(Words);
  localparam int PhaseWidth   = (Fold > 2) ? $clog2(Fold) : 1;
  localparam int TailWidth    = $clog2(Tail + 1);

  localparam int BitModulus = 0;
  localparam int BitY       = 1;
  localparam int BitX       = 2;

  typedef enum logic [2:0] {
    StCommand,
    StModulus,
    StY,
    StX,
    StLoop,
    StTail,
    StRead
  } state_e;

  state_e                state_q;
  logic                  y_q;             // words of y come
  logic                  x_q;
  logic [IndexWidth-1:0] index_q;         // of a word, or of a step
  logic [PhaseWidth-1:0] phase_q;
  logic [TailWidth-1:0]  tail_q;
  logic                  take;
  logic                  last_index;
  logic                  last_phase;
  logic                  last_step;
  logic                  tail_ends;
  logic                  running;
  logic                  beyond_q;        // the digits of x are over
  logic                  reading;
  logic                  read_q;          // a word of the result leaves the array
  logic                  word_takes;      // a word of a number is taken
  logic                  index_moves;
  logic                  index_ends;
  logic                  given;           // the last word of the result is taken

  assign take       = valid_i & ready_o;
  assign running    = state_q == StLoop;
  assign reading    = state_q == StRead;
  assign last_index = index_q == IndexWidth'(Words - 1);
  assign last_phase = Fold == 1 || phase_q == PhaseWidth'(Fold - 1);
  assign last_step  = index_q == IndexWidth'(Steps - 1);
  assign tail_ends  = tail_q == TailWidth'(Tail - 1);

  // ---- words that come ------------------------------------------------------------------------------

  logic                    write_n_q;
  logic                    write_b_q;
  logic                    write_x_q;
  logic [WordWidth-1:0]    word_q;
  logic                    array_valid;
  logic [WordWidth-1:0]    array_word;
  logic [AddressWidth-1:0] write_address_q;
  logic                    write_x;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_write
    if (!rst_ni) begin
      write_n_q <= 1'b0;
      write_b_q <= 1'b0;
      write_x_q <= 1'b0;
    end else begin
      write_n_q <= take && state_q == StModulus;
      write_b_q <= take && state_q == StY;
      write_x_q <= take && state_q == StX;
    end
  end

  assign write_x = write_x_q | array_valid;

  always_ff @(posedge clk_i) begin : p_word
    word_q <= word_i;
    if (state_q == StCommand && take) begin
      y_q             <= word_i[BitY];
      x_q             <= word_i[BitX];
      write_address_q <= '0;
    end else if (running) begin
      write_address_q <= '0;
    end else if (write_x) begin
      write_address_q <= write_address_q + AddressWidth'(1);
    end
  end

  // ---- x, or the result -----------------------------------------------------------------------------

  logic [AddressWidth-1:0] read_address;
  logic [WordWidth-1:0]    x_word;
  logic [WordWidth-1:0]    digit;

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Words)) u_x (
    .clk_i          (clk_i),
    .write_i        (write_x),
    .write_address_i(write_address_q),
    .word_i         (array_valid ? array_word : word_q),
    .read_address_i (read_address),
    .word_o         (x_word)
  );

  assign digit = beyond_q ? '0 : x_word;

  monpro_array_dsp #(.WordWidth(WordWidth), .Fold(Fold), .NumPe(NumPe)) u_array (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .run_i      (running),
    .phase_i    (phase_q),
    .last_step_i(last_step),
    .digit_i    (digit),
    .write_n_i  (write_n_q),
    .write_b_i  (write_b_q),
    .word_i     (word_q),
    .read_i     (read_q),
    .valid_o    (array_valid),
    .word_o     (array_word)
  );

  // ---- the port of the result, which reads the memory of x behind the words that come ---------------

  logic                  out;           // a word leaves the memory
  logic [IndexWidth-1:0] written_q;
  logic [IndexWidth-1:0] out_index_q;

  assign read_address = reading ? AddressWidth'(out_index_q) : AddressWidth'(index_q);
  assign out          = reading && out_index_q != written_q && (!valid_o || ready_i);
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
    if (out) begin
      word_o <= x_word;
      last_o <= out_index_q == IndexWidth'(Words - 1);
    end
    if (!reading) begin
      written_q   <= '0;
      out_index_q <= '0;
    end else begin
      if (array_valid) written_q <= written_q + IndexWidth'(1);
      if (out) out_index_q <= out_index_q + IndexWidth'(1);
    end
  end

  // ---- control --------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StCommand;
    end else begin
      case (state_q)
        StCommand: begin
          if (take) begin
            if (word_i[BitModulus]) state_q <= StModulus;
            else if (word_i[BitY]) state_q <= StY;
            else if (word_i[BitX]) state_q <= StX;
            else state_q <= StLoop;
          end
        end
        StModulus: if (take && last_index) state_q <= y_q ? StY : x_q ? StX : StLoop;
        StY:       if (take && last_index) state_q <= x_q ? StX : StLoop;
        StX:       if (take && last_index) state_q <= StLoop;
        StLoop:    if (last_phase && last_step) state_q <= StTail;
        StTail:    if (tail_ends) state_q <= StRead;
        StRead:    if (given) state_q <= StCommand;
        default:   state_q <= StCommand;
      endcase
    end
  end

  assign word_takes  = valid_i && (state_q == StModulus || state_q == StY || state_q == StX);
  assign index_moves = word_takes || (running && last_phase) || read_q;
  assign index_ends  = running ? last_step : last_index;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_counters
    if (!rst_ni) begin
      index_q  <= '0;
      phase_q  <= '0;
      tail_q   <= '0;
      beyond_q <= 1'b0;
      read_q   <= 1'b0;
    end else begin
      if (index_moves) index_q <= index_ends ? '0 : index_q + IndexWidth'(1);
      phase_q <= (running && !last_phase) ? phase_q + PhaseWidth'(1) : '0;
      tail_q  <= (state_q == StTail) ? tail_q + TailWidth'(1) : '0;
      if (!running) beyond_q <= 1'b0;
      else if (last_phase && last_index) beyond_q <= 1'b1;
      if (state_q == StTail) read_q <= tail_ends;
      else if (last_index) read_q <= 1'b0;
    end
  end

  assign ready_o = state_q == StCommand || state_q == StModulus || state_q == StY || state_q == StX;
  assign busy_o  = running || state_q == StTail || reading;
  assign error_o = 1'b0;  // no length comes in that could be wrong

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) begin
      $fatal(1, "monpro_mul_dsp: Width = %0d: 2 to 4096", Width);
    end
    if (WordWidth < 4 || WordWidth > 17) begin
      $fatal(1, "monpro_mul_dsp: WordWidth = %0d: 4 to 17", WordWidth);
    end
    if (Fold != 1 && Fold != 2 && Fold != 4 && Fold != 8) begin
      $fatal(1, "monpro_mul_dsp: Fold = %0d: 1, 2, 4 or 8", Fold);
    end
  end
`endif
endmodule

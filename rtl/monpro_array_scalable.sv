// The scalable Montgomery multiplier: NumPe processing elements, the memories of its operands, and the sequencer
// [amberg08, §II-A, §III]. Operands of any length pass through the same elements.
//
//   z = x·y·2^-(v(F-1))  mod M,   F = NumPe·passes_i digits of v = RadixLog2 bits,   M odd, M < 2^n
//
//   M~ = (-M^-1 mod 2^v)·M,  M^ = (M~ + 1)/2^v, n bits at most
//   x, y  < 2M~ < 2^(n+v+1)
//   z     < 2M~: products may be chained
//   words_i  >= (n + 2v + 2)/w, w = WordWidth, with Booth (n + 2v + 3)/w, with left shifts also (n + 3v + 1)/w
//   passes_i so that F >= ceil((n + v + 2)/v) + 1
//
// Without Parallel, in radix 2 only, M is used in place of M^ and z = x·y·2^-F mod M: these are the improved elements.
//
// words_i and passes_i come with each start, so each product has its own length, up to MaxWords words.
// Bounds: see the elements' headers. During a product 0 <= Z < 2^(n+2v+2), with Booth |Z| < 2^(n+2v+1). With left
// shifts the words of the next pass may follow at once, and no element keeps bits above words_i words. The multiples,
// up to (2^v - 1)·y shifted by another digit, must therefore end below.
//
// Memories. Three ports that share the address write the words of x, y and M^; the lowest word has address 0. y has
// NumBanks banks. read_bank_i chooses one of them and must be held through a product, from the clock after start_i
// on. A product reads x from the clock of start_i on, and y and M^ from the next clock on, at most one word a
// clock. A word may be written as late as the clock before it is read. Once the first word of z is out, the words of
// z may overwrite x and y as they come: no word that a later word of z could overwrite is read any more.
// The result comes out without a handshake, one word a clock. valid_o is high from the lowest word to last_o.
//
// Passes. The words pass NumPe elements. Each result of the last element waits in a memory until the first element is
// ready, or bypasses the memory (`p_bypass`). P is the number of clocks from one pass to the next:
//
//   right shifts  P = max(words, 2·NumPe + 1)                          D = 2·NumPe
//   left shifts   P = max(words + 1, NumPe + v·NumPe/w + 1)            D = NumPe + v·NumPe/w
//
// Latency: the first word of z is out (passes - 1)·P + D + 4 clocks after start_i is taken, the last word words - 1
// clocks later. ready_o is high again in the last clock of the last pass, and a product may start every
// passes·P clocks.
//
//   clocks from the start of a pass | what happens
//   0   | words of y, M^ and Z are addressed
//   1   | the odd multiples of y and M^ are formed; Z comes from its memory or from the last element
//   2   | the first element has them; the result of the last element is there D clocks later
//   2+D | Z is written, or after the last pass goes through an adder of w bits to word_o
module monpro_array_scalable #(
  parameter  int RadixLog2    = 2,
  parameter  int WordWidth    = 16,
  parameter  int NumPe        = 8,
  parameter  int MaxWords     = 65,
  parameter  int NumBanks     = 1,
  parameter  bit LeftShift    = 1'b1,
  parameter  bit Booth        = 1'b0,
  parameter  bit Parallel     = 1'b1,
  localparam int AddressWidth = $clog2(MaxWords + 1),
  localparam int PassesWidth  = $clog2(MaxWords * WordWidth / (RadixLog2 * NumPe) + 3),
  localparam int BankWidth    = (NumBanks > 1) ? $clog2(NumBanks) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic                    write_x_i,
  input  logic [WordWidth-1:0]    x_word_i,
  input  logic                    write_y_i,
  input  logic [BankWidth-1:0]    write_bank_i,
  input  logic [WordWidth-1:0]    y_word_i,
  input  logic                    write_m_i,
  input  logic [WordWidth-1:0]    m_word_i,
  input  logic                    start_i,
  output logic                    ready_o,
  input  logic [AddressWidth-1:0] words_i,
  input  logic [PassesWidth-1:0]  passes_i,
  input  logic [BankWidth-1:0]    read_bank_i,
  output logic                    valid_o,
  output logic                    last_o,
  output logic [WordWidth-1:0]    word_o
);
  localparam int Fill        = LeftShift ? NumPe + RadixLog2 * NumPe / WordWidth : 2 * NumPe;
  localparam int Shortest    = Fill + 1;
  localparam int Longest     = (MaxWords + 1 > Shortest) ? MaxWords + 1 : Shortest;
  localparam int IndexWidth  = $clog2(Longest + 2);
  localparam int YDepth      = MaxWords * NumBanks;
  localparam int YWidth      = $clog2(YDepth);
  localparam int RamWidth    = $clog2(MaxWords);
  localparam int NumOdd      = Booth ? (2 ** (RadixLog2 - 1) + 1) / 2 : 2 ** (RadixLog2 - 1);
  localparam int MultipleWidth = NumOdd * WordWidth;

  // ---- sequencer ------------------------------------------------------------------------------------

  logic                    running_q;
  logic                    fresh_q;     // first pass: Z is 0
  logic                    live_q;      // there is a word at index_q
  logic [IndexWidth-1:0]   index_q;     // of the word, from the start of the pass
  logic [AddressWidth-1:0] words_q;
  logic [PassesWidth-1:0]  passes_q;    // still to come, including this one
  logic                    final_pass_q;  // this pass is the last
  logic                    pass_ends_q; // P - 1 is reached
  logic                    start;

  // Constants of a product, ready in the second clock of its first pass. This is in time: P and words are at least 2.
  logic [IndexWidth-1:0]   last_word_q;
  logic [IndexWidth-1:0]   last_slot_q; // left shifts: the words take one slot more in an element
  logic [IndexWidth-1:0]   last_but_one_q;

  assign ready_o = ~running_q | (final_pass_q & pass_ends_q);
  assign start   = start_i & ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_running
    if (!rst_ni) begin
      running_q <= 1'b0;
    end else begin
      running_q <= start | (running_q & ~(final_pass_q & pass_ends_q));
    end
  end

  // Reset to a valid length, because the constants above are compared before the first product sets them.
  always_ff @(posedge clk_i or negedge rst_ni) begin : p_words
    if (!rst_ni) begin
      words_q <= AddressWidth'(2);
    end else if (start) begin
      words_q <= words_i;
    end
  end

  always_ff @(posedge clk_i) begin : p_sequence
    last_word_q    <= IndexWidth'(words_q) - IndexWidth'(1);
    last_slot_q    <= IndexWidth'(words_q) - IndexWidth'(LeftShift ? 0 : 1);
    last_but_one_q <= (IndexWidth'(words_q) > IndexWidth'(Fill)) ?
                      IndexWidth'(words_q) - IndexWidth'(LeftShift ? 1 : 2) :
                      IndexWidth'(Shortest - 2);
    pass_ends_q    <= (index_q == last_but_one_q) & running_q & ~start;
    index_q        <= (start | pass_ends_q) ? '0 : index_q + IndexWidth'(1);
    live_q         <= start | pass_ends_q | (live_q & (index_q != last_word_q));
    if (start) begin
      fresh_q      <= 1'b1;
      passes_q     <= passes_i;
      final_pass_q <= passes_i == PassesWidth'(1);
    end else if (pass_ends_q) begin
      fresh_q      <= 1'b0;
      passes_q     <= passes_q - PassesWidth'(1);
      final_pass_q <= passes_q == PassesWidth'(2);
    end
  end

  // Flags that go with the words. In stage 1 the words leave the memory, in stage 2 they are at the first element.
  logic                first_1;
  logic                last_1;
  logic                live_1;
  logic                fresh_1;
  logic                final_1;
  logic [RamWidth-1:0] address_1;
  logic                first_2;
  logic                last_2;
  logic                fresh_2;
  logic                final_2;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_window
    if (!rst_ni) begin
      first_1 <= 1'b0;
      last_1  <= 1'b0;
      live_1  <= 1'b0;
      first_2 <= 1'b0;
      last_2  <= 1'b0;
    end else begin
      first_2 <= first_1;
      last_2  <= last_1;
      first_1 <= running_q & (index_q == '0);
      last_1  <= running_q & (index_q == last_slot_q);
      live_1  <= running_q & live_q;
    end
  end

  always_ff @(posedge clk_i) begin : p_stages
    fresh_1   <= fresh_q;
    final_1   <= final_pass_q;
    address_1 <= index_q[RamWidth-1:0];
    fresh_2   <= fresh_1;
    final_2   <= final_1;
  end

  // ---- memories -------------------------------------------------------------------------------------

  logic [WordWidth-1:0]    x_word;
  logic [AddressWidth-1:0] x_address;
  logic [WordWidth-1:0]    y_word;
  logic [YWidth-1:0]       y_write_address;
  logic [YWidth-1:0]       y_read_address;
  logic [WordWidth-1:0]    m_word;
  logic [2*WordWidth-1:0]  z_word;
  logic                    unused;

  if (NumBanks > 1) begin : gen_banks
    assign y_write_address = YWidth'(write_bank_i) * YWidth'(MaxWords) + YWidth'(write_address_i);
    assign y_read_address  = YWidth'(read_bank_i) * YWidth'(MaxWords) + YWidth'(index_q);
    assign unused          = ^{write_address_i, x_address, index_q};
  end else begin : gen_bank
    assign y_write_address = write_address_i[YWidth-1:0];
    assign y_read_address  = index_q[YWidth-1:0];
    assign unused          = ^{write_bank_i, read_bank_i, write_address_i, x_address, index_q};
  end

  monpro_cell_ram #(.Width(WordWidth), .Depth(MaxWords)) u_x (
    .clk_i          (clk_i),
    .write_i        (write_x_i),
    .write_address_i(write_address_i[RamWidth-1:0]),
    .word_i         (x_word_i),
    .read_address_i (x_address[RamWidth-1:0]),
    .word_o         (x_word)
  );

  monpro_cell_ram #(.Width(WordWidth), .Depth(YDepth)) u_y (
    .clk_i          (clk_i),
    .write_i        (write_y_i),
    .write_address_i(y_write_address),
    .word_i         (y_word_i),
    .read_address_i (y_read_address),
    .word_o         (y_word)
  );

  monpro_cell_ram #(.Width(WordWidth), .Depth(MaxWords)) u_m (
    .clk_i          (clk_i),
    .write_i        (write_m_i),
    .write_address_i(write_address_i[RamWidth-1:0]),
    .word_i         (m_word_i),
    .read_address_i (index_q[RamWidth-1:0]),
    .word_o         (m_word)
  );

  // ---- digits of X ----------------------------------------------------------------------------------

  logic [RadixLog2-1:0] digit;
  logic                 digit_before;
  logic                 x_negative;
  logic [RadixLog2-1:0] x_magnitude;
  logic [NumPe-1:0]     takes;

  monpro_cell_digits #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .MaxWords(MaxWords)
  ) u_digits (
    .clk_i    (clk_i),
    .restart_i(start),
    .words_i  (words_q),
    .address_o(x_address),
    .word_i   (x_word),
    .take_i   (|takes),
    .digit_o  (digit),
    .before_o (digit_before)
  );

  if (Booth) begin : gen_booth
    monpro_cell_booth #(.RadixLog2(RadixLog2)) u_booth (
      .digit_i    (digit),
      .carry_i    (digit_before),
      .negative_o (x_negative),
      .magnitude_o(x_magnitude)
    );
  end else begin : gen_plain
    logic unused_before;
    assign x_negative    = 1'b0;
    assign x_magnitude   = digit;
    assign unused_before = digit_before;
  end

  // ---- processing elements --------------------------------------------------------------------------

  // Inputs of each element. Entry 0 is the input of the first element, entry NumPe the output of the last.
  logic [NumPe:0]                     first;
  logic [NumPe:0]                     last;
  logic [(NumPe+1)*MultipleWidth-1:0] y;
  logic [(NumPe+1)*MultipleWidth-1:0] m;
  logic [(NumPe+1)*WordWidth-1:0]     sum;
  logic [(NumPe+1)*WordWidth-1:0]     carry;
  // A value of each element, and the value of the element before it; for the first element, of the last one.
  logic [NumPe-1:0]                   pending;
  logic [NumPe-1:0]                   pending_before;
  logic [NumPe-1:0]                   quotient_top;
  logic [NumPe-1:0]                   quotient_top_before;

  logic [2*WordWidth-1:0]             z;
  logic [2*WordWidth-1:0]             z_q;
  logic [2*WordWidth-1:0]             z_leaving;
  logic [2*WordWidth-1:0]             z_left_q;

  monpro_cell_multiples #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .LeftShift(LeftShift && Parallel), .Booth(Booth)
  ) u_y_multiples (
    .clk_i  (clk_i),
    .first_i(first_1),
    .word_i (y_word & {WordWidth{live_1}}),
    .odd_o  (y[MultipleWidth-1:0])
  );

  monpro_cell_multiples #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .LeftShift(LeftShift && Parallel), .Booth(Booth)
  ) u_m_multiples (
    .clk_i  (clk_i),
    .first_i(first_1),
    .word_i (m_word & {WordWidth{live_1}}),
    .odd_o  (m[MultipleWidth-1:0])
  );

  assign first[0]             = first_2;
  assign last[0]              = last_2;
  assign sum[WordWidth-1:0]   = z_q[WordWidth-1:0];
  assign carry[WordWidth-1:0] = z_q[2*WordWidth-1:WordWidth];
  assign pending_before       = NumPe'({pending, pending[NumPe-1] & ~fresh_2});
  assign quotient_top_before  = NumPe'({quotient_top, quotient_top[NumPe-1] & ~fresh_2});

  if (LeftShift && !Parallel) begin : gen_improved
    logic [NumPe:0] load;
    logic           unused_improved;
    assign load[0]         = first_1;
    assign pending         = '0;
    assign quotient_top    = '0;
    assign unused_improved = ^{load[NumPe], x_negative, pending_before, quotient_top_before};
    for (genvar i = 0; i < NumPe; i++) begin : gen_pe
      assign takes[i] = load[i];
      monpro_pe_scalable_improved #(
        .WordWidth(WordWidth), .Offset(i % WordWidth)
      ) u_pe (
        .clk_i  (clk_i),
        .rst_ni (rst_ni),
        .load_i (load[i]),
        .first_i(first[i]),
        .last_i (last[i]),
        .x_i    (x_magnitude[0]),
        .y_i    (y[i*WordWidth+:WordWidth]),
        .m_i    (m[i*WordWidth+:WordWidth]),
        .sum_i  (sum[i*WordWidth+:WordWidth]),
        .carry_i(carry[i*WordWidth+:WordWidth]),
        .load_o (load[i+1]),
        .first_o(first[i+1]),
        .last_o (last[i+1]),
        .y_o    (y[(i+1)*WordWidth+:WordWidth]),
        .m_o    (m[(i+1)*WordWidth+:WordWidth]),
        .sum_o  (sum[(i+1)*WordWidth+:WordWidth]),
        .carry_o(carry[(i+1)*WordWidth+:WordWidth])
      );
    end
  end else if (LeftShift) begin : gen_left
    logic [NumPe:0] load;
    logic           unused_load;
    assign load[0]     = first_1;
    assign unused_load = load[NumPe];
    for (genvar i = 0; i < NumPe; i++) begin : gen_pe
      assign takes[i] = load[i];
      monpro_pe_scalable_left #(
        .RadixLog2(RadixLog2),
        .WordWidth(WordWidth),
        .Booth    (Booth),
        .Offset   (i * RadixLog2 % WordWidth)
      ) u_pe (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .load_i        (load[i]),
        .first_i       (first[i]),
        .last_i        (last[i]),
        .x_negative_i  (x_negative),
        .x_magnitude_i (x_magnitude),
        .y_i           (y[i*MultipleWidth+:MultipleWidth]),
        .m_i           (m[i*MultipleWidth+:MultipleWidth]),
        .sum_i         (sum[i*WordWidth+:WordWidth]),
        .carry_i       (carry[i*WordWidth+:WordWidth]),
        .pending_i     (pending_before[i]),
        .quotient_top_i(quotient_top_before[i]),
        .load_o        (load[i+1]),
        .first_o       (first[i+1]),
        .last_o        (last[i+1]),
        .y_o           (y[(i+1)*MultipleWidth+:MultipleWidth]),
        .m_o           (m[(i+1)*MultipleWidth+:MultipleWidth]),
        .sum_o         (sum[(i+1)*WordWidth+:WordWidth]),
        .carry_o       (carry[(i+1)*WordWidth+:WordWidth]),
        .pending_o     (pending[i]),
        .quotient_top_o(quotient_top[i])
      );
    end
  end else begin : gen_right
    for (genvar i = 0; i < NumPe; i++) begin : gen_pe
      assign takes[i] = first[i];
      monpro_pe_scalable_right #(
        .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
      ) u_pe (
        .clk_i         (clk_i),
        .rst_ni        (rst_ni),
        .first_i       (first[i]),
        .last_i        (last[i]),
        .x_negative_i  (x_negative),
        .x_magnitude_i (x_magnitude),
        .y_i           (y[i*MultipleWidth+:MultipleWidth]),
        .m_i           (m[i*MultipleWidth+:MultipleWidth]),
        .sum_i         (sum[i*WordWidth+:WordWidth]),
        .carry_i       (carry[i*WordWidth+:WordWidth]),
        .pending_i     (pending_before[i]),
        .quotient_top_i(quotient_top_before[i]),
        .first_o       (first[i+1]),
        .last_o        (last[i+1]),
        .y_o           (y[(i+1)*MultipleWidth+:MultipleWidth]),
        .m_o           (m[(i+1)*MultipleWidth+:MultipleWidth]),
        .sum_o         (sum[(i+1)*WordWidth+:WordWidth]),
        .carry_o       (carry[(i+1)*WordWidth+:WordWidth]),
        .pending_o     (pending[i]),
        .quotient_top_o(quotient_top[i])
      );
    end
  end

  // ---- the output of the last element: Z, and after the last pass the result ------------------------

  logic                 first_leaving;
  logic                 last_leaving;
  logic                 window_q;   // words are leaving
  logic                 leaving;    // a word of Z is leaving
  logic [RamWidth-1:0]  leaving_q;  // its address
  logic                 left_q;     // the word that is read left in the clock before
  logic [RamWidth-1:0]  leaving_address;
  logic                 result_q;
  logic                 result;
  logic                 correct_q;
  logic                 correct;
  logic [WordWidth-1:0] m_leaving;
  logic                 unused_leaving;  // multiples that no element takes
  logic [WordWidth-1:0] correction;
  logic [1:0]           carry_q;
  logic [1:0]           carry_in;
  logic [WordWidth+1:0] total;

  // With left shifts, the word with `last` is not a word of Z.
  assign first_leaving   = first[NumPe];
  assign last_leaving    = last[NumPe];
  assign leaving         = (first_leaving | window_q) & ~(LeftShift & last_leaving);
  assign leaving_address = first_leaving ? '0 : leaving_q;
  assign z_leaving       = {carry[NumPe*WordWidth+:WordWidth],
                            sum[NumPe*WordWidth+:WordWidth]};
  assign m_leaving       = m[NumPe*MultipleWidth+:WordWidth];
  assign unused_leaving  = ^{y[NumPe*MultipleWidth+:MultipleWidth],
                             m[NumPe*MultipleWidth+:MultipleWidth]};
  assign result          = first_leaving ? final_2 : result_q;
  assign correct         = first_leaving ? quotient_top[NumPe-1] : correct_q;

  // A word that leaves now, or left one clock ago, cannot be read from the memory in time.
  always_comb begin : p_bypass
    if (leaving && leaving_address == address_1) begin
      z = z_leaving;
    end else if (left_q) begin
      z = z_left_q;
    end else begin
      z = z_word;
    end
  end

  monpro_cell_ram #(.Width(2 * WordWidth), .Depth(MaxWords)) u_z (
    .clk_i          (clk_i),
    .write_i        (leaving),
    .write_address_i(leaving_address),
    .word_i         (z_leaving),
    .read_address_i (index_q[RamWidth-1:0]),
    .word_o         (z_word)
  );

  // The correction is 2^v·M^ if recoding made the last digit of Q negative [amberg08, Fig. 2].
  if (!Booth) begin : gen_no_correction
    logic unused_m;
    assign correction = '0;
    assign unused_m   = ^{m_leaving, correct};
  end else if (LeftShift) begin : gen_shifted_correction
    assign correction = m_leaving & {WordWidth{correct}};  // here M^ is shifted left by a digit
  end else begin : gen_correction
    logic [RadixLog2-1:0] before_q;
    always_ff @(posedge clk_i) before_q <= m_leaving[WordWidth-1-:RadixLog2];
    assign correction = WordWidth'({m_leaving, before_q & {RadixLog2{~first_leaving}}}) &
                        {WordWidth{correct}};
  end

  assign carry_in = first_leaving ? {1'b0, pending[NumPe-1]} : carry_q;
  assign total    = {2'b00, z_leaving[WordWidth-1:0]} +
                    {2'b00, z_leaving[2*WordWidth-1:WordWidth]} +
                    {2'b00, correction} + (WordWidth + 2)'(carry_in);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_leaving
    if (!rst_ni) begin
      window_q <= 1'b0;
      valid_o  <= 1'b0;
    end else begin
      window_q <= (first_leaving | window_q) & ~last_leaving;
      valid_o  <= leaving & result;
    end
  end

  always_ff @(posedge clk_i) begin : p_result
    leaving_q   <= leaving_address + RamWidth'(1);
    result_q    <= result;
    correct_q   <= correct;
    word_o      <= total[WordWidth-1:0];
    carry_q     <= total[WordWidth+1:WordWidth];
    left_q      <= leaving & (leaving_address == index_q[RamWidth-1:0]);
    z_left_q    <= z_leaving;
    z_q         <= z & {2 * WordWidth{live_1 & ~fresh_1}};
  end

  if (LeftShift) begin : gen_last_before
    assign last_o = valid_o & last_leaving;
  end else begin : gen_last
    logic last_q;
    always_ff @(posedge clk_i) last_q <= last_leaving;
    assign last_o = valid_o & last_q;
  end

`ifndef SYNTHESIS
  initial begin
    if (RadixLog2 < 1 || RadixLog2 > 4) begin
      $fatal(1, "monpro_array_scalable: RadixLog2 = %0d: 1 to 4", RadixLog2);
    end
    if (WordWidth < 2 || WordWidth < RadixLog2) begin
      $fatal(1, "monpro_array_scalable: WordWidth = %0d: at least 2 and RadixLog2 = %0d", WordWidth,
             RadixLog2);
    end
    if (NumPe < 1) $fatal(1, "monpro_array_scalable: NumPe = %0d: at least 1", NumPe);
    if (LeftShift && (WordWidth % RadixLog2 != 0 || WordWidth == RadixLog2)) begin
      $fatal(1, "monpro_array_scalable: WordWidth = %0d: left shifts need 2 or more times %0d",
             WordWidth, RadixLog2);
    end
    if (LeftShift && RadixLog2 * NumPe % WordWidth != 0) begin
      $fatal(1, "monpro_array_scalable: NumPe = %0d: left shifts need a multiple of %0d", NumPe,
             WordWidth / RadixLog2);
    end
    if (!Parallel && (RadixLog2 != 1 || !LeftShift || Booth)) begin
      $fatal(1, "monpro_array_scalable: Parallel = 0: radix 2, left shifts, and no Booth only");
    end
    if (MaxWords < 2) $fatal(1, "monpro_array_scalable: MaxWords = %0d: at least 2", MaxWords);
  end
`endif
endmodule

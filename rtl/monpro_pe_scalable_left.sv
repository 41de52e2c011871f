// A left-shifting processing element of the scalable Montgomery product: it adds the multiples by one digit of X, of
// v = RadixLog2 bits, and by one digit of the quotient to all words of Z [amberg08, §III-C].
//
//   Z := (Z - Q)/2^v + Q·M^ + X·Y,   Q = Z mod 2^v
//
// Y and M^ are shifted instead of Z. Elements are numbered from a multiple of w/v on. The input of element i is
// N = Z·2^(vi), which begins at bit Offset = v·i mod w of a word, and the odd multiples of Y and M^ times 2^(v(i+1)).
// It computes
//
//   N := N - Q·2^(vi) + (Q·M^ + X·Y)·2^(v(i+1))
//
// and passes on N, and Y and M^ shifted once more, one clock later. One word of w = WordWidth bits arrives each clock:
// the word in which N begins with first_i, the highest word with last_i. There is one word more than Z has. If N
// leaves its lowest word here, first_o and last_o come one clock later than this word, which is 0 and serves as the
// next highest word.
//
// N = sum + carry + pending. The bit `pending` has the weight at which N begins; it is beside the words and is held
// from the clock after first_i on. It is the carry of the v bits that give Q.
//
// Bounds. Below the bit at which N begins, sum and carry are 0. Without Booth sum + carry is exact, and no carry
// leaves the highest word. With Booth the pair is N modulo 2^b, where b is the number of bits up to the highest word.
// An element with Offset = 0 extends Z, |Z| < 2^(w·words-2), by the word with last_i, see `gen_extension`.
//
//   clock            | registers
//   load_i           | X, in the clock before first_i
//   first_i          | Q, pending
//   any              | Y, M^, sum, carry: two rows of adders
module monpro_pe_scalable_left #(
  parameter  int RadixLog2     = 2,
  parameter  int WordWidth     = 16,
  parameter  bit Booth         = 1'b0,
  parameter  int Offset        = 0,
  localparam int NumOdd        = Booth ? (2 ** (RadixLog2 - 1) + 1) / 2 : 2 ** (RadixLog2 - 1),
  localparam int MultipleWidth = NumOdd * WordWidth
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     load_i,
  input  logic                     first_i,
  input  logic                     last_i,
  input  logic                     x_negative_i,
  input  logic [RadixLog2-1:0]     x_magnitude_i,
  input  logic [MultipleWidth-1:0] y_i,
  input  logic [MultipleWidth-1:0] m_i,
  input  logic [WordWidth-1:0]     sum_i,
  input  logic [WordWidth-1:0]     carry_i,
  input  logic                     pending_i,
  input  logic                     quotient_top_i,
  output logic                     load_o,
  output logic                     first_o,
  output logic                     last_o,
  output logic [MultipleWidth-1:0] y_o,
  output logic [MultipleWidth-1:0] m_o,
  output logic [WordWidth-1:0]     sum_o,
  output logic [WordWidth-1:0]     carry_o,
  output logic                     pending_o,
  output logic                     quotient_top_o
);
  localparam int End = Offset + RadixLog2;  // end of the digit, where the new N begins
  localparam logic [WordWidth-1:0] Digit = WordWidth'((2 ** RadixLog2 - 1) << Offset);
  localparam logic [WordWidth-1:0] Lowest = WordWidth'(2 ** (End - 1));

  logic                     x_negative_q;
  logic [RadixLog2-1:0]     x_magnitude_q;
  logic                     resolved_negative;
  logic [RadixLog2-1:0]     resolved_magnitude;
  logic                     q_negative_q;
  logic [RadixLog2-1:0]     q_magnitude_q;
  logic                     q_negative;
  logic [RadixLog2-1:0]     q_magnitude;
  logic [RadixLog2:0]       resolved;

  assign resolved = {1'b0, sum_i[Offset+:RadixLog2]} + {1'b0, carry_i[Offset+:RadixLog2]} +
                    (RadixLog2 + 1)'(pending_i);
  assign q_negative  = first_i ? resolved_negative : q_negative_q;
  assign q_magnitude = first_i ? resolved_magnitude : q_magnitude_q;

  always_ff @(posedge clk_i) begin : p_digits
    if (load_i) begin
      x_negative_q  <= x_negative_i;
      x_magnitude_q <= x_magnitude_i;
    end
    q_negative_q  <= q_negative;
    q_magnitude_q <= q_magnitude;
    if (first_i) pending_o <= resolved[RadixLog2];
  end

  // ---- N without Q, and the multiples ---------------------------------------------------------------

  logic [NumOdd*RadixLog2-1:0] y_before_q;  // 0 at the first word
  logic [NumOdd*RadixLog2-1:0] m_before_q;
  logic [WordWidth-1:0]        kept;  // all bits but those of Q; below Q there are only zeros
  logic [WordWidth-1:0]        kept_sum;
  logic [WordWidth-1:0]        kept_carry;
  logic [WordWidth-1:0]        x_y;
  logic [WordWidth-1:0]        q_m;

  assign kept = ~(Digit & {WordWidth{first_i}});

  for (genvar k = 0; k < NumOdd; k++) begin : gen_shift
    always_ff @(posedge clk_i) begin
      y_before_q[k*RadixLog2+:RadixLog2] <= load_i ? '0 : y_i[(k+1)*WordWidth-1-:RadixLog2];
      m_before_q[k*RadixLog2+:RadixLog2] <= load_i ? '0 : m_i[(k+1)*WordWidth-1-:RadixLog2];
      y_o[k*WordWidth+:WordWidth] <=
          WordWidth'({y_i[k*WordWidth+:WordWidth], y_before_q[k*RadixLog2+:RadixLog2]});
      m_o[k*WordWidth+:WordWidth] <=
          WordWidth'({m_i[k*WordWidth+:WordWidth], m_before_q[k*RadixLog2+:RadixLog2]});
    end
  end

  monpro_cell_multiple #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
  ) u_x_y (
    .odd_i      (y_i),
    .before_i   (y_before_q),
    .negative_i (x_negative_q),
    .magnitude_i(x_magnitude_q),
    .word_o     (x_y)
  );

  monpro_cell_multiple #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
  ) u_q_m (
    .odd_i      (m_i),
    .before_i   (m_before_q),
    .negative_i (q_negative),
    .magnitude_i(q_magnitude),
    .word_o     (q_m)
  );

  // ---- Booth: signs ---------------------------------------------------------------------------------

  logic [WordWidth-1:0] live_x_y;
  logic [WordWidth-1:0] live_q_m;
  logic [WordWidth-1:0] x_completion;  // the 1 that makes a complement the negative number
  logic [WordWidth-1:0] q_completion;

  if (Booth) begin : gen_booth
    monpro_cell_booth #(.RadixLog2(RadixLog2)) u_booth (
      .digit_i    (resolved[RadixLog2-1:0]),
      .carry_i    (quotient_top_i),
      .negative_o (resolved_negative),
      .magnitude_o(resolved_magnitude)
    );
    always_ff @(posedge clk_i) if (first_i) quotient_top_o <= resolved[RadixLog2-1];
    // The negative multiples begin where the new N begins. Nothing is added below, so the carries into that bit are
    // free.
    localparam logic [WordWidth-1:0] Below = WordWidth'(2 ** End - 1);
    assign live_x_y     = x_y & ~(Below & {WordWidth{first_i}});
    assign live_q_m     = q_m & ~(Below & {WordWidth{first_i}});
    assign x_completion = Lowest & {WordWidth{first_i & x_negative_q}};
    assign q_completion = Lowest & {WordWidth{first_i & q_negative}};
  end else begin : gen_plain
    logic unused;
    assign resolved_negative  = 1'b0;
    assign resolved_magnitude = resolved[RadixLog2-1:0];
    assign quotient_top_o     = 1'b0;
    assign live_x_y           = x_y;  // zeros below the new N
    assign live_q_m           = q_m;
    assign x_completion       = '0;
    assign q_completion       = '0;
    assign unused             = ^{quotient_top_i, Lowest};
  end

  if (Booth && Offset == 0) begin : gen_extension
    // sum + carry = Z + 2^W·t with t = 0, 1 or 2, and the two top bits of Z are equal. If the top bits of sum and
    // carry differ, t = 1. If they are equal, the bits below them are equal too, since otherwise the two top bits of
    // Z would differ. Then t is the top bit of sum plus the bit below it.
    logic [1:0] extension_q;
    always_ff @(posedge clk_i) begin
      extension_q <= {sum_i[WordWidth-1] & carry_i[WordWidth-1] & sum_i[WordWidth-2],
                      sum_i[WordWidth-1] | carry_i[WordWidth-1] | sum_i[WordWidth-2]};
    end
    assign kept_sum   = last_i ? {WordWidth{extension_q[0]}} : sum_i & kept;
    assign kept_carry = last_i ? {WordWidth{extension_q[1]}} : carry_i & kept;
  end else begin : gen_as_it_comes
    assign kept_sum   = sum_i & kept;
    assign kept_carry = carry_i & kept;
  end

  // ---- adders ---------------------------------------------------------------------------------------

  logic [WordWidth-1:0] sum_1;
  logic [WordWidth-1:0] carry_1;
  logic [WordWidth-1:0] completed_1;
  logic [WordWidth-1:0] sum_2;
  logic [WordWidth-1:0] carry_2;
  logic [WordWidth-1:0] completed_2;
  logic                 carry_1_q;  // into the next word, 0 at the first one
  logic                 carry_2_q;

  assign completed_1 = carry_1 | x_completion;
  assign completed_2 = carry_2 | q_completion;

  monpro_cell_csa #(.Width(WordWidth)) u_csa_1 (
    .a_i    (kept_sum),
    .b_i    (kept_carry),
    .c_i    (live_x_y),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  monpro_cell_csa #(.Width(WordWidth)) u_csa_2 (
    .a_i    (sum_1),
    .b_i    ({completed_1[WordWidth-2:0], carry_1_q}),
    .c_i    (live_q_m),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  always_ff @(posedge clk_i) begin : p_sum
    sum_o     <= sum_2;
    carry_o   <= {completed_2[WordWidth-2:0], carry_2_q};
    carry_1_q <= completed_1[WordWidth-1] & ~load_i;
    carry_2_q <= completed_2[WordWidth-1] & ~load_i;
  end

  // ---- the window of the next element ---------------------------------------------------------------

  monpro_cell_window #(.NextWord(End == WordWidth)) u_window (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .first_i(first_i),
    .last_i (last_i),
    .load_o (load_o),
    .first_o(first_o),
    .last_o (last_o)
  );
endmodule

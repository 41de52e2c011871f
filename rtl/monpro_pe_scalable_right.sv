// A right-shifting processing element of the scalable Montgomery product: it adds the multiples by one digit of X, of
// v = RadixLog2 bits, and by one digit of the quotient to all words of Z [amberg08, §III-C, Fig. 5].
//
//   Z := (Z - Q)/2^v + Q·M^ + X·Y,   Q = Z mod 2^v
//
// One word of w = WordWidth bits arrives each clock, the lowest with first_i, the highest with last_i, and leaves two
// clocks later. Y and M^ come as their odd multiples, and Z as a pair: Z = sum + carry + pending. The bit `pending`
// has weight 1; it is beside the words and is held from the clock after first_i on. It is the carry of the v bits
// that give Q, so it needs no third row of adders.
//
// Bounds. Without Booth sum + carry = Z is exact: 0 <= Z < 2^(w·words), and no carry leaves the highest word. With
// Booth the pair is Z modulo 2^(w·words), |Z| < 2^(w·words-2). The two top bits of the pair give the bits above, see
// `extension`.
//
//   clock      | registers
//   first_i    | X, Q, pending
//   any        | Y, M^, sum, carry      stage 1
//   next       | Y, M^, sum, carry      stage 2: the shifted word, two rows of adders
module monpro_pe_scalable_right #(
  parameter  int RadixLog2     = 2,
  parameter  int WordWidth     = 16,
  parameter  bit Booth         = 1'b0,
  localparam int NumOdd        = Booth ? (2 ** (RadixLog2 - 1) + 1) / 2 : 2 ** (RadixLog2 - 1),
  localparam int MultipleWidth = NumOdd * WordWidth
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
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
  output logic                     first_o,
  output logic                     last_o,
  output logic [MultipleWidth-1:0] y_o,
  output logic [MultipleWidth-1:0] m_o,
  output logic [WordWidth-1:0]     sum_o,
  output logic [WordWidth-1:0]     carry_o,
  output logic                     pending_o,
  output logic                     quotient_top_o
);
  // ---- stage 1 --------------------------------------------------------------------------------------

  logic                     first_q;
  logic                     last_q;
  logic [MultipleWidth-1:0] y_q;
  logic [MultipleWidth-1:0] m_q;
  logic [WordWidth-1:0]     sum_q;
  logic [WordWidth-1:0]     carry_q;
  logic                     x_negative_q;
  logic [RadixLog2-1:0]     x_magnitude_q;
  logic                     q_negative;
  logic [RadixLog2-1:0]     q_magnitude;
  logic                     q_negative_q;
  logic [RadixLog2-1:0]     q_magnitude_q;
  logic [RadixLog2:0]       resolved;
  logic [1:0]               extension;

  assign resolved = {1'b0, sum_i[RadixLog2-1:0]} + {1'b0, carry_i[RadixLog2-1:0]} +
                    (RadixLog2 + 1)'(pending_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_window
    if (!rst_ni) begin
      first_q <= 1'b0;
      last_q  <= 1'b0;
      first_o <= 1'b0;
      last_o  <= 1'b0;
    end else begin
      first_q <= first_i;
      last_q  <= last_i;
      first_o <= first_q;
      last_o  <= last_q;
    end
  end

  always_ff @(posedge clk_i) begin : p_stage_1
    y_q     <= y_i;
    m_q     <= m_i;
    sum_q   <= sum_i;
    carry_q <= carry_i;
    if (first_i) begin
      x_negative_q  <= x_negative_i;
      x_magnitude_q <= x_magnitude_i;
      q_negative_q  <= q_negative;
      q_magnitude_q <= q_magnitude;
      pending_o     <= resolved[RadixLog2];
    end
  end

  if (Booth) begin : gen_booth
    logic [1:0] extension_q;
    monpro_cell_booth #(.RadixLog2(RadixLog2)) u_booth (
      .digit_i    (resolved[RadixLog2-1:0]),
      .carry_i    (quotient_top_i),
      .negative_o (q_negative),
      .magnitude_o(q_magnitude)
    );
    // sum + carry = Z + 2^W·t with t = 0, 1 or 2, and the two top bits of Z are equal. If the top bits of sum and
    // carry differ, t = 1. If they are equal, the bits below them are equal too, since otherwise the two top bits of
    // Z would differ. Then t is the top bit of sum plus the bit below it.
    always_ff @(posedge clk_i) begin
      if (first_i) quotient_top_o <= resolved[RadixLog2-1];
      extension_q <= {sum_i[WordWidth-1] & carry_i[WordWidth-1] & sum_i[WordWidth-2],
                      sum_i[WordWidth-1] | carry_i[WordWidth-1] | sum_i[WordWidth-2]};
    end
    assign extension = extension_q;
  end else begin : gen_plain
    logic unused;
    assign q_negative     = 1'b0;
    assign q_magnitude    = resolved[RadixLog2-1:0];
    assign quotient_top_o = 1'b0;
    assign extension      = 2'b00;
    assign unused         = quotient_top_i;
  end

  // ---- stage 2 --------------------------------------------------------------------------------------

  logic [NumOdd*RadixLog2-1:0] y_before;
  logic [NumOdd*RadixLog2-1:0] m_before;
  logic [WordWidth-1:0]        shifted_sum;
  logic [WordWidth-1:0]        shifted_carry;
  logic [WordWidth-1:0]        x_y;
  logic [WordWidth-1:0]        q_m;
  logic [WordWidth-1:0]        sum_1;
  logic [WordWidth-1:0]        carry_1;
  logic [WordWidth-1:0]        sum_2;
  logic [WordWidth-1:0]        carry_2;
  logic                        carry_1_q;
  logic                        carry_2_q;

  for (genvar k = 0; k < NumOdd; k++) begin : gen_before
    assign y_before[k*RadixLog2+:RadixLog2] =
        y_o[(k+1)*WordWidth-1-:RadixLog2] & {RadixLog2{~first_q}};
    assign m_before[k*RadixLog2+:RadixLog2] =
        m_o[(k+1)*WordWidth-1-:RadixLog2] & {RadixLog2{~first_q}};
  end

  assign shifted_sum   = WordWidth'({last_q ? {RadixLog2{extension[0]}} : sum_i[RadixLog2-1:0],
                                     sum_q} >> RadixLog2);
  assign shifted_carry = WordWidth'({last_q ? {RadixLog2{extension[1]}} : carry_i[RadixLog2-1:0],
                                     carry_q} >> RadixLog2);

  monpro_cell_multiple #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
  ) u_x_y (
    .odd_i      (y_q),
    .before_i   (y_before),
    .negative_i (x_negative_q),
    .magnitude_i(x_magnitude_q),
    .word_o     (x_y)
  );

  monpro_cell_multiple #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
  ) u_q_m (
    .odd_i      (m_q),
    .before_i   (m_before),
    .negative_i (q_negative_q),
    .magnitude_i(q_magnitude_q),
    .word_o     (q_m)
  );

  monpro_cell_csa #(.Width(WordWidth)) u_csa_1 (
    .a_i    (shifted_sum),
    .b_i    (shifted_carry),
    .c_i    (x_y),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  // At the first word the lowest carries of both rows are free. They take the 1 that completes a negative multiple.
  monpro_cell_csa #(.Width(WordWidth)) u_csa_2 (
    .a_i    (sum_1),
    .b_i    ({carry_1[WordWidth-2:0], first_q ? x_negative_q : carry_1_q}),
    .c_i    (q_m),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  always_ff @(posedge clk_i) begin : p_stage_2
    y_o       <= y_q;
    m_o       <= m_q;
    sum_o     <= sum_2;
    carry_o   <= {carry_2[WordWidth-2:0], first_q ? q_negative_q : carry_2_q};
    carry_1_q <= carry_1[WordWidth-1];
    carry_2_q <= carry_2[WordWidth-1];
  end
endmodule

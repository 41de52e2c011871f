// The improved radix-2 processing element: it adds the multiples by one bit of X and one bit of the quotient to all
// words of Z, without M^ [amberg08, Table I]. The quotient follows from Z + X·Y, so the second row of adders must wait
// for the first.
//
//   Z := (Z + X·Y + Q·M)/2,   Q = Z + X·Y mod 2,   M odd
//
// As in monpro_pe_scalable_left, Y and M are shifted instead of Z. Elements are numbered from a multiple of w on. The
// input of element i is N = Z·2^i, which begins at bit Offset = i mod w of a word, Y·2^i and M·2^i. It computes
//
//   N := N + (X·Y + Q·M)·2^i
//
// and passes on N, and Y and M shifted once more, one clock later. One word of w = WordWidth bits arrives each clock:
// the word in which N begins with first_i, the highest word with last_i. There is one word more than Z has. If N
// leaves its lowest word here, first_o and last_o come one clock later than this word, which is 0 and serves as the
// next highest word.
//
// Bounds. N = sum + carry; both are 0 below the bit at which N begins. No carry leaves the highest word.
//
//   clock            | registers
//   load_i           | X, in the clock before first_i
//   first_i          | Q
//   any              | Y, M, sum, carry: two rows of adders
module monpro_pe_scalable_improved #(
  parameter int WordWidth = 16,
  parameter int Offset    = 0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 load_i,
  input  logic                 first_i,
  input  logic                 last_i,
  input  logic                 x_i,
  input  logic [WordWidth-1:0] y_i,
  input  logic [WordWidth-1:0] m_i,
  input  logic [WordWidth-1:0] sum_i,
  input  logic [WordWidth-1:0] carry_i,
  output logic                 load_o,
  output logic                 first_o,
  output logic                 last_o,
  output logic [WordWidth-1:0] y_o,
  output logic [WordWidth-1:0] m_o,
  output logic [WordWidth-1:0] sum_o,
  output logic [WordWidth-1:0] carry_o
);
  logic                 x_q;
  logic                 q;
  logic                 q_q;
  logic                 y_before_q;  // 0 at the first word, like the carries into it
  logic                 m_before_q;
  logic [WordWidth-1:0] sum_1;
  logic [WordWidth-1:0] carry_1;
  logic [WordWidth-1:0] sum_2;
  logic [WordWidth-1:0] carry_2;
  logic                 carry_1_q;
  logic                 carry_2_q;

  assign q = first_i ? sum_1[Offset] : q_q;

  monpro_cell_csa #(.Width(WordWidth)) u_csa_1 (
    .a_i    (sum_i),
    .b_i    (carry_i),
    .c_i    (y_i & {WordWidth{x_q}}),
    .sum_o  (sum_1),
    .carry_o(carry_1)
  );

  monpro_cell_csa #(.Width(WordWidth)) u_csa_2 (
    .a_i    (sum_1),
    .b_i    ({carry_1[WordWidth-2:0], carry_1_q}),
    .c_i    (m_i & {WordWidth{q}}),
    .sum_o  (sum_2),
    .carry_o(carry_2)
  );

  always_ff @(posedge clk_i) begin : p_words
    if (load_i) x_q <= x_i;
    q_q        <= q;
    y_before_q <= y_i[WordWidth-1] & ~load_i;
    m_before_q <= m_i[WordWidth-1] & ~load_i;
    y_o        <= {y_i[WordWidth-2:0], y_before_q};
    m_o        <= {m_i[WordWidth-2:0], m_before_q};
    sum_o      <= sum_2;
    carry_o    <= {carry_2[WordWidth-2:0], carry_2_q};
    carry_1_q  <= carry_1[WordWidth-1] & ~load_i;
    carry_2_q  <= carry_2[WordWidth-1] & ~load_i;
  end

  monpro_cell_window #(.NextWord(Offset + 1 == WordWidth)) u_window (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .first_i(first_i),
    .last_i (last_i),
    .load_o (load_o),
    .first_o(first_o),
    .last_o (last_o)
  );
endmodule

// monpro_pe_scalable_improved, by induction: word for word, an element computes
//
//   C, N_j := N_j + C + Q·M_j + X·Y_j,   Q bit Offset of N_0 + X·Y_0
//
// Words of N are those of sum + carry, before the element and behind it. Shown for all words, bits and carries: the
// words behind are those of the recurrence, C <= 2, C = the carries between the rows' words + what the words behind
// carry - what the words before carry, and N behind the element begins where the next element takes it, with zeros
// below. Assumed of what comes: a window of two words at least, N, Y and M that begin at bit Offset, M odd.
module monpro_formal_scalable_improved #(
  parameter int WordWidth = 4,
  parameter int Offset    = 0
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 load_i,
  input logic                 last_i,
  input logic                 x_i,
  input logic [WordWidth-1:0] y_i,
  input logic [WordWidth-1:0] m_i,
  input logic [WordWidth-1:0] sum_i,
  input logic [WordWidth-1:0] carry_i
);
  localparam int TotalWidth = WordWidth + 3;
  localparam logic [WordWidth-1:0] Below    = WordWidth'(2 ** Offset - 1);
  localparam logic [WordWidth-1:0] BelowEnd = WordWidth'(2 ** (Offset + 1) - 1);

  logic                 load_o;
  logic                 first_o;
  logic                 last_o;
  logic [WordWidth-1:0] y_o;
  logic [WordWidth-1:0] m_o;
  logic [WordWidth-1:0] sum_o;
  logic [WordWidth-1:0] carry_o;
  logic                 first_q = 1'b0;   // the lowest word is there
  logic                 inside_q = 1'b0;  // one of the others is

  monpro_pe_scalable_improved #(
    .WordWidth(WordWidth), .Offset(Offset)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (load_i),
    .first_i(first_q),
    .last_i (last_i),
    .x_i    (x_i),
    .y_i    (y_i),
    .m_i    (m_i),
    .sum_i  (sum_i),
    .carry_i(carry_i),
    .load_o (load_o),
    .first_o(first_o),
    .last_o (last_o),
    .y_o    (y_o),
    .m_o    (m_o),
    .sum_o  (sum_o),
    .carry_o(carry_o)
  );

  (* hierconn *) logic \u_dut.x_q ;
  (* hierconn *) logic \u_dut.q ;
  (* hierconn *) logic \u_dut.carry_1_q ;
  (* hierconn *) logic \u_dut.carry_2_q ;

  logic live;
  logic behind_q = 1'b0;        // a word is behind the element
  logic first_behind_q = 1'b0;  // the lowest

  assign live = first_q | inside_q;

  always_ff @(posedge clk_i) begin
    first_q        <= load_i;
    inside_q       <= live & ~last_i;
    behind_q       <= live;
    first_behind_q <= first_q;
  end

  // ---- the recurrence -------------------------------------------------------------------------------

  logic                  x_q;
  logic                  quotient;
  logic                  quotient_q;
  logic [TotalWidth-1:0] before;          // of the element: pair and carry
  logic [TotalWidth-1:0] before_carry_q;  // 0 at the first word
  logic [WordWidth-1:0]  word;            // of N
  logic [TotalWidth-1:0] product;         // N + X·Y, of this word
  logic [TotalWidth-1:0] total;
  logic [TotalWidth-1:0] c_q;
  logic [WordWidth-1:0]  word_q;          // of the new N
  logic [TotalWidth-1:0] behind;          // the element: pair and carry
  logic [TotalWidth-1:0] behind_carry_q;
  logic [TotalWidth-1:0] behind_carry;

  assign before       = TotalWidth'(sum_i) + TotalWidth'(carry_i) + (first_q ? '0 : before_carry_q);
  assign word         = before[WordWidth-1:0];
  assign product      = TotalWidth'(word) + (x_q ? TotalWidth'(y_i) : '0);
  assign quotient     = first_q ? product[Offset] : quotient_q;
  assign total        = product + c_q + (quotient ? TotalWidth'(m_i) : '0);
  assign behind       = TotalWidth'(sum_o) + TotalWidth'(carry_o) + (first_behind_q ? '0 : behind_carry_q);
  assign behind_carry = behind >> WordWidth;

  always_ff @(posedge clk_i) begin
    if (load_i) x_q <= x_i;
    quotient_q     <= quotient;
    before_carry_q <= before >> WordWidth;
    behind_carry_q <= behind_carry;
    word_q         <= total[WordWidth-1:0];
    c_q            <= load_i ? '0 : total >> WordWidth;
  end

  always_comb begin
    if (load_i) assume (!first_q && (!inside_q || last_i));
    if (last_i) assume (inside_q);
    if (first_q) begin
      assume (((sum_i | carry_i | y_i | m_i) & Below) == '0);
      assume (m_i[Offset]);
    end
  end

  // ---- what is shown --------------------------------------------------------------------------------

  always_comb begin
    assert (!(first_q && inside_q) && (behind_q || !(inside_q || first_behind_q)));
    if (live) assert (c_q <= 2 && \u_dut.x_q == x_q && \u_dut.q == quotient);
    if (first_q) assert (c_q == '0 && !\u_dut.carry_1_q && !\u_dut.carry_2_q );
    if (inside_q) begin
      assert (before_carry_q <= 1 && behind_carry <= 1);
      assert (c_q + before_carry_q ==
              TotalWidth'(\u_dut.carry_1_q ) + TotalWidth'(\u_dut.carry_2_q ) + behind_carry);
    end
    if (behind_q) assert (behind[WordWidth-1:0] == word_q);
    if (first_behind_q) assert (((sum_o | carry_o) & BelowEnd) == '0);
  end
endmodule

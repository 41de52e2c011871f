// monpro_pe_scalable_right, by induction: word for word, an element computes the inner loop of [amberg08, Figs. 2, 3].
//
//   C, Z_j := {Z_(j+1), Z_j} >> v + C + Q·M^_j + X·Y_j,   Q the lowest v bits of Z_0, or Booth's digit of them
//
// Words of Z are those of sum + carry + pending, before the element and behind it. Shown for all words, digits and
// carries: the words behind are those of the recurrence, Q is within its range, and
//
//   0 <= C <= 2·(2^v - 1), with Booth -2^v <= C <= 2^v;
//   C = the carries between the rows' words + what the words behind carry + what of the multiples is to come
//       - what the shifted words before carry: nothing is lost and nothing comes twice.
//
// Assumed of what comes: a window of two words at least, words of Y and M^ as monpro_formal_multiple has them, digits
// of X within their range; that nothing is carried out of the highest word, with Booth that Z has two equal top bits.
module monpro_formal_scalable_right #(
  parameter  int RadixLog2     = 2,
  parameter  int WordWidth     = 4,
  parameter  bit Booth         = 1'b0,
  localparam int Largest       = Booth ? 2 ** (RadixLog2 - 1) : 2 ** RadixLog2 - 1,
  localparam int NumOdd        = (Largest + 1) / 2,
  localparam int MultipleWidth = NumOdd * WordWidth
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     first_i,
  input logic                     last_i,
  input logic                     x_negative_i,
  input logic [RadixLog2-1:0]     x_magnitude_i,
  input logic [MultipleWidth-1:0] y_i,
  input logic [MultipleWidth-1:0] m_i,
  input logic [WordWidth-1:0]     sum_i,
  input logic [WordWidth-1:0]     carry_i,
  input logic                     pending_i,
  input logic                     quotient_top_i
);
  localparam int TotalWidth = WordWidth + RadixLog2 + 4;

  logic                     first_o;
  logic                     last_o;
  logic [MultipleWidth-1:0] y_o;
  logic [MultipleWidth-1:0] m_o;
  logic [WordWidth-1:0]     sum_o;
  logic [WordWidth-1:0]     carry_o;
  logic                     pending_o;
  logic                     quotient_top_o;

  monpro_pe_scalable_right #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .first_i       (first_i),
    .last_i        (last_i),
    .x_negative_i  (x_negative_i),
    .x_magnitude_i (x_magnitude_i),
    .y_i           (y_i),
    .m_i           (m_i),
    .sum_i         (sum_i),
    .carry_i       (carry_i),
    .pending_i     (pending_i),
    .quotient_top_i(quotient_top_i),
    .first_o       (first_o),
    .last_o        (last_o),
    .y_o           (y_o),
    .m_o           (m_o),
    .sum_o         (sum_o),
    .carry_o       (carry_o),
    .pending_o     (pending_o),
    .quotient_top_o(quotient_top_o)
  );

  (* hierconn *) logic                        \u_dut.first_q ;
  (* hierconn *) logic                        \u_dut.last_q ;
  (* hierconn *) logic [MultipleWidth-1:0]    \u_dut.y_q ;
  (* hierconn *) logic [MultipleWidth-1:0]    \u_dut.m_q ;
  (* hierconn *) logic [WordWidth-1:0]        \u_dut.sum_q ;
  (* hierconn *) logic [WordWidth-1:0]        \u_dut.carry_q ;
  (* hierconn *) logic                        \u_dut.x_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]        \u_dut.x_magnitude_q ;
  (* hierconn *) logic                        \u_dut.q_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]        \u_dut.q_magnitude_q ;
  (* hierconn *) logic [NumOdd*RadixLog2-1:0] \u_dut.y_before ;
  (* hierconn *) logic [NumOdd*RadixLog2-1:0] \u_dut.m_before ;
  (* hierconn *) logic                        \u_dut.carry_1_q ;
  (* hierconn *) logic                        \u_dut.carry_2_q ;
  (* hierconn *) logic [1:0]                  \u_dut.gen_booth.extension_q ;

  // ---- the window of words --------------------------------------------------------------------------

  logic coming_q = 1'b0;        // a word that is not the lowest comes
  logic first_q = 1'b0;         // the lowest word is in the first stage
  logic inside_q = 1'b0;        // one of the others is
  logic last_q = 1'b0;          // the highest word is
  logic behind_q = 1'b0;        // a word is behind the element
  logic first_behind_q = 1'b0;  // the lowest
  logic live;

  assign live = first_q | inside_q;

  always_ff @(posedge clk_i) begin
    coming_q       <= (first_i | coming_q) & ~last_i;
    first_q        <= first_i;
    inside_q       <= coming_q;
    last_q         <= last_i;
    behind_q       <= live;
    first_behind_q <= first_q;
  end

  always_comb begin
    assume (rst_ni);
    if (first_i) assume (!coming_q);
    if (last_i) assume (coming_q);
  end

  // ---- digits and multiples -------------------------------------------------------------------------

  logic                  x_negative_q;
  logic [RadixLog2-1:0]  x_magnitude_q;
  logic [RadixLog2-1:0]  digit;
  logic [TotalWidth-1:0] quotient;
  logic [TotalWidth-1:0] quotient_q;  // Q, as a number
  logic [TotalWidth-1:0] x_y;
  logic [TotalWidth-1:0] x_y_left;
  logic [TotalWidth-1:0] q_m;
  logic [TotalWidth-1:0] q_m_left;

  assign digit    = sum_i[RadixLog2-1:0] + carry_i[RadixLog2-1:0] + RadixLog2'(pending_i);
  assign quotient = TotalWidth'(digit) +
                    (Booth ? TotalWidth'(quotient_top_i) -
                             (digit[RadixLog2-1] ? TotalWidth'(2 ** RadixLog2) : '0) : '0);

  always_ff @(posedge clk_i) begin
    if (first_i) begin
      x_negative_q  <= x_negative_i;
      x_magnitude_q <= x_magnitude_i;
      quotient_q    <= quotient;
    end
  end

  monpro_formal_multiple #(.RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)) u_x_y (
    .clk_i      (clk_i),
    .clear_i    (first_i),
    .first_i    (first_q),
    .live_i     (live),
    .odd_i      (\u_dut.y_q ),
    .before_i   (\u_dut.y_before ),
    .negative_i (x_negative_q),
    .magnitude_i(x_magnitude_q),
    .product_o  (x_y),
    .left_o     (x_y_left)
  );

  monpro_formal_multiple #(.RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)) u_q_m (
    .clk_i      (clk_i),
    .clear_i    (first_i),
    .first_i    (first_q),
    .live_i     (live),
    .odd_i      (\u_dut.m_q ),
    .before_i   (\u_dut.m_before ),
    .negative_i (\u_dut.q_negative_q ),
    .magnitude_i(\u_dut.q_magnitude_q ),
    .product_o  (q_m),
    .left_o     (q_m_left)
  );

  // ---- the recurrence -------------------------------------------------------------------------------

  logic [TotalWidth-1:0] before;          // of the word in the first stage: pair, pending and carry
  logic [TotalWidth-1:0] before_carry_q;
  logic [TotalWidth-1:0] before_carry;
  logic [TotalWidth-1:0] shifted_carry;   // into this word, once it is shifted
  logic [RadixLog2-1:0]  above;           // the lowest bits of the next word
  logic [WordWidth-1:0]  word;            // of Z, shifted
  logic [TotalWidth-1:0] total;
  logic [TotalWidth-1:0] c_q;
  logic [TotalWidth-1:0] c_above;         // the least C there may be
  logic [WordWidth-1:0]  word_q;          // of the new Z
  logic [TotalWidth-1:0] behind;          // the element: pair, pending and carry
  logic [TotalWidth-1:0] behind_carry_q;
  logic [TotalWidth-1:0] behind_carry;

  assign before        = TotalWidth'(\u_dut.sum_q ) + TotalWidth'(\u_dut.carry_q ) + before_carry_q;
  assign before_carry  = before >> WordWidth;
  assign shifted_carry = (TotalWidth'(\u_dut.sum_q [RadixLog2-1:0]) +
                          TotalWidth'(\u_dut.carry_q [RadixLog2-1:0]) + before_carry_q) >> RadixLog2;
  assign above         = last_q ? {RadixLog2{Booth & before[WordWidth-1]}} :
                         sum_i[RadixLog2-1:0] + carry_i[RadixLog2-1:0] + before_carry[RadixLog2-1:0];
  assign word          = WordWidth'({above, before[WordWidth-1:0]} >> RadixLog2);
  assign total         = TotalWidth'(word) + c_q + q_m + x_y;
  assign c_above       = Booth ? c_q + TotalWidth'(2 ** RadixLog2) : c_q;
  assign behind        = TotalWidth'(sum_o) + TotalWidth'(carry_o) +
                         (first_behind_q ? TotalWidth'(pending_o) : behind_carry_q);
  assign behind_carry  = behind >> WordWidth;

  always_ff @(posedge clk_i) begin
    before_carry_q <= first_i ? TotalWidth'(pending_i) : before_carry;
    behind_carry_q <= behind_carry;
    word_q         <= total[WordWidth-1:0];
    c_q            <= first_i ? '0 : {{WordWidth{total[TotalWidth-1]}}, total[TotalWidth-1:WordWidth]};
  end

  always_comb begin
    if (first_i) assume (x_magnitude_i <= Largest && (Booth || !x_negative_i));
    if (last_q) assume (Booth ? before[WordWidth-1] == before[WordWidth-2] : before_carry == '0);
  end

  // ---- what is shown --------------------------------------------------------------------------------

  always_comb begin
    assert (!(first_q && inside_q) && !(inside_q && !behind_q) && !(first_behind_q && !behind_q));
    assert (live == (coming_q || last_q) && !(coming_q && last_q) && !(last_q && first_q));
    if (live) begin
      assert (\u_dut.first_q == first_q && \u_dut.last_q == last_q);
      assert (c_above <= (Booth ? 2 ** (RadixLog2 + 1) : 2 * (2 ** RadixLog2 - 1)));
      assert (before_carry_q <= 1);
      assert (\u_dut.x_negative_q == x_negative_q && \u_dut.x_magnitude_q == x_magnitude_q);
      assert (x_magnitude_q <= Largest && (Booth || !x_negative_q));
      assert (\u_dut.q_magnitude_q <= Largest && (Booth || !\u_dut.q_negative_q ));
      assert (\u_dut.q_negative_q ? quotient_q + \u_dut.q_magnitude_q == '0 :
                                    quotient_q == \u_dut.q_magnitude_q );
    end
    if (inside_q && Booth) begin
      assert (\u_dut.gen_booth.extension_q ==
              {\u_dut.sum_q [WordWidth-1] & \u_dut.carry_q [WordWidth-1] & \u_dut.sum_q [WordWidth-2],
               \u_dut.sum_q [WordWidth-1] | \u_dut.carry_q [WordWidth-1] | \u_dut.sum_q [WordWidth-2]});
    end
    if (first_q) assert (c_q == '0 && pending_o == shifted_carry[0]);
    if (inside_q) begin
      assert (behind_carry <= 1);
      assert (c_q + shifted_carry == TotalWidth'(\u_dut.carry_1_q ) + TotalWidth'(\u_dut.carry_2_q ) +
                                     behind_carry + x_y_left + q_m_left);
    end
    if (behind_q) assert (behind[WordWidth-1:0] == word_q);
  end
endmodule

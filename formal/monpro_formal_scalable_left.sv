// monpro_pe_scalable_left, by induction: word for word, an element computes the inner loop of [amberg08, Figs. 2, 3].
//
//   C, N_j := N_j - [j = 0]·Q·2^Offset + C + Q·M^_j + X·Y_j,   Q the v bits of N_0 from Offset on, or Booth's digit of them
//
// Words of N are those of sum + carry + pending, before the element and behind it. Shown for all words, digits and
// carries: the words behind are those of the recurrence, Q is within its range, and
//
//   0 <= C <= 2·(2^v - 1), with Booth -2^v <= C <= 2^v;
//   C = the carries between the rows' words + what the words behind carry + what of the multiples is to come
//       - what the words before carry: nothing is lost and nothing comes twice;
//   N behind the element begins where the next element takes it, with zeros below.
//
// Assumed of what comes: a window of two words at least, words of Y and M^ as monpro_formal_multiple has them, zeros
// below the N and the multiples of the first word, digits of X within their range, and with Booth that Z has two equal
// top bits. In a chain of elements each shows for the next one what that one assumes of N.
module monpro_formal_scalable_left #(
  parameter  int RadixLog2     = 2,
  parameter  int WordWidth     = 4,
  parameter  bit Booth         = 1'b0,
  parameter  int Offset        = 0,
  localparam int Largest       = Booth ? 2 ** (RadixLog2 - 1) : 2 ** RadixLog2 - 1,
  localparam int NumOdd        = (Largest + 1) / 2,
  localparam int MultipleWidth = NumOdd * WordWidth
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     load_i,
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
  localparam int End        = Offset + RadixLog2;
  localparam int TotalWidth = WordWidth + RadixLog2 + 4;
  localparam logic [WordWidth-1:0] Below     = WordWidth'(2 ** Offset - 1);
  localparam logic [WordWidth-1:0] BelowEnd  = WordWidth'(2 ** End - 1);

  logic                     load_o;
  logic                     first_o;
  logic                     last_o;
  logic [MultipleWidth-1:0] y_o;
  logic [MultipleWidth-1:0] m_o;
  logic [WordWidth-1:0]     sum_o;
  logic [WordWidth-1:0]     carry_o;
  logic                     pending_o;
  logic                     quotient_top_o;
  logic                     first_q = 1'b0;   // the lowest word is there
  logic                     inside_q = 1'b0;  // one of the others is

  monpro_pe_scalable_left #(
    .RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth), .Offset(Offset)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .load_i        (load_i),
    .first_i       (first_q),
    .last_i        (last_i),
    .x_negative_i  (x_negative_i),
    .x_magnitude_i (x_magnitude_i),
    .y_i           (y_i),
    .m_i           (m_i),
    .sum_i         (sum_i),
    .carry_i       (carry_i),
    .pending_i     (pending_i),
    .quotient_top_i(quotient_top_i),
    .load_o        (load_o),
    .first_o       (first_o),
    .last_o        (last_o),
    .y_o           (y_o),
    .m_o           (m_o),
    .sum_o         (sum_o),
    .carry_o       (carry_o),
    .pending_o     (pending_o),
    .quotient_top_o(quotient_top_o)
  );

  (* hierconn *) logic                        \u_dut.x_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]        \u_dut.x_magnitude_q ;
  (* hierconn *) logic                        \u_dut.q_negative ;
  (* hierconn *) logic [RadixLog2-1:0]        \u_dut.q_magnitude ;
  (* hierconn *) logic [NumOdd*RadixLog2-1:0] \u_dut.y_before_q ;
  (* hierconn *) logic [NumOdd*RadixLog2-1:0] \u_dut.m_before_q ;
  (* hierconn *) logic                        \u_dut.carry_1_q ;
  (* hierconn *) logic                        \u_dut.carry_2_q ;
  (* hierconn *) logic [1:0]                  \u_dut.gen_extension.extension_q ;

  // ---- the window of words --------------------------------------------------------------------------

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

  always_comb begin
    if (load_i) assume (!first_q && (!inside_q || last_i));
    if (last_i) assume (inside_q);
  end

  // ---- digits and multiples -------------------------------------------------------------------------

  logic                  x_negative_q;
  logic [RadixLog2-1:0]  x_magnitude_q;
  logic [TotalWidth-1:0] quotient_q;  // Q, as a number
  logic [TotalWidth-1:0] quotient;
  logic [TotalWidth-1:0] x_y;
  logic [TotalWidth-1:0] x_y_left;
  logic [TotalWidth-1:0] q_m;
  logic [TotalWidth-1:0] q_m_left;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      x_negative_q  <= x_negative_i;
      x_magnitude_q <= x_magnitude_i;
    end
    quotient_q <= quotient;
  end

  monpro_formal_multiple #(.RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)) u_x_y (
    .clk_i      (clk_i),
    .clear_i    (load_i),
    .first_i    (first_q),
    .live_i     (live),
    .odd_i      (y_i),
    .before_i   (\u_dut.y_before_q ),
    .negative_i (x_negative_q),
    .magnitude_i(x_magnitude_q),
    .product_o  (x_y),
    .left_o     (x_y_left)
  );

  monpro_formal_multiple #(.RadixLog2(RadixLog2), .WordWidth(WordWidth), .Booth(Booth)) u_q_m (
    .clk_i      (clk_i),
    .clear_i    (load_i),
    .first_i    (first_q),
    .live_i     (live),
    .odd_i      (m_i),
    .before_i   (\u_dut.m_before_q ),
    .negative_i (\u_dut.q_negative ),
    .magnitude_i(\u_dut.q_magnitude ),
    .product_o  (q_m),
    .left_o     (q_m_left)
  );

  // ---- the recurrence -------------------------------------------------------------------------------

  logic [TotalWidth-1:0] before;         // of the element: pair, pending and carry
  logic [TotalWidth-1:0] before_carry_q;
  logic [WordWidth-1:0]  word;           // of N
  logic [1:0]            top_q;          // bits of the word before
  logic [RadixLog2-1:0]  digit;
  logic [TotalWidth-1:0] total;
  logic [TotalWidth-1:0] c_q;
  logic [WordWidth-1:0]  word_q;         // of the new N
  logic [TotalWidth-1:0] behind;         // the element: pair, pending and carry
  logic [TotalWidth-1:0] behind_carry_q;
  logic [TotalWidth-1:0] behind_carry;

  assign before = TotalWidth'(sum_i) + TotalWidth'(carry_i) +
                  (first_q ? TotalWidth'(pending_i) << Offset : before_carry_q);
  assign word   = (Booth && Offset == 0 && last_i) ? {WordWidth{top_q[1]}} : before[WordWidth-1:0];
  assign digit  = word[Offset+:RadixLog2];
  assign total  = TotalWidth'(word) + c_q + q_m + x_y -
                  (first_q ? TotalWidth'(digit) << Offset : '0);
  assign behind = TotalWidth'(sum_o) + TotalWidth'(carry_o) +
                  (first_behind_q ? TotalWidth'(pending_o) << End : behind_carry_q);
  assign behind_carry = behind >> WordWidth;

  if (Booth) begin : gen_booth
    assign quotient = !first_q ? quotient_q :
                      TotalWidth'(digit) + TotalWidth'(quotient_top_i) -
                      (digit[RadixLog2-1] ? TotalWidth'(2 ** RadixLog2) : '0);
  end else begin : gen_plain
    assign quotient = first_q ? TotalWidth'(digit) : quotient_q;
  end

  always_ff @(posedge clk_i) begin
    before_carry_q <= before >> WordWidth;
    behind_carry_q <= behind_carry;
    top_q          <= word[WordWidth-1-:2];
    word_q         <= total[WordWidth-1:0];
    c_q            <= load_i ? '0 : {{WordWidth{total[TotalWidth-1]}}, total[TotalWidth-1:WordWidth]};
  end

  always_comb begin
    if (load_i) assume (x_magnitude_i <= Largest && (Booth || !x_negative_i));
    if (first_q) begin
      assume (((sum_i | carry_i) & Below) == '0);
      assume (((y_i[WordWidth-1:0] | m_i[WordWidth-1:0]) & BelowEnd) == '0);
    end
    if (Booth && Offset == 0 && last_i) assume (top_q[0] == top_q[1]);
  end

  // ---- what is shown --------------------------------------------------------------------------------

  logic [TotalWidth-1:0] above;  // the least C there may be

  assign above = Booth ? c_q + TotalWidth'(2 ** RadixLog2) : c_q;

  always_comb begin
    if (live) begin
      assert (above <= (Booth ? 2 ** (RadixLog2 + 1) : 2 * (2 ** RadixLog2 - 1)));
      assert (\u_dut.x_negative_q == x_negative_q && \u_dut.x_magnitude_q == x_magnitude_q);
      assert (x_magnitude_q <= Largest && (Booth || !x_negative_q));
      assert (\u_dut.q_magnitude <= Largest && (Booth || !\u_dut.q_negative ));
      assert (\u_dut.q_negative ? quotient + \u_dut.q_magnitude == '0 : quotient == \u_dut.q_magnitude );
    end
    if (first_q) begin
      assert (c_q == '0 && !\u_dut.carry_1_q && !\u_dut.carry_2_q );
      assert (\u_dut.y_before_q == '0 && \u_dut.m_before_q == '0);
    end
    if (inside_q) begin
      assert (before_carry_q <= 1 && behind_carry <= 1);
      if (Booth && Offset == 0 && top_q[0] == top_q[1]) begin
        assert (2'(\u_dut.gen_extension.extension_q [0]) + 2'(\u_dut.gen_extension.extension_q [1]) ==
                before_carry_q + top_q[1]);
      end
      assert (c_q + before_carry_q == TotalWidth'(\u_dut.carry_1_q ) + TotalWidth'(\u_dut.carry_2_q ) +
                                      behind_carry + x_y_left + q_m_left);
    end
    if (behind_q) assert (behind[WordWidth-1:0] == word_q);
    if (first_behind_q) assert (((sum_o | carry_o) & BelowEnd) == '0);
    assert (!(first_q && inside_q) && (behind_q || !(inside_q || first_behind_q)));
  end
endmodule

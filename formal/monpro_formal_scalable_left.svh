// monpro_pe_scalable_left: the words shift left, so N begins at bit Offset of its lowest word.
//
//   dropped = [j = 0]·Q·2^Offset;   Q = the v bits of N_0 from Offset on, or Booth's digit of them
//
// Also shown: N behind the element begins where the next element takes it, with zeros below. Also assumed: in the
// first word there are zeros below N and the multiples; with Booth, N has two equal top bits. In a chain, each
// element shows what the next element assumes of N.

  localparam int End = Offset + RadixLog2;
  localparam logic [WordWidth-1:0] Below    = WordWidth'(2 ** Offset - 1);
  localparam logic [WordWidth-1:0] BelowEnd = WordWidth'(2 ** End - 1);

  (* hierconn *) logic                   \u_dut.x_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]   \u_dut.x_magnitude_q ;
  (* hierconn *) logic                   \u_dut.q_negative ;
  (* hierconn *) logic [RadixLog2-1:0]   \u_dut.q_magnitude ;
  (* hierconn *) logic [BeforeWidth-1:0] \u_dut.y_before_q ;
  (* hierconn *) logic [BeforeWidth-1:0] \u_dut.m_before_q ;
  (* hierconn *) logic [1:0]             \u_dut.gen_extension.extension_q ;

  logic [TotalWidth-1:0] before;  // before the element: pair, pending and carry
  logic [TotalWidth-1:0] before_carry_q;
  logic [1:0]            top_q;   // bits of the word before

  assign load_i      = start_i;
  assign first_i     = first;
  assign last        = last_i;
  assign y_word      = y_i;
  assign m_word      = m_i;
  assign y_before    = \u_dut.y_before_q ;
  assign m_before    = \u_dut.m_before_q ;
  assign q_negative  = \u_dut.q_negative ;
  assign q_magnitude = \u_dut.q_magnitude ;

  assign before = TotalWidth'(sum_i) + TotalWidth'(carry_i) +
                  (first ? TotalWidth'(pending_i) << Offset : before_carry_q);
  assign word   = (Booth && Offset == 0 && last_i) ? {WordWidth{top_q[1]}} : before[WordWidth-1:0];
  assign digit  = word[Offset+:RadixLog2];

  assign decides        = first;
  assign quotient       = first ? digit_value : quotient_q;
  assign dropped        = first ? TotalWidth'(digit) << Offset : '0;
  assign carried_before = before_carry_q;
  assign pending_behind = TotalWidth'(pending_o) << End;

  always_ff @(posedge clk_i) begin
    before_carry_q <= before >> WordWidth;
    top_q          <= word[WordWidth-1-:2];
  end

  always_comb begin
    if (first) begin
      assume (((sum_i | carry_i) & Below) == '0);
      assume (((y_i[WordWidth-1:0] | m_i[WordWidth-1:0]) & BelowEnd) == '0);
    end
    if (Booth && Offset == 0 && last_i) assume (top_q[0] == top_q[1]);
    if (live) assert (\u_dut.x_negative_q == x_negative_q && \u_dut.x_magnitude_q == x_magnitude_q);
    if (first) begin
      assert (!\u_dut.carry_1_q && !\u_dut.carry_2_q );
      assert (\u_dut.y_before_q == '0 && \u_dut.m_before_q == '0);
    end
    if (inside) begin
      assert (before_carry_q <= 1);
      if (Booth && Offset == 0 && top_q[0] == top_q[1]) begin
        assert (2'(\u_dut.gen_extension.extension_q [0]) + 2'(\u_dut.gen_extension.extension_q [1]) ==
                before_carry_q + top_q[1]);
      end
    end
    if (first_behind) assert (((sum_o | carry_o) & BelowEnd) == '0);
  end

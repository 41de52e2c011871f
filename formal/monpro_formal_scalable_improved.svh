// monpro_pe_scalable_improved: radix 2, shifts left, takes the modulus itself.
//
//   dropped = 0;   Q = bit Offset of N_0 + X·Y_0
//
// Also shown: N behind the element begins where the next element takes it, with zeros below. Also assumed: N, Y and M
// begin at bit Offset, and M is odd.

  localparam logic [WordWidth-1:0] Below    = WordWidth'(2 ** Offset - 1);
  localparam logic [WordWidth-1:0] BelowEnd = WordWidth'(2 ** (Offset + 1) - 1);

  (* hierconn *) logic \u_dut.x_q ;
  (* hierconn *) logic \u_dut.q ;

  logic [TotalWidth-1:0] before;  // before the element: pair and carry
  logic [TotalWidth-1:0] before_carry_q;
  logic [TotalWidth-1:0] product;

  assign load_i      = start_i;
  assign first_i     = first;
  assign x_i         = x_magnitude_i;
  assign last        = last_i;
  assign y_word      = y_i;
  assign m_word      = m_i;
  assign y_before    = '0;
  assign m_before    = '0;
  assign q_negative  = 1'b0;
  assign q_magnitude = \u_dut.q ;

  assign before  = TotalWidth'(sum_i) + TotalWidth'(carry_i) + (first ? '0 : before_carry_q);
  assign word    = before[WordWidth-1:0];
  assign product = TotalWidth'(word) + x_y;

  assign decides        = first;
  assign digit          = product[Offset];
  assign quotient       = first ? digit_value : quotient_q;
  assign dropped        = '0;
  assign carried_before = before_carry_q;
  assign pending_behind = '0;

  always_ff @(posedge clk_i) before_carry_q <= before >> WordWidth;

  always_comb begin
    if (first) begin
      assume (((sum_i | carry_i | y_i | m_i) & Below) == '0);
      assume (m_i[Offset]);
    end
    if (live) assert (\u_dut.x_q == x_magnitude_q);
    if (first) assert (!\u_dut.carry_1_q && !\u_dut.carry_2_q );
    if (inside) assert (before_carry_q <= 1);
    if (first_behind) assert (((sum_o | carry_o) & BelowEnd) == '0);
  end

// monpro_pe_scalable_right: N is shifted right, so a word needs the lowest bits of the next word and waits for it in a
// first stage.
//
//   N_j is {N_(j+1), N_j} >> v, dropped = 0;   Q = the lowest v bits of N_0, or Booth's digit of them
//
// The carry of the words before is the carry of the shifted words. Also assumed: no carry leaves the highest word;
// with Booth, N has two equal top bits.

  (* hierconn *) logic                     \u_dut.first_q ;
  (* hierconn *) logic                     \u_dut.last_q ;
  (* hierconn *) logic [MultipleWidth-1:0] \u_dut.y_q ;
  (* hierconn *) logic [MultipleWidth-1:0] \u_dut.m_q ;
  (* hierconn *) logic [WordWidth-1:0]     \u_dut.sum_q ;
  (* hierconn *) logic [WordWidth-1:0]     \u_dut.carry_q ;
  (* hierconn *) logic                     \u_dut.x_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]     \u_dut.x_magnitude_q ;
  (* hierconn *) logic                     \u_dut.q_negative_q ;
  (* hierconn *) logic [RadixLog2-1:0]     \u_dut.q_magnitude_q ;
  (* hierconn *) logic [BeforeWidth-1:0]   \u_dut.y_before ;
  (* hierconn *) logic [BeforeWidth-1:0]   \u_dut.m_before ;
  (* hierconn *) logic [1:0]               \u_dut.gen_booth.extension_q ;

  logic                  last_q = 1'b0;
  logic                  coming;          // a word other than the lowest comes
  logic [TotalWidth-1:0] before;          // of the word in the first stage: pair, pending and carry
  logic [TotalWidth-1:0] before_carry_q;
  logic [TotalWidth-1:0] before_carry;
  logic [TotalWidth-1:0] shifted_carry;   // into this word, once it is shifted
  logic [RadixLog2-1:0]  above;           // the lowest bits of the next word

  assign first_i     = start_i;
  assign last        = last_q;
  assign coming      = live & ~last_q;
  assign y_word      = \u_dut.y_q ;
  assign m_word      = \u_dut.m_q ;
  assign y_before    = \u_dut.y_before ;
  assign m_before    = \u_dut.m_before ;
  assign q_negative  = \u_dut.q_negative_q ;
  assign q_magnitude = \u_dut.q_magnitude_q ;

  assign before        = TotalWidth'(\u_dut.sum_q ) + TotalWidth'(\u_dut.carry_q ) + before_carry_q;
  assign before_carry  = before >> WordWidth;
  assign shifted_carry = (TotalWidth'(\u_dut.sum_q [RadixLog2-1:0]) +
                          TotalWidth'(\u_dut.carry_q [RadixLog2-1:0]) + before_carry_q) >> RadixLog2;
  assign above         = last_q ? {RadixLog2{Booth & before[WordWidth-1]}} :
                         sum_i[RadixLog2-1:0] + carry_i[RadixLog2-1:0] + before_carry[RadixLog2-1:0];
  assign word          = WordWidth'({above, before[WordWidth-1:0]} >> RadixLog2);

  assign decides        = start_i;
  assign digit          = sum_i[RadixLog2-1:0] + carry_i[RadixLog2-1:0] + RadixLog2'(pending_i);
  assign quotient       = quotient_q;
  assign dropped        = '0;
  assign carried_before = shifted_carry;
  assign pending_behind = TotalWidth'(pending_o);

  always_ff @(posedge clk_i) begin
    last_q         <= last_i;
    before_carry_q <= start_i ? TotalWidth'(pending_i) : before_carry;
  end

  always_comb begin
    assume (rst_ni);
    if (last_i) assume (coming);
    if (last_q) assume (Booth ? before[WordWidth-1] == before[WordWidth-2] : before_carry == '0);
    assert (!(last_q && first));
    if (live) begin
      assert (\u_dut.first_q == first && \u_dut.last_q == last_q);
      assert (before_carry_q <= 1);
      assert (\u_dut.x_negative_q == x_negative_q && \u_dut.x_magnitude_q == x_magnitude_q);
    end
    if (inside && Booth) begin
      assert (\u_dut.gen_booth.extension_q ==
              {\u_dut.sum_q [WordWidth-1] & \u_dut.carry_q [WordWidth-1] & \u_dut.sum_q [WordWidth-2],
               \u_dut.sum_q [WordWidth-1] | \u_dut.carry_q [WordWidth-1] | \u_dut.sum_q [WordWidth-2]});
    end
    if (first) assert (pending_o == shifted_carry[0]);
  end

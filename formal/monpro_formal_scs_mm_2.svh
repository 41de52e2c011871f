// SCS-MM-2, by induction: SS/2 + SC/2 is the S of monpro_formal_radix_2, and after the iterations SS + SC is S, until
// z = S. After m more clocks of two half adders SC has no bit below 2·m + 2, which bounds the latency.

  localparam int StateWidth = Width + 3;
  localparam int WideWidth  = StateWidth + 1;

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StShift,
    StResult
  } state_e;

  (* hierconn *) logic [1:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.a_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.b_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ss_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sc_q ;
  (* hierconn *) logic                  \u_dut.quotient ;

  logic                  loop;
  logic                  result;
  logic [WideWidth-1:0]  accumulator;
  logic [IndexWidth-1:0] rounds_q;  // clocks of half adders, in StResult
  logic [StateWidth-1:0] settled;   // bits of SC that can no longer be set

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign result      = rst_ni && \u_dut.state_q == StResult;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );
  assign settled     = ~({StateWidth{1'b1}} << (2 * rounds_q + 2));

  always_ff @(posedge clk_i) begin
    if (!result) begin
      rounds_q <= '0;
    end else if (!valid) begin
      rounds_q <= rounds_q + IndexWidth'(1);
    end
  end

  assign step     = loop;
  assign skip     = 1'b0;
  assign operand  = \u_dut.a_q [0];
  assign quotient = \u_dut.quotient ;

  always_comb begin
    if (rst_ni && \u_dut.state_q != StIdle) begin
      assert (taken);
      if (loop) begin
        assert (\u_dut.a_q == x >> index && \u_dut.b_q == y && {1'b0, \u_dut.n_q } == n);
        assert (\u_dut.left_q == Iterations - index && index < Iterations);
      end else begin
        assert (index == Iterations);
      end
      if (result) begin
        assert (accumulator == sum && (\u_dut.sc_q & settled) == '0);
        assert (valid || 2 * (rounds_q + 1) <= Width);
      end else begin
        assert (accumulator == {sum, 1'b0} && !\u_dut.ss_q [0] && !\u_dut.sc_q [0]);
      end
      if (valid) assert (z == sum);
    end
  end

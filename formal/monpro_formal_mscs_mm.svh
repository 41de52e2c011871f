// MSCS-MM, by induction: SS + SC = y + n until D holds this sum. Then SS/2 + SC/2 is the S of monpro_formal_radix_2,
// and after the iterations SS + SC is S, until z = S. operand_q and quotient_q are the bits of the next iteration.
// After m clocks of half adders SC has no bit below m + 1, which bounds the latency.

  localparam int StateWidth = Width + 3;
  localparam int WideWidth  = StateWidth + 1;

  typedef enum logic [2:0] {
    StIdle,
    StAdd,
    StSum,
    StLoop,
    StShift,
    StResult
  } state_e;

  (* hierconn *) logic [2:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.a_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.b_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ss_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sc_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.d_q ;
  (* hierconn *) logic                  \u_dut.operand_q ;
  (* hierconn *) logic                  \u_dut.quotient_q ;
  (* hierconn *) logic                  \u_dut.zero ;

  logic                  adding;
  logic                  summing;
  logic                  looping;
  logic                  result;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  d;
  logic [IndexWidth-1:0] rounds_q;  // clocks of half adders, in StSum or StResult
  logic [StateWidth-1:0] settled;   // bits of SC that can no longer be set

  assign adding      = rst_ni && \u_dut.state_q == StAdd;
  assign summing     = rst_ni && \u_dut.state_q == StSum;
  assign looping     = rst_ni && \u_dut.state_q == StLoop;
  assign result      = rst_ni && \u_dut.state_q == StResult;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );
  assign d           = WideWidth'(y) + WideWidth'(n);
  assign settled     = ~({StateWidth{1'b1}} << (rounds_q + 1));

  always_ff @(posedge clk_i) begin
    if (!summing && !result) begin
      rounds_q <= '0;
    end else if (!\u_dut.zero ) begin
      rounds_q <= rounds_q + IndexWidth'(1);
    end
  end

  assign step     = looping || (summing && \u_dut.zero );
  assign skip     = 1'b0;
  assign operand  = \u_dut.operand_q ;
  assign quotient = \u_dut.quotient_q ;

  always_comb begin
    if (rst_ni && \u_dut.state_q != StIdle) begin
      assert (taken);
      if (adding || summing || looping) begin
        assert (\u_dut.a_q == x >> index && \u_dut.b_q == y && {1'b0, \u_dut.n_q } == n);
        assert (\u_dut.left_q == Iterations - index && index < Iterations);
      end else begin
        assert (index == Iterations);
      end
      if (adding) assert (index == 0);
      if (summing) begin
        assert (index == 0 && accumulator == d && (\u_dut.sc_q & settled) == '0);
        assert (\u_dut.quotient_q == (x[0] & y[0]));
        assert (\u_dut.zero || rounds_q <= Width);
      end
      if (looping) assert (\u_dut.d_q == d);
      if (result) begin
        assert (accumulator == sum && (\u_dut.sc_q & settled) == '0);
        assert (valid || rounds_q + 1 <= Width);
      end else if (!adding && !summing) begin
        assert (accumulator == {sum, 1'b0} && !\u_dut.ss_q [0] && !\u_dut.sc_q [0]);
      end
      if (valid) assert (z == sum);
    end
  end

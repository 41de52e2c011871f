// SCS-MM-1, by induction: SS + SC is the S of monpro_formal_radix_2. During the conversion, the converted slices and
// the slices to come add up to S, and z = S. The converter has two slices.

  localparam int StateWidth = 2 * CpaWidth + 2;
  localparam int WideWidth  = StateWidth + 2;

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StConvert,
    StResult
  } state_e;

  (* hierconn *) logic [1:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.a_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.b_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ss_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sc_q ;
  (* hierconn *) logic                  \u_dut.cpa_carry_q ;
  (* hierconn *) logic                  \u_dut.quotient ;

  logic                  loop;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  upper;

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );

  // one slice is done and is in SS from bit CpaWidth + 1 up; the others are still to be added
  assign upper       = WideWidth'(\u_dut.ss_q [CpaWidth:0]) + WideWidth'(\u_dut.sc_q [CpaWidth:0]) +
                       WideWidth'(\u_dut.cpa_carry_q );

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
        assert (accumulator == sum && !\u_dut.cpa_carry_q );
      end else begin
        assert (index == Iterations);
      end
      if (\u_dut.state_q == StConvert) begin
        assert (\u_dut.left_q == 1 || \u_dut.left_q == 2);
        if (\u_dut.left_q == 2) assert (accumulator == sum && !\u_dut.cpa_carry_q );
        if (\u_dut.left_q == 1) assert ({upper, \u_dut.ss_q [2*CpaWidth:CpaWidth+1]} == sum);
      end
      if (valid) assert (z == sum);
    end
  end

// FCS-MM-1, by induction: SS + SC is the S of monpro_formal_radix_2, and the barrel register full adder holds the
// rest of x. The sum or the pair at z_o is S.

  localparam int StateWidth = Width + 3;
  localparam int WideWidth  = StateWidth + 2;

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StResult
  } state_e;

  (* hierconn *) logic [1:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [ValueWidth-1:0] \u_dut.bs_q ;
  (* hierconn *) logic [ValueWidth-1:0] \u_dut.bc_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ss_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sc_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.u_brfa.sum_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.u_brfa.carry_q ;
  (* hierconn *) logic                  \u_dut.u_brfa.ripple_q ;
  (* hierconn *) logic                  \u_dut.operand ;
  (* hierconn *) logic                  \u_dut.quotient ;

  logic                  loop;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  x_left;
  logic [WideWidth-1:0]  y_held;

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );
  assign y_held      = WideWidth'(\u_dut.bs_q ) + WideWidth'(\u_dut.bc_q );
  assign x_left      = WideWidth'(\u_dut.u_brfa.sum_q ) + WideWidth'(\u_dut.u_brfa.carry_q ) +
                       WideWidth'(\u_dut.u_brfa.ripple_q );

  assign step     = loop;
  assign skip     = 1'b0;
  assign operand  = \u_dut.operand ;
  assign quotient = \u_dut.quotient ;

  always_comb begin
    if (rst_ni && \u_dut.state_q != StIdle) begin
      if (!CarrySavePorts) begin
        assert (\u_dut.bc_q == '0 && \u_dut.u_brfa.carry_q == '0 && !\u_dut.u_brfa.ripple_q );
      end
      assert (taken && accumulator == sum);
      if (loop) begin
        assert (x_left == x >> index && y_held == y && {1'b0, \u_dut.n_q } == n);
        assert (\u_dut.left_q == Iterations - index && index < Iterations);
      end else begin
        assert (\u_dut.state_q == StResult && index == Iterations);
      end
      if (valid) assert (z_value == sum);
    end
  end

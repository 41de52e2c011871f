// FCS-MMM42, by induction: DS + DC = B^ + N^. The output of the multiplexers M1 and M2 is the S of
// monpro_formal_radix_2 modulo N_eff = N^ - 1. operand_q and quotient_q are the bits of the next iteration. An
// iteration that Skip_D skips has nothing to add. The sum or the pair at z_o is S. Because the lowest bit of the sum
// is dropped, q·N^ becomes the q·N_eff of the algorithm.

  localparam int StateWidth = ModulusWidth + 6;
  localparam int WideWidth  = StateWidth + 2;

  typedef enum logic [1:0] {
    StIdle,
    StAdd,
    StLoop,
    StResult
  } state_e;

  (* hierconn *) logic [1:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [ValueWidth-1:0] \u_dut.bs_q ;
  (* hierconn *) logic [ValueWidth-1:0] \u_dut.bc_q ;
  (* hierconn *) logic [ModulusWidth-1:0] \u_dut.n_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ds_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.dc_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.ss_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sc_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.u_brfa.sum_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.u_brfa.carry_q ;
  (* hierconn *) logic                  \u_dut.u_brfa.ripple_q ;
  (* hierconn *) logic                  \u_dut.first_q ;
  (* hierconn *) logic                  \u_dut.operand_q ;
  (* hierconn *) logic                  \u_dut.quotient_q ;
  (* hierconn *) logic                  \u_dut.skip_q ;
  (* hierconn *) logic                  \u_dut.skip ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.s ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.c ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.xs ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.xc ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sum_1 ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.carry_1 ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sum_2 ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.carry_2 ;
  (* hierconn *) logic                  \u_dut.u_brfa.ripple_1 ;
  (* hierconn *) logic                  \u_dut.u_brfa.ripple_2 ;

  logic                  loop;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  x_left;
  logic [WideWidth-1:0]  y_held;
  logic [WideWidth-1:0]  d_held;
  logic [WideWidth-1:0]  n_hat;
  logic [WideWidth-1:0]  xs;
  logic [WideWidth-1:0]  xc;
  logic [WideWidth-1:0]  sum_1;
  logic [WideWidth-1:0]  sum_2;

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign accumulator = WideWidth'(\u_dut.s ) + WideWidth'(\u_dut.c );
  assign n_hat       = WideWidth'(\u_dut.n_q );
  assign y_held      = WideWidth'(\u_dut.bs_q ) + WideWidth'(\u_dut.bc_q );
  assign d_held      = WideWidth'(\u_dut.ds_q ) + WideWidth'(\u_dut.dc_q );
  assign x_left      = WideWidth'(\u_dut.u_brfa.sum_q ) + WideWidth'(\u_dut.u_brfa.carry_q ) +
                       WideWidth'(\u_dut.u_brfa.ripple_q );

  assign xs          = WideWidth'(\u_dut.xs );
  assign xc          = WideWidth'(\u_dut.xc );
  assign sum_1       = WideWidth'(\u_dut.sum_1 ) + WideWidth'({\u_dut.carry_1 , 1'b0});
  assign sum_2       = WideWidth'(\u_dut.sum_2 ) + WideWidth'({\u_dut.carry_2 , 1'b0});

  assign step     = loop && (!\u_dut.first_q || \u_dut.skip );
  assign skip     = !\u_dut.first_q && \u_dut.skip ;
  assign operand  = !\u_dut.first_q && \u_dut.operand_q ;
  assign quotient = !\u_dut.first_q && \u_dut.quotient_q ;

  // The adders' equations, for all values of the registers. They add no claim, but help the solver to find the proof.
  always_comb begin
    assert (sum_1 == accumulator + xs);
    if (!\u_dut.carry_1 [StateWidth-1]) assert (sum_2 == sum_1 + xc);
    assert (accumulator + xs + xc == accumulator + (xs + xc));
    assert (n_hat + {\u_dut.bc_q , 3'b000} + {\u_dut.bs_q , 3'b000} == n_hat + {y_held, 3'b000});
    assert (x_left >> 1 == WideWidth'(\u_dut.u_brfa.sum_q [StateWidth-1:1]) +
                           WideWidth'(\u_dut.u_brfa.carry_q [StateWidth-1:1]) +
                           WideWidth'(\u_dut.u_brfa.ripple_1 ));
    assert (x_left >> 2 == WideWidth'(\u_dut.u_brfa.sum_q [StateWidth-1:2]) +
                           WideWidth'(\u_dut.u_brfa.carry_q [StateWidth-1:2]) +
                           WideWidth'(\u_dut.u_brfa.ripple_2 ));
  end

  always_comb begin
    if (rst_ni && \u_dut.state_q != StIdle) begin
      if (!CarrySavePorts) begin
        assert (\u_dut.bc_q == '0 && \u_dut.u_brfa.carry_q == '0 && !\u_dut.u_brfa.ripple_q );
      end
      assert (taken);
      if (\u_dut.state_q == StResult) begin
        assert (index == Iterations);
      end else begin
        assert (y_held == y && n_hat == WideWidth'(n) + 1 && n_hat[1:0] == 2'b00);
      end
      if (\u_dut.state_q == StAdd) begin
        assert (index == 0 && x_left == x);
        assert (\u_dut.ss_q == n_hat && \u_dut.sc_q == {\u_dut.bc_q , 3'b000});
      end else begin
        assert (accumulator == sum);
      end
      if (loop) begin
        assert (!\u_dut.carry_1 [StateWidth-1] && !\u_dut.carry_2 [StateWidth-1]);
        assert (xs + xc == (\u_dut.operand_q ? {y, 3'b000} : '0) +
                           (\u_dut.quotient_q ? n_hat : '0));
        assert (d_held == n_hat + WideWidth'({y, 3'b000}) && index < Iterations);
        if (\u_dut.first_q ) begin
          assert (index == 0 && \u_dut.left_q == Iterations && x_left == x && !\u_dut.skip_q );
          assert (!\u_dut.operand_q && !\u_dut.quotient_q );
        end else begin
          assert (\u_dut.left_q == Iterations - 1 - index && index >= \u_dut.skip_q );
          assert (x_left == x >> (index - \u_dut.skip_q ));
          assert (\u_dut.quotient_q == sum[0]);
        end
      end
      if (valid) assert (z_value == sum);
    end
  end

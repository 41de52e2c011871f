// SCS-MM-New, by induction, with a data path of two slices: SS + SC = B^ + N^ until D^ holds this sum. Then the output
// of the multiplexers M1 and M2 is the S of monpro_formal_radix_2 modulo N_eff = N^ - 1, and in the end SS + SC is S,
// until z = S. The slices hold the x_i and q_i of the next iteration as their selection. An iteration that Skip_D
// skips has nothing to add. Because the lowest bit of the sum is dropped, q·N^ becomes the q·N_eff of the algorithm.
// After m clocks of h half adders SC has no bit below m·h + 4 (D^) or m·h + h (result), which bounds the latency.
//
// The slices' selections need no assertion, because the induction takes two clocks in sequence.

  localparam int StateWidth = ModulusWidth + 6;
  localparam int LowWidth   = StateWidth / 2;
  localparam int HighWidth  = StateWidth - LowWidth;
  localparam int WideWidth  = StateWidth + 2;
  localparam int Levels     = Configurable ? 2 : 1;
  localparam int Conversion = (OperandWidth + Levels - 1) / Levels;
  localparam int StepWidth  = $clog2(Conversion + 1);

  typedef enum logic [2:0] {
    StReset,
    StIdle,
    StLoad,
    StAdd,
    StSum,
    StLoop,
    StShift,
    StResult
  } state_e;

  (* hierconn *) logic [2:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic                  \u_dut.last_q ;
  (* hierconn *) logic                  \u_dut.last_but_one_q ;
  (* hierconn *) logic                  \u_dut.blank_q ;
  (* hierconn *) logic                  \u_dut.skip_q ;
  (* hierconn *) logic                  \u_dut.skip_d ;
  (* hierconn *) logic                  \u_dut.quotient_q ;
  (* hierconn *) logic                  \u_dut.settled ;
  (* hierconn *) logic [1:0]            \u_dut.zero ;
  (* hierconn *) logic                  \u_dut.gen_zero_d.converting_q ;
  (* hierconn *) logic [StepWidth-1:0]  \u_dut.gen_constant_time.steps_q ;
  (* hierconn *) logic [StateWidth-1:0] \u_dut.sum ;

  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.sc_q ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.s ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.c ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.a_q ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.b_q ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.n_q ;
  (* hierconn *) logic [LowWidth-1:0]   \u_dut.gen_slice[0].u_slice.d_q ;
  (* hierconn *) logic                  \u_dut.gen_slice[0].u_slice.operand_q ;
  (* hierconn *) logic                  \u_dut.gen_slice[0].u_slice.quotient_q ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.sc_q ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.s ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.c ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.a_q ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.b_q ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.n_q ;
  (* hierconn *) logic [HighWidth-1:0]  \u_dut.gen_slice[1].u_slice.d_q ;

  logic [StateWidth-1:0] ss;
  logic [StateWidth-1:0] sc;
  logic [StateWidth-1:0] s;
  logic [StateWidth-1:0] c;
  logic [StateWidth-1:0] a_held;
  logic [StateWidth-1:0] b_held;
  logic [StateWidth-1:0] n_held;
  logic [StateWidth-1:0] d_held;

  assign ss     = \u_dut.sum ;
  assign sc     = {\u_dut.gen_slice[1].u_slice.sc_q , \u_dut.gen_slice[0].u_slice.sc_q };
  assign s      = {\u_dut.gen_slice[1].u_slice.s , \u_dut.gen_slice[0].u_slice.s };
  assign c      = {\u_dut.gen_slice[1].u_slice.c , \u_dut.gen_slice[0].u_slice.c };
  assign a_held = {\u_dut.gen_slice[1].u_slice.a_q , \u_dut.gen_slice[0].u_slice.a_q };
  assign b_held = {\u_dut.gen_slice[1].u_slice.b_q , \u_dut.gen_slice[0].u_slice.b_q };
  assign n_held = {\u_dut.gen_slice[1].u_slice.n_q , \u_dut.gen_slice[0].u_slice.n_q };
  assign d_held = {\u_dut.gen_slice[1].u_slice.d_q , \u_dut.gen_slice[0].u_slice.d_q };

  logic                    loading;
  logic                    adding;
  logic                    summing;
  logic                    looping;
  logic                    shifting;
  logic                    result;
  logic [WideWidth-1:0]    d;
  logic [IndexWidth-1:0]   rounds_q;  // clocks of half adders, in StSum or StResult
  logic [StateWidth-1:0]   low_bits;  // bits of SC that can no longer be set

  assign loading  = rst_ni && \u_dut.state_q == StLoad;
  assign adding   = rst_ni && \u_dut.state_q == StAdd;
  assign summing  = rst_ni && \u_dut.state_q == StSum;
  assign looping  = rst_ni && \u_dut.state_q == StLoop;
  assign shifting = rst_ni && \u_dut.state_q == StShift;
  assign result   = rst_ni && \u_dut.state_q == StResult;
  assign d        = WideWidth'(n_held) + WideWidth'(b_held);
  assign low_bits = ~({StateWidth{1'b1}} << (Levels * rounds_q + (summing ? 4 : Levels)));

  always_ff @(posedge clk_i) begin
    if (!summing && !result) begin
      rounds_q <= '0;
    end else if (!\u_dut.settled ) begin
      rounds_q <= rounds_q + IndexWidth'(1);
    end
  end

  assign step     = looping || (summing && \u_dut.settled && \u_dut.skip_d );
  assign skip     = looping && \u_dut.skip_d ;
  assign operand  = looping && \u_dut.gen_slice[0].u_slice.operand_q ;
  assign quotient = looping && \u_dut.gen_slice[0].u_slice.quotient_q ;

  always_comb begin
    if (rst_ni && \u_dut.state_q > StIdle) begin
      assert (taken && !n[OperandWidth-1]);
      if (loading || adding || summing) assert (index == 0 && a_held == x);
      if (shifting || result) begin
        assert (index == Iterations);
      end else begin
        assert (index < Iterations && b_held == {y, 3'b000});
        assert (n_held == WideWidth'(n) + 1 && n_held[1:0] == 2'b00);
      end
      if (adding) assert (ss == n_held && sc == '0);
      if (summing) begin
        assert (WideWidth'(ss) + WideWidth'(sc) == d);
        assert (\u_dut.left_q == Iterations && !\u_dut.last_q && !\u_dut.last_but_one_q );
      end
      if (looping) begin
        assert (d_held == d);
        if (\u_dut.blank_q ) assert (ss == d);
        assert (\u_dut.left_q == Iterations - 1 - index && index >= \u_dut.skip_q );
        assert (\u_dut.last_q == (index == Iterations - 1));
        assert (\u_dut.last_but_one_q == (index == Iterations - 2));
        assert (a_held == x >> (index - \u_dut.skip_q ));
        assert (\u_dut.quotient_q == sum[0]);
      end
      if (looping || shifting) assert (WideWidth'(s) + WideWidth'(c) == sum);
      if (result) assert (WideWidth'(ss) + WideWidth'(sc) == sum);
      if (summing || result) begin
        assert ((sc & low_bits) == '0);
        if (\u_dut.settled ) assert (sc == '0);
        if (ConstantTime) begin
          assert (\u_dut.gen_constant_time.steps_q == Conversion - result - rounds_q);
        end else begin
          assert (\u_dut.settled || rounds_q < Conversion + 2);
          assert (&\u_dut.zero || rounds_q <= Conversion);
          if (\u_dut.gen_zero_d.converting_q && &\u_dut.zero ) assert (sc == '0);
        end
      end
      if (valid) assert (z == sum);
    end
  end

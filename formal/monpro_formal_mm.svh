// MM, by induction: in each iteration S is the S of monpro_formal_radix_2, and z is S or S - n, and below n.

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StReduce,
    StResult
  } state_e;

  (* hierconn *) logic [1:0]            \u_dut.state_q ;
  (* hierconn *) logic [IndexWidth-1:0] \u_dut.left_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.a_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.b_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.s_q ;
  (* hierconn *) logic                  \u_dut.quotient ;

  logic                  loop;

  assign loop = rst_ni && \u_dut.state_q == StLoop;

  assign step     = loop;
  assign skip     = 1'b0;
  assign operand  = \u_dut.a_q [0];
  assign quotient = \u_dut.quotient ;

  always_comb begin
    if (rst_ni && \u_dut.state_q != StIdle) begin
      assert (taken && \u_dut.n_q == n);
      if (loop) begin
        assert (\u_dut.a_q == x >> index && \u_dut.b_q == y);
        assert (\u_dut.left_q == Width - index && index < Width);
      end else begin
        assert (index == Width);
      end
      if (\u_dut.state_q != StResult) assert (\u_dut.s_q == sum);
    end
    if (rst_ni && valid) assert (z < n && (z == sum || z + SumWidth'(n) == sum));
  end

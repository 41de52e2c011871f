// MSCS-MM, by induction: SS + SC = y + n until D holds it, then SS/2 + SC/2 is the S of monpro_formal_radix_2, and
// after it SS + SC is, until z = S. operand_q and quotient_q are the bits of the iteration that comes. After m
// clocks of half adders SC has no bit below m + 1, which bounds the latency.
//
// The names with a dot are those of the multiplier's own registers; Yosys connects them when it flattens.
module monpro_formal_mscs_mm #(
  parameter int Width = 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width  :0] x_i,
  input logic [Width  :0] y_i,
  input logic [Width-1:0] n_i
);
  localparam int Iterations = Width + 2;
  localparam int StateWidth = Width + 3;
  localparam int WideWidth  = StateWidth + 1;
  localparam int IndexWidth = $clog2(Iterations + 1);

  typedef enum logic [2:0] {
    StIdle,
    StAdd,
    StSum,
    StLoop,
    StShift,
    StResult
  } state_e;

  logic           ready;
  logic           valid;
  logic [Width:0] z;

  monpro_mul_mscs_mm #(.Width(Width)) u_dut (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_i),
    .ready_o(ready),
    .x_i    (x_i),
    .y_i    (y_i),
    .n_i    (n_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .z_o    (z)
  );

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
  logic                  taken;
  logic [Width  :0]      x;
  logic [Width  :0]      y;
  logic [Width  :0]      n;
  logic [IndexWidth-1:0] index;
  logic [StateWidth-1:0] sum;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  d;
  logic [IndexWidth-1:0] rounds_q;  // of half adders, in StSum or StResult
  logic [StateWidth-1:0] settled;   // bits of SC that cannot be set any more

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

  monpro_formal_radix_2 #(
    .ValueWidth(Width + 1),
    .Iterations(Iterations)
  ) u_radix_2 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .take_i    (rst_ni && valid_i && ready),
    .x_i       ({1'b0, x_i}),
    .y_i       ({1'b0, y_i}),
    .n_i       ({1'b0, n_i}),
    .step_i    (looping || (summing && \u_dut.zero )),
    .skip_i    (1'b0),
    .operand_i (\u_dut.operand_q ),
    .quotient_i(\u_dut.quotient_q ),
    .taken_o   (taken),
    .x_o       (x),
    .y_o       (y),
    .n_o       (n),
    .index_o   (index),
    .sum_o     (sum)
  );

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
endmodule

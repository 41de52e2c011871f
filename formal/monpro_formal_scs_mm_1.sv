// SCS-MM-1, by induction: SS + SC is the S of monpro_formal_radix_2, then what the converter has done and what it
// has left to do add up to it, and z = S. The converter has two slices.
//
// The names with a dot are those of the multiplier's own registers; Yosys connects them when it flattens.
module monpro_formal_scs_mm_1 #(
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
  localparam int CpaWidth   = (Width + 1) / 2;
  localparam int Iterations = Width + 2;
  localparam int StateWidth = 2 * CpaWidth + 2;
  localparam int SumWidth   = Width + 3;
  localparam int WideWidth  = StateWidth + 2;
  localparam int IndexWidth = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StConvert,
    StResult
  } state_e;

  logic           ready;
  logic           valid;
  logic [Width:0] z;

  monpro_mul_scs_mm_1 #(.Width(Width), .CpaWidth(CpaWidth)) u_dut (
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
  logic                  taken;
  logic [Width  :0]      x;
  logic [Width  :0]      y;
  logic [Width  :0]      n;
  logic [IndexWidth-1:0] index;
  logic [SumWidth-1:0]   sum;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  upper;

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );

  // one slice is done and lies in SS from bit CpaWidth + 1 up; the sum of the others is still to be formed
  assign upper       = WideWidth'(\u_dut.ss_q [CpaWidth:0]) + WideWidth'(\u_dut.sc_q [CpaWidth:0]) +
                       WideWidth'(\u_dut.cpa_carry_q );

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
    .step_i    (loop),
    .skip_i    (1'b0),
    .operand_i (\u_dut.a_q [0]),
    .quotient_i(\u_dut.quotient ),
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
endmodule

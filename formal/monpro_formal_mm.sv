// MM, by induction: in each iteration S is that of monpro_formal_radix_2, and z is S or S - n, below n.
//
// The names with a dot are those of the multiplier's own registers; Yosys connects them when it flattens.
module monpro_formal_mm #(
  parameter int Width = 8
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] x_i,
  input logic [Width-1:0] y_i,
  input logic [Width-1:0] n_i
);
  localparam int SumWidth   = Width + 2;
  localparam int IndexWidth = $clog2(Width + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StReduce,
    StResult
  } state_e;

  logic             ready;
  logic             valid;
  logic [Width-1:0] z;

  monpro_mul_mm #(.Width(Width)) u_dut (
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
  (* hierconn *) logic [Width-1:0]      \u_dut.a_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.b_q ;
  (* hierconn *) logic [Width-1:0]      \u_dut.n_q ;
  (* hierconn *) logic [Width  :0]      \u_dut.s_q ;
  (* hierconn *) logic                  \u_dut.quotient ;

  logic                  loop;
  logic                  taken;
  logic [Width-1:0]      x;
  logic [Width-1:0]      y;
  logic [Width-1:0]      n;
  logic [IndexWidth-1:0] index;
  logic [SumWidth-1:0]   sum;

  assign loop = rst_ni && \u_dut.state_q == StLoop;

  monpro_formal_radix_2 #(
    .ValueWidth(Width),
    .Iterations(Width),
    .Reduced   (1'b1)
  ) u_radix_2 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .take_i    (rst_ni && valid_i && ready),
    .x_i       ({1'b0, x_i}),
    .y_i       ({1'b0, y_i}),
    .n_i       (n_i),
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
endmodule

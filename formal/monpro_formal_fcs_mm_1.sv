// FCS-MM-1, by induction: SS + SC is the S of monpro_formal_radix_2, the barrel register full adder holds the rest
// of x, and the sum or the pair at z_o is S.
//
// The names with a dot are those of the multiplier's own registers; Yosys connects them when it flattens.
module monpro_formal_fcs_mm_1 #(
  parameter  int Width          = 8,
  parameter  bit CarrySavePorts = 1'b0,
  localparam int ValueWidth     = Width + 1,
  localparam int OperandWidth   = CarrySavePorts ? 2 * ValueWidth : ValueWidth
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  input logic                    valid_i,
  input logic                    ready_i,
  input logic [OperandWidth-1:0] x_i,
  input logic [OperandWidth-1:0] y_i,
  input logic [Width-1:0]        n_i
);
  localparam int Iterations = Width + 2;
  localparam int StateWidth = Width + 3;
  localparam int WideWidth  = StateWidth + 2;
  localparam int IndexWidth = $clog2(Iterations + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StResult
  } state_e;

  logic                    ready;
  logic                    valid;
  logic [OperandWidth-1:0] z;

  monpro_mul_fcs_mm_1 #(.Width(Width), .CarrySavePorts(CarrySavePorts)) u_dut (
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
  logic                  taken;
  logic [ValueWidth  :0] x_value;
  logic [ValueWidth  :0] y_value;
  logic [ValueWidth  :0] z_value;
  logic [ValueWidth-1:0] x;
  logic [ValueWidth-1:0] y;
  logic [ValueWidth-1:0] n;
  logic [IndexWidth-1:0] index;
  logic [StateWidth-1:0] sum;
  logic [WideWidth-1:0]  accumulator;
  logic [WideWidth-1:0]  x_left;
  logic [WideWidth-1:0]  y_held;

  if (CarrySavePorts) begin : gen_pairs
    assign x_value = {1'b0, x_i[ValueWidth-1:0]} + {1'b0, x_i[OperandWidth-1:ValueWidth]};
    assign y_value = {1'b0, y_i[ValueWidth-1:0]} + {1'b0, y_i[OperandWidth-1:ValueWidth]};
    assign z_value = {1'b0, z[ValueWidth-1:0]} + {1'b0, z[OperandWidth-1:ValueWidth]};
  end else begin : gen_binary
    assign x_value = {1'b0, x_i};
    assign y_value = {1'b0, y_i};
    assign z_value = {1'b0, z};
  end

  assign loop        = rst_ni && \u_dut.state_q == StLoop;
  assign accumulator = WideWidth'(\u_dut.ss_q ) + WideWidth'(\u_dut.sc_q );
  assign y_held      = WideWidth'(\u_dut.bs_q ) + WideWidth'(\u_dut.bc_q );
  assign x_left      = WideWidth'(\u_dut.u_brfa.sum_q ) + WideWidth'(\u_dut.u_brfa.carry_q ) +
                       WideWidth'(\u_dut.u_brfa.ripple_q );

  monpro_formal_radix_2 #(
    .ValueWidth(ValueWidth),
    .Iterations(Iterations)
  ) u_radix_2 (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .take_i    (rst_ni && valid_i && ready),
    .x_i       (x_value),
    .y_i       (y_value),
    .n_i       ({1'b0, n_i}),
    .step_i    (loop),
    .skip_i    (1'b0),
    .operand_i (\u_dut.operand ),
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
endmodule

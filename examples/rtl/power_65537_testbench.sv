// Computes one power and prints it with its clock cycles. operands.hex holds x and n_i, a line each.
module power_65537_testbench #(
  parameter int OperandWidth = 67,
  parameter int ModulusWidth = 66,
  parameter int Limit        = 100000
);
  logic                    clk = 1'b0;
  logic                    rst_n = 1'b0;
  logic                    start = 1'b0;
  logic                    done;
  logic [OperandWidth-1:0] operands [0:1];
  logic [OperandWidth-1:0] z;
  int                      cycles = 0;

  power_65537 #(
    .OperandWidth(OperandWidth),
    .ModulusWidth(ModulusWidth)
  ) u_power (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .start_i(start),
    .x_i    (operands[0]),
    .n_i    (operands[1][ModulusWidth-1:0]),
    .done_o (done),
    .z_o    (z)
  );

  always #5 clk = ~clk;

  initial begin
    $readmemh("operands.hex", operands);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    while (!done && cycles < Limit) begin
      @(negedge clk);
      cycles = cycles + 1;
    end
    if (done) $display("z = %0h in %0d cycles", z, cycles);
    else $display("no result after %0d cycles", cycles);
    $finish;
  end
endmodule

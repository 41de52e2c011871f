// Test bench of ${top}: products from a file of vectors, each checked in value and in clock cycles.
//
// A vector is a line of five hexadecimal numbers in one: {x, y, n_i, z, cycles}, the last of 32 bits.
module monpro_testbench;
  localparam int OperandWidth = ${operand_bits};
  localparam int ModulusWidth = ${modulus_bits};
  localparam int Count        = ${count};
  localparam int VectorWidth  = 3 * OperandWidth + ModulusWidth + 32;
  localparam int Limit        = ${limit};

  logic                    clk = 1'b0;
  logic                    rst_n = 1'b0;
  logic                    valid_in = 1'b0;
  logic                    ready_in = 1'b0;
  logic                    ready_out;
  logic                    valid_out;
  logic [OperandWidth-1:0] x;
  logic [OperandWidth-1:0] y;
  logic [ModulusWidth-1:0] n;
  logic [OperandWidth-1:0] z;
  logic [OperandWidth-1:0] expected_z;
  logic [31:0]             expected_cycles;
  logic [VectorWidth-1:0]  vectors [0:Count-1];
  int                      cycles;
  int                      mismatches = 0;
  int                      silent = 0;

  ${top} #(
    ${parameters}
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .valid_i(valid_in),
    .ready_o(ready_out),
    .x_i    (x),
    .y_i    (y),
    .n_i    (n),
    .valid_o(valid_out),
    .ready_i(ready_in),
    .z_o    (z)
  );

  always #5 clk = ~clk;

  // A core that takes and gives no more ends the bench.
  always @(posedge clk) begin
    silent = ((valid_in && ready_out) || (valid_out && ready_in)) ? 0 : silent + 1;
    if (silent > Limit + 100) begin
      $$display("FAIL: no answer for %0d clock cycles", silent);
      $$finish;
    end
  end

  initial begin
    $$readmemh("vectors.hex", vectors);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int i = 0; i < Count; i++) begin
      {x, y, n, expected_z, expected_cycles} = vectors[i];
      valid_in = 1'b1;
      while (!ready_out) @(negedge clk);
      @(negedge clk);
      valid_in = 1'b0;
      cycles   = 0;
      while (!valid_out && cycles < Limit) begin
        @(negedge clk);
        cycles = cycles + 1;
      end
      $$display("product %0d: z = %0h in %0d cycles", i, z, cycles);
      if (z !== expected_z || cycles !== expected_cycles) begin
        $$display("  expected %0h in %0d cycles", expected_z, expected_cycles);
        mismatches = mismatches + 1;
      end
      ready_in = 1'b1;
      @(negedge clk);
      ready_in = 1'b0;
    end
    if (mismatches == 0) $$display("PASS: %0d products", Count);
    else $$display("FAIL: %0d of %0d products", mismatches, Count);
    $$finish;
  end
endmodule

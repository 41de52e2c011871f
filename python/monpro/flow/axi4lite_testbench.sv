// Test bench of ${top}: products from a file of vectors, loaded, started and read back over AXI4-Lite, each
// checked in value and in clock cycles.
//
// A vector is a line of five hexadecimal numbers in one: {x, y, n_i, z, cycles}, the last of 32 bits.
module monpro_testbench;
  localparam int OperandWidth = ${operand_bits};
  localparam int ModulusWidth = ${modulus_bits};
  localparam int OperandWords = ${operand_words};
  localparam int ModulusWords = ${modulus_words};
  localparam int Count        = ${count};
  localparam int VectorWidth  = 3 * OperandWidth + ModulusWidth + 32;
  localparam int AddressMsb   = ${address_msb};
  localparam int Limit        = ${limit};

  logic [32*OperandWords-1:0] x;
  logic [32*OperandWords-1:0] y;
  logic [32*ModulusWords-1:0] n;
  logic [32*OperandWords-1:0] z;
  logic [OperandWidth-1:0]    given_x;
  logic [OperandWidth-1:0]    given_y;
  logic [ModulusWidth-1:0]    given_n;
  logic [OperandWidth-1:0]    expected_z;
  logic [31:0]                expected_cycles;
  logic [VectorWidth-1:0]     vectors [0:Count-1];
  int                         waited;
  int                         mismatches = 0;

${bus}
  initial begin
    $$readmemh("vectors.hex", vectors);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    write(8, 32'd1);
    for (int i = 0; i < Count; i++) begin
      {given_x, given_y, given_n, expected_z, expected_cycles} = vectors[i];
      x = given_x;
      y = given_y;
      n = given_n;
      for (int j = 0; j < OperandWords; j++) write(${x_offset} + 4 * j, x[32*j+:32]);
      for (int j = 0; j < OperandWords; j++) write(${y_offset} + 4 * j, y[32*j+:32]);
      for (int j = 0; j < ModulusWords; j++) write(${n_offset} + 4 * j, n[32*j+:32]);
      write(0, 32'd1);
      waited = 0;
      while (!interrupt && waited < Limit) begin
        @(negedge clk);
        waited = waited + 1;
      end
      for (int j = 0; j < OperandWords; j++) begin
        read(${z_offset} + 4 * j);
        z[32*j+:32] = word;
      end
      read(12);
      $$display("product %0d: z = %0h in %0d cycles", i, z, word);
      if (z !== expected_z || word !== expected_cycles || refused != 0) begin
        $$display("  expected %0h in %0d cycles", expected_z, expected_cycles);
        mismatches = mismatches + 1;
        refused    = 0;
      end
    end
    if (mismatches == 0) $$display("PASS: %0d products", Count);
    else $$display("FAIL: %0d of %0d products", mismatches, Count);
    $$finish;
  end
endmodule

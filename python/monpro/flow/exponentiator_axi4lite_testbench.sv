// Test bench of ${top}: powers from a file of vectors over AXI4-Lite, each checked in value and in clock cycles; the
// first one is dropped half-way and begun again.
//
// A vector is a line of six hexadecimal numbers in one: {m_tilde, r2, base, exponent, result, cycles}, the last of 32
// bits, the others of whole words.
module monpro_testbench;
  localparam int Words       = ${words};
  localparam int NumberWidth = 32 * Words;
  localparam int Count       = ${count};
  localparam int VectorWidth = 5 * NumberWidth + 32;
  localparam int AddressMsb  = 4;
  localparam int Limit       = ${limit};

  logic [4*NumberWidth-1:0] given;
  logic [NumberWidth-1:0]   m_tilde;
  logic [NumberWidth-1:0]   r2;
  logic [NumberWidth-1:0]   base;
  logic [NumberWidth-1:0]   exponent;
  logic [NumberWidth-1:0]   result;
  logic [NumberWidth-1:0]   expected;
  logic [31:0]              expected_cycles;
  logic [VectorWidth-1:0]   vectors [0:Count-1];
  int                       waited;
  int                       mismatches = 0;

${bus}
  initial begin
    $$readmemh("vectors.hex", vectors);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    write(8, 32'd1);
    for (int j = 0; j < 4 * Words; j++) write(16, 32'd1);
    repeat (40) @(negedge clk);
    write(0, 32'd1);
    for (int i = 0; i < Count; i++) begin
      {m_tilde, r2, base, exponent, expected, expected_cycles} = vectors[i];
      given = {exponent, base, r2, m_tilde};
      for (int j = 0; j < 4 * Words; j++) write(16, given[32*j+:32]);
      waited = 0;
      while (!interrupt && waited < Limit) begin
        @(negedge clk);
        waited = waited + 1;
      end
      for (int j = 0; j < Words; j++) begin
        read(16);
        result[32*j+:32] = word;
      end
      read(12);
      $$display("power %0d: %0h in %0d cycles", i, result, word);
      if (result !== expected || word !== expected_cycles || refused != 0) begin
        $$display("  expected %0h in %0d cycles", expected, expected_cycles);
        mismatches = mismatches + 1;
        refused    = 0;
      end
    end
    if (mismatches == 0) $$display("PASS: %0d powers", Count);
    else $$display("FAIL: %0d of %0d powers", mismatches, Count);
    $$finish;
  end
endmodule

// Test bench of ${top}: powers from a file of vectors, each checked in value and in clock cycles.
//
// A vector is a line of six hexadecimal numbers in one: {m_tilde, r2, base, exponent, result, cycles}, the last of 32
// bits, the others of whole words.
module monpro_testbench;
  localparam int Words       = ${words};
  localparam int WordWidth   = ${word_bits};
  localparam int NumberWidth = Words * WordWidth;
  localparam int Count       = ${count};
  localparam int VectorWidth = 5 * NumberWidth + 32;
  localparam int Limit       = ${limit};

  logic                     clk = 1'b0;
  logic                     rst_n = 1'b0;
  logic                     valid_in = 1'b0;
  logic                     ready_in = 1'b0;
  logic                     ready_out;
  logic                     valid_out;
  logic                     last_out;
  logic [WordWidth-1:0]     word_in;
  logic [WordWidth-1:0]     word_out;
  logic [4*NumberWidth-1:0] given;
  logic [NumberWidth-1:0]   m_tilde;
  logic [NumberWidth-1:0]   r2;
  logic [NumberWidth-1:0]   base;
  logic [NumberWidth-1:0]   exponent;
  logic [NumberWidth-1:0]   result;
  logic [NumberWidth-1:0]   expected;
  logic [31:0]              expected_cycles;
  logic [VectorWidth-1:0]   vectors [0:Count-1];
  int                       cycles;
  int                       mismatches = 0;
  int                       silent = 0;

  ${top} #(
    ${parameters}
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .valid_i(valid_in),
    .ready_o(ready_out),
    .word_i (word_in),
    .valid_o(valid_out),
    .ready_i(ready_in),
    .word_o (word_out),
    .last_o (last_out)
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
      {m_tilde, r2, base, exponent, expected, expected_cycles} = vectors[i];
      given = {exponent, base, r2, m_tilde};
      for (int j = 0; j < 4 * Words; j++) begin
        word_in  = given[WordWidth*j+:WordWidth];
        valid_in = 1'b1;
        while (!ready_out) @(negedge clk);
        @(negedge clk);
      end
      valid_in = 1'b0;
      cycles   = 0;
      while (!valid_out && cycles < Limit) begin
        @(negedge clk);
        cycles = cycles + 1;
      end
      ready_in = 1'b1;
      for (int j = 0; j < Words; j++) begin
        while (!valid_out) @(negedge clk);
        result[WordWidth*j+:WordWidth] = word_out;
        if (last_out !== (j == Words - 1)) mismatches = mismatches + 1;
        @(negedge clk);
      end
      ready_in = 1'b0;
      $$display("power %0d: %0h in %0d cycles", i, result, cycles);
      if (result !== expected || cycles !== expected_cycles) begin
        $$display("  expected %0h in %0d cycles", expected, expected_cycles);
        mismatches = mismatches + 1;
      end
    end
    if (mismatches == 0) $$display("PASS: %0d powers", Count);
    else $$display("FAIL: %0d of %0d powers", mismatches, Count);
    $$finish;
  end
endmodule

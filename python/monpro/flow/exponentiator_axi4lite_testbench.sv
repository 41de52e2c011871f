// Test bench of ${top}: powers from a file of vectors over AXI4-Lite, each checked in value and in clock cycles; the
// first one is dropped half-way and begun again.
//
// The vectors of a power, a line each, hexadecimal: how many words go in, these words, how many come out, these words,
// the clock cycles.
module monpro_testbench;
  localparam int Count      = ${count};
  localparam int Size       = ${size};
  localparam int AddressMsb = 4;
  localparam int Limit      = ${limit};

  logic [31:0] vectors [0:Size-1];
  logic [31:0] vector;
  int          position = 0;
  int          words;
  int          waited;
  int          wrong;
  int          mismatches = 0;

${bus}
  task automatic take_vector;
    vector   = vectors[position];
    position = position + 1;
  endtask

  task automatic compute;
    words = vector;
    for (int j = 0; j < words; j++) begin
      take_vector();
      write(16, vector);
    end
    waited = 0;
    while (!interrupt && waited < Limit) begin
      @(negedge clk);
      waited = waited + 1;
    end
    take_vector();
    words = vector;
    for (int j = 0; j < words; j++) begin
      read(16);
      take_vector();
      if (word !== vector) wrong = 1;
    end
    read(12);
    take_vector();
    if (word !== vector || interrupt || refused != 0) wrong = 1;
    refused = 0;
  endtask

  initial begin
    $$readmemh("vectors.hex", vectors);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    write(8, 32'd1);
    for (int j = 1; j <= ${first_words}; j++) write(16, vectors[j]);
    repeat (40) @(negedge clk);
    write(0, 32'd1);
    for (int i = 0; i < Count; i++) begin
      wrong = 0;
      take_vector();
      if (^vector === 1'bx) begin
        wrong = 1;
      end else begin
        compute();
        $$display("power %0d: %0d cycles", i, word);
        if (wrong != 0) $$display("  is wrong, or should take %0d cycles", vector);
      end
      mismatches = mismatches + wrong;
    end
    if (mismatches == 0) $$display("PASS: %0d powers", Count);
    else $$display("FAIL: %0d of %0d powers", mismatches, Count);
    $$finish;
  end
endmodule

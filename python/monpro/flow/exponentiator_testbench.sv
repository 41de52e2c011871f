// Test bench of ${top}: powers from a file of vectors, each checked in value and in clock cycles.
//
// The vectors of a power, a line each, hexadecimal: how many words go in, these words, how many come out, these words,
// the clock cycles.
module monpro_testbench;
  localparam int WordWidth = ${word_bits};
  localparam int Count     = ${count};
  localparam int Size      = ${size};
  localparam int Limit     = ${limit};

  logic                 clk = 1'b0;
  logic                 rst_n = 1'b0;
  logic                 valid_in = 1'b0;
  logic                 ready_in = 1'b0;
  logic                 ready_out;
  logic                 busy;
  logic                 valid_out;
  logic                 last_out;
  logic [WordWidth-1:0] word_in = '0;
  logic [WordWidth-1:0] word_out;
  logic [31:0]          vectors [0:Size-1];
  logic [31:0]          vector;
  int                   position = 0;
  int                   words;
  int                   cycles;
  int                   wrong;
  int                   mismatches = 0;
  int                   silent = 0;

  ${top} #(
    ${parameters}
  ) u_dut (
    .clk_i  (clk),
    .rst_ni (rst_n),
    .valid_i(valid_in),
    .ready_o(ready_out),
    .word_i (word_in),
    .busy_o (busy),
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

  task automatic take_vector;
    vector   = vectors[position];
    position = position + 1;
  endtask

  task automatic send_words;
    for (int j = 0; j < words; j++) begin
      take_vector();
      word_in  = vector[WordWidth-1:0];
      valid_in = 1'b1;
      while (!ready_out) @(negedge clk);
      @(negedge clk);
    end
    valid_in = 1'b0;
  endtask

  task automatic await_result;
    cycles = 0;
    while (!valid_out && cycles < Limit) begin
      if (!busy) wrong = 1;
      @(negedge clk);
      cycles = cycles + 1;
    end
  endtask

  task automatic check_words;
    ready_in = 1'b1;
    for (int j = 0; j < words; j++) begin
      while (!valid_out) @(negedge clk);
      take_vector();
      if (word_out !== vector[WordWidth-1:0] || last_out !== (j == words - 1)) wrong = 1;
      @(negedge clk);
    end
    ready_in = 1'b0;
    if (busy) wrong = 1;
  endtask

  initial begin
    $$readmemh("vectors.hex", vectors);
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int i = 0; i < Count; i++) begin
      wrong = 0;
      take_vector();
      if (^vector === 1'bx) begin
        wrong = 1;
      end else begin
        words = vector;
        send_words();
        await_result();
        if (!valid_out) begin
          $$display("FAIL: power %0d has no result", i);
          $$finish;
        end
        take_vector();
        words = vector;
        check_words();
        take_vector();
        $$display("power %0d: %0d cycles", i, cycles);
        if (wrong != 0 || cycles !== vector) begin
          $$display("  is wrong, or should take %0d cycles", vector);
          wrong = 1;
        end
      end
      mismatches = mismatches + wrong;
    end
    if (mismatches == 0) $$display("PASS: %0d powers", Count);
    else $$display("FAIL: %0d of %0d powers", mismatches, Count);
    $$finish;
  end
endmodule

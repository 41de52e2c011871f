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
  localparam int Limit       = ${limit};

  logic                     clk = 1'b0;
  logic                     rst_n = 1'b0;
  logic [4:0]               address = '0;
  logic [31:0]              write_data = '0;
  logic                     write_valid = 1'b0;
  logic                     write_ready;
  logic                     data_ready;
  logic [1:0]               write_response;
  logic                     write_done;
  logic                     read_valid = 1'b0;
  logic                     read_ready;
  logic [31:0]              read_data;
  logic [1:0]               read_response;
  logic                     read_done;
  logic                     interrupt;
  logic [31:0]              word;
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
  int                       refused = 0;
  int                       mismatches = 0;

  ${top} u_dut (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .s_axi_awaddr (address),
    .s_axi_awprot (3'd0),
    .s_axi_awvalid(write_valid),
    .s_axi_awready(write_ready),
    .s_axi_wdata  (write_data),
    .s_axi_wstrb  (4'hf),
    .s_axi_wvalid (write_valid),
    .s_axi_wready (data_ready),
    .s_axi_bresp  (write_response),
    .s_axi_bvalid (write_done),
    .s_axi_bready (1'b1),
    .s_axi_araddr (address),
    .s_axi_arprot (3'd0),
    .s_axi_arvalid(read_valid),
    .s_axi_arready(read_ready),
    .s_axi_rdata  (read_data),
    .s_axi_rresp  (read_response),
    .s_axi_rvalid (read_done),
    .s_axi_rready (1'b1),
    .irq_o        (interrupt)
  );

  always #5 clk = ~clk;

  task automatic write(input int offset, input logic [31:0] value);
    address     = offset[4:0];
    write_data  = value;
    write_valid = 1'b1;
    @(posedge clk);
    while (!(write_ready && data_ready)) @(posedge clk);
    @(negedge clk);
    write_valid = 1'b0;
    while (!write_done) @(negedge clk);
    if (write_response != 2'b00) refused = refused + 1;
  endtask

  task automatic read(input int offset);
    address    = offset[4:0];
    read_valid = 1'b1;
    @(posedge clk);
    while (!read_ready) @(posedge clk);
    @(negedge clk);
    read_valid = 1'b0;
    while (!read_done) @(negedge clk);
    if (read_response != 2'b00) refused = refused + 1;
    word = read_data;
  endtask

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

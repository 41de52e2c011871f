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
  localparam int Limit        = ${limit};

  logic                       clk = 1'b0;
  logic                       rst_n = 1'b0;
  logic [${address_msb}:0]               address = '0;
  logic [31:0]                write_data = '0;
  logic                       write_valid = 1'b0;
  logic                       write_ready;
  logic                       data_ready;
  logic [1:0]                 write_response;
  logic                       write_done;
  logic                       read_valid = 1'b0;
  logic                       read_ready;
  logic [31:0]                read_data;
  logic [1:0]                 read_response;
  logic                       read_done;
  logic                       interrupt;
  logic [31:0]                word;
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
  int                         refused = 0;
  int                         mismatches = 0;

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
    address     = offset[${address_msb}:0];
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
    address    = offset[${address_msb}:0];
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

  // The clock, the slave, and a master's reads and writes. A slave that answers no more ends the bench.
  logic                clk = 1'b0;
  logic                rst_n = 1'b0;
  logic [AddressMsb:0] address = '0;
  logic [31:0]         write_data = '0;
  logic                write_valid = 1'b0;
  logic                write_ready;
  logic                data_ready;
  logic [1:0]          write_response;
  logic                write_done;
  logic                read_valid = 1'b0;
  logic                read_ready;
  logic [31:0]         read_data;
  logic [1:0]          read_response;
  logic                read_done;
  logic                interrupt;
  logic [31:0]         word;
  int                  silent = 0;
  int                  refused = 0;

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

  always @(posedge clk) begin
    silent = (write_done || read_done) ? 0 : silent + 1;
    if (silent > Limit + 100) begin
      $$display("FAIL: no answer for %0d clock cycles", silent);
      $$finish;
    end
  end

  task automatic write(input int offset, input logic [31:0] value);
    address     = offset[AddressMsb:0];
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
    address    = offset[AddressMsb:0];
    read_valid = 1'b1;
    @(posedge clk);
    while (!read_ready) @(posedge clk);
    @(negedge clk);
    read_valid = 1'b0;
    while (!read_done) @(negedge clk);
    if (read_response != 2'b00) refused = refused + 1;
    word = read_data;
  endtask

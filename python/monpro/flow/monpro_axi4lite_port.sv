// The handshakes of an AXI4-Lite slave. In a clock it takes at most one write and one read, and each is answered one
// clock later. Every output of the bus comes from a register.
//
//   write_o           a write is taken in this clock, its address and its data at once. This waits while
//                     write_ready_i is low or the answer to the write before is not taken
//   write_is_right_i  if high, the answer to the write is OKAY, else SLVERR
//   read_o            a read is taken in this clock, under the same conditions
//   read_word_i       the word that is read
//
// Whether a write is ready and right may depend on write_address_o, write_data_o and write_strobe_o; of a read, on
// read_address_o.
module monpro_axi4lite_port #(
  parameter int AddressWidth = 5
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [AddressWidth-1:0] s_axi_awaddr,
  input  logic [2:0]              s_axi_awprot,
  input  logic                    s_axi_awvalid,
  output logic                    s_axi_awready,
  input  logic [31:0]             s_axi_wdata,
  input  logic [3:0]              s_axi_wstrb,
  input  logic                    s_axi_wvalid,
  output logic                    s_axi_wready,
  output logic [1:0]              s_axi_bresp,
  output logic                    s_axi_bvalid,
  input  logic                    s_axi_bready,
  input  logic [AddressWidth-1:0] s_axi_araddr,
  input  logic [2:0]              s_axi_arprot,
  input  logic                    s_axi_arvalid,
  output logic                    s_axi_arready,
  output logic [31:0]             s_axi_rdata,
  output logic [1:0]              s_axi_rresp,
  output logic                    s_axi_rvalid,
  input  logic                    s_axi_rready,
  output logic                    write_o,
  output logic [AddressWidth-1:0] write_address_o,
  output logic [31:0]             write_data_o,
  output logic [3:0]              write_strobe_o,
  input  logic                    write_ready_i,
  input  logic                    write_is_right_i,
  output logic                    read_o,
  output logic [AddressWidth-1:0] read_address_o,
  input  logic                    read_ready_i,
  input  logic                    read_is_right_i,
  input  logic [31:0]             read_word_i
);
  localparam logic [1:0] Okay       = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  logic address_valid;
  logic data_valid;
  logic read_valid;
  logic unused;

  assign unused = &{1'b0, s_axi_awprot, s_axi_arprot};

  monpro_axi4lite_channel #(
    .Width(AddressWidth)
  ) u_write_address (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (s_axi_awvalid),
    .ready_o  (s_axi_awready),
    .payload_i(s_axi_awaddr),
    .valid_o  (address_valid),
    .ready_i  (write_o),
    .payload_o(write_address_o)
  );

  monpro_axi4lite_channel #(
    .Width(36)
  ) u_write_data (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (s_axi_wvalid),
    .ready_o  (s_axi_wready),
    .payload_i({s_axi_wstrb, s_axi_wdata}),
    .valid_o  (data_valid),
    .ready_i  (write_o),
    .payload_o({write_strobe_o, write_data_o})
  );

  monpro_axi4lite_channel #(
    .Width(AddressWidth)
  ) u_read_address (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (s_axi_arvalid),
    .ready_o  (s_axi_arready),
    .payload_i(s_axi_araddr),
    .valid_o  (read_valid),
    .ready_i  (read_o),
    .payload_o(read_address_o)
  );

  assign write_o = address_valid && data_valid && (!s_axi_bvalid || s_axi_bready) && write_ready_i;
  assign read_o  = read_valid && (!s_axi_rvalid || s_axi_rready) && read_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axi_bvalid <= 1'b0;
      s_axi_bresp  <= Okay;
    end else if (write_o) begin
      s_axi_bvalid <= 1'b1;
      s_axi_bresp  <= write_is_right_i ? Okay : SlaveError;
    end else if (s_axi_bready) begin
      s_axi_bvalid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axi_rvalid <= 1'b0;
      s_axi_rdata  <= '0;
      s_axi_rresp  <= Okay;
    end else if (read_o) begin
      s_axi_rvalid <= 1'b1;
      s_axi_rdata  <= read_word_i;
      s_axi_rresp  <= read_is_right_i ? Okay : SlaveError;
    end else if (s_axi_rready) begin
      s_axi_rvalid <= 1'b0;
    end
  end
endmodule

// The rules of AXI4-Lite that a slave keeps, at monpro_axi4lite_port, whatever the registers behind it answer.
//
// Assumed of the master: none of the rules. Of the registers: nothing.
module monpro_formal_axi4lite_port (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  awaddr,
  input logic        awvalid,
  input logic [31:0] wdata,
  input logic [3:0]  wstrb,
  input logic        wvalid,
  input logic        bready,
  input logic [4:0]  araddr,
  input logic        arvalid,
  input logic        rready,
  input logic        write_ready,
  input logic        write_is_right,
  input logic        read_ready,
  input logic        read_is_right,
  input logic [31:0] read_word
);
  logic        awready;
  logic        wready;
  logic [1:0]  bresp;
  logic        bvalid;
  logic        arready;
  logic [31:0] rdata;
  logic [1:0]  rresp;
  logic        rvalid;
  logic        write;
  logic [4:0]  write_address;
  logic [31:0] write_data;
  logic [3:0]  write_strobe;
  logic        read;
  logic [4:0]  read_address;

  monpro_axi4lite_port #(
    .AddressWidth(5)
  ) u_port (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .s_axi_awaddr    (awaddr),
    .s_axi_awprot    (3'd0),
    .s_axi_awvalid   (awvalid),
    .s_axi_awready   (awready),
    .s_axi_wdata     (wdata),
    .s_axi_wstrb     (wstrb),
    .s_axi_wvalid    (wvalid),
    .s_axi_wready    (wready),
    .s_axi_bresp     (bresp),
    .s_axi_bvalid    (bvalid),
    .s_axi_bready    (bready),
    .s_axi_araddr    (araddr),
    .s_axi_arprot    (3'd0),
    .s_axi_arvalid   (arvalid),
    .s_axi_arready   (arready),
    .s_axi_rdata     (rdata),
    .s_axi_rresp     (rresp),
    .s_axi_rvalid    (rvalid),
    .s_axi_rready    (rready),
    .write_o         (write),
    .write_address_o (write_address),
    .write_data_o    (write_data),
    .write_strobe_o  (write_strobe),
    .write_ready_i   (write_ready),
    .write_is_right_i(write_is_right),
    .read_o          (read),
    .read_address_o  (read_address),
    .read_ready_i    (read_ready),
    .read_is_right_i (read_is_right),
    .read_word_i     (read_word)
  );

  // What was taken and not yet answered. A write has an address and data, so both are counted.
  logic [2:0]  addresses_q = '0;
  logic [2:0]  data_q = '0;
  logic [2:0]  reads_q = '0;
  logic        before_q = 1'b0;     // a clock has passed since the reset
  logic        bvalid_q = 1'b0;
  logic        bready_q = 1'b0;
  logic [1:0]  bresp_q = '0;
  logic        rvalid_q = 1'b0;
  logic        rready_q = 1'b0;
  logic [33:0] answer_q = '0;
  logic [4:0]  address_q = '0;      // the address, the data and the read that wait in a register of the port
  logic [35:0] word_q = '0;
  logic [4:0]  asked_q = '0;

  logic begun_q = 1'b0;   // the first clock, which is a reset, has passed

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      addresses_q <= '0;
      data_q      <= '0;
      reads_q     <= '0;
      before_q    <= 1'b0;
    end else begin
      addresses_q <= addresses_q + 3'(awvalid && awready) - 3'(bvalid && bready);
      data_q      <= data_q + 3'(wvalid && wready) - 3'(bvalid && bready);
      reads_q     <= reads_q + 3'(arvalid && arready) - 3'(rvalid && rready);
      before_q    <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    bvalid_q <= bvalid;
    bready_q <= bready;
    bresp_q  <= bresp;
    rvalid_q <= rvalid;
    rready_q <= rready;
    answer_q <= {rresp, rdata};
    if (awvalid && awready) address_q <= awaddr;
    if (wvalid && wready) word_q <= {wstrb, wdata};
    if (arvalid && arready) asked_q <= araddr;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (!rst_ni) begin
      assert (!bvalid && !rvalid);
    end else begin
      // Valid stays until ready, and what it offers stays the same.
      if (before_q && bvalid_q && !bready_q) assert (bvalid && bresp == bresp_q);
      if (before_q && rvalid_q && !rready_q) assert (rvalid && {rresp, rdata} == answer_q);
      // One answer for each request, and none without: what is counted is what waits in the registers of the port.
      assert (addresses_q == 3'(!awready) + 3'(bvalid));
      assert (data_q == 3'(!wready) + 3'(bvalid));
      assert (reads_q == 3'(!arready) + 3'(rvalid));
      // The registers see each request once, with its own address and data, and its answer is the one of the bus.
      if (!awready) assert (write_address == address_q);
      if (!wready) assert ({write_strobe, write_data} == word_q);
      if (!arready) assert (read_address == asked_q);
      if (write) assert ((!awready || awvalid) && (!wready || wvalid) && write_ready);
      if (read) assert ((!arready || arvalid) && read_ready);
      // No answer other than OKAY and SLVERR.
      assert (!bresp[0] && !rresp[0]);
    end
  end
endmodule

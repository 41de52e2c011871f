// The handshakes of an AXI4-Lite slave: one write and one read at a time, each answered one clock later.
//
//   write_o           the address and the data of a write are taken in this clock, both at once. This
//                     waits while write_ready_i is low or the answer to the write before is not taken
//   write_is_right_i  if high, the answer to the write is OKAY, else SLVERR
//   read_o            the address of a read is taken in this clock, under the same conditions
//   read_word_i       the word that is read
module monpro_axi4lite_port (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  output logic [1:0]  s_axi_bresp,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic        write_o,
  input  logic        write_ready_i,
  input  logic        write_is_right_i,
  output logic        read_o,
  input  logic        read_ready_i,
  input  logic        read_is_right_i,
  input  logic [31:0] read_word_i
);
  localparam logic [1:0] Okay       = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  assign write_o       = s_axi_awvalid && s_axi_wvalid && (!s_axi_bvalid || s_axi_bready) && write_ready_i;
  assign s_axi_awready = write_o;
  assign s_axi_wready  = write_o;
  assign read_o        = s_axi_arvalid && (!s_axi_rvalid || s_axi_rready) && read_ready_i;
  assign s_axi_arready = read_o;

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

// ${core_top} as an AXI4-Lite slave: numbers go word by word through one register, the lowest word first.
//
//   offset | access | register
//   0x00   | write  | bit 0: drop everything; the next word is the first one of a new power
//   0x04   | read   | bit 0: a power is computed, bit 1: its result waits
//   0x08   | both   | bit 0: irq_o while a result waits
//   0x0c   | read   | clock cycles of the last power
//   0x10   | write  | the next word of ${numbers}; the last one starts the power
//   0x10   | read   | the next word of the result
//
// A word waits on the bus until the core takes or gives it. What cannot be done is answered with SLVERR and changes
// nothing: another address, a word while a power is computed or its result waits, part of a word, a result that is
// not there.
module ${top} (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [4:0]  s_axi_awaddr,
  input  logic [2:0]  s_axi_awprot,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [31:0] s_axi_wdata,
  input  logic [3:0]  s_axi_wstrb,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  output logic [1:0]  s_axi_bresp,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  input  logic [4:0]  s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic        irq_o
);
  localparam logic [2:0] Control         = 3'd0;
  localparam logic [2:0] Status          = 3'd1;
  localparam logic [2:0] InterruptEnable = 3'd2;
  localparam logic [2:0] Cycles          = 3'd3;
  localparam logic [2:0] Data            = 3'd4;

  localparam logic [1:0] Okay       = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  logic        result_q;    // words of a result come out
  logic        core_rst_nq;
  logic        core_ready;
  logic        core_busy;
  logic        core_valid;
  logic        core_last;
  logic [31:0] core_word;
  logic        enable_q;
  logic [31:0] cycles_q;

  logic [2:0] write_register;
  logic       write;
  logic       write_data;
  logic       write_is_right;
  logic       abort;
  logic [2:0] read_register;
  logic       read;
  logic       read_data;
  logic       unused;

  assign unused = &{1'b0, s_axi_awprot, s_axi_arprot, s_axi_awaddr[1:0], s_axi_araddr[1:0]};

  // A write takes address and data together, when the answer to the one before is taken.
  assign write_register = s_axi_awaddr[4:2];
  assign write_data     = write_register == Data && !core_busy && s_axi_wstrb == 4'hf;
  assign write          = s_axi_awvalid && s_axi_wvalid && (!s_axi_bvalid || s_axi_bready) &&
                          (!write_data || (core_ready && core_rst_nq));
  assign s_axi_awready  = write;
  assign s_axi_wready   = write;
  assign write_is_right = write_register == Control || write_register == InterruptEnable || write_data;
  assign abort          = write && write_register == Control && s_axi_wdata[0] && s_axi_wstrb[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axi_bvalid <= 1'b0;
      s_axi_bresp  <= Okay;
    end else if (write) begin
      s_axi_bvalid <= 1'b1;
      s_axi_bresp  <= write_is_right ? Okay : SlaveError;
    end else if (s_axi_bready) begin
      s_axi_bvalid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      core_rst_nq <= 1'b0;
      result_q    <= 1'b0;
      enable_q    <= 1'b0;
      cycles_q    <= '0;
    end else begin
      core_rst_nq <= !abort;
      if (abort || (read && read_data && core_last)) begin
        result_q <= 1'b0;
      end else if (core_valid) begin
        result_q <= 1'b1;
      end
      if (write && write_data) begin
        cycles_q <= '0;
      end else if (core_busy && !result_q && !core_valid) begin
        cycles_q <= cycles_q + 1;
      end
      if (write && write_register == InterruptEnable && s_axi_wstrb[0]) enable_q <= s_axi_wdata[0];
    end
  end

  assign irq_o = result_q && enable_q;

  assign read_register = s_axi_araddr[4:2];
  assign read_data     = read_register == Data && result_q;
  assign read          = s_axi_arvalid && (!s_axi_rvalid || s_axi_rready) &&
                         (!read_data || core_valid);
  assign s_axi_arready = read;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axi_rvalid <= 1'b0;
      s_axi_rdata  <= '0;
      s_axi_rresp  <= Okay;
    end else if (read) begin
      s_axi_rvalid <= 1'b1;
      s_axi_rresp  <= (read_register == Data && !result_q) || read_register > Data ? SlaveError : Okay;
      case (read_register)
        Status:          s_axi_rdata <= {30'd0, result_q, core_busy && !result_q};
        InterruptEnable: s_axi_rdata <= {31'd0, enable_q};
        Cycles:          s_axi_rdata <= cycles_q;
        Data:            s_axi_rdata <= result_q ? core_word : '0;
        default:         s_axi_rdata <= '0;
      endcase
    end else if (s_axi_rready) begin
      s_axi_rvalid <= 1'b0;
    end
  end

  ${core_top} #(
    ${parameters}
  ) u_core (
    .clk_i  (clk_i),
    .rst_ni (core_rst_nq),
    .valid_i(write && write_data),
    .ready_o(core_ready),
    .word_i (s_axi_wdata),
    .busy_o (core_busy),
    .valid_o(core_valid),
    .ready_i(read && read_data),
    .word_o (core_word),
    .last_o (core_last)
  );
endmodule

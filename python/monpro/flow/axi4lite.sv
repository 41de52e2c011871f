// ${core_top} as an AXI4-Lite slave: numbers in words of 32 bits, the lowest first.
//
//   offset            | access | register
//   0x0               | write  | bit 0: start a product; refused while one runs
//   0x4               | read   | bit 0: a product runs, bit 1: done; writing bit 1 clears it
//   0x8               | both   | bit 0: irq_o follows done
//   0xc               | read   | clock cycles of the last product
//   ${x_offset} and on | both   | x, ${operand_words} words
//   ${y_offset} and on | both   | y, ${operand_words} words
//   ${n_offset} and on | both   | n_i, ${modulus_words} words
//   ${z_offset} and on | read   | z, ${operand_words} words, from done to the next start
//
// A start takes x, y and n_i: the next ones may be written while the product runs. What cannot be
// done is answered with SLVERR and changes nothing: another address, a write to what is only read, a
// start while a product runs, z when there is none.
module ${top} (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [${address_msb}:0]  s_axi_awaddr,
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
  input  logic [${address_msb}:0] s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic        irq_o
);
  localparam int OperandWidth = ${operand_bits};
  localparam int ModulusWidth = ${modulus_bits};
  localparam int OperandWords = ${operand_words};
  localparam int ModulusWords = ${modulus_words};
  localparam int IndexWidth   = ${index_bits};

  localparam logic [2:0] Control = 3'd0;
  localparam logic [2:0] NumberX = 3'd1;
  localparam logic [2:0] NumberY = 3'd2;
  localparam logic [2:0] NumberN = 3'd3;
  localparam logic [2:0] NumberZ = 3'd4;

  localparam logic [1:0] Okay       = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  logic [32*OperandWords-1:0] x_q;
  logic [32*OperandWords-1:0] y_q;
  logic [32*ModulusWords-1:0] n_q;
  logic [OperandWidth-1:0]    z;
  logic [32*OperandWords-1:0] z_words;
  logic                       core_ready;
  logic                       core_valid;
  logic                       pending_q;
  logic                       running_q;
  logic                       busy;
  logic                       has_result;
  logic                       done_q;
  logic                       enable_q;
  logic [31:0]                cycles_q;

  logic                       write;
  logic                       write_is_right;
  logic [2:0]                 write_block;
  logic [IndexWidth-1:0]      write_index;
  logic [31:0]                write_mask;
  logic                       start;
  logic                       read;
  logic                       read_is_right;
  logic [2:0]                 read_block;
  logic [IndexWidth-1:0]      read_index;
  logic [31:0]                read_word;
  logic                       unused;

  assign unused = &{1'b0, s_axi_awprot, s_axi_arprot, s_axi_awaddr[1:0], s_axi_araddr[1:0],
                    x_q, y_q, n_q};

  // A write takes address and data together, when the answer to the one before is taken.
  assign write         = s_axi_awvalid && s_axi_wvalid && (!s_axi_bvalid || s_axi_bready);
  assign s_axi_awready = write;
  assign s_axi_wready  = write;
  assign {write_block, write_index} = s_axi_awaddr[${address_msb}:2];
  for (genvar i = 0; i < 4; i++) begin : gen_strobe
    assign write_mask[8*i+:8] = {8{s_axi_wstrb[i]}};
  end

  always_comb begin
    case (write_block)
      Control: write_is_right = 32'(write_index) < 3 && !(start && busy);
      NumberX: write_is_right = 32'(write_index) < OperandWords;
      NumberY: write_is_right = 32'(write_index) < OperandWords;
      NumberN: write_is_right = 32'(write_index) < ModulusWords;
      default: write_is_right = 1'b0;
    endcase
  end

  assign start      = write && write_block == Control && write_index == 0 &&
                      s_axi_wdata[0] && s_axi_wstrb[0];
  assign busy       = pending_q || running_q;
  assign has_result = core_valid && !pending_q;

  for (genvar i = 0; i < OperandWords; i++) begin : gen_operand_word
    always_ff @(posedge clk_i) begin
      if (write && write_block == NumberX && 32'(write_index) == i) begin
        x_q[32*i+:32] <= (x_q[32*i+:32] & ~write_mask) | (s_axi_wdata & write_mask);
      end
      if (write && write_block == NumberY && 32'(write_index) == i) begin
        y_q[32*i+:32] <= (y_q[32*i+:32] & ~write_mask) | (s_axi_wdata & write_mask);
      end
    end
  end
  for (genvar i = 0; i < ModulusWords; i++) begin : gen_modulus_word
    always_ff @(posedge clk_i) begin
      if (write && write_block == NumberN && 32'(write_index) == i) begin
        n_q[32*i+:32] <= (n_q[32*i+:32] & ~write_mask) | (s_axi_wdata & write_mask);
      end
    end
  end

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

  // A start first lets the core go of the last result, then waits until it takes the operands.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      running_q <= 1'b0;
      done_q    <= 1'b0;
      enable_q  <= 1'b0;
      cycles_q  <= '0;
    end else begin
      if (start && !busy) begin
        pending_q <= 1'b1;
        done_q    <= 1'b0;
      end else if (pending_q && !core_valid && core_ready) begin
        pending_q <= 1'b0;
        running_q <= 1'b1;
        cycles_q  <= '0;
      end else if (running_q && core_valid) begin
        running_q <= 1'b0;
        done_q    <= 1'b1;
      end else if (running_q) begin
        cycles_q <= cycles_q + 1;
      end
      if (write && write_block == Control && s_axi_wstrb[0]) begin
        if (write_index == 1 && s_axi_wdata[1]) done_q <= 1'b0;
        if (write_index == 2) enable_q <= s_axi_wdata[0];
      end
    end
  end

  assign irq_o = done_q && enable_q;

  assign read          = s_axi_arvalid && (!s_axi_rvalid || s_axi_rready);
  assign s_axi_arready = read;
  assign {read_block, read_index} = s_axi_araddr[${address_msb}:2];
  assign z_words = (32 * OperandWords)'(z);

  always_comb begin
    read_word     = '0;
    read_is_right = 1'b0;
    case (read_block)
      Control: begin
        read_is_right = 32'(read_index) < 4;
        if (read_index == 1) read_word = {30'd0, done_q, busy};
        if (read_index == 2) read_word = {31'd0, enable_q};
        if (read_index == 3) read_word = cycles_q;
      end
      NumberX: begin
        read_is_right = 32'(read_index) < OperandWords;
        if (read_is_right) read_word = x_q[32*read_index+:32];
      end
      NumberY: begin
        read_is_right = 32'(read_index) < OperandWords;
        if (read_is_right) read_word = y_q[32*read_index+:32];
      end
      NumberN: begin
        read_is_right = 32'(read_index) < ModulusWords;
        if (read_is_right) read_word = n_q[32*read_index+:32];
      end
      NumberZ: begin
        read_is_right = has_result && 32'(read_index) < OperandWords;
        if (read_is_right) read_word = z_words[32*read_index+:32];
      end
      default: read_is_right = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axi_rvalid <= 1'b0;
      s_axi_rdata  <= '0;
      s_axi_rresp  <= Okay;
    end else if (read) begin
      s_axi_rvalid <= 1'b1;
      s_axi_rdata  <= read_word;
      s_axi_rresp  <= read_is_right ? Okay : SlaveError;
    end else if (s_axi_rready) begin
      s_axi_rvalid <= 1'b0;
    end
  end

  ${core_top} #(
    ${parameters}
  ) u_core (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(pending_q && !core_valid),
    .ready_o(core_ready),
    .x_i    (x_q[OperandWidth-1:0]),
    .y_i    (y_q[OperandWidth-1:0]),
    .n_i    (n_q[ModulusWidth-1:0]),
    .valid_o(core_valid),
    .ready_i(pending_q),
    .z_o    (z)
  );
endmodule

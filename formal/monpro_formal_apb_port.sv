// The rules of APB that a slave keeps, at monpro_apb_port, whatever the registers behind it answer.
//
// Assumed of the master: an access begins with a clock without PENABLE, it is held until PREADY, and then ends.
module monpro_formal_apb_port (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [4:0]  paddr,
  input logic        psel,
  input logic        penable,
  input logic        pwrite,
  input logic [31:0] pwdata,
  input logic [3:0]  pstrb,
  input logic        write_ready,
  input logic        write_is_right,
  input logic        read_ready,
  input logic        read_is_right,
  input logic [31:0] read_word
);
  logic        pready;
  logic [31:0] prdata;
  logic        pslverr;
  logic        write;
  logic [4:0]  write_address;
  logic [31:0] write_data;
  logic [3:0]  write_strobe;
  logic        read;
  logic [4:0]  read_address;

  monpro_apb_port #(
    .AddressWidth(5)
  ) u_port (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .s_apb_paddr     (paddr),
    .s_apb_psel      (psel),
    .s_apb_penable   (penable),
    .s_apb_pwrite    (pwrite),
    .s_apb_pwdata    (pwdata),
    .s_apb_pstrb     (pstrb),
    .s_apb_pready    (pready),
    .s_apb_prdata    (prdata),
    .s_apb_pslverr   (pslverr),
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

  logic        in_access_q = 1'b0;  // the clock before was one of an access that has not ended
  logic [41:0] request_q = '0;
  logic        answered_q = 1'b0;   // the registers have taken the access in the clock before
  logic        wrong_q = 1'b0;
  logic [31:0] word_q = '0;
  logic        passed_q = 1'b0;     // the registers have taken the access

  logic begun_q = 1'b0;   // the first clock, which is a reset, has passed

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_access_q <= 1'b0;
      answered_q  <= 1'b0;
      passed_q    <= 1'b0;
    end else begin
      in_access_q <= psel && !(penable && pready);
      answered_q  <= write || read;
      passed_q    <= (passed_q || write || read) && !(psel && penable && pready);
    end
  end

  always_ff @(posedge clk_i) begin
    request_q <= {paddr, pwrite, pwdata, pstrb};
    wrong_q   <= write ? !write_is_right : !read_is_right;
    word_q    <= read ? read_word : '0;
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (!rst_ni) begin
      assert (!pready && !pslverr);
    end else begin
      // The master.
      if (in_access_q) assume (psel && penable && {paddr, pwrite, pwdata, pstrb} == request_q);
      else assume (!penable);
      // An access is answered only in its access phase, once, and with the answer of the registers.
      if (pready) assert (psel && penable);
      assert (pready == answered_q);
      if (pready) assert (pslverr == wrong_q && prdata == word_q);
      else assert (!pslverr && prdata == '0);
      // The registers see each access once, as it is on the bus, and none outside of one.
      assert (passed_q == pready);
      if (write || read) assert (psel && !passed_q && write != read && write == pwrite);
      if (write) assert (write_ready && {write_address, write_data, write_strobe} == {paddr, pwdata, pstrb});
      if (read) assert (read_ready && read_address == paddr);
      // No access waits longer than its registers.
      if (psel && !pready && (pwrite ? write_ready : read_ready)) assert (write || read);
    end
  end
endmodule

// The handshakes of an APB slave, of APB3 (with s_apb_pstrb at 4'b1111) and APB4. It takes an access in its setup clock,
// or in the first clock in which the registers are ready. The answer comes one clock later: without waiting an access
// takes two clocks. Every output of the bus comes from a register.
//
//   write_o           a write is taken in this clock. This waits while write_ready_i is low
//   write_is_right_i  if low, the answer to the write has s_apb_pslverr
//   read_o            a read is taken in this clock, under the same conditions
//   read_word_i       the word that is read
//
// Whether a write is ready and right may depend on write_address_o, write_data_o and write_strobe_o; of a read, on
// read_address_o.
//
// A master that has begun an access ends it, so the setup clock says all that s_apb_penable would. Outside of the clock
// that ends an access, s_apb_pready and s_apb_pslverr are low and s_apb_prdata is 0.
module monpro_apb_port #(
  parameter int AddressWidth = 5
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [AddressWidth-1:0] s_apb_paddr,
  input  logic                    s_apb_psel,
  input  logic                    s_apb_penable,
  input  logic                    s_apb_pwrite,
  input  logic [31:0]             s_apb_pwdata,
  input  logic [3:0]              s_apb_pstrb,
  output logic                    s_apb_pready,
  output logic [31:0]             s_apb_prdata,
  output logic                    s_apb_pslverr,
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
  logic waits;   // an access has begun and is not answered
  logic unused;

  assign unused          = s_apb_penable;
  assign waits           = s_apb_psel && !s_apb_pready;
  assign write_o         = waits && s_apb_pwrite && write_ready_i;
  assign read_o          = waits && !s_apb_pwrite && read_ready_i;
  assign write_address_o = s_apb_paddr;
  assign write_data_o    = s_apb_pwdata;
  assign write_strobe_o  = s_apb_pstrb;
  assign read_address_o  = s_apb_paddr;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_apb_pready  <= 1'b0;
      s_apb_prdata  <= '0;
      s_apb_pslverr <= 1'b0;
    end else begin
      s_apb_pready  <= write_o || read_o;
      s_apb_prdata  <= read_o ? read_word_i : '0;
      s_apb_pslverr <= (write_o && !write_is_right_i) || (read_o && !read_is_right_i);
    end
  end
endmodule

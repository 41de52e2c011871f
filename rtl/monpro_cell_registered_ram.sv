// A memory with a write port and a read port, in block RAM also where it is small, and a register behind it. The read word
// comes two clocks after its address.
//
// A block RAM gives its word late in a clock, but has such a register of its own: a tool that does not take this one into the
// memory loses clock frequency. For Yosys and the ECP5 replace this file by ecp5/monpro_cell_registered_ram.sv.
//
// Reading a word in the clock in which it is written gives an unknown word.
module monpro_cell_registered_ram #(
  parameter  int Width        = 32,
  parameter  int Depth        = 512,
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        word_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic [Width-1:0]        word_o
);
  (* ram_style = "block", syn_ramstyle = "block_ram", no_rw_check *)
  logic [Width-1:0] words[Depth];
  logic [Width-1:0] word_q;

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_address_i] <= word_i;
    word_q <= words[read_address_i];
    word_o <= word_q;
`ifndef SYNTHESIS
    if (write_i && write_address_i == read_address_i) word_q <= 'x;
`endif
  end
endmodule

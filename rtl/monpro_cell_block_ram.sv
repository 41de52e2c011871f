// A memory with a write port and a read port, in block RAM also where it is small. The read word comes one clock after its
// address.
//
// Reading a word in the clock in which it is written gives an unknown word: block RAM promises none, and the gates that would
// keep the old one stand between the memory and the register after it.
module monpro_cell_block_ram #(
  parameter  int Width        = 17,
  parameter  int Depth        = 66,
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

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_address_i] <= word_i;
    word_o <= words[read_address_i];
`ifndef SYNTHESIS
    if (write_i && write_address_i == read_address_i) word_o <= 'x;
`endif
  end
endmodule

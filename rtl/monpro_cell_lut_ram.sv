// A memory with a write port and a read port, for lookup tables that are memory. The read word comes in the clock of
// its address.
//
// Reading a word in the clock in which it is written returns the old word.
module monpro_cell_lut_ram #(
  parameter  int Width        = 32,
  parameter  int Depth        = 16,
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        word_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic [Width-1:0]        word_o
);
  logic [Width-1:0] words[Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) words[write_address_i] <= word_i;
  end

  assign word_o = words[read_address_i];
endmodule

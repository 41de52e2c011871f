// In the place of monpro_formal_multiple and monpro_cell_multiple, for the proofs of elements whose digits are too wide to
// be proved with all their multiples: the words of a multiple are free. The lowest word of odd_i is the word of the
// multiple itself, and the carry into its next word is any number up to the digit.
//
// What monpro_formal_word shows of the words of a multiple, and the bounds of its carry in monpro_formal_multiple, are
// all that is assumed here. The frame shows that the element keeps the bits before a word. So an element that is right
// with these words is right with every multiple.
module monpro_formal_multiple #(
  parameter  int RadixLog2  = 2,
  parameter  int WordWidth  = 4,
  parameter  bit Booth      = 1'b0,
  localparam int Largest    = Booth ? 2 ** (RadixLog2 - 1) : 2 ** RadixLog2 - 1,
  localparam int NumOdd     = (Largest + 1) / 2,
  localparam int TotalWidth = WordWidth + RadixLog2 + 4
) (
  input  logic                        clk_i,
  input  logic                        clear_i,
  input  logic                        first_i,
  input  logic                        live_i,
  input  logic [NumOdd*WordWidth-1:0] odd_i,
  input  logic [NumOdd*RadixLog2-1:0] before_i,
  input  logic                        negative_i,
  input  logic [RadixLog2-1:0]        magnitude_i,
  output logic [TotalWidth-1:0]       product_o,
  output logic [TotalWidth-1:0]       left_o
);
  (* anyseq *) logic [RadixLog2-1:0] carry;
  logic [RadixLog2-1:0]              carry_q;
  logic [TotalWidth-1:0]             product;

  assign product = TotalWidth'(odd_i[WordWidth-1:0]) + (TotalWidth'(carry) << WordWidth) - TotalWidth'(carry_q);

  always_ff @(posedge clk_i) carry_q <= clear_i ? '0 : carry;

  always_comb begin
    if (live_i) begin
      assume (carry <= magnitude_i);
      assume (product <= (TotalWidth'(magnitude_i) << WordWidth) - TotalWidth'(magnitude_i));
      assert (first_i ? carry_q == '0 : carry_q <= magnitude_i);
    end
  end

  assign product_o = negative_i ? -product : product;
  assign left_o    = TotalWidth'(carry_q) ^ {TotalWidth{negative_i}};
endmodule

module monpro_cell_multiple #(
  parameter  int RadixLog2 = 2,
  parameter  int WordWidth = 16,
  parameter  bit Booth     = 1'b0,
  localparam int Largest   = Booth ? 2 ** (RadixLog2 - 1) : 2 ** RadixLog2 - 1,
  localparam int NumOdd    = (Largest + 1) / 2
) (
  input  logic [NumOdd*WordWidth-1:0] odd_i,
  input  logic [NumOdd*RadixLog2-1:0] before_i,
  input  logic                        negative_i,
  input  logic [RadixLog2-1:0]        magnitude_i,
  output logic [WordWidth-1:0]        word_o
);
  assign word_o = odd_i[WordWidth-1:0] ^ {WordWidth{negative_i}};
endmodule

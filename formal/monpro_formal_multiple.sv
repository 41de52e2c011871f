// Defines the words of a multiple for the proofs of the scalable multiplier's elements: the product of a digit and a
// number Y that comes word by word.
//
//   odd_i       a word of Y and of its other odd multiples; assumed to be words of one number's multiples
//   product_o   digit·Y_j in two's complement, Y_j the word of Y; digit = magnitude_i, -magnitude_i with negative_i
//   left_o      the part of digit·Y, Y up to the word before, that the words of the multiple have not yet given, in
//               units of this word. With negative_i they are complements; the 1 that completes them is given.
//
// Shown by induction: an element that keeps the top bits of the word before, before_i, shifts even multiples
// correctly. clear_i is high one clock before the lowest word, which comes with first_i. magnitude_i is at most
// Largest.
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
  logic [2**RadixLog2*TotalWidth-1:0] products;
  logic [2**RadixLog2*RadixLog2-1:0]  carries;
  logic [TotalWidth-1:0]              product;
  logic [RadixLog2-1:0]               carry;

  for (genvar m = 0; m < 2 ** RadixLog2; m++) begin : gen_multiple
    logic [RadixLog2-1:0]           carry_q;
    logic [WordWidth+RadixLog2-1:0] total;
    assign total = (WordWidth + RadixLog2)'(m) * (WordWidth + RadixLog2)'(odd_i[WordWidth-1:0]) +
                   (WordWidth + RadixLog2)'(carry_q);
    always_ff @(posedge clk_i) carry_q <= clear_i ? '0 : total[WordWidth+:RadixLog2];
    assign products[m*TotalWidth+:TotalWidth] = TotalWidth'(m) * TotalWidth'(odd_i[WordWidth-1:0]);
    assign carries[m*RadixLog2+:RadixLog2]    = carry_q;
    always_comb if (live_i) assert (first_i ? carry_q == '0 : carry_q <= m);
    if (m <= Largest && m % 2 == 1) begin : gen_odd
      always_comb if (live_i) assume (odd_i[m/2*WordWidth+:WordWidth] == total[WordWidth-1:0]);
    end
  end

  for (genvar k = 0; k < NumOdd; k++) begin : gen_odd
    for (genvar s = 1; s < RadixLog2; s++) begin : gen_shift
      localparam int Multiple = (2 * k + 1) * 2 ** s;
      if (Multiple <= Largest) begin : gen_even
        logic [RadixLog2+s-1:0] shifted;
        assign shifted = {carries[(2*k+1)*RadixLog2+:RadixLog2], before_i[(k+1)*RadixLog2-s+:s]};
        always_comb begin
          if (live_i) assert (carries[Multiple*RadixLog2+:RadixLog2] == shifted);
        end
      end
    end
  end

  assign product   = products[magnitude_i*TotalWidth+:TotalWidth];
  assign carry     = carries[magnitude_i*RadixLog2+:RadixLog2];
  assign product_o = negative_i ? -product : product;
  assign left_o    = TotalWidth'(carry) ^ {TotalWidth{negative_i}};
endmodule

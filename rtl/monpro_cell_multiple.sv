// Selects a word of a multiple of a number that arrives word by word: ±magnitude times the number
// [amberg08, §III-A, §III-B].
//
//   odd_i     a word of each odd multiple 1, 3, .. up to the largest digit; the number itself is lowest
//   before_i  the top v = RadixLog2 bits of the word before, for each odd multiple; 0 at the first word
//   word_o    the word of magnitude_i times the number, or its complement if negative_i is high
//
// The largest digit is 2^v - 1, with Booth 2^(v-1); no larger magnitude may be given. Even multiples are shifted odd
// multiples. The user of a complement adds the 1 that makes it the negative number. Combinational.
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
  logic [2**RadixLog2*WordWidth-1:0] choices;
  logic                              unused;

  assign choices[WordWidth-1:0] = '0;
  for (genvar k = 0; k < NumOdd; k++) begin : gen_odd
    for (genvar s = 0; s < RadixLog2; s++) begin : gen_shift
      localparam int Multiple = (2 * k + 1) * 2 ** s;
      if (Multiple <= Largest) begin : gen_choice
        if (s == 0) begin : gen_itself
          assign choices[Multiple*WordWidth+:WordWidth] = odd_i[k*WordWidth+:WordWidth];
        end else begin : gen_shifted
          assign choices[Multiple*WordWidth+:WordWidth] =
              {odd_i[k*WordWidth+:WordWidth-s], before_i[(k+1)*RadixLog2-s+:s]};
        end
      end
    end
  end
  for (genvar m = Largest + 1; m < 2 ** RadixLog2; m++) begin : gen_none
    assign choices[m*WordWidth+:WordWidth] = 'x;
  end

  assign word_o = choices[magnitude_i*WordWidth+:WordWidth] ^ {WordWidth{negative_i}};
  assign unused = ^before_i;
endmodule

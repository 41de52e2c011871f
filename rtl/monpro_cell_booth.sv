// Booth's recoding of a digit of v = RadixLog2 bits [amberg08, Fig. 2, §III-B].
//
//   digit_i + carry_i - 2^v·(top bit of digit_i)  =  magnitude_o,  or -magnitude_o with negative_o
//
// carry_i is the top bit of the digit before, and 0 for the first digit. The result is in [-2^(v-1), 2^(v-1)]; it may
// be a negative zero. Combinational.
module monpro_cell_booth #(
  parameter int RadixLog2 = 2
) (
  input  logic [RadixLog2-1:0] digit_i,
  input  logic                 carry_i,
  output logic                 negative_o,
  output logic [RadixLog2-1:0] magnitude_o
);
  logic increment;

  // 2^v - d - c = ~d + (1 - c) modulo 2^v
  assign negative_o  = digit_i[RadixLog2-1];
  assign increment   = carry_i ^ negative_o;
  assign magnitude_o = (digit_i ^ {RadixLog2{negative_o}}) + RadixLog2'(increment);
endmodule

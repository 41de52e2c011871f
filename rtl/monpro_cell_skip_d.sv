// The skip detector Skip_D: in iteration i, it selects for the next iteration that is not skipped
// [kuang16, Fig. 12; equations (5), (7), (8)].
//
//   d1 = SS_1 ^ SC_1,   d0 = SS_0 & SC_0                     of SS[i], SC[i]
//   q_{i+1} = d1 ^ d0                                          (5)
//   q_{i+2} = (SS_2 ^ SC_2) ^ (q_i & N^_2) ^ (SS_1 & SC_1)     (7), used with skip only
//   skip    = ~(A_{i+1} | d1 | d0)                             (8)
//   (quotient_o, operand_o) = skip ? (q_{i+2}, A_{i+2}) : (q_{i+1}, A_{i+1})
//
// The equations hold if the two lowest bits of every addend are zero, and bit 2 of the addend is q_i & N^_2. This is
// so because N^ = 0 mod 4 and B^ = 0 mod 8. allow_i = 0 suppresses the skip. The paper's text lacks this, but the
// last iteration must not skip, because one shift too many would follow.
//
// Combinational.
module monpro_cell_skip_d (
  input  logic [2:0] sum_i,
  input  logic [2:0] carry_i,
  input  logic       quotient_i,
  input  logic       modulus_bit_i,
  input  logic [1:0] operand_i,  // {A_{i+2}, A_{i+1}}
  input  logic       allow_i,
  output logic       skip_o,
  output logic       quotient_o,
  output logic       operand_o
);
  logic delta1;
  logic delta0;
  logic quotient1;
  logic quotient2;

  assign delta1     = sum_i[1] ^ carry_i[1];
  assign delta0     = sum_i[0] & carry_i[0];
  assign quotient1  = delta1 ^ delta0;
  assign quotient2  = sum_i[2] ^ carry_i[2] ^ (quotient_i & modulus_bit_i) ^
                      (sum_i[1] & carry_i[1]);
  assign skip_o     = allow_i & ~(operand_i[0] | delta1 | delta0);
  assign quotient_o = skip_o ? quotient2 : quotient1;
  assign operand_o  = skip_o ? operand_i[1] : operand_i[0];
endmodule

// The systolic array of monpro_mul_systolic in radix 2, with UnitWidth bits in a unit, for moduli of up to Digits bits.
// Products, bounds and the commands with their clocks are the same.
//
// The units hold m + 4 bits, m = Digits: totals are twice a sum S <= 5·M~ < 2^(m+3).
module monpro_mul_systolic_radix2 #(
  parameter int Digits    = 1024,
  parameter int UnitWidth = 4
) (
  input  logic       clk_i,
  input  logic       first_i,
  input  logic       last_i,
  input  logic [1:0] source_i,
  input  logic       write_b_i,
  input  logic       write_m_i,
  input  logic       a_i,
  output logic       z_o
);
  localparam int Units = (Digits + 4 + UnitWidth - 1) / UnitWidth;

  // Inputs of unit j from the right and from the left; entry Units is the output of the last unit.
  logic [Units:0]     first;
  logic [Units:0]     last;
  logic [2*Units+1:0] source;
  logic [Units:0]     write_m;
  logic [Units:0]     a;
  logic [Units:0]     q;
  logic [2*Units+1:0] carry;
  logic [Units:0]     s;  // entry j: from unit j
  logic [Units:0]     z;
  logic [Units-1:0]   low_s;
  logic [Units-1:0]   low_z;

  assign first[0]    = first_i;
  assign last[0]     = last_i;
  assign source[1:0] = source_i;
  assign write_m[0]  = write_m_i;
  assign a[0]        = a_i;
  assign carry[1:0]  = '0;
  assign s[Units]    = 1'b0;
  assign z[Units]    = 1'b0;

  // The quotient's bit is bit 0 of S, which is bit 1 of the total.
  assign q[0] = write_m_i ? a_i : (!first_i && low_s[0]);
  assign z_o  = low_z[0];

  for (genvar j = 0; j < Units; j++) begin : gen_unit
    monpro_pe_systolic_radix2 #(
      .UnitWidth(UnitWidth),
      .First    (j == 0)
    ) u_unit (
      .clk_i    (clk_i),
      .first_i  (first[j]),
      .last_i   (last[j]),
      .source_i (source[2*j+:2]),
      .write_m_i(write_m[j]),
      .a_i      (a[j]),
      .q_i      (q[j]),
      .carry_i  (carry[2*j+:2]),
      .s_o      (s[j]),
      .z_o      (z[j]),
      .low_s_o  (low_s[j]),
      .low_z_o  (low_z[j]),
      .first_o  (first[j+1]),
      .last_o   (last[j+1]),
      .source_o (source[2*(j+1)+:2]),
      .write_m_o(write_m[j+1]),
      .a_o      (a[j+1]),
      .q_o      (q[j+1]),
      .carry_o  (carry[2*(j+1)+:2]),
      .s_i      (s[j+1]),
      .z_i      (z[j+1])
    );
  end

  logic unused_end;
  assign unused_end = ^{write_b_i, first[Units], last[Units], source[2*Units+:2], write_m[Units],
                        a[Units], q[Units], carry[2*Units+:2], s[0], z[0], low_s[Units-1:1],
                        low_z[Units-1:1]};

`ifndef SYNTHESIS
  initial begin
    if (Digits < 1) $fatal(1, "monpro_mul_systolic_radix2: Digits = %0d: at least 1", Digits);
  end
`endif
endmodule

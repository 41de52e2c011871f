// A systolic array of m + 3 units for two Montgomery products at a time in radix 2^k, k = RadixLog2, m = Digits
// [blum01, Algorithm 3.2, Fig. 2, after Orup]:
//
//   S := 0;  for i = 0 to m + 2:  q := S mod 2^k;  S := (S + q·M~)/2^k + a_i·B
//   z = a·B·2^-(k(m+2))  mod M
//
//   M~    = (-M^-1 mod 2^k)·M, M odd of m digits; M~ < 2^(k(m+1)), and M~ = -1 mod 2^k, so that q needs no product
//   a, B  < 2·M~, digits 0 to m + 1 and a zero
//   z     < 2·M~: products may be chained; digits 0 to m + 1
//
// Bounds. 4·M~ < 2^(k(m+2)) and q_0 = 0 give z < a·B/2^(k(m+2)) + M~ < 2·M~. On the way S <= (2^(k+1) + 1)·M~
// < 2^(k(m+2)+1): m + 2 digits and a bit, which the last unit has from its own iteration before.
//
// Unit j does iteration i of channel c in clock 2i + j + c. The square is channel 0, the product is channel 1, and
// both have the same B. Digit j of the sum is digit j - 1 of S, for the unit to the right. monpro_pe_systolic defines
// the commands. At unit 0, for products that start every 2(m+3) + max(2^k - 2, 2) clocks, they are:
//
//   clock                  | command
//   0, 1                   | first, a_0 of channel 0 and 1
//   2i + c                 | a_i
//   2(m+2)                 | last, a = 0; b := digit of S if the square is the next B
//   2(m+2) + 1             | last, a = 0
//   2(m+2) + t             | write_b, a = t: B-RAM[t] for t = 1 to 2^k - 1     (not in radix 2)
//   2(m+2) + 2 + 2d + c    | z_o is digit d of channel c
//
// There is nothing to reset: a product depends only on numbers that were loaded after `clear`.
module monpro_mul_systolic #(
  parameter int Digits    = 256,
  parameter int RadixLog2 = 4
) (
  input  logic                 clk_i,
  input  logic                 first_i,
  input  logic                 last_i,
  input  logic [1:0]           source_i,
  input  logic                 write_b_i,
  input  logic                 write_m_i,  // M~-RAM[a]
  input  logic [RadixLog2-1:0] a_i,
  output logic [RadixLog2-1:0] z_o
);
  localparam int Top = Digits + 2;  // the last unit

  // Inputs of unit j from the right and from the left; entry Top + 1 is the output of the last unit.
  logic [Top+1:0]               first;
  logic [Top+1:0]               last;
  logic [2*(Top+2)-1:0]         source;
  logic [Top+1:0]               write_b;
  logic [Top+1:0]               write_m;
  logic [RadixLog2*(Top+2)-1:0] a;
  logic [RadixLog2*(Top+2)-1:0] q;
  logic [2*(Top+2)-1:0]         carry;
  logic [Top+1:0]               multiple_carry;
  logic [RadixLog2*(Top+1)-1:0] s;
  logic [RadixLog2*(Top+1)-1:0] z;
  logic [RadixLog2  :0]         top_s;
  logic                         overflow_q;  // of S

  assign first[0]          = first_i;
  assign last[0]           = last_i;
  assign source[1:0]       = source_i;
  assign write_b[0]        = write_b_i;
  assign write_m[0]        = write_m_i;
  assign a[RadixLog2-1:0]  = a_i;
  assign carry[1:0]        = '0;
  assign multiple_carry[0] = 1'b0;

  // The quotient's digit is the digit of S. Multiples of M~ have the same addresses as multiples of B.
  assign q[RadixLog2-1:0] = write_m_i ? a_i : (first_i ? '0 : s[RadixLog2-1:0]);

  for (genvar j = 0; j < Top; j++) begin : gen_unit
    logic [RadixLog2-1:0] s_right;
    logic [RadixLog2-1:0] z_right;

    monpro_pe_systolic #(
      .RadixLog2      (RadixLog2),
      .HasMultiplicand(j != 0),
      .One            (j == 1)
    ) u_unit (
      .clk_i           (clk_i),
      .first_i         (first[j]),
      .last_i          (last[j]),
      .source_i        (source[2*j+:2]),
      .write_b_i       (write_b[j]),
      .write_m_i       (write_m[j]),
      .a_i             (a[RadixLog2*j+:RadixLog2]),
      .q_i             (q[RadixLog2*j+:RadixLog2]),
      .carry_i         (carry[2*j+:2]),
      .multiple_carry_i(multiple_carry[j]),
      .s_o             (s_right),
      .z_o             (z_right),
      .first_o         (first[j+1]),
      .last_o          (last[j+1]),
      .source_o        (source[2*(j+1)+:2]),
      .write_b_o       (write_b[j+1]),
      .write_m_o       (write_m[j+1]),
      .a_o             (a[RadixLog2*(j+1)+:RadixLog2]),
      .q_o             (q[RadixLog2*(j+1)+:RadixLog2]),
      .carry_o         (carry[2*(j+1)+:2]),
      .multiple_carry_o(multiple_carry[j+1]),
      .s_i             (s[RadixLog2*j+:RadixLog2]),
      .z_i             (z[RadixLog2*j+:RadixLog2])
    );

    if (j == 0) begin : gen_zero
      logic unused_zero;  // digit 0 of S + q·M~
      assign unused_zero = ^{s_right, z_right};
    end else begin : gen_digit
      assign s[RadixLog2*(j-1)+:RadixLog2] = s_right;
      assign z[RadixLog2*(j-1)+:RadixLog2] = z_right;
    end
  end

  monpro_pe_systolic #(
    .RadixLog2 (RadixLog2),
    .HasModulus(1'b0)
  ) u_top (
    .clk_i           (clk_i),
    .first_i         (first[Top]),
    .last_i          (last[Top]),
    .source_i        (source[2*Top+:2]),
    .write_b_i       (write_b[Top]),
    .write_m_i       (write_m[Top]),
    .a_i             (a[RadixLog2*Top+:RadixLog2]),
    .q_i             (q[RadixLog2*Top+:RadixLog2]),
    .carry_i         (carry[2*Top+:2]),
    .multiple_carry_i(multiple_carry[Top]),
    .s_o             (top_s),
    .z_o             (z[RadixLog2*(Top-1)+:RadixLog2]),
    .first_o         (first[Top+1]),
    .last_o          (last[Top+1]),
    .source_o        (source[2*(Top+1)+:2]),
    .write_b_o       (write_b[Top+1]),
    .write_m_o       (write_m[Top+1]),
    .a_o             (a[RadixLog2*(Top+1)+:RadixLog2]),
    .q_o             (q[RadixLog2*(Top+1)+:RadixLog2]),
    .carry_o         (carry[2*(Top+1)+:2]),
    .multiple_carry_o(multiple_carry[Top+1]),
    .s_i             ((RadixLog2 + 1)'(overflow_q)),
    .z_i             (RadixLog2'(0))
  );

  always_ff @(posedge clk_i) overflow_q <= top_s[RadixLog2];
  assign s[RadixLog2*(Top-1)+:RadixLog2] = top_s[RadixLog2-1:0];
  assign s[RadixLog2*Top+:RadixLog2]     = '0;
  assign z[RadixLog2*Top+:RadixLog2]     = '0;
  assign z_o                             = z[RadixLog2-1:0];

  logic unused_end;
  assign unused_end = ^{first[Top+1], last[Top+1], source[2*(Top+1)+:2], write_b[Top+1],
                        write_m[Top+1], a[RadixLog2*(Top+1)+:RadixLog2],
                        q[RadixLog2*(Top+1)+:RadixLog2], carry[2*(Top+1)+:2],
                        multiple_carry[Top+1], s[RadixLog2*Top+:RadixLog2],
                        z[RadixLog2*Top+:RadixLog2]};

`ifndef SYNTHESIS
  initial begin
    if (Digits < 1) $fatal(1, "monpro_mul_systolic: Digits = %0d: at least 1", Digits);
  end
`endif
endmodule

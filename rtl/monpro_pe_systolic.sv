// A unit of the systolic array: digit j of (S + q·M~)/2^k + a·B in radix 2^k, k = RadixLog2 [blum01, Fig. 1].
//
//   {carry_o, s_o} := (first_i ? 0 : s_i) + (q·M~)_j + (a·B·2^k)_j + carry_i      one iteration of one channel
//
// Two memories of 2^k digits hold digit j of all multiples of M~ and of B; q and a are the addresses. The unit fills
// them from its own digit b of M~ or B, one multiple a clock, and the carry goes to the next unit:
//   M~-RAM[q] or B-RAM[a] := {multiple_carry_o, multiple} := multiple + b + multiple_carry_i
// In radix 2 the registers b and m themselves are these memories.
//
// Commands come with a and q from the unit to the right, and go to the unit on the left one clock later:
//   first_i    the first iteration: S = 0
//   last_i     the last iteration: the digit belongs to the result and enters the chain z, which moves right
//   source_i   b := hold | digit of S | a_i in the unit that is One, else 0 | a_i, if b is empty. Only the first unit
//              without a digit takes a_i, so a number loads from the right, the lowest digit first
//   write_*_i  writes a multiple to the memory; the first of consecutive multiples is b. While B-RAM is written, it
//              reads as 0
//
// Unit 0 needs no multiples of B. The last unit needs no multiples of M~, but one bit more in its digit. Carries: each
// of the two additions gives one bit, so both together are at most 2; multiples carry at most 1.
module monpro_pe_systolic #(
  parameter  int RadixLog2       = 4,
  parameter  bit HasModulus      = 1'b1,
  parameter  bit HasMultiplicand = 1'b1,
  parameter  bit One             = 1'b0,
  localparam int DigitWidth      = HasModulus ? RadixLog2 : RadixLog2 + 1
) (
  input  logic                  clk_i,
  // the unit to the right
  input  logic                  first_i,
  input  logic                  last_i,
  input  logic [1:0]            source_i,
  input  logic                  write_b_i,
  input  logic                  write_m_i,
  input  logic [RadixLog2-1:0]  a_i,
  input  logic [RadixLog2-1:0]  q_i,
  input  logic [1:0]            carry_i,
  input  logic                  multiple_carry_i,
  output logic [DigitWidth-1:0] s_o,
  output logic [RadixLog2-1:0]  z_o,
  // the unit to the left
  output logic                  first_o,
  output logic                  last_o,
  output logic [1:0]            source_o,
  output logic                  write_b_o,
  output logic                  write_m_o,
  output logic [RadixLog2-1:0]  a_o,
  output logic [RadixLog2-1:0]  q_o,
  output logic [1:0]            carry_o,
  output logic                  multiple_carry_o,
  input  logic [DigitWidth-1:0] s_i,
  input  logic [RadixLog2-1:0]  z_i
);
  /*verilator no_inline_module*/  // a quarter faster in simulation
  localparam logic [1:0] SourceHold  = 2'd0;
  localparam logic [1:0] SourceSum   = 2'd1;
  localparam logic [1:0] SourceClear = 2'd2;
  localparam logic [1:0] SourceLoad  = 2'd3;

  logic [DigitWidth-1:0] b_q;
  logic                  full_q;  // b has been loaded
  logic                  load;
  logic [DigitWidth-1:0] multiplicand;
  logic [DigitWidth-1:0] modulus;
  logic [DigitWidth  :0] operands;
  logic [DigitWidth  :0] total;

  if (RadixLog2 == 1) begin : gen_registers
    logic [DigitWidth-1:0] m_q;

    always_ff @(posedge clk_i) begin
      if (write_m_i && q_i[0]) m_q <= b_q;
    end
    assign multiplicand     = (HasMultiplicand && a_i[0]) ? b_q : '0;
    assign modulus          = (HasModulus && q_i[0]) ? m_q : '0;
    assign multiple_carry_o = 1'b0;

    logic unused_write;
    assign unused_write = ^{write_b_i, multiple_carry_i};
  end else begin : gen_multiples
    logic [DigitWidth-1:0] b_ram [2**RadixLog2];
    logic [DigitWidth-1:0] m_ram [2**RadixLog2];
    logic [DigitWidth-1:0] multiple_q;
    logic [DigitWidth  :0] multiple;

    assign multiple = {1'b0, multiple_q} + {1'b0, b_q} + (DigitWidth + 1)'(multiple_carry_i);

    always_ff @(posedge clk_i) begin
      if (write_b_i && HasMultiplicand) b_ram[a_i] <= multiple[DigitWidth-1:0];
      if (write_m_i && HasModulus) m_ram[q_i] <= multiple[DigitWidth-1:0];
    end
    always_ff @(posedge clk_i) begin
      multiple_q       <= (write_b_i || write_m_i) ? multiple[DigitWidth-1:0] : '0;
      multiple_carry_o <= (write_b_i || write_m_i) && multiple[DigitWidth];
    end
    assign multiplicand = (HasMultiplicand && !write_b_i) ? b_ram[a_i] : '0;
    assign modulus      = HasModulus ? m_ram[q_i] : '0;
  end

  assign operands = {1'b0, modulus} + {1'b0, multiplicand} + (DigitWidth + 1)'(carry_i[0]);
  assign total    = {1'b0, first_i ? '0 : s_i} + {1'b0, operands[DigitWidth-1:0]} +
                    (DigitWidth + 1)'(carry_i[1]);
  assign load     = source_i == SourceLoad && !full_q;

  always_ff @(posedge clk_i) begin : p_digit
    s_o     <= total[DigitWidth-1:0];
    carry_o <= {total[DigitWidth], operands[DigitWidth]};
    z_o     <= last_i ? total[RadixLog2-1:0] : z_i;
    case (source_i)
      SourceSum:   b_q <= total[DigitWidth-1:0];
      SourceClear: b_q <= One ? DigitWidth'(a_i) : '0;
      SourceLoad:  if (load) b_q <= DigitWidth'(a_i);
      default: ;
    endcase
    if (source_i == SourceClear) begin
      full_q <= 1'b0;
    end else if (load) begin
      full_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : p_commands
    first_o   <= first_i;
    last_o    <= last_i;
    source_o  <= load ? SourceHold : source_i;
    write_b_o <= write_b_i;
    write_m_o <= write_m_i;
    a_o       <= a_i;
    q_o       <= q_i;
  end

`ifndef SYNTHESIS
  initial begin
    if (RadixLog2 < 1 || RadixLog2 > 8) begin
      $fatal(1, "monpro_pe_systolic: RadixLog2 = %0d: 1 to 8", RadixLog2);
    end
  end
`endif
endmodule

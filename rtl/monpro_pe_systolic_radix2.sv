// A unit of the systolic array in radix 2 with U = UnitWidth bits: bits U·j to U·j + U - 1 of S + q·M + 2·a·B.
// A unit of one bit has as many registers for its commands as for its numbers; here U bits share them.
//
//   {carry_o, total} := (first_i ? 0 : S) + (q·M)_j + (a·2B)_j + carry_i      one iteration of one channel
//
// S is half of the total of the iteration before in this channel, two clocks ago: U - 1 bits come from this unit, and
// the top bit from the unit on the left, which was one clock later and so added it one clock ago. The result is handed
// on in the same way: it moves right by one bit in two clocks, in each of the two channels.
//
// Commands come with a and q from the unit to the right, and go to the unit on the left one clock later:
//   first_i    the first iteration: S = 0
//   last_i     the last iteration: the total is the result, and enters the chain z
//   source_i   b := hold | total | bit 1 := a_i in the unit that is First, else 0 | the next bit := a_i. Only the first
//              unit that is not full takes a_i, so a number loads from the right, the lowest bit first
//   write_m_i  if q, m := b
//
// Each of the two additions gives a carry of one bit: total + carries < 3·2^U.
module monpro_pe_systolic_radix2 #(
  parameter int UnitWidth = 4,
  parameter bit First     = 1'b0
) (
  input  logic       clk_i,
  // the unit to the right
  input  logic       first_i,
  input  logic       last_i,
  input  logic [1:0] source_i,
  input  logic       write_m_i,
  input  logic       a_i,
  input  logic       q_i,
  input  logic [1:0] carry_i,
  output logic       s_o,  // bit 0 of the total, one clock ago
  output logic       z_o,  // bit 0 of the result, one clock ago
  output logic       low_s_o,  // bit 1 of the total, two clocks ago
  output logic       low_z_o,  // bit 1 of the result, two clocks ago
  // the unit to the left
  output logic       first_o,
  output logic       last_o,
  output logic [1:0] source_o,
  output logic       write_m_o,
  output logic       a_o,
  output logic       q_o,
  output logic [1:0] carry_o,
  input  logic       s_i,
  input  logic       z_i
);
  /*verilator no_inline_module*/  // as in monpro_pe_systolic
  localparam int CountWidth = $clog2(UnitWidth + 1);
  localparam logic [1:0] SourceHold  = 2'd0;
  localparam logic [1:0] SourceSum   = 2'd1;
  localparam logic [1:0] SourceClear = 2'd2;
  localparam logic [1:0] SourceLoad  = 2'd3;

  logic [UnitWidth-1:0]  b_q;
  logic [UnitWidth-1:0]  m_q;
  logic [CountWidth-1:0] count_q;  // bits of b that have been loaded
  logic                  load;
  logic [UnitWidth-1:0]  s_q;  // the total one clock ago, of the other channel
  logic [UnitWidth-1:1]  s_before_q;  // the total two clocks ago
  logic [UnitWidth-1:0]  z_q;
  logic [UnitWidth-1:1]  z_before_q;
  logic [UnitWidth  :0]  operands;
  logic [UnitWidth  :0]  total;

  assign operands = {1'b0, q_i ? m_q : '0} + {1'b0, a_i ? b_q : '0} + (UnitWidth + 1)'(carry_i[0]);
  assign total    = {1'b0, first_i ? '0 : {s_i, s_before_q}} +
                    {1'b0, operands[UnitWidth-1:0]} + (UnitWidth + 1)'(carry_i[1]);
  assign load     = source_i == SourceLoad && count_q != CountWidth'(UnitWidth);
  assign s_o      = s_q[0];
  assign z_o      = z_q[0];
  assign low_s_o  = s_before_q[1];
  assign low_z_o  = z_before_q[1];

  always_ff @(posedge clk_i) begin : p_numbers
    s_q        <= total[UnitWidth-1:0];
    s_before_q <= s_q[UnitWidth-1:1];
    carry_o    <= {total[UnitWidth], operands[UnitWidth]};
    z_q        <= last_i ? total[UnitWidth-1:0] : {z_i, z_before_q};
    z_before_q <= z_q[UnitWidth-1:1];
    if (write_m_i && q_i) m_q <= b_q;
    case (source_i)
      SourceSum:   b_q <= total[UnitWidth-1:0];
      SourceClear: b_q <= First ? UnitWidth'({a_i, 1'b0}) : '0;
      SourceLoad: begin
        for (int i = 0; i < UnitWidth; i++) begin
          if (count_q == CountWidth'(i)) b_q[i] <= a_i;
        end
      end
      default: ;
    endcase
    if (source_i == SourceClear) begin
      count_q <= '0;
    end else if (load) begin
      count_q <= count_q + CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin : p_commands
    first_o   <= first_i;
    last_o    <= last_i;
    source_o  <= load ? SourceHold : source_i;
    write_m_o <= write_m_i;
    a_o       <= a_i;
    q_o       <= q_i;
  end

`ifndef SYNTHESIS
  initial begin
    if (UnitWidth < 2) begin
      $fatal(1, "monpro_pe_systolic_radix2: UnitWidth = %0d: at least 2", UnitWidth);
    end
  end
`endif
endmodule

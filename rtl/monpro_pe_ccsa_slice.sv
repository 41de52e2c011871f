// A slice of Width bits of the data path of SCS-MM-New: the registers SS, SC, A, B^, N^, D^, the multiplexers M1
// and M2, SM3 and the carry-save adder [kuang16, Fig. 11].
//
//   s, c = 0, 0 | SS, SC | SS >> 1, SC >> 1 | SS >> 2, SC >> 2        for shift = 0, 1, 2, 3
//   (SS, SC) := 1F_CSA(s, c, SM3(operand, quotient))  or  2H_CSA(s, c)
//
// Each select line of a k-bit row would drive k bits. The slice therefore registers its own copy of every select
// line, which drives Width bits. The control gives the selection for the *next* clock (the ports *_d_i).
//
// Two kinds of attributes stop synthesis from merging the copies into one register again: keep_hierarchy (Yosys, and
// Vivado, which takes "yes") and syn_hier (Synplify) for the module, dont_merge (Quartus) for each register.
//
// The two lowest bits of SS, SC and A go to the slice below (a right shift by 1 or 2); generate_o and carry_o go
// to the slice above. zero_o is high if SC was zero in the clock before.
//
// SS and SC lose no bit that counts: see the bounds in monpro_mul_scs_mm_new.
(* keep_hierarchy = "yes", syn_hier = "hard" *)
module monpro_pe_ccsa_slice #(
  parameter int Width        = 64,
  parameter bit Configurable = 1'b1
) (
  input  logic             clk_i,
  // the selection for the next clock
  input  logic             load_d_i,      // A, B^, N^ := x, y, n
  input  logic             step_d_i,      // A moves right, by 1 or (skip) 2
  input  logic             skip_d_i,
  input  logic             capture_d_i,   // D^ := SS
  input  logic [1:0]       shift_d_i,
  input  logic             full_d_i,      // 1F_CSA, otherwise 2H_CSA
  input  logic             operand_d_i,
  input  logic             quotient_d_i,
  // operands
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] n_i,
  // neighbours
  input  logic [1:0]       sum_above_i,
  input  logic [1:0]       carry_above_i,
  input  logic [1:0]       operand_above_i,
  input  logic             generate_i,
  input  logic             carry_i,
  output logic             generate_o,
  output logic             carry_o,
  // state
  output logic [Width-1:0] sum_o,
  output logic [4:0]       carry_low_o,
  output logic [3:0]       operand_low_o,
  output logic             modulus_bit_o,
  output logic             zero_o
);
  (* dont_merge *) logic       load_q;
  (* dont_merge *) logic       step_q;
  (* dont_merge *) logic       skip_q;
  (* dont_merge *) logic       capture_q;
  (* dont_merge *) logic [1:0] shift_q;
  (* dont_merge *) logic       full_q;
  (* dont_merge *) logic       operand_q;
  (* dont_merge *) logic       quotient_q;

  always_ff @(posedge clk_i) begin
    load_q     <= load_d_i;
    step_q     <= step_d_i;
    skip_q     <= skip_d_i;
    capture_q  <= capture_d_i;
    shift_q    <= shift_d_i;
    full_q     <= full_d_i;
    operand_q  <= operand_d_i;
    quotient_q <= quotient_d_i;
  end

  logic [Width-1:0] ss_q;
  logic [Width-1:0] sc_q;
  logic [Width-1:0] a_q;
  logic [Width-1:0] b_q;
  logic [Width-1:0] n_q;
  logic [Width-1:0] d_q;

  logic [Width-1:0] s;
  logic [Width-1:0] c;
  logic [Width-1:0] x;
  logic [Width-1:0] ss_d;
  logic [Width-1:0] carry;
  logic [Width  :0] carry_moved;
  logic             zero;

  // The shifts are outside the process, because Icarus cannot wait for a part of a vector.
  logic [Width-1:0] s_by_1;
  logic [Width-1:0] c_by_1;
  logic [Width-1:0] s_by_2;
  logic [Width-1:0] c_by_2;

  assign s_by_1 = {sum_above_i[0], ss_q[Width-1:1]};
  assign c_by_1 = {carry_above_i[0], sc_q[Width-1:1]};
  assign s_by_2 = {sum_above_i, ss_q[Width-1:2]};
  assign c_by_2 = {carry_above_i, sc_q[Width-1:2]};

  always_comb begin : p_m1_m2
    case (shift_q)
      2'd0: begin
        s = '0;
        c = '0;
      end
      2'd1: begin
        s = ss_q;
        c = sc_q;
      end
      2'd2: begin
        s = s_by_1;
        c = c_by_1;
      end
      default: begin
        s = s_by_2;
        c = c_by_2;
      end
    endcase
  end

  monpro_cell_sm3 #(.Width(Width)) u_sm3 (
    .operand_i (operand_q),
    .quotient_i(quotient_q),
    .n_i       (n_q),
    .b_i       (b_q),
    .d_i       (d_q),
    .x_o       (x)
  );

  if (Configurable) begin : gen_ccsa
    monpro_cell_cfa #(.Width(Width)) u_cfa (
      .full_i    (full_q),
      .a_i       (s),
      .b_i       (c),
      .x_i       (x),
      .generate_i(generate_i),
      .sum_o     (ss_d),
      .carry_o   (carry),
      .generate_o(generate_o)
    );
  end else begin : gen_csa
    monpro_cell_csa #(.Width(Width)) u_csa (
      .a_i    (s),
      .b_i    (c),
      .c_i    (x),
      .sum_o  (ss_d),
      .carry_o(carry)
    );
    logic unused_configuration;
    assign unused_configuration = ^{full_q, generate_i};
    assign generate_o           = 1'b0;
  end

  assign carry_moved = {carry, carry_i};
  assign carry_o     = carry_moved[Width];

  monpro_cell_zero_d #(.Width(Width)) u_zero_d (
    .a_i   (sc_q),
    .zero_o(zero)
  );

  always_ff @(posedge clk_i) begin : p_carry_save
    ss_q   <= ss_d;
    sc_q   <= carry_moved[Width-1:0];
    zero_o <= zero;
  end

  always_ff @(posedge clk_i) begin : p_operands
    if (load_q) begin
      a_q <= x_i;
      b_q <= y_i;
      n_q <= n_i;
    end else if (step_q) begin
      a_q <= skip_q ? {operand_above_i, a_q[Width-1:2]} : {operand_above_i[0], a_q[Width-1:1]};
    end
    if (capture_q) begin
      d_q <= ss_q;
    end
  end

  assign sum_o         = ss_q;
  assign carry_low_o   = sc_q[4:0];
  assign operand_low_o = a_q[3:0];
  assign modulus_bit_o = n_q[2];

`ifndef SYNTHESIS
  initial begin
    if (Width < 5) $fatal(1, "monpro_pe_ccsa_slice: Width = %0d: at least 5", Width);
  end
`endif
endmodule

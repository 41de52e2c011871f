// Complete equivalence of ${top} at a small width: for every odd modulus n >= 3 and all operands in bounds, the
// first product after a reset is the one number (x·y + Q·N_eff)/R with 0 <= Q < R that the radix-2 algorithm defines,
// within the clocks the core may take. That number is computed here without a clock, and is shown to be below its
// bound and congruent to x·y/R modulo n. A template: the flow fills in the core.
module monpro_formal_product (
  input logic clk_i
);
  localparam int Width        = ${width_bits};
  localparam int OperandWidth = ${operand_bits};
  localparam int ModulusWidth = ${modulus_bits};
  localparam int RLog2        = ${r_log2};
  localparam int MaxCycles    = ${max_cycles};
  localparam bit Hat          = 1'b${uses_n_hat};  // n_i takes N^, not n
  localparam bit Reduced      = 1'b${is_reduced};  // operands and results are below n
  localparam int WideWidth = 2 * OperandWidth + 4;

  (* anyconst *) logic [Width-1:0]        n;
  (* anyconst *) logic [OperandWidth-1:0] x;
  (* anyconst *) logic [OperandWidth-1:0] y;

  logic [ModulusWidth-1:0] n_in;
  logic [OperandWidth-1:0] effective;
  logic [OperandWidth-1:0] bound;
  logic [OperandWidth-1:0] z;
  logic                    ready;
  logic                    valid;

  logic [15:0] clock_q = '0;
  logic       busy_q = 1'b0;
  logic [15:0] cycles_q = '0;
  logic       rst_n;

  assign rst_n     = clock_q != '0;
  assign effective = (Hat && !n[1]) ? OperandWidth'(n) + OperandWidth'({n, 1'b0}) : OperandWidth'(n);
  assign n_in      = ModulusWidth'(effective) + ModulusWidth'(Hat);
  assign bound     = (Reduced) ? effective : OperandWidth'({effective, 1'b0});

  ${top} #(${parameters}) u_dut (
    .clk_i  (clk_i),
    .rst_ni (rst_n),
    .valid_i(!busy_q),
    .ready_o(ready),
    .x_i    (x),
    .y_i    (y),
    .n_i    (n_in),
    .valid_o(valid),
    .ready_i(1'b0),
    .z_o    (z)
  );

  always_ff @(posedge clk_i) begin
    clock_q <= clock_q + 16'd1;
    if (!rst_n) begin
      busy_q <= 1'b0;
    end else if (!busy_q && ready) begin
      busy_q   <= 1'b1;
      cycles_q <= 16'd0;
    end else if (busy_q && !valid) begin
      cycles_q <= cycles_q + 16'd1;
    end
  end

  // the radix-2 algorithm: T := (T + x_i·y + q·N_eff)/2, and a subtraction where results are below n
  logic [WideWidth-1:0] t;
  logic [WideWidth-1:0] reference;

  always_comb begin
    t = '0;
    for (int i = 0; i < RLog2; i++) begin
      t = t + (((WideWidth'(x) >> i) & WideWidth'(1)) != '0 ? WideWidth'(y) : '0);
      t = (t + (t[0] ? WideWidth'(effective) : '0)) >> 1;
    end
    reference = (Reduced && t >= WideWidth'(effective)) ? t - WideWidth'(effective) : t;
  end

  always_comb begin
    assume (n[0] && n != 1);
    assume (x < bound && y < bound);
    if (busy_q && valid) assert (WideWidth'(z) == reference);
    if (clock_q == '0) begin
      assert (reference < WideWidth'(bound));
      assert ((reference << RLog2) % WideWidth'(n) == (WideWidth'(x) * WideWidth'(y)) % WideWidth'(n));
    end
    if (busy_q && !valid) assert (cycles_q < 16'(MaxCycles));
  end
endmodule

// Complete equivalence of a multiplier at a small width: for an odd modulus n >= 3 and all operands in bounds, the
// first product after a reset is the one number (x·y + Q·N_eff)/R with 0 <= Q < R that the radix-2 algorithm defines,
// below its bound. That number is computed here without a clock, and is shown to be x·y/R modulo n.
//
// Unrolled for more clocks than a product takes. MULTIPLIER names the module; RLOG2 = log2 R; HAT = 1 where n_i takes
// N^; REDUCED = 1 where operands and results are below n instead of twice the effective modulus; CYCLES: the most a
// product takes.
module monpro_formal_product #(
  parameter int Width        = 4,
  parameter int OperandWidth = 7,
  parameter int ModulusWidth = 6,
  parameter int Modulus      = 13
) (
  input logic clk_i
);
  localparam int WideWidth = 2 * OperandWidth + 4;

  localparam logic [Width-1:0] n = Width'(Modulus);

  (* anyconst *) logic [OperandWidth-1:0] x;
  (* anyconst *) logic [OperandWidth-1:0] y;

  logic [ModulusWidth-1:0] n_in;
  logic [OperandWidth-1:0] effective;
  logic [OperandWidth-1:0] bound;
  logic [OperandWidth-1:0] z;
  logic                    ready;
  logic                    valid;

  logic [7:0] clock_q = '0;
  logic       busy_q = 1'b0;
  logic [7:0] cycles_q = '0;
  logic       rst_n;

  assign rst_n     = clock_q != '0;
  assign effective = (`HAT != 0 && !n[1]) ? OperandWidth'(n) + OperandWidth'({n, 1'b0}) : OperandWidth'(n);
  assign n_in      = ModulusWidth'(effective) + ModulusWidth'(`HAT);
  assign bound     = (`REDUCED != 0) ? effective : OperandWidth'({effective, 1'b0});

  `MULTIPLIER #(.Width(Width)) u_dut (
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
    clock_q <= clock_q + 8'd1;
    if (!rst_n) begin
      busy_q <= 1'b0;
    end else if (!busy_q && ready) begin
      busy_q   <= 1'b1;
      cycles_q <= 8'd0;
    end else if (busy_q && !valid) begin
      cycles_q <= cycles_q + 8'd1;
    end
  end

  // the radix-2 algorithm: T := (T + x_i·y + q·N_eff)/2, and a subtraction where results are below n
  logic [WideWidth-1:0] t;
  logic [WideWidth-1:0] reference;

  always_comb begin
    t = '0;
    for (int i = 0; i < `RLOG2; i++) begin
      t = t + ((i < OperandWidth && x[i]) ? WideWidth'(y) : '0);
      t = (t + (t[0] ? WideWidth'(effective) : '0)) >> 1;
    end
    reference = (`REDUCED != 0 && t >= WideWidth'(effective)) ? t - WideWidth'(effective) : t;
  end

  always_comb begin
    assume (x < bound && y < bound);
    if (busy_q && valid) assert (WideWidth'(z) == reference);
    if (clock_q == '0) begin
      assert (reference < WideWidth'(bound));
      assert ((reference << `RLOG2) % WideWidth'(n) == (WideWidth'(x) * WideWidth'(y)) % WideWidth'(n));
    end
    if (busy_q && !valid) assert (cycles_q < `CYCLES);
  end
endmodule

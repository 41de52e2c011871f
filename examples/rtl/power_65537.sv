// z = x^65537 in Montgomery form, by a multiplier of `monpro emit scs-mm-new`: sixteen squares and a product.
//
// x is below the multiplier's operand bound and in Montgomery form, n_i is the constant of the modulus that
// manifest.json names. Both are held from start_i to done_o. Results of the multiplier are operands of it
// again, without a subtraction.
module power_65537 #(
  parameter int OperandWidth = 67,
  parameter int ModulusWidth = 66
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    start_i,
  input  logic [OperandWidth-1:0] x_i,
  input  logic [ModulusWidth-1:0] n_i,
  output logic                    done_o,
  output logic [OperandWidth-1:0] z_o
);
  localparam logic [4:0] Squares = 5'd16;

  logic [4:0]              count_q;  // of products that are done
  logic                    valid_q;  // operands wait for the multiplier
  logic                    ready;
  logic                    product_valid;
  logic [OperandWidth-1:0] product;
  logic [OperandWidth-1:0] factor;

  assign factor = count_q == Squares ? x_i : z_o;

  monpro_mul_scs_mm_new u_multiplier (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_q),
    .ready_o(ready),
    .x_i    (z_o),
    .y_i    (factor),
    .n_i    (n_i),
    .valid_o(product_valid),
    .ready_i(1'b1),
    .z_o    (product)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= 5'd0;
      valid_q <= 1'b0;
      done_o  <= 1'b0;
      z_o     <= '0;
    end else if (start_i) begin
      count_q <= 5'd0;
      valid_q <= 1'b1;
      done_o  <= 1'b0;
      z_o     <= x_i;
    end else begin
      if (valid_q && ready) valid_q <= 1'b0;
      if (product_valid) begin
        z_o     <= product;
        done_o  <= count_q == Squares;
        valid_q <= count_q != Squares;
        count_q <= count_q + 5'd1;
      end
    end
  end
endmodule

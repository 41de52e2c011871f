// ${top} behind ports of 32 bits, so that place and route finds pins for it. The operands stand in shift registers.
module monpro_serial_ports (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        shift_i,
  input  logic [1:0]  number_i,
  input  logic [31:0] word_i,
  input  logic        valid_i,
  output logic        ready_o,
  output logic        valid_o,
  input  logic        ready_i,
  output logic [31:0] word_o
);
  localparam int OperandWidth = ${operand_bits};
  localparam int ModulusWidth = ${modulus_bits};
  localparam int StoredWidth  = ((OperandWidth + 31) / 32 + 1) * 32;

  logic [StoredWidth-1:0]  x_q;
  logic [StoredWidth-1:0]  y_q;
  logic [StoredWidth-1:0]  n_q;
  logic [StoredWidth-1:0]  z_q;
  logic [OperandWidth-1:0] z;
  logic                    shift_q;
  logic [1:0]              number_q;
  logic [31:0]             word_q;
  logic                    valid;

  always_ff @(posedge clk_i) begin
    shift_q  <= shift_i;
    number_q <= number_i;
    word_q   <= word_i;
    valid_o  <= valid;
    if (shift_q && number_q == 2'd0) x_q <= {word_q, x_q[StoredWidth-1:32]};
    if (shift_q && number_q == 2'd1) y_q <= {word_q, y_q[StoredWidth-1:32]};
    if (shift_q && number_q == 2'd2) n_q <= {word_q, n_q[StoredWidth-1:32]};
    if (valid_o) begin
      z_q <= StoredWidth'(z);
    end else if (shift_q) begin
      z_q <= z_q >> 32;
    end
  end

  assign word_o = z_q[31:0];

  ${top} #(
    ${parameters}
  ) u_core (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .x_i    (x_q[OperandWidth-1:0]),
    .y_i    (y_q[OperandWidth-1:0]),
    .n_i    (n_q[ModulusWidth-1:0]),
    .valid_o(valid),
    .ready_i(ready_i),
    .z_o    (z)
  );
endmodule

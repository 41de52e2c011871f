// A channel of a bus on its way into a slave. Its ready comes from a register, so no input of the bus reaches an
// output within a clock: what arrives while the slave is not ready waits in a register here. Without pauses,
// something passes in every clock.
module monpro_axi4lite_channel #(
  parameter int Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] payload_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] payload_o
);
  logic             waits_q;
  logic [Width-1:0] payload_q;

  assign ready_o   = !waits_q;
  assign valid_o   = waits_q || valid_i;
  assign payload_o = waits_q ? payload_q : payload_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
    end else begin
      waits_q <= valid_o && !ready_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!waits_q) payload_q <= payload_i;
  end
endmodule

// The reset of a block that software may reset: low with rst_ni, and in the clock after one with clear_i.
//
// In scan mode it is rst_ni itself, so that no register resets another one. Replace this cell by your library's, if it
// has one.
module monpro_bus_reset (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,
  input  logic scan_mode_i,
  output logic rst_no
);
  logic rst_nq;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rst_nq <= 1'b0;
    else rst_nq <= !clear_i;
  end

  assign rst_no = scan_mode_i ? rst_ni : rst_nq;
endmodule

// A register of which a design has several with the same value, each for loads that lie together: no wire spans the device.
// Synthesis would make one of them, were each not a module that it keeps.
(* keep_hierarchy *)
module monpro_cell_copy #(
  parameter int Width = 17
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             take_i,
  input  logic [Width-1:0] value_i,
  output logic [Width-1:0] value_o
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_o <= '0;
    else if (take_i) value_o <= value_i;
  end
endmodule

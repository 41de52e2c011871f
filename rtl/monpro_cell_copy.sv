// A register of which a design has several with the same value, each for loads that lie together: no wire spans the device.
//
// The attributes are those of monpro_pe_ccsa_slice: no synthesis merges the copies into one register.
(* keep_hierarchy = "yes", syn_hier = "hard" *)
module monpro_cell_copy #(
  parameter int Width = 17
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             take_i,
  input  logic [Width-1:0] value_i,
  output logic [Width-1:0] value_o
);
  (* dont_merge *) logic [Width-1:0] value_q;

  assign value_o = value_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) value_q <= '0;
    else if (take_i) value_q <= value_i;
  end
endmodule

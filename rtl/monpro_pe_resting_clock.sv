// The clock of a core that rests between jobs. clk_o counts each clock in which active_i is high, and three more, because
// after a wipe the registers behind the memories have yet to read zeros.
module monpro_pe_resting_clock (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic active_i,
  output logic clk_o
);
  logic [1:0] rested_q;  // clocks since active_i was high
  logic       rests;

  assign rests = &rested_q;

  monpro_cell_clock_gate u_clock_gate (
    .clk_i   (clk_i),
    .enable_i(active_i | ~rests),
    .clk_o   (clk_o)
  );

  always_ff @(posedge clk_o or negedge rst_ni) begin : p_rested
    if (!rst_ni) begin
      rested_q <= '0;
    end else begin
      if (active_i) rested_q <= '0;
      else if (!rests) rested_q <= rested_q + 2'd1;
    end
  end
endmodule

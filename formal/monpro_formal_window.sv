// The window of words that passes an element, for the proofs of the scalable multiplier's elements.
//
//   start_i          high one clock before the lowest word is in the element
//   last_i           the highest word is in the element
//   first_o          the lowest word is in the element
//   inside_o         another word is in the element
//   live_o           any word is in the element
//   behind_o         a word is behind the element
//   first_behind_o   the lowest word is behind the element
//
// Assumed: a window has at least two words, and the next window does not start before the last word is in the element.
module monpro_formal_window (
  input  logic clk_i,
  input  logic start_i,
  input  logic last_i,
  output logic first_o,
  output logic inside_o,
  output logic live_o,
  output logic behind_o,
  output logic first_behind_o
);
  logic first_q = 1'b0;
  logic inside_q = 1'b0;
  logic behind_q = 1'b0;
  logic first_behind_q = 1'b0;

  assign first_o        = first_q;
  assign inside_o       = inside_q;
  assign live_o         = first_q | inside_q;
  assign behind_o       = behind_q;
  assign first_behind_o = first_behind_q;

  always_ff @(posedge clk_i) begin
    first_q        <= start_i;
    inside_q       <= live_o & ~last_i;
    behind_q       <= live_o;
    first_behind_q <= first_q;
  end

  always_comb begin
    if (start_i) assume (!first_q && (!inside_q || last_i));
    if (last_i) assume (inside_q);
    assert (!(first_q && inside_q) && (behind_q || !(inside_q || first_behind_q)));
  end
endmodule

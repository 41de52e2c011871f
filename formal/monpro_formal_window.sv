// The window of words that passes an element, for the proofs of the scalable multiplier's elements.
//
//   start_i   a clock before the lowest word is in the element
//   last_i    the word in the element is the highest
//   first_o, inside_o, live_o   the lowest word is in the element, another one, any
//   behind_o, first_behind_o    a word is behind the element, the lowest
//
// Assumed: a window has two words at least, and the next window starts when the last word is in the element or later.
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

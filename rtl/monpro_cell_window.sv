// Passes the flags of the first and the last word on to the next left-shifting element, one clock later. With NextWord
// the number leaves its lowest word in this element, and the flags come one more clock later. load_o is high one clock
// before first_o.
module monpro_cell_window #(
  parameter bit NextWord = 1'b0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic first_i,
  input  logic last_i,
  output logic load_o,
  output logic first_o,
  output logic last_o
);
  logic last;

  if (NextWord) begin : gen_next_word
    logic first_q;
    logic last_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        first_q <= 1'b0;
        last_q  <= 1'b0;
      end else begin
        first_q <= first_i;
        last_q  <= last_i;
      end
    end
    assign load_o = first_q;
    assign last   = last_q;
  end else begin : gen_same_word
    assign load_o = first_i;
    assign last   = last_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_window
    if (!rst_ni) begin
      first_o <= 1'b0;
      last_o  <= 1'b0;
    end else begin
      first_o <= load_o;
      last_o  <= last;
    end
  end
endmodule

// The odd multiples of a number that arrives word by word, as words of their own [amberg08, §III-A].
//
//   odd_o  the words of 1, 3, .. times the number, times 2^v with LeftShift, v = RadixLog2; one clock after word_i
//
// first_i is high with the lowest word. The carry of a multiple m is below m. A carry out of the highest word is lost,
// so the number must have enough zeros at its top.
module monpro_cell_multiples #(
  parameter  int RadixLog2 = 2,
  parameter  int WordWidth = 16,
  parameter  bit LeftShift = 1'b1,
  parameter  bit Booth     = 1'b0,
  localparam int NumOdd    = Booth ? (2 ** (RadixLog2 - 1) + 1) / 2 : 2 ** (RadixLog2 - 1)
) (
  input  logic                        clk_i,
  input  logic                        first_i,
  input  logic [WordWidth-1:0]        word_i,
  output logic [NumOdd*WordWidth-1:0] odd_o
);
  for (genvar k = 0; k < NumOdd; k++) begin : gen_odd
    localparam int TotalWidth = WordWidth + RadixLog2;
    logic [TotalWidth-1:0] total;
    logic [RadixLog2-1:0]  carry;
    if (k == 0) begin : gen_itself
      assign carry = '0;
    end else begin : gen_hard
      logic [RadixLog2-1:0] carry_q;
      always_ff @(posedge clk_i) carry_q <= total[TotalWidth-1:WordWidth];
      assign carry = first_i ? '0 : carry_q;
    end
    // The multiple 2k + 1 is a sum over its bits, so that no tool infers a multiplier.
    assign total = TotalWidth'(word_i) + TotalWidth'(carry) +
                   ((k & 1) != 0 ? TotalWidth'({word_i, 1'b0}) : '0) +
                   ((k & 2) != 0 ? TotalWidth'({word_i, 2'b0}) : '0) +
                   ((k & 4) != 0 ? TotalWidth'({word_i, 3'b0}) : '0);

    if (LeftShift) begin : gen_left
      logic [RadixLog2-1:0] before_q;
      logic                 unused;
      always_ff @(posedge clk_i) begin
        before_q <= total[WordWidth-1-:RadixLog2];
        odd_o[k*WordWidth+:WordWidth] <=
            WordWidth'({total[WordWidth-1:0], before_q & {RadixLog2{~first_i}}});
      end
      assign unused = ^total[TotalWidth-1:WordWidth];
    end else begin : gen_right
      logic unused;
      always_ff @(posedge clk_i) odd_o[k*WordWidth+:WordWidth] <= total[WordWidth-1:0];
      assign unused = ^{total[TotalWidth-1:WordWidth], first_i};
    end
  end
endmodule

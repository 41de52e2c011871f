// The radix-2 algorithm in plain arithmetic. It does an iteration whenever a multiplier does one. It is one half of
// the proofs; the other half, monpro_formal_<multiplier>, shows that the multiplier's carry-save registers hold S.
//
//   S := (S + x_i·B + q_i·n)/2,   B = y·2^OperandShift,   for i = 0 .. Iterations - 1
//
// x, y and n are the values at the ports when the multiplier takes its operands. At other times the ports are free,
// and so are the reset and both handshakes. operand_i and quotient_i are the bits that the multiplier adds in its
// iteration. skip_i means that it skips the next iteration. Shown here by induction:
//
//   operand_i is x_i; the sum that is halved is even; a skipped iteration has nothing to add and an even S;
//   2^i·S = total = the sum of the x_j·B·2^j + q_j·n·2^j over j < i, so that in the end
//   2^Iterations·S = x·B + Q·n, which is an exact equation and implies the congruence modulo n;
//   S < B + n, and S < 2n after the last iteration.
module monpro_formal_radix_2 #(
  parameter  int ValueWidth   = 9,     // of x, y and n
  parameter  int OperandShift = 0,
  parameter  int Iterations   = 10,
  parameter  bit Reduced      = 1'b0,  // x, y < n; otherwise x, y < 2n
  localparam int SumWidth     = ValueWidth + OperandShift + 2,
  localparam int IndexWidth   = $clog2(Iterations + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  take_i,
  input  logic [ValueWidth  :0] x_i,
  input  logic [ValueWidth  :0] y_i,
  input  logic [ValueWidth-1:0] n_i,
  input  logic                  step_i,
  input  logic                  skip_i,
  input  logic                  operand_i,
  input  logic                  quotient_i,
  output logic                  taken_o,
  output logic [ValueWidth-1:0] x_o,
  output logic [ValueWidth-1:0] y_o,
  output logic [ValueWidth-1:0] n_o,
  output logic [IndexWidth-1:0] index_o,
  output logic [SumWidth-1:0]   sum_o
);
  localparam int TotalWidth = SumWidth + Iterations;

  logic                  started_q = 1'b0;
  logic                  taken_q = 1'b0;
  logic [ValueWidth-1:0] x_q;
  logic [ValueWidth-1:0] y_q;
  logic [ValueWidth-1:0] n_q;
  logic [IndexWidth-1:0] index_q;
  logic [SumWidth-1:0]   sum_q;
  logic [TotalWidth-1:0] total_q;

  logic [ValueWidth:0]   bound;
  logic [ValueWidth-1:0] x_left;
  logic [SumWidth-1:0]   b;
  logic [SumWidth-1:0]   addend;
  logic [SumWidth-1:0]   doubled;
  logic [IndexWidth-1:0] past_x;     // iterations since the last bit of x
  logic [SumWidth  :0]   sum_bound;  // of 2·S

  assign bound     = Reduced ? {1'b0, n_i} : {n_i, 1'b0};
  assign x_left    = x_q >> index_q;
  assign b         = SumWidth'(y_q) << OperandShift;
  assign addend    = (operand_i ? b : '0) + (quotient_i ? SumWidth'(n_q) : '0);
  assign doubled   = sum_q + addend;
  assign past_x    = (index_q > ValueWidth) ? index_q - IndexWidth'(ValueWidth) : '0;
  assign sum_bound = ({b, 1'b0} >> past_x) + (SumWidth + 1)'({n_q, 1'b0});

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (take_i) begin
      taken_q <= 1'b1;
      x_q     <= x_i[ValueWidth-1:0];
      y_q     <= y_i[ValueWidth-1:0];
      n_q     <= n_i;
      index_q <= '0;
      sum_q   <= '0;
      total_q <= '0;
    end else if (step_i) begin
      index_q <= index_q + (skip_i ? IndexWidth'(2) : IndexWidth'(1));
      sum_q   <= skip_i ? doubled >> 2 : doubled >> 1;
      total_q <= total_q + (TotalWidth'(addend) << index_q);
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (take_i) assume (n_i[0] && n_i != 1 && x_i < bound && y_i < bound);
    if (step_i) begin
      assert (taken_q && !take_i);
      assert (index_q < Iterations);
      assert (operand_i == x_left[0]);
      assert (!doubled[0]);
      if (skip_i) assert (index_q < Iterations - 1 && !x_left[1] && !doubled[1]);
    end
    if (taken_q) begin
      assert (n_q[0] && x_q < {n_q, 1'b0} && y_q < {n_q, 1'b0});
      assert (!Reduced || (x_q < n_q && y_q < n_q));
      assert (index_q <= Iterations);
      assert (total_q == TotalWidth'(sum_q) << index_q);
      assert ({sum_q, 1'b0} < sum_bound);
      if (index_q == 0) assert (sum_q == '0);
      if (index_q == Iterations) assert (sum_q < {n_q, 1'b0});
    end
  end

  assign taken_o = taken_q;
  assign x_o     = x_q;
  assign y_o     = y_q;
  assign n_o     = n_q;
  assign index_o = index_q;
  assign sum_o   = sum_q;
endmodule

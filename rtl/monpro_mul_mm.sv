// MM: the radix-2 Montgomery product with carry-propagate additions and a final subtraction [kuang16, Fig. 1].
//
//   z = x·y·2^-K  mod N,   K = Width
//
//   n_i   N odd, N < 2^K
//   x, y  < N
//   z     < N, fully reduced
//
// Bounds. S[i+1] = (S[i] + A_i·y + q_i·N)/2 < (2N + N + N)/2 = 2N: K + 1 bits after the shift, K + 2 before it.
//
// Latency: K + 1 cycles, from the edge that takes the operands to the edge after which valid_o is high.
//
//   clock        | S                                   | A
//   idle         | := 0                                | := x
//   1..K  StLoop | := (S + A_0·y + q·N)/2              | := A >> 1     q = S_0 ^ A_0·y_0
//   K+1 StReduce | := S - N if S >= N                  | -
//   ..  StResult | -                                   | -
module monpro_mul_mm #(
  parameter  int Width        = 1024,
  localparam int ModulusWidth = Width,
  localparam int OperandWidth = Width
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    valid_i,
  output logic                    ready_o,
  input  logic [OperandWidth-1:0] x_i,
  input  logic [OperandWidth-1:0] y_i,
  input  logic [ModulusWidth-1:0] n_i,
  output logic                    valid_o,
  input  logic                    ready_i,
  output logic [OperandWidth-1:0] z_o
);
  localparam int CountWidth = $clog2(Width + 1);

  typedef enum logic [1:0] {
    StIdle,
    StLoop,
    StReduce,
    StResult
  } state_e;

  state_e                state_q;
  logic [CountWidth-1:0] left_q;

  logic [Width-1:0] a_q;
  logic [Width-1:0] b_q;
  logic [Width-1:0] n_q;
  logic [Width  :0] s_q;
  logic [Width+1:0] total;
  logic [Width+1:0] difference;
  logic             quotient;

  assign quotient   = s_q[0] ^ (a_q[0] & b_q[0]);
  assign total      = {1'b0, s_q} + (a_q[0] ? {2'b0, b_q} : '0) + (quotient ? {2'b0, n_q} : '0);
  assign difference = {1'b0, s_q} - {2'b0, n_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      case (state_q)
        StIdle:   if (valid_i) state_q <= StLoop;
        StLoop:   if (left_q == CountWidth'(1)) state_q <= StReduce;
        StReduce: state_q <= StResult;
        default:  if (ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_data
    case (state_q)
      StIdle: begin
        left_q <= CountWidth'(Width);
        a_q    <= x_i;
        b_q    <= y_i;
        n_q    <= n_i;
        s_q    <= '0;
      end
      StLoop: begin
        left_q <= left_q - CountWidth'(1);
        a_q    <= a_q >> 1;
        s_q    <= total[Width+1:1];
      end
      StReduce: if (!difference[Width+1]) s_q <= difference[Width:0];
      default: ;
    endcase
  end

  logic unused_bits;
  assign unused_bits = total[0];

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StResult;
  assign z_o     = s_q[OperandWidth-1:0];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_mm: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

// SCALABLE: the word-serial systolic Montgomery product of radix 2^RadixLog2, for operands of one length
// [amberg08, Fig. 2, 3, §III].
//
//   z = x·y·2^-(v(F-1))  mod N,   K = Width, v = RadixLog2
//
//   n_i   M^ = (M~ + 1)/2^v,  M~ = (-N^-1 mod 2^v)·N,  N odd, N < 2^K
//   x, y  < 2M~, K + v + 1 bits
//   z     < 2M~: products may be chained without a subtraction
//
// Without Parallel, in radix 2 only, n_i is N itself, and z = x·y·2^-F mod N.
//
// Shift registers in this module pass operands and result word by word to and from the array. For the bounds see
// monpro_array_scalable.sv. F = p·k, p = NumPe, k = ceil((ceil((K + v + 2)/v) + 1)/p).
//
// Latency: (k - 1)·P + D + e + 5 cycles, from the edge that takes the operands to the edge after which valid_o is high.
// e = ceil((K + c)/w) words of w = WordWidth bits, c = 2v + 2, with Booth 2v + 3, left shifts 3v + 1 if that is more;
// right shifts  P = max(e, 2p + 1),            D = 2p
// left shifts   P = max(e + 1, p + v·p/w + 1), D = p + v·p/w
//
//   state    | clocks             | x, y, n registers
//   StIdle   | -                  | := x_i, y_i, n_i
//   StLoad   | e                  | >> w: a word of each goes to the memories; the array starts in the second clock
//   StRun    | (k - 1)·P + D + 4  | the array still runs for these clocks after StLoad
//            | + e                | x: words of z enter at the top
//   StResult | -                  | -
module monpro_mul_scalable #(
  parameter  int Width        = 1024,
  parameter  int RadixLog2    = 2,
  parameter  int WordWidth    = 16,
  parameter  int NumPe        = 32,
  parameter  bit LeftShift    = 1'b1,
  parameter  bit Booth        = 1'b0,
  parameter  bit Parallel     = 1'b1,
  localparam int ModulusWidth = Width,
  localparam int OperandWidth = Width + RadixLog2 + 1
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
  localparam int ZBits        = 2 * RadixLog2 + 2 + (Booth ? 1 : 0);
  localparam int YBits        = LeftShift ? 3 * RadixLog2 + 1 : 0;
  localparam int MoreBits     = (YBits > ZBits) ? YBits : ZBits;
  localparam int LongWords    = (Width + MoreBits + WordWidth - 1) / WordWidth;
  localparam int Words        = (LongWords > 2) ? LongWords : 2;
  localparam int StoredWidth  = Words * WordWidth;
  localparam int Digits       = (Width + RadixLog2 + 2 + RadixLog2 - 1) / RadixLog2 + 1;
  localparam int Passes       = (Digits + NumPe - 1) / NumPe;
  localparam int AddressWidth = $clog2(Words + 1);
  localparam int PassesWidth  = $clog2(Words * WordWidth / (RadixLog2 * NumPe) + 3);

  typedef enum logic [1:0] {
    StIdle,
    StLoad,
    StRun,
    StResult
  } state_e;

  state_e                  state_q;
  logic [AddressWidth-1:0] index_q;
  logic                    start_q;
  logic [StoredWidth-1:0]  x_q;
  logic [StoredWidth-1:0]  y_q;
  logic [StoredWidth-1:0]  n_q;
  logic                    load;
  logic                    valid;
  logic                    last;
  logic [WordWidth-1:0]    word;
  logic                    unused;

  assign load = state_q == StLoad;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
      start_q <= 1'b0;
    end else begin
      start_q <= load & (index_q == '0);
      case (state_q)
        StIdle:  if (valid_i) state_q <= StLoad;
        StLoad:  if (index_q == AddressWidth'(Words - 1)) state_q <= StRun;
        StRun:   if (valid && last) state_q <= StResult;
        default: if (ready_i) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin : p_words
    index_q <= load ? index_q + AddressWidth'(1) : '0;
    if (state_q == StIdle) begin
      x_q <= StoredWidth'(x_i);
      y_q <= StoredWidth'(y_i);
      n_q <= StoredWidth'(n_i);
    end else if (load) begin
      x_q <= x_q >> WordWidth;
      y_q <= y_q >> WordWidth;
      n_q <= n_q >> WordWidth;
    end else if (valid) begin
      x_q <= {word, x_q[StoredWidth-1:WordWidth]};
    end
  end

  monpro_array_scalable #(
    .RadixLog2(RadixLog2),
    .WordWidth(WordWidth),
    .NumPe    (NumPe),
    .MaxWords (Words),
    .LeftShift(LeftShift),
    .Booth    (Booth),
    .Parallel (Parallel)
  ) u_array (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .write_address_i(index_q),
    .write_x_i      (load),
    .x_word_i       (x_q[WordWidth-1:0]),
    .write_y_i      (load),
    .write_bank_i   (1'b0),
    .y_word_i       (y_q[WordWidth-1:0]),
    .write_m_i      (load),
    .m_word_i       (n_q[WordWidth-1:0]),
    .start_i        (start_q),
    .ready_o        (unused),
    .words_i        (AddressWidth'(Words)),
    .passes_i       (PassesWidth'(Passes)),
    .read_bank_i    (1'b0),
    .valid_o        (valid),
    .last_o         (last),
    .word_o         (word)
  );

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StResult;
  assign z_o     = x_q[OperandWidth-1:0];

`ifndef SYNTHESIS
  initial begin
    if (Width < 2 || Width > 4096) $fatal(1, "monpro_mul_scalable: Width = %0d: 2 to 4096", Width);
  end
`endif
endmodule

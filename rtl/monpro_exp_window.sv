// Modular exponentiation by windows of a fixed length: from plain numbers to a plain number, for any length up to Width,
// in a time that depends on lengths alone. monpro_power_window says how.
//
//   result = base^exponent mod n, fully reduced;   n odd, 3 <= n < 2^K, K <= Width;   base < n
//
// The numbers come and go in words of w = WordWidth bits, the lowest first. The input is
//   words            w·words >= K + k(d + 2) + 1, k = RadixLog2, d = 4, and 2 <= words <= MaxWords,
//                    MaxWords = max(2, ceil((Width + k(d + 2) + 1)/w))
//   exponent_words   1 to MaxWords
//   n, base          `words` words each
//   exponent         exponent_words words
// The output is the result, in `words` words; last_o comes with its last word. busy_o is high from the clock after the
// exponent's last word is taken until the result's last word is taken.
//
// What is refused: other lengths, n that is even, below 3 or too long for `words`, and base >= n. error_o is then high and
// ready_o low, until a reset. Lengths are refused in the second clock after the last one is taken, numbers in the second
// clock after the exponent's last word is taken.
//
// 0 in place of `words` is a wipe: zeros to all memories and to all registers that hold numbers, in at most
// max(MaxWords·2^c, MaxWords + 2^(k+1) + d + 9) + 6 clocks, c = WindowWidth; registers behind a memory follow within three
// more. There is no output; then the core takes the next job. A wipe can be given only between jobs, so a reset comes first
// where one runs.
module monpro_exp_window #(
  parameter int Width       = 1024,
  parameter int RadixLog2   = 4,
  parameter int WordWidth   = 32,
  parameter int WindowWidth = 5
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [WordWidth-1:0] word_i,
  output logic                 busy_o,
  output logic                 error_o,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [WordWidth-1:0] word_o,
  output logic                 last_o
);
  logic fault;
  logic constant;
  logic random_ready;
  logic unused;

  assign unused = &{1'b0, fault, constant, random_ready};

  monpro_power_window #(
    .Width      (Width),
    .RadixLog2  (RadixLog2),
    .WordWidth  (WordWidth),
    .WindowWidth(WindowWidth),
    .Blinding   (1'b0),
    .Scaled     (1'b0)
  ) u_power (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .valid_i       (valid_i),
    .ready_o       (ready_o),
    .word_i        (word_i),
    .direct_i      (1'b0),
    .busy_o        (busy_o),
    .error_o       (error_o),
    .fault_o       (fault),
    .constant_o    (constant),
    .random_valid_i(1'b0),
    .random_ready_o(random_ready),
    .random_i      (WordWidth'(0)),
    .valid_o       (valid_o),
    .ready_i       (ready_i),
    .word_o        (word_o),
    .last_o        (last_o)
  );
endmodule

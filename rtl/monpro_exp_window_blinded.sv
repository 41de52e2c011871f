// The private operation of RSA, and what is like it, by windows of a fixed length: base and exponent are blinded by random
// words, and the result is checked before a word of it leaves. monpro_power_window says how.
//
//   result = base^exponent mod n, fully reduced;   n odd and square-free, 3 <= n < 2^K, K <= Width;   base < n
//   v is odd, 3 <= v < 2^w, exponent·v = 1 modulo lambda(n);   lambda(n), the least order of all units, divides `order`
//
// The numbers come and go in words of w = WordWidth bits, the lowest first. The input is
//   words            w·words >= K + k(d + 2) + 1, k = RadixLog2, d = 4, and 2 <= words <= MaxWords,
//                    MaxWords = max(2, ceil((Width + k(d + 2) + 1)/w))
//   exponent_words   1 to MaxWords
//   n, base          `words` words each
//   exponent, order  exponent_words words each
//   v                a word
// The output is the result, in `words` words; last_o comes with its last word. busy_o is high from the clock after v is
// taken until the result's last word is taken, or until error_o is high.
//
// Then the core takes ceil(64/w) + words random words, a word in each clock in which random_valid_i and random_ready_o
// are high: those of t, the highest first, then those of the mask s, the lowest first. Each job takes as many, and no word
// twice. They must be independent and uniform.
//   exponent  e' = exponent - 1 + t·order, t of 64 bits, odd
//   base      c = F·s, F = base·s^(v-1), s < 2^(K-1) < n;   result = c^e'·F, because s^(v·exponent) = s
// Modulo a prime of n that divides the base, both sides are 0. If s is no unit modulo n, the check fails, unless the base
// is 0 wherever s is. Of random s this happens as often as the primes of n are short: never for RSA. A source of zeros
// only makes s = 0, and each check fails.
//
// The check: result^v mod n must be the base, all words of which are compared. If it is not, by a fault, a wrong
// exponent, order or v, no word of the result leaves. The core wipes itself, and then error_o and fault_o are
// high, and ready_o low, until a reset.
//
// What is refused: other lengths, n that is even, below 3 or too long for `words`, base >= n, an even exponent, order = 0,
// v that is even or 1. error_o is then high and ready_o low, until a reset. Lengths are refused in the second clock
// after the last one is taken, numbers in the second clock after v is taken, before a random word is.
//
// The clocks depend on K, words, exponent_words and v, and on how long random words have to be waited for.
//
// 0 in place of `words` is a wipe: zeros to all memories and to all registers that hold numbers, in at most
// max(MaxWords·2^c, MaxWords + 2^(k+1) + d + 9) + 6 clocks, c = WindowWidth; registers behind a memory follow within three
// more. There is no output; then the core takes the next job. A wipe can be given only between jobs, so a reset comes first
// where one runs.
module monpro_exp_window_blinded #(
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
  output logic                 last_o,
  input  logic                 random_valid_i,
  output logic                 random_ready_o,
  input  logic [WordWidth-1:0] random_i,
  output logic                 fault_o
);
  logic constant;
  logic unused;

  assign unused = &{1'b0, constant};

  monpro_power_window #(
    .Width      (Width),
    .RadixLog2  (RadixLog2),
    .WordWidth  (WordWidth),
    .WindowWidth(WindowWidth),
    .Blinding   (1'b1),
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
    .fault_o       (fault_o),
    .constant_o    (constant),
    .random_valid_i(random_valid_i),
    .random_ready_o(random_ready_o),
    .random_i      (random_i),
    .valid_o       (valid_o),
    .ready_i       (ready_i),
    .word_o        (word_o),
    .last_o        (last_o)
  );
endmodule

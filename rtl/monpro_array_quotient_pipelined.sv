// The loop of a product by Orup's quotient pipelining, and the conversion of its result to words [orup95].
//
//   S := S div 2^k + q'·N^ + a·B,   q = S mod 2^k,   k = RadixLog2,   N^ = (M~ + 1)/2^(k(d+1)),   d = 4
//
// q' is the q of d steps before: q passes d + 1 registers on its way into S, one here, four in the words. The d digits that
// the last d steps shift out of S are the lowest digits of the result, S·2^(kd) + their number.
//
// Bounds: S < 2^k·(N^ + B), because S div 2^k < N^ + B and both digits are at most 2^k - 1. This is at most
// 2^(w·words), so that no carry leaves the highest word; monpro_mul_quotient_pipelined says why.
//
// The words are systolic: each one fills, steps and is read a clock after the word below. A step, the end of a fill and
// clear_i are therefore given to the lowest word, and a run may begin while the words above it are still filled, cleared
// or read.
//
// skip_i is low in one clock, in which the lowest word is read. Five clocks later valid_o and word_o begin to give the words of
// the result, the lowest first; word_o is 0 behind them. A gated register of each word and a tree of ORs take the words out of
// S. An adder then adds to a word the carries that wait in it, and the carries of the word below.
//
// A carry that waits was made g steps ago, 0 <= g < D. Its weight is 2^(w-kg) in its word. Carries of the same g from both
// chains are a number of two bits, and k >= 2: the numbers do not overlap. That of g = 0 belongs to the word above.
module monpro_array_quotient_pipelined #(
  parameter  int RadixLog2 = 4,
  parameter  int WordWidth = 32,
  parameter  int MaxWords  = 33,
  localparam int Delay     = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // steps
  input  logic                 clear_i,
  input  logic                 run_i,
  input  logic [RadixLog2-1:0] digit_i,       // of a; used one clock later than run_i
  // fill
  input  logic                 fill_i,
  input  logic [WordWidth-1:0] fill_word_i,
  input  logic                 fill_last_i,
  input  logic [1:0]           tables_i,
  input  logic                 token_i,
  input  logic                 first_i,
  input  logic [RadixLog2-1:0] multiple_i,
  // result
  input  logic                 skip_i,
  output logic                 valid_o,
  output logic [WordWidth-1:0] word_o
);
  localparam int Steps     = WordWidth / RadixLog2;
  localparam int ReadWidth = WordWidth + 2 * Steps + 1;
  localparam int LowWidth  = RadixLog2 * Delay;
  localparam int Group     = 4;  // words that the first gates of the tree join
  localparam int NumGroups = (MaxWords + Group - 1) / Group;
  localparam int Stages    = 5;  // from skip_i to valid_o

  // ---- words ----------------------------------------------------------------------------------------

  logic                                 run_q;
  logic                                 clear_q;
  logic [RadixLog2-1:0]                 digit_q;
  logic [RadixLog2-1:0]                 quotient_q;
  logic [MaxWords:0]                    clear;
  logic [MaxWords:0]                    run;
  logic [(MaxWords+1)*RadixLog2-1:0]    digit;
  logic [(MaxWords+1)*RadixLog2-1:0]    quotient;
  logic [(MaxWords+1)*RadixLog2-1:0]    next_digits;  // next_o of the words
  logic [MaxWords*RadixLog2-1:0]        lowest;
  logic [WordWidth-1:0]                 fill_word_q;
  logic                                 fill_last_q;
  logic [1:0]                           tables_q;
  logic                                 token_q;
  logic                                 first_q;
  logic [RadixLog2-1:0]                 multiple_q;
  logic [(MaxWords+1)*2-1:0]            tables;
  logic [MaxWords:0]                    token;
  logic [MaxWords:0]                    first;
  logic [(MaxWords+1)*RadixLog2-1:0]    multiple;
  logic [MaxWords:0]                    carry;
  logic [MaxWords:0]                    skip;         // low for the word that is read
  logic [NumGroups*Group*ReadWidth-1:0] read;

  always_ff @(posedge clk_i) begin : p_steps
    digit_q    <= digit_i;
    quotient_q <= lowest[RadixLog2-1:0];
    run_q      <= run_i;
    clear_q    <= clear_i;
  end

  // Each word has fill_i a clock later, too.
  always_ff @(posedge clk_i) begin : p_fill
    fill_word_q <= fill_word_i;
    fill_last_q <= fill_last_i;
    tables_q    <= tables_i;
    token_q     <= token_i;
    first_q     <= first_i;
    multiple_q  <= multiple_i;
  end

  assign clear[0]                                   = clear_q;
  assign run[0]                                     = run_q;
  assign digit[RadixLog2-1:0]                       = digit_q;
  assign quotient[RadixLog2-1:0]                    = quotient_q;
  assign next_digits[MaxWords*RadixLog2+:RadixLog2] = '0;
  assign tables[1:0]                                = tables_q;
  assign token[0]                                   = token_q;
  assign first[0]                                   = first_q;
  assign multiple[RadixLog2-1:0]                    = multiple_q;
  assign carry[0]                                   = 1'b0;
  assign skip[0]                                    = skip_i;

  for (genvar j = 0; j < NumGroups * Group; j++) begin : gen_word
    if (j < MaxWords) begin : gen_pe
      monpro_pe_quotient_pipelined #(.RadixLog2(RadixLog2), .WordWidth(WordWidth)) u_pe (
        .clk_i      (clk_i),
        .clear_i    (clear[j]),
        .run_i      (run[j]),
        .digit_i    (digit[j*RadixLog2+:RadixLog2]),
        .quotient_i (quotient[j*RadixLog2+:RadixLog2]),
        .clear_o    (clear[j+1]),
        .run_o      (run[j+1]),
        .digit_o    (digit[(j+1)*RadixLog2+:RadixLog2]),
        .quotient_o (quotient[(j+1)*RadixLog2+:RadixLog2]),
        .above_i    (next_digits[(j+1)*RadixLog2+:RadixLog2]),
        .next_o     (next_digits[j*RadixLog2+:RadixLog2]),
        .lowest_o   (lowest[j*RadixLog2+:RadixLog2]),
        .fill_next_i(fill_i),
        .fill_word_i(fill_word_q),
        .fill_last_i(fill_last_q),
        .tables_i   (tables[j*2+:2]),
        .token_i    (token[j]),
        .first_i    (first[j]),
        .multiple_i (multiple[j*RadixLog2+:RadixLog2]),
        .carry_i    (carry[j]),
        .tables_o   (tables[(j+1)*2+:2]),
        .token_o    (token[j+1]),
        .first_o    (first[j+1]),
        .multiple_o (multiple[(j+1)*RadixLog2+:RadixLog2]),
        .carry_o    (carry[j+1]),
        .skip_i     (skip[j]),
        .skip_o     (skip[j+1]),
        .read_o     (read[j*ReadWidth+:ReadWidth])
      );
    end else begin : gen_none
      assign read[j*ReadWidth+:ReadWidth] = '0;
    end
  end

  // The highest word passes these on to nobody, and of the lowest digits those of word 0 alone are used.
  logic unused;
  assign unused = ^{clear[MaxWords], run[MaxWords], digit[MaxWords*RadixLog2+:RadixLog2],
                    quotient[MaxWords*RadixLog2+:RadixLog2], next_digits[RadixLog2-1:0], lowest,
                    tables[MaxWords*2+:2], token[MaxWords], first[MaxWords], carry[MaxWords],
                    skip[MaxWords], multiple[MaxWords*RadixLog2+:RadixLog2]};

  // ---- the word that is read ------------------------------------------------------------------------

  logic [Stages-1:0] valid_q;   // from bit 2 on of a word, before of the lowest word
  logic              clears_q;  // no word is read

  logic [NumGroups*ReadWidth-1:0] group_q;
  logic [ReadWidth-1:0]           any;
  logic [ReadWidth-1:0]           read_q;

  for (genvar i = 0; i < NumGroups; i++) begin : gen_group
    always_ff @(posedge clk_i) begin
      group_q[i*ReadWidth+:ReadWidth] <=
          read[(4*i)*ReadWidth+:ReadWidth] | read[(4*i+1)*ReadWidth+:ReadWidth] |
          read[(4*i+2)*ReadWidth+:ReadWidth] | read[(4*i+3)*ReadWidth+:ReadWidth];
    end
  end

  always_comb begin : p_any
    any = '0;
    for (int i = 0; i < NumGroups; i++) any = any | group_q[i*ReadWidth+:ReadWidth];
  end

  always_ff @(posedge clk_i) begin : p_read
    if (clears_q) begin
      read_q <= '0;
    end else begin
      read_q <= any;
    end
  end

  // ---- conversion -----------------------------------------------------------------------------------

  logic                 highest;       // the word in read_q is the highest one
  logic                 last_q;        // the word in word_q is the highest one
  logic [WordWidth-1:2] waiting;       // the carries of g > 0
  logic [WordWidth-1:2] waiting_q;
  logic [WordWidth-1:0] word_q;        // of S
  logic [1:0]           leaving_q;     // the carries of g = 0
  logic [WordWidth  :0] converted;
  logic [1:0]           carry_q;       // into the next word
  logic [LowWidth-1:0]  low_q;         // the digits below the word that comes next
  logic                 step_t_q;
  logic                 step_s_q;

  assign highest = read_q[ReadWidth-1];

  always_comb begin : p_waiting
    waiting = '0;
    for (int g = 1; g < Steps; g++) begin
      waiting[WordWidth-RadixLog2*g+:2] =
          {1'b0, read_q[WordWidth+g]} + {1'b0, read_q[WordWidth+Steps+g]};
    end
  end

  // No carry of g > 0 has the weight of the lowest two bits: w - kg >= k >= 3.
  assign converted = {1'b0, word_q} + {1'b0, waiting_q, carry_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_valid
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q[1:0]        <= {valid_q[0], ~skip_i};
      valid_q[2]          <= valid_q[1] | (valid_q[2] & ~highest);
      valid_q[Stages-1:3] <= valid_q[Stages-2:2];
    end
  end

  always_ff @(posedge clk_i) begin : p_convert
    word_q    <= read_q[WordWidth-1:0];
    waiting_q <= waiting;
    leaving_q <= {1'b0, read_q[WordWidth]} + {1'b0, read_q[WordWidth+Steps]};
    step_t_q <= run_q;
    step_s_q <= step_t_q;
    clears_q <= clear_q && valid_q == '0;
    if (clears_q || last_q) begin
      low_q   <= '0;
      carry_q <= '0;
    end else if (valid_q[Stages-2]) begin
      low_q   <= converted[WordWidth-1-:LowWidth];
      carry_q <= leaving_q + 2'(converted[WordWidth]);
    end else if (step_s_q) begin
      low_q <= {lowest[RadixLog2-1:0], low_q[LowWidth-1:RadixLog2]};
    end
    last_q <= highest;
    word_o <= {converted[WordWidth-LowWidth-1:0], low_q};
  end

  assign valid_o = valid_q[Stages-1];
endmodule

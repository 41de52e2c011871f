// Passes over the words of a number T and of a modulus n, the lowest first, for an exact reduction of T by n.
//
//   divide    T := (T + q·n)/2^k,  q = T·n' mod 2^k,  n' = -n^-1 mod 2^k,  k = RadixLog2
//   subtract  T := T - n, modulo 2^(w·words); the borrow stays
//   add back  T := T + n if the borrow stayed: after both, T is reduced by n if T < 2n
//
// Words come with valid_i, first_i with the lowest. For a division a word of zeros follows the highest word. Each pass gives
// as many words as the numbers have. Words of zeros behind the highest do not change the borrow, and after a division or an
// addition eight of them make word_o 0.
//
// Clocks after the one that takes T_j and n_j:
//   1  0 in place of T_j, n_j    2  q, from T_0    3  n_j for each bit of q, or 0    4  sums of these    5  q·n_j
//   6  T_j + q·n_j    7  this + carry    8  valid_o, word_o; of a division the word below
//
// Carries: T_j + q·n_j + carry < 2^w + (2^k - 1)·2^w + 2^k for a carry below 2^k, which is below 2^(w+k).
module monpro_pe_word_reduction #(
  parameter  int RadixLog2 = 4,
  parameter  int WordWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 subtract_i,
  input  logic                 add_back_i,
  input  logic [RadixLog2-1:0] n0_i,         // n'
  input  logic                 valid_i,
  input  logic                 first_i,
  input  logic                 from_one_i,   // T is 1 in place of the words
  input  logic                 zero_i,       // both words are 0
  input  logic [WordWidth-1:0] t_word_i,
  input  logic [WordWidth-1:0] n_word_i,
  output logic                 valid_o,
  output logic [WordWidth-1:0] word_o
);
  localparam int TotalWidth = WordWidth + RadixLog2;
  localparam int Stages     = 8;
  localparam int Sum        = Stages - 2;                 // the clock of the sum

  logic [Stages-1:0] valid_q;
  logic [Stages-1:0] first_q;
  logic              no_shift;
  logic              one;             // the lowest word of T = 1
  logic              from_one_q;
  logic              zero_q;

  assign no_shift = subtract_i | add_back_i;
  assign one      = from_one_q & first_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_valid
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[Sum] & (no_shift | ~first_q[Sum]), valid_q[Sum-1:0],
                  valid_i};
    end
  end

  always_ff @(posedge clk_i) begin : p_marks
    first_q <= {first_q[Stages-2:0], first_i};
  end

  // ---- q --------------------------------------------------------------------------------------------

  logic [WordWidth-1:0] t_q[Stages-2];  // T_j of each clock
  logic [WordWidth-1:0] n_0_q;
  logic [WordWidth-1:0] n_1_q;
  logic [WordWidth-1:0] n_2_q;
  logic [RadixLog2-1:0] t_digit;
  logic [RadixLog2-1:0] quotient;
  logic [RadixLog2-1:0] skip_q;         // not q: the resets below need no inverters
  logic                 borrow_q;

  assign t_digit = t_q[1][RadixLog2-1:0];

  // This is a sum over bits, and so is the product below, so that no tool infers a multiplier.
  always_comb begin : p_quotient
    quotient = '0;
    for (int i = 0; i < RadixLog2; i++) begin
      quotient = quotient + ((t_digit & {RadixLog2{n0_i[i]}}) << i);
    end
    if (subtract_i) quotient = RadixLog2'(1);
    if (add_back_i) quotient = RadixLog2'(borrow_q);
  end

  always_ff @(posedge clk_i) begin : p_words
    from_one_q <= from_one_i;
    zero_q     <= zero_i;
    t_q[0]     <= t_word_i;
    n_0_q      <= n_word_i;
    if (zero_q || from_one_q) begin
      t_q[1] <= WordWidth'(one);
    end else begin
      t_q[1] <= t_q[0];
    end
    for (int i = 2; i < Stages - 2; i++) t_q[i] <= t_q[i-1];
    if (zero_q) begin
      n_1_q <= '0;
    end else begin
      n_1_q <= n_0_q;
    end
    n_2_q <= n_1_q ^ {WordWidth{subtract_i}};
    if (first_q[1]) skip_q <= ~quotient;
  end

  // ---- q·n_j ----------------------------------------------------------------------------------------

  logic [RadixLog2*WordWidth-1:0] partial_q;   // n_j for each bit of q; the gates are resets
  logic [TotalWidth-1:0]          low_q;       // the sum for two bits of q
  logic [TotalWidth-1:0]          high;        // and for the others
  logic [TotalWidth-1:0]          high_q;
  logic [TotalWidth-1:0]          product_q;

  for (genvar i = 0; i < RadixLog2; i++) begin : gen_partial
    always_ff @(posedge clk_i) begin
      if (skip_q[i]) begin
        partial_q[i*WordWidth+:WordWidth] <= '0;
      end else begin
        partial_q[i*WordWidth+:WordWidth] <= n_2_q;
      end
    end
  end

  always_comb begin : p_high
    high = '0;
    for (int i = 2; i < RadixLog2; i++) begin
      high = high + (TotalWidth'(partial_q[i*WordWidth+:WordWidth]) << i);
    end
  end

  always_ff @(posedge clk_i) begin : p_product
    low_q     <= TotalWidth'(partial_q[WordWidth-1:0]) +
                 (TotalWidth'(partial_q[WordWidth+:WordWidth]) << 1);
    high_q    <= high;
    product_q <= low_q + high_q;
  end

  // ---- the sum --------------------------------------------------------------------------------------

  logic [TotalWidth-1:0]        sum_q;
  logic [TotalWidth-1:0]        total;
  logic [RadixLog2-1:0]         carry_q;
  logic [WordWidth-1:RadixLog2] before_q;

  assign total = sum_q + TotalWidth'(carry_q);

  always_ff @(posedge clk_i) begin : p_sum
    sum_q    <= TotalWidth'(t_q[Stages-3]) + product_q;
    carry_q  <= first_q[Sum-1] ? RadixLog2'(subtract_i) : total[WordWidth+:RadixLog2];
    before_q <= total[WordWidth-1:RadixLog2];
    word_o   <= no_shift ? total[WordWidth-1:0] : {total[RadixLog2-1:0], before_q};
    if (!add_back_i) borrow_q <= subtract_i & ~total[WordWidth];
  end

  assign valid_o = valid_q[Stages-1];
endmodule

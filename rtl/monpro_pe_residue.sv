// A number T modulo n, in words of w = WordWidth bits: doubled, divided by 2^w, and reduced.
//
//   op_i      | what happens                                                      | index_i counts from 0 to
//   OpUnit    | T := 1, or the highest power of two that is not above n           | Words - 1
//   OpDouble  | T := 2T mod n, T < n                                              | NumberWords, but 2 at least
//   OpReduce  | T := T mod n, T < 2n                                              | NumberWords, but 2 at least
//   OpDivide  | T := (T + q·n)/2^w, the least q >= 0 for which this is an integer | Words + 5
//   OpInverse | n' := -n^-1 modulo 2^w                                            | WordWidth
//   OpLoad    | word_i is a word of T, or of n with load_n_i, in clocks of load_i | Words - 1 at most
//   OpRead    | word_o is the word of T of the clock before                       | Words - 1
//
// n < 2^(w·NumberWords - 1), and T < 2^(w·Words) in OpDivide, else below 2n. OpDivide leaves T in its bounds:
// (T + q·n)/2^w < T/2^w + n. It comes after OpUnit, OpLoad or OpDivide. The q of a pass is T·n' modulo 2^w, by the
// multiplier that computes q·n_j next: words of n and T wait in registers until q is there.
//
// OpDouble and OpReduce write v = 2T or T to one memory and v - n to another. A bit says which of them is T from then on.
// The words of a pass are in the memories two clocks after they are read, so that no pass has one word: the next one reads its
// highest word in its second clock at the earliest.
// After OpUnit with top_i, reached_o is high if the next OpDouble makes T congruent to 2^(w·Words). hold_i keeps word_o.
// wiping_i makes all memories zero, in clocks that count index_i through all words, and what OpDivide does not overwrite.
module monpro_pe_residue #(
  parameter  int WordWidth   = 17,
  parameter  int Words       = 66,
  parameter  int NumberWords = 61,
  parameter  int IndexWidth  = 7
) (
  input  logic                  clk_i,
  input  logic [2:0]            op_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic                  last_i,        // index_i is the last of the operation
  input  logic                  top_i,         // OpUnit: the power of two
  input  logic                  wiping_i,
  input  logic                  hold_i,
  input  logic                  load_i,
  input  logic                  load_n_i,
  input  logic [IndexWidth-1:0] load_index_i,
  input  logic [WordWidth-1:0]  word_i,
  output logic [WordWidth-1:0]  word_o,
  output logic                  reached_o,
  output logic                  below_o,       // after OpReduce: T was below n
  output logic                  even_o,        // n
  output logic                  one_o          // n is 1
);
  localparam int AddressWidth = $clog2(Words);
  localparam int SumWidth     = 2 * WordWidth;
  localparam int FirstSum     = 5;              // index_i when the first word of T + q·n is there

  localparam logic [2:0] OpUnit    = 3'd1;
  localparam logic [2:0] OpDouble  = 3'd2;
  localparam logic [2:0] OpReduce  = 3'd3;
  localparam logic [2:0] OpDivide  = 3'd4;
  localparam logic [2:0] OpInverse = 3'd5;

  logic                    dividing;
  logic                    subtracting;
  logic [AddressWidth-1:0] address;
  logic [WordWidth-1:0]    n_word;
  logic [WordWidth-1:0]    low_word;
  logic [WordWidth-1:0]    high_word;
  logic                    high_q;              // T is in the second memory
  logic [WordWidth-1:0]    t_q;
  logic [WordWidth-1:0]    n_q;
  logic                    inside_n;            // n has the word that is read
  logic                    inside_t;

  assign dividing    = op_i == OpDivide;
  assign subtracting = op_i == OpDouble || op_i == OpReduce;

  assign inside_n    = index_i < IndexWidth'(NumberWords);
  assign inside_t    = inside_n || (dividing && index_i < IndexWidth'(Words));
  assign address     = AddressWidth'(index_i);

  always_ff @(posedge clk_i) begin : p_read
    if (wiping_i) begin
      t_q <= '0;
      n_q <= '0;
    end else if (!hold_i) begin
      n_q <= n_word & {WordWidth{inside_n}};
      t_q <= (high_q ? high_word : low_word) & {WordWidth{inside_t}};
    end
  end

  assign word_o = t_q;

  // ---- n, and its highest power of two --------------------------------------------------------------

  logic                  take_n;
  logic                  taken_n_q;             // these are a word of n, taken a clock ago
  logic [WordWidth-1:0]  n_written_q;
  logic [IndexWidth-1:0] n_index_q;
  logic [WordWidth-1:0]  lowest_q;              // the lowest word of n
  logic                  above_one_q;
  logic [WordWidth-1:0]  highest_q;             // the highest word of n that is not 0
  logic [IndexWidth-1:0] highest_index_q;
  logic [WordWidth-1:0]  below_highest;         // its highest 1, and ones below it
  logic [WordWidth-1:0]  highest_bit;
  logic [WordWidth-1:0]  power_q;               // T is congruent to a power of two: its bit
  logic [IndexWidth-1:0] power_index_q;         // and the word of it

  assign take_n = load_i & load_n_i;

  always_ff @(posedge clk_i) begin : p_take_n
    taken_n_q   <= take_n;
    n_written_q <= word_i & {WordWidth{take_n}};
    n_index_q   <= wiping_i ? index_i : load_index_i;
  end

  always_comb begin : p_highest_bit
    below_highest = highest_q;
    for (int i = 0; i < $clog2(WordWidth); i++) begin
      below_highest = below_highest | (below_highest >> (1 << i));
    end
    highest_bit = below_highest & ~(below_highest >> 1);
  end

  always_ff @(posedge clk_i) begin : p_n
    if (wiping_i) begin
      lowest_q        <= '0;
      above_one_q     <= 1'b0;
      highest_q       <= '0;
      highest_index_q <= '0;
    end else if (taken_n_q) begin
      if (n_index_q == '0) lowest_q <= n_written_q;
      above_one_q <= n_written_q[WordWidth-1:1] != '0 ||
                     (n_index_q != '0 && (n_written_q[0] || above_one_q));
      if (n_index_q == '0 || n_written_q != '0) begin
        highest_q       <= n_written_q;
        highest_index_q <= n_index_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_power
    if (wiping_i) begin
      power_q       <= '0;
      power_index_q <= '0;
    end else if (op_i == OpUnit) begin
      power_q       <= top_i ? highest_bit : WordWidth'(1);
      power_index_q <= top_i ? highest_index_q : '0;
    end else if (op_i == OpDouble && last_i) begin
      power_q <= {power_q[WordWidth-2:0], power_q[WordWidth-1]};
      if (power_q[WordWidth-1]) power_index_q <= power_index_q + IndexWidth'(1);
    end
  end

  assign reached_o = power_index_q == IndexWidth'(Words - 1) && power_q[WordWidth-1];
  assign even_o    = ~lowest_q[0];
  assign one_o     = ~above_one_q;

  // ---- doublings and differences --------------------------------------------------------------------

  logic                  stage_q;               // t_q and n_q are words of a pass
  logic                  doubles_q;             // of OpDouble
  logic [AddressWidth-1:0] stage_index_q;
  logic                  lower_top_q;           // the highest bit of the word below
  logic                  borrow_q;
  logic [WordWidth-1:0]  value;
  logic [WordWidth:0]    difference;

  assign value      = doubles_q ? {t_q[WordWidth-2:0], lower_top_q} : t_q;
  assign difference = {1'b0, value} - {1'b0, n_q} - (WordWidth + 1)'(borrow_q);

  always_ff @(posedge clk_i) begin : p_subtract
    stage_index_q <= address;
    doubles_q     <= op_i == OpDouble;
    if (wiping_i || !subtracting || last_i) begin
      stage_q     <= 1'b0;
      lower_top_q <= 1'b0;
      borrow_q    <= 1'b0;
    end else begin
      stage_q     <= 1'b1;
      lower_top_q <= t_q[WordWidth-1] & stage_q;
      borrow_q    <= difference[WordWidth] & stage_q;
    end
    if (wiping_i || op_i == OpUnit || load_i) high_q <= 1'b0;
    else if (subtracting && last_i) high_q <= ~difference[WordWidth];
  end

  assign below_o = ~high_q;

  // ---- n' and the words of T + q·n ------------------------------------------------------------------

  logic [WordWidth-1:0] inverse_q;              // n'
  logic [WordWidth-1:0] rest_q;                 // (1 + n·n')/2^i after i bits of n'
  logic [WordWidth:0]   rest_sum;
  logic                 takes_inverse;          // q is computed from it, as the first product
  logic                 takes_q;
  logic [SumWidth-1:0]  product;
  logic [2*WordWidth-1:0] n_later_q;            // the newest word lowest
  logic [4*WordWidth-1:0] t_later_q;
  logic [WordWidth-1:0] carry_q;
  logic [SumWidth-1:0]  sum;
  logic [WordWidth-1:0] sum_word;
  logic                 unused;

  assign rest_sum = {1'b0, rest_q} + {1'b0, lowest_q & {WordWidth{rest_q[0]}}};
  assign unused   = &{1'b0, rest_sum[0]};
  // At most (2^w - 1)^2 + 2(2^w - 1) = 2^2w - 1, so that the carry has w bits.
  assign sum_word = sum[WordWidth-1:0];
  assign sum      = product + SumWidth'(t_later_q[3*WordWidth+:WordWidth]) + SumWidth'(carry_q);

  // A wipe ends with divisions of 0, which leave 0 in the other registers.
  always_ff @(posedge clk_i) begin : p_inverse
    if (wiping_i) begin
      inverse_q <= '0;
      rest_q    <= '0;
    end else if (op_i == OpInverse) begin
      if (index_i == '0) begin
        rest_q <= WordWidth'(1);
      end else begin
        rest_q    <= rest_sum[WordWidth:1];
        inverse_q <= {rest_q[0], inverse_q[WordWidth-1:1]};
      end
    end
  end

  assign takes_inverse = index_i == IndexWidth'(1);
  assign takes_q       = index_i == IndexWidth'(3);

  // The lowest word of T by n', then the words of n by q.
  monpro_cell_product #(.FactorWidth(WordWidth), .DigitWidth(WordWidth)) u_product (
    .clk_i    (clk_i),
    .take_i   (takes_inverse | takes_q),
    .factor_i (takes_inverse ? inverse_q : product[WordWidth-1:0]),
    .digit_i  (takes_inverse ? t_q : n_later_q[WordWidth+:WordWidth]),
    .product_o(product)
  );

  always_ff @(posedge clk_i) begin : p_divide
    n_later_q <= {n_later_q[WordWidth-1:0], n_q};
    t_later_q <= {t_later_q[3*WordWidth-1:0], t_q};
    carry_q   <= (index_i < IndexWidth'(FirstSum)) ? '0 : sum[SumWidth-1:WordWidth];
  end

  // ---- memories, which take a word a clock after it is known ----------------------------------------

  logic                    write_low_q;
  logic                    write_high_q;
  logic                    write_n_q;
  logic [AddressWidth-1:0] write_address_q;
  logic [WordWidth-1:0]    low_q;
  logic [WordWidth-1:0]    difference_q;
  logic                    take_t;
  logic                    writes_sum;
  logic                    unit;                // this word has the 1 of OpUnit

  assign take_t     = load_i & ~load_n_i;
  assign writes_sum = dividing && index_i > IndexWidth'(FirstSum);
  assign unit       = index_i == (top_i ? highest_index_q : '0);

  always_ff @(posedge clk_i) begin : p_write
    write_n_q    <= wiping_i | take_n;
    write_high_q <= wiping_i | stage_q;
    write_low_q  <= wiping_i || stage_q || writes_sum || take_t || op_i == OpUnit;
    difference_q <= difference[WordWidth-1:0] & {WordWidth{~wiping_i}};

    low_q           <= '0;
    write_address_q <= address;
    if (!wiping_i) begin
      if (stage_q) begin
        write_address_q <= stage_index_q;
        low_q           <= value;
      end else if (dividing) begin
        write_address_q <= AddressWidth'(index_i - IndexWidth'(FirstSum + 1));
        low_q           <= sum_word;
      end else if (op_i == OpUnit) begin
        if (unit) low_q <= top_i ? highest_bit : WordWidth'(1);
      end else begin
        write_address_q <= AddressWidth'(load_index_i);
        low_q           <= word_i;
      end
    end
  end

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Words)) u_n (
    .clk_i          (clk_i),
    .write_i        (write_n_q),
    .write_address_i(AddressWidth'(n_index_q)),
    .word_i         (n_written_q),
    .read_address_i (address),
    .word_o         (n_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Words)) u_low (
    .clk_i          (clk_i),
    .write_i        (write_low_q),
    .write_address_i(write_address_q),
    .word_i         (low_q),
    .read_address_i (address),
    .word_o         (low_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(Words)) u_high (
    .clk_i          (clk_i),
    .write_i        (write_high_q),
    .write_address_i(write_address_q),
    .word_i         (difference_q),
    .read_address_i (address),
    .word_o         (high_word)
  );
endmodule

// A blinded exponent: e' = (d - 1) + t·r, t random, r a multiple of the order of every unit modulo n.
//
// Words have w = WordWidth bits. d and r have highest_i + 1 words, at most MaxWords. d is odd, so d - 1 is d without its
// lowest bit. t has 64 random bits, but for the lowest, which is 1: t >= 1. E starts from 0. 64 passes compute
// E := 2E + b·r, b the bits of t from the highest, and the last pass computes e' = E + (d - 1). e' has
// ceil(64/w) words more than d: e' <= (2^64 - 1)(2^(w·words) - 1) + 2^(w·words) - 2 < 2^(w·words + 64).
//
// The words of r come by write_i before start_i. Then random words are asked for, ceil(64/w) of them. In the last pass
// read_address_o is the index of a word of d, which d_i is one clock later, and the words of e' leave by write_o, the
// lowest first; the word of an index leaves when that of d has been read. done_o is high in the last clock:
// ceil(64/w) + 65(words + ceil(64/w) + 3) clocks after start_i, if no random word has to be waited for. The
// clocks depend on highest_i alone.
//
// wipe_i writes zeros to the addresses of write_address_i in both memories, and clears t.
module monpro_pe_blinded_exponent #(
  parameter  int WordWidth    = 32,
  parameter  int MaxWords     = 34,
  localparam int RandomWords  = (64 + WordWidth - 1) / WordWidth,
  localparam int AddressWidth = $clog2(MaxWords + RandomWords)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    wipe_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [WordWidth-1:0]    word_i,
  input  logic                    start_i,
  input  logic [AddressWidth-1:0] highest_i,
  input  logic                    random_valid_i,
  output logic                    random_ready_o,
  input  logic [WordWidth-1:0]    random_i,
  output logic [AddressWidth-1:0] read_address_o,
  input  logic [WordWidth-1:0]    d_i,
  output logic                    write_o,
  output logic [AddressWidth-1:0] write_address_o,
  output logic [WordWidth-1:0]    word_o,
  output logic                    done_o
);
  localparam int RandomBits = 64;
  localparam int Flush      = 3;     // clocks of a pass after its last word is read
  localparam int IndexWidth = $clog2(MaxWords + RandomWords + Flush);
  localparam int PassWidth  = $clog2(RandomBits);
  localparam int OrderWidth = $clog2(MaxWords);

  typedef enum logic [1:0] {
    StIdle,
    StDraw,
    StPass
  } state_e;

  state_e                state_q;
  logic [IndexWidth-1:0] index_q;       // of a word
  logic [IndexWidth-1:0] highest_q;     // the highest word of e'
  logic [IndexWidth-1:0] highest_order_q; // of r and d
  logic [PassWidth-1:0]  pass_q;
  logic                  first_pass_q;
  logic                  last_pass_q;
  logic                  word_here_q;   // e' has a word of this index
  logic                  order_here_q;  // r and d have
  logic [2:0]            valid_q;       // bit i: a word is i + 1 clocks behind its address
  logic [RandomBits-1:0] t_q;           // the highest bit is next
  logic                  last_random;
  logic                  drawn;
  logic                  pass_begins;
  logic                  pass_ends;
  logic                  random_take;

  assign random_ready_o = state_q == StDraw;
  assign random_take    = random_ready_o & random_valid_i;
  assign last_random    = index_q == IndexWidth'(RandomWords - 1);
  assign drawn          = random_take & last_random;
  assign pass_ends      = valid_q == 3'b100;   // e' has two words or more, one after the other
  assign pass_begins    = drawn | (pass_ends & ~last_pass_q);
  assign done_o         = pass_ends & last_pass_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q <= StIdle;
      index_q <= '0;
    end else begin
      case (state_q)
        StIdle: if (start_i) state_q <= StDraw;
        StDraw: begin
          if (random_take) index_q <= last_random ? '0 : index_q + IndexWidth'(1);
          if (drawn) state_q <= StPass;
        end
        StPass: begin
          index_q <= pass_ends ? '0 : index_q + IndexWidth'(1);
          if (done_o) state_q <= StIdle;
        end
        default: state_q <= StIdle;
      endcase
    end
  end

  // What a word is for is known from registers: they are set at the first word of a pass, and fall behind a last one.
  always_ff @(posedge clk_i or negedge rst_ni) begin : p_here
    if (!rst_ni) begin
      word_here_q  <= 1'b0;
      order_here_q <= 1'b0;
      valid_q      <= '0;
    end else begin
      if (pass_begins) word_here_q <= 1'b1;
      else if (index_q == highest_q) word_here_q <= 1'b0;
      if (pass_begins) order_here_q <= 1'b1;
      else if (index_q == highest_order_q) order_here_q <= 1'b0;
      valid_q <= {valid_q[1:0], word_here_q};
    end
  end

  always_ff @(posedge clk_i) begin : p_passes
    if (start_i) begin
      highest_q       <= IndexWidth'(highest_i) + IndexWidth'(RandomWords);
      highest_order_q <= IndexWidth'(highest_i);
      pass_q          <= '0;
      first_pass_q    <= 1'b1;
      last_pass_q     <= 1'b0;
    end else if (pass_ends) begin
      pass_q       <= pass_q + PassWidth'(1);
      first_pass_q <= 1'b0;
      last_pass_q  <= pass_q == PassWidth'(RandomBits - 1);
    end
  end

  // The bits of t have left it before the last pass.
  always_ff @(posedge clk_i) begin : p_t
    if (wipe_i) begin
      t_q <= '0;
    end else if (random_take) begin
      t_q <= RandomBits'({t_q, random_i[WordWidth-1:1], random_i[0] | last_random});
    end else if (pass_ends) begin
      t_q <= t_q << 1;
    end
  end

  // ---- a pass: a word of E and one of r or of d, their sum three clocks later -----------------------------

  logic [WordWidth-1:0]    e_word;
  logic [WordWidth-1:0]    order_word;
  logic [2:0]              last_passes_q;  // bit i: of the word i + 1 clocks behind its address
  logic [1:0]              first_q;
  logic                    d_here_q;
  logic [AddressWidth-1:0] index_1_q;
  logic [AddressWidth-1:0] index_2_q;
  logic [AddressWidth-1:0] index_3_q;
  logic [WordWidth-1:0]    e_1_q;
  logic [WordWidth-1:0]    e_2_q;
  logic [WordWidth-1:0]    order_q;
  logic [WordWidth-1:0]    addend_q;
  logic                    lower_top_q;   // the highest bit of the word below
  logic                    carry_q;
  logic                    carry;
  logic [WordWidth-1:0]    sum_q;

  assign carry          = carry_q & ~first_q[1];
  assign read_address_o = last_pass_q ? AddressWidth'(index_q) : '0;   // d is read once

  always_ff @(posedge clk_i) begin : p_pass
    last_passes_q <= {last_passes_q[1:0], last_pass_q};
    first_q       <= {first_q[0], index_q == '0};
    d_here_q    <= last_pass_q & order_here_q;
    index_1_q   <= AddressWidth'(index_q);
    index_2_q   <= index_1_q;
    index_3_q   <= index_2_q;
    e_1_q       <= e_word & {WordWidth{~first_pass_q}};
    order_q     <= order_word & {WordWidth{t_q[RandomBits-1] & order_here_q}};
    lower_top_q <= e_1_q[WordWidth-1];
    e_2_q       <= last_passes_q[0] ? e_1_q
                                    : {e_1_q[WordWidth-2:0], lower_top_q & ~first_q[0]};
    addend_q    <= order_q | (d_i & {WordWidth{d_here_q}} & {{(WordWidth - 1){1'b1}}, ~first_q[0]});
    {carry_q, sum_q} <= {1'b0, e_2_q} + {1'b0, addend_q} + {{WordWidth{1'b0}}, carry};
  end

  assign write_o         = valid_q[2] & last_passes_q[2];
  assign write_address_o = index_3_q;
  assign word_o          = sum_q;

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords)) u_order (
    .clk_i          (clk_i),
    .write_i        (write_i | wipe_i),
    .write_address_i(OrderWidth'(write_address_i)),
    .word_i         (wipe_i ? '0 : word_i),
    .read_address_i (OrderWidth'(index_q)),
    .word_o         (order_word)
  );

  monpro_cell_lut_ram #(.Width(WordWidth), .Depth(MaxWords + RandomWords)) u_e (
    .clk_i          (clk_i),
    .write_i        ((valid_q[2] & ~last_passes_q[2]) | wipe_i),
    .write_address_i(wipe_i ? write_address_i : index_3_q),
    .word_i         (wipe_i ? '0 : sum_q),
    .read_address_i (AddressWidth'(index_q)),
    .word_o         (e_word)
  );
endmodule

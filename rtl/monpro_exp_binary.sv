// Modular exponentiation on one of the multipliers: left-to-right binary, or the Montgomery ladder.
//
//   result = base^exponent mod n, fully reduced;   n odd, 3 <= n < 2^Width, base < n, exponent < 2^(WordWidth·Words)
//
// The ports carry numbers word by word, the lowest word first, Words = ceil(Width/WordWidth) words for each number:
//   in   n, then r2 = R² mod n, then base, then exponent; the header of the multiplier defines R
//   out  the result; last_o comes with its last word
// busy_o is high from the last input word of the exponent to the last output word of the result.
//
// The multiplier is the module monpro_multiplier, which monpro writes around any of its cores; the file in this folder
// says how. Some multipliers take N^, the multiple of four among n + 1 and 3n + 1, in place of n. N^ is formed here
// while n comes in. With these multipliers the product by 1 may be as large as 3n, so the result takes three
// conditional subtractions, which always take the same time. With the others it takes one.
//
// Ladder = 0: p := p², and then p := p·q if the exponent's bit is 1. Leading zeros take one clock each. The number of
// clocks depends on the exponent's length and weight.
// Ladder = 1: (p, q) := (p·q, q²) if the exponent's bit is 1, else (p², p·q), for all WordWidth·Words bits. The number
// of clocks is constant if the multiplier's is.
//
// Latency, from the last word in to the first word out:
//   (3 + squarings + products)·(M + 2) + leading zeros + 1 + subtractions·(W' + 1),   W' = ceil((Width + 2)/WordWidth)
// A product takes M clocks. Squarings = bits of the exponent without leading zeros (Ladder: all bits, and no leading
// zeros + 1). The exponent 0 takes a clock less.
//
//   state      | product         | registers
//   StLoad     | -               | n, N^, r2, q := base, e := exponent
//   StOne      | r2·1            | p                     1 in Montgomery form
//   StBase     | r2·q            | q                     the base
//   StSkip     | -               | e << 1                Ladder = 0: until the first bit
//   StSquare   | p·p (q·q)       | p (Ladder with a bit: q)
//   StMultiply | p·q             | p (Ladder without a bit: q)
//   StLeave    | p·1             | e := product
//   StReduce   | -               | r2 := e - n, then e := r2 if e >= n, a word a clock
//   StRead     | -               | e >> WordWidth
module monpro_exp_binary #(
  parameter int Width     = 1024,
  parameter int WordWidth = 32,
  parameter bit Ladder    = 1'b0
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
  localparam int ModulusWidth  = Width + 2;
  localparam int OperandWidth  = Width + 3;
  localparam int Words         = (Width + WordWidth - 1) / WordWidth;
  localparam int WideWords     = (Width + 2 + WordWidth - 1) / WordWidth;
  localparam int LoadWidth     = Words * WordWidth;
  localparam int WideWidth     = WideWords * WordWidth;
  localparam int BitCountWidth = $clog2(LoadWidth + 1);
  localparam int WordCountWidth = $clog2(4 * WideWords + 1);

  typedef enum logic [3:0] {
    StLoad,
    StOne,
    StBase,
    StSkip,
    StSquare,
    StMultiply,
    StLeave,
    StReduce,
    StSettle,
    StRead
  } state_e;

  state_e                    state_q;
  logic                      waiting_q;  // for the multiplier's result
  logic [WordCountWidth-1:0] word_q;
  logic [1:0]                number_q;   // which number comes in
  logic [1:0]                subtraction_q;
  logic [BitCountWidth-1:0]  bits_q;     // of the exponent, still to come

  logic [WideWidth-1:0]    n_q;
  logic [WideWidth-1:0]    r2_q;
  logic [OperandWidth-1:0] p_q;
  logic [OperandWidth-1:0] q_q;
  logic [WideWidth-1:0]    e_q;
  logic                    borrow_q;

  logic [ModulusWidth-1:0] modulus;
  logic [OperandWidth-1:0] mul_x;
  logic [OperandWidth-1:0] mul_y;
  logic [OperandWidth-1:0] mul_z;
  logic                    mul_valid;
  logic                    mul_ready;
  logic                    mul_done;
  logic                    mul_hat;    // the multiplier takes N^, not n
  logic                    product;    // this state computes a product
  logic                    finished;   // the product is there
  logic                    bit_set;
  logic                    last_bit;
  logic                    take;
  logic                    last_word;
  logic [WordWidth:0]      difference;

  assign take      = (state_q == StLoad) & valid_i;
  assign last_word = word_q == WordCountWidth'(Words - 1);
  assign bit_set   = e_q[LoadWidth-1];
  assign last_bit  = bits_q == BitCountWidth'(1);
  assign product   = (state_q == StOne) | (state_q == StBase) | (state_q == StSquare) |
                     (state_q == StMultiply) | (state_q == StLeave);
  assign finished  = waiting_q & mul_done;
  assign mul_valid = product & ~waiting_q;

  // ---- N^ = n + 1 or 3n + 1, word by word -----------------------------------------------------------

  logic [WideWidth-1:0] hat_q;
  logic [1:0]           carry_q;
  logic                 triple_q;
  logic                 triple;
  logic                 first;
  logic [WordWidth+1:0] word;
  logic [1:0]           carry;
  logic [WordWidth+1:0] total;

  assign first  = word_q == '0;
  assign triple = first ? ~word_i[1] : triple_q;
  assign word   = {2'b00, word_i};
  assign carry  = first ? 2'd1 : carry_q;
  assign total  = word + (triple ? word << 1 : '0) + (WordWidth + 2)'(carry);

  always_ff @(posedge clk_i) begin : p_hat
    if (take && number_q == 2'd0) begin
      triple_q <= triple;
      carry_q  <= total[WordWidth+1:WordWidth];
      hat_q    <= WideWidth'({total[WordWidth-1:0], hat_q} >> WordWidth);
    end else if (take && number_q == 2'd1 && first && WideWords != Words) begin
      hat_q    <= WideWidth'({WordWidth'(carry_q), hat_q} >> WordWidth);
    end
  end
  assign modulus = mul_hat ? hat_q[ModulusWidth-1:0] : n_q[ModulusWidth-1:0];

  // ---- the multiplier -------------------------------------------------------------------------------

  always_comb begin : p_operands
    mul_x = p_q;
    mul_y = p_q;
    case (state_q)
      StOne: begin
        mul_x = OperandWidth'(r2_q);
        mul_y = OperandWidth'(1);
      end
      StBase: begin
        mul_x = OperandWidth'(r2_q);
        mul_y = q_q;
      end
      StSquare: begin
        if (Ladder && bit_set) begin
          mul_x = q_q;
          mul_y = q_q;
        end
      end
      StMultiply: mul_y = q_q;
      default:    mul_y = OperandWidth'(1);  // StLeave
    endcase
  end

  monpro_multiplier #(.Width(Width)) u_multiplier (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .valid_i(mul_valid),
    .ready_o(mul_ready),
    .x_i    (mul_x),
    .y_i    (mul_y),
    .n_i    (modulus),
    .valid_o(mul_done),
    .ready_i(1'b1),
    .z_o    (mul_z),
    .hat_o  (mul_hat)
  );

  // ---- control --------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_state
    if (!rst_ni) begin
      state_q   <= StLoad;
      waiting_q <= 1'b0;
      word_q    <= '0;
      number_q  <= '0;
    end else begin
      if (product) begin
        waiting_q <= waiting_q ? ~mul_done : mul_ready;
      end
      case (state_q)
        StLoad: begin
          if (take) begin
            word_q <= last_word ? '0 : word_q + WordCountWidth'(1);
            if (last_word) begin
              number_q <= number_q + 2'd1;
              if (number_q == 2'd3) state_q <= StOne;
            end
          end
        end
        StOne:  if (finished) state_q <= StBase;
        StBase: if (finished) state_q <= Ladder ? StMultiply : StSkip;
        StSkip: begin
          if (bit_set) begin
            state_q <= StSquare;
          end else if (last_bit) begin
            state_q <= StLeave;
          end
        end
        StSquare: begin
          if (finished) begin
            if (Ladder) begin
              state_q <= last_bit ? StLeave : StMultiply;
            end else if (bit_set) begin
              state_q <= StMultiply;
            end else begin
              state_q <= last_bit ? StLeave : StSquare;
            end
          end
        end
        StMultiply: begin
          if (finished) begin
            if (Ladder) begin
              state_q <= StSquare;
            end else begin
              state_q <= last_bit ? StLeave : StSquare;
            end
          end
        end
        StLeave: if (finished) state_q <= StReduce;
        StReduce: begin
          word_q <= word_q + WordCountWidth'(1);
          if (word_q == WordCountWidth'(WideWords - 1)) begin
            word_q  <= '0;
            state_q <= StSettle;
          end
        end
        StSettle: state_q <= (subtraction_q == 2'd1) ? StRead : StReduce;
        default: begin
          if (ready_i) begin
            word_q <= last_word ? '0 : word_q + WordCountWidth'(1);
            if (last_word) state_q <= StLoad;
          end
        end
      endcase
    end
  end

  // ---- registers ------------------------------------------------------------------------------------

  logic [WideWidth-1:0] load_r2;
  logic [LoadWidth-1:0] base_q;
  logic                 advance;  // the bit of the exponent is done

  assign load_r2    = WideWidth'({word_i, r2_q[LoadWidth-1:0]} >> WordWidth);
  assign difference = {1'b0, e_q[WordWidth-1:0]} - {1'b0, n_q[WordWidth-1:0]} -
                      (WordWidth + 1)'(borrow_q);

  always_comb begin : p_advance
    case (state_q)
      StSkip:     advance = ~bit_set;
      StSquare:   advance = finished & (Ladder | ~bit_set);
      StMultiply: advance = finished & ~Ladder;
      default:    advance = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin : p_numbers
    case (state_q)
      StLoad: begin
        bits_q <= BitCountWidth'(LoadWidth);
        if (take) begin
          case (number_q)
            2'd0: n_q <= WideWidth'({word_i, n_q} >> WordWidth);
            2'd1: begin
              r2_q <= load_r2;
              if (word_q == '0 && WideWords != Words) n_q <= n_q >> WordWidth;
            end
            2'd2:    base_q <= LoadWidth'({word_i, base_q} >> WordWidth);
            default: e_q <= WideWidth'({word_i, e_q[LoadWidth-1:0]} >> WordWidth);
          endcase
        end
      end
      StLeave: begin
        if (finished) e_q <= WideWidth'(mul_z);
        subtraction_q <= mul_hat ? 2'd3 : 2'd1;
        borrow_q      <= 1'b0;
      end
      StReduce: begin
        e_q      <= WideWidth'({e_q[WordWidth-1:0], e_q} >> WordWidth);
        n_q      <= WideWidth'({n_q[WordWidth-1:0], n_q} >> WordWidth);
        r2_q     <= WideWidth'({difference[WordWidth-1:0], r2_q} >> WordWidth);
        borrow_q <= difference[WordWidth];
      end
      StSettle: begin
        if (!borrow_q) e_q <= r2_q;
        borrow_q      <= 1'b0;
        subtraction_q <= subtraction_q - 2'd1;
      end
      StRead: if (ready_i) e_q <= e_q >> WordWidth;
      default: begin
        if (advance) begin
          e_q    <= e_q << 1;
          bits_q <= bits_q - BitCountWidth'(1);
        end
      end
    endcase
  end

  always_ff @(posedge clk_i) begin : p_products
    if (finished) begin
      case (state_q)
        StOne:  p_q <= mul_z;
        StBase: q_q <= mul_z;
        StSquare: begin
          if (Ladder && bit_set) begin
            q_q <= mul_z;
          end else begin
            p_q <= mul_z;
          end
        end
        StMultiply: begin
          if (Ladder && !bit_set) begin
            q_q <= mul_z;
          end else begin
            p_q <= mul_z;
          end
        end
        default: ;
      endcase
    end else if (state_q == StOne) begin
      q_q <= OperandWidth'(base_q);
    end
  end

  assign ready_o = state_q == StLoad;
  assign busy_o  = state_q != StLoad;
  assign error_o = 1'b0;  // no length comes in that could be wrong
  assign valid_o = state_q == StRead;
  assign word_o  = e_q[WordWidth-1:0];
  assign last_o  = valid_o & last_word;

`ifndef SYNTHESIS
  initial begin
    if (WordWidth < 4) $fatal(1, "monpro_exp_binary: WordWidth = %0d: at least 4", WordWidth);
  end
`endif
endmodule

// Cuts the words of a number into digits of v = RadixLog2 bits, the lowest first. Zeros follow the last word.
//
// restart_i  begins again with the lowest digit. address_o is then 0, and the first digit is there two clocks later
// address_o  the address for a memory that returns word_i one clock later
// take_i     the digit is taken, and the next digit is there one clock later. Two words may not be used up in
//            consecutive clocks: if digits are taken in consecutive clocks, a word must have at least two digits
// before_o   the top bit of the digit before, 0 with the first digit: the carry for Booth's recoding
//
// The first word is read in the clock of restart_i and the second one a clock later. Each further word is read when
// the digits of the word before it begin to be taken.
module monpro_cell_digits #(
  parameter  int RadixLog2    = 2,
  parameter  int WordWidth    = 16,
  parameter  int MaxWords     = 66,
  localparam int AddressWidth = $clog2(MaxWords + 1)
) (
  input  logic                    clk_i,
  input  logic                    restart_i,
  input  logic [AddressWidth-1:0] words_i,
  output logic [AddressWidth-1:0] address_o,
  input  logic [WordWidth-1:0]    word_i,
  input  logic                    take_i,
  output logic [RadixLog2-1:0]    digit_o,
  output logic                    before_o
);
  // The buffer holds the bits that are not yet taken: at least a digit, and less than a digit more than a word.
  localparam int BufferWidth = WordWidth + RadixLog2 - 1;
  localparam int CountWidth  = $clog2(BufferWidth + 1);

  logic                    empty_q;
  logic [BufferWidth-1:0]  buffer_q;
  logic [CountWidth-1:0]   rest_q;     // bits in the buffer behind the digit
  logic [CountWidth-1:0]   rest;
  logic                    is_last_q;  // these bits are less than a digit
  logic [AddressWidth-1:0] address_q;  // of the word behind the buffer
  logic                    is_word_q;  // this word belongs to the number
  logic [BufferWidth-1:0]  next;
  logic                    refill;

  assign digit_o   = buffer_q[RadixLog2-1:0];
  assign refill    = empty_q | (take_i & is_last_q);
  assign next      = (empty_q | is_word_q) ? BufferWidth'(word_i) : '0;
  assign address_o = restart_i ? '0 : address_q;

  always_comb begin : p_rest
    if (empty_q) begin
      rest = CountWidth'(WordWidth - RadixLog2);
    end else if (!take_i) begin
      rest = rest_q;
    end else if (is_last_q) begin
      rest = rest_q + CountWidth'(WordWidth - RadixLog2);
    end else begin
      rest = rest_q - CountWidth'(RadixLog2);
    end
  end

  always_ff @(posedge clk_i) begin : p_buffer
    empty_q   <= restart_i;
    rest_q    <= rest;
    is_last_q <= rest < CountWidth'(RadixLog2);
    is_word_q <= address_q < words_i;
    if (empty_q) begin
      buffer_q <= next;
    end else if (take_i) begin
      buffer_q <= (buffer_q >> RadixLog2) |
                  (next & {BufferWidth{is_last_q}}) << (WordWidth % RadixLog2 == 0 ? '0 : rest_q);
    end
    if (restart_i) begin
      address_q <= AddressWidth'(1);
    end else if (refill && !empty_q && is_word_q) begin
      address_q <= address_q + AddressWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin : p_before
    if (empty_q) begin
      before_o <= 1'b0;
    end else if (take_i) begin
      before_o <= digit_o[RadixLog2-1];
    end
  end
endmodule

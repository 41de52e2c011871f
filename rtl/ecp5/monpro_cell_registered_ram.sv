// monpro_cell_registered_ram for the ECP5: block RAMs of 512 words with the register at their output. Yosys leaves a register
// beside the block RAM, whose word then comes 5 ns later in the clock.
module monpro_cell_registered_ram #(
  parameter  int Width        = 32,                // up to 36
  parameter  int Depth        = 512,
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        word_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic [Width-1:0]        word_o
);
  localparam int Banks = (Depth + 511) / 512;

  logic [8:0]          write_address;
  logic [8:0]          read_address;
  logic [31:0]         write_bank;
  logic [31:0]         read_bank_q;
  logic [31:0]         read_bank_later_q;
  logic [35:0]         written;
  logic [Banks*36-1:0] words;
  logic [35:0]         word;
  logic                unused;

  assign write_address = 9'(write_address_i);
  assign read_address  = 9'(read_address_i);
  assign write_bank    = 32'(write_address_i) >> 9;
  assign written       = 36'(word_i);

  always_ff @(posedge clk_i) begin : p_bank
    read_bank_q       <= 32'(read_address_i) >> 9;
    read_bank_later_q <= read_bank_q;
  end

  for (genvar bank = 0; bank < Banks; bank++) begin : gen_bank
    logic        write_here;
    logic [35:0] bank_word;

    assign write_here         = write_i && write_bank == bank;
    assign words[bank*36+:36] = bank_word;

    PDPW16KD #(
      .DATA_WIDTH_W(36),
      .DATA_WIDTH_R(36),
      .REGMODE     ("OUTREG"),
      .GSR         ("DISABLED"),
      .RESETMODE   ("SYNC"),
      .CSDECODE_W  ("0b000"),
      .CSDECODE_R  ("0b000")
    ) u_words (
      .CLKW(clk_i), .CLKR(clk_i), .RST(1'b0), .CER(1'b1), .OCER(1'b1),
      .CEW(write_here),
      .BE0(1'b1), .BE1(1'b1), .BE2(1'b1), .BE3(1'b1),
      .CSW0(1'b0), .CSW1(1'b0), .CSW2(1'b0), .CSR0(1'b0), .CSR1(1'b0), .CSR2(1'b0),
      // A read has the address of a word above five bits that choose within it.
      .ADW0(write_address[0]), .ADW1(write_address[1]), .ADW2(write_address[2]),
      .ADW3(write_address[3]), .ADW4(write_address[4]), .ADW5(write_address[5]),
      .ADW6(write_address[6]), .ADW7(write_address[7]), .ADW8(write_address[8]),
      .ADR0(1'b0), .ADR1(1'b0), .ADR2(1'b0), .ADR3(1'b0), .ADR4(1'b0),
      .ADR5(read_address[0]), .ADR6(read_address[1]), .ADR7(read_address[2]),
      .ADR8(read_address[3]), .ADR9(read_address[4]), .ADR10(read_address[5]),
      .ADR11(read_address[6]), .ADR12(read_address[7]), .ADR13(read_address[8]),
      .DI0(written[0]), .DI1(written[1]), .DI2(written[2]), .DI3(written[3]),
      .DI4(written[4]), .DI5(written[5]), .DI6(written[6]), .DI7(written[7]),
      .DI8(written[8]), .DI9(written[9]), .DI10(written[10]), .DI11(written[11]),
      .DI12(written[12]), .DI13(written[13]), .DI14(written[14]), .DI15(written[15]),
      .DI16(written[16]), .DI17(written[17]), .DI18(written[18]), .DI19(written[19]),
      .DI20(written[20]), .DI21(written[21]), .DI22(written[22]), .DI23(written[23]),
      .DI24(written[24]), .DI25(written[25]), .DI26(written[26]), .DI27(written[27]),
      .DI28(written[28]), .DI29(written[29]), .DI30(written[30]), .DI31(written[31]),
      .DI32(written[32]), .DI33(written[33]), .DI34(written[34]), .DI35(written[35]),
      .DO0(bank_word[0]), .DO1(bank_word[1]), .DO2(bank_word[2]), .DO3(bank_word[3]),
      .DO4(bank_word[4]), .DO5(bank_word[5]), .DO6(bank_word[6]), .DO7(bank_word[7]),
      .DO8(bank_word[8]), .DO9(bank_word[9]), .DO10(bank_word[10]), .DO11(bank_word[11]),
      .DO12(bank_word[12]), .DO13(bank_word[13]), .DO14(bank_word[14]), .DO15(bank_word[15]),
      .DO16(bank_word[16]), .DO17(bank_word[17]), .DO18(bank_word[18]), .DO19(bank_word[19]),
      .DO20(bank_word[20]), .DO21(bank_word[21]), .DO22(bank_word[22]), .DO23(bank_word[23]),
      .DO24(bank_word[24]), .DO25(bank_word[25]), .DO26(bank_word[26]), .DO27(bank_word[27]),
      .DO28(bank_word[28]), .DO29(bank_word[29]), .DO30(bank_word[30]), .DO31(bank_word[31]),
      .DO32(bank_word[32]), .DO33(bank_word[33]), .DO34(bank_word[34]), .DO35(bank_word[35])
    );
  end

  always_comb begin : p_word
    word = '0;
    for (int i = 0; i < Banks; i++) begin
      word = word | (words[i*36+:36] & {36{read_bank_later_q == i}});
    end
  end

  assign word_o = word[Width-1:0];
  assign unused = &{1'b0, word};

`ifndef SYNTHESIS
  initial begin
    if (Width > 36) $fatal(1, "monpro_cell_registered_ram: Width = %0d: 1 to 36", Width);
  end
`endif
endmodule

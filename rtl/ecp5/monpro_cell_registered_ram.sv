// monpro_cell_registered_ram for the ECP5: one block RAM with the register at its output. Yosys leaves a register beside the
// block RAM, whose word then comes 5 ns later in the clock.
module monpro_cell_registered_ram #(
  parameter  int Width        = 32,                // up to 36
  parameter  int Depth        = 512,               // up to 512
  localparam int AddressWidth = $clog2(Depth)
) (
  input  logic                    clk_i,
  input  logic                    write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        word_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic [Width-1:0]        word_o
);
  logic [8:0]  write_address;
  logic [8:0]  read_address;
  logic [35:0] written;
  logic [35:0] word;
  logic        unused;

  assign write_address = 9'(write_address_i);
  assign read_address  = 9'(read_address_i);
  assign written       = 36'(word_i);
  assign word_o        = word[Width-1:0];
  assign unused        = &{1'b0, word};

  PDPW16KD #(
    .DATA_WIDTH_W(36),
    .DATA_WIDTH_R(36),
    .REGMODE     ("OUTREG"),
    .GSR         ("DISABLED"),
    .RESETMODE   ("SYNC"),
    .CSDECODE_W  ("0b000"),
    .CSDECODE_R  ("0b000")
  ) u_words (
    .CLKW(clk_i), .CLKR(clk_i), .RST(1'b0), .CEW(write_i), .CER(1'b1), .OCER(1'b1),
    .BE0(1'b1), .BE1(1'b1), .BE2(1'b1), .BE3(1'b1),
    .CSW0(1'b0), .CSW1(1'b0), .CSW2(1'b0), .CSR0(1'b0), .CSR1(1'b0), .CSR2(1'b0),
    // the address of a word, and of a read that of its lowest bit in units of half a byte and more
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
    .DO0(word[0]), .DO1(word[1]), .DO2(word[2]), .DO3(word[3]),
    .DO4(word[4]), .DO5(word[5]), .DO6(word[6]), .DO7(word[7]),
    .DO8(word[8]), .DO9(word[9]), .DO10(word[10]), .DO11(word[11]),
    .DO12(word[12]), .DO13(word[13]), .DO14(word[14]), .DO15(word[15]),
    .DO16(word[16]), .DO17(word[17]), .DO18(word[18]), .DO19(word[19]),
    .DO20(word[20]), .DO21(word[21]), .DO22(word[22]), .DO23(word[23]),
    .DO24(word[24]), .DO25(word[25]), .DO26(word[26]), .DO27(word[27]),
    .DO28(word[28]), .DO29(word[29]), .DO30(word[30]), .DO31(word[31]),
    .DO32(word[32]), .DO33(word[33]), .DO34(word[34]), .DO35(word[35])
  );
endmodule

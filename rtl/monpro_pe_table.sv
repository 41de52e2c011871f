// A table of 2^EntryWidth numbers of Words words, of which each read reads every word of every number.
//
// start_i begins a read of the number entry_i: its words come one after the other, the lowest first, Fold clocks apart.
// The first is there Fold + 4 clocks after start_i, with valid_o in this one clock, and last_o comes with the last one. No
// address depends on entry_i. There are 2^EntryWidth/Fold memories, each with Fold of the numbers: number Fold·b + p is in
// memory b. In a clock each memory gives a word, of which a mask leaves the one that is asked for, and ORs join them.
//
//   0  addresses     1  words of the memories     2  the same, in registers     3  ORs of up to four
//   4  word_o, with those of Fold clocks
//
// Stages 1 and 2 are those of monpro_cell_registered_ram.
//
// A word that is written may be read in the same clock if it is of another number than entry_i: the mask takes it away.
// wiping_i writes word_i to the word of {wipe_index_i, wipe_phase_i} in all memories, and forgets entry_i.
module monpro_pe_table #(
  parameter  int WordWidth  = 17,
  parameter  int Words      = 66,
  parameter  int EntryWidth = 5,
  parameter  int Fold       = 1,
  localparam int IndexWidth = $clog2(Words),
  localparam int PhaseWidth = (Fold > 2) ? $clog2(Fold) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  wiping_i,
  input  logic [IndexWidth-1:0] wipe_index_i,
  input  logic [PhaseWidth-1:0] wipe_phase_i,
  input  logic                  write_i,
  input  logic [EntryWidth-1:0] write_entry_i,
  input  logic [IndexWidth-1:0] write_index_i,
  input  logic [WordWidth-1:0]  word_i,
  input  logic                  start_i,
  input  logic [EntryWidth-1:0] entry_i,
  output logic                  valid_o,
  output logic                  last_o,
  output logic [WordWidth-1:0]  word_o
);
  localparam int FoldWidth = $clog2(Fold);
  localparam int Banks     = (1 << EntryWidth) / Fold;
  localparam int Depth     = Words * Fold;
  localparam int AddressWidth = $clog2(Depth);
  localparam int Group     = 4;
  localparam int NumGroups = (Banks + Group - 1) / Group;
  localparam int Stages    = 4;                  // from the addresses to word_o

  logic                  run_q;
  logic [IndexWidth-1:0] index_q;
  logic [PhaseWidth-1:0] phase_q;
  logic [EntryWidth-1:0] entry_q;
  logic                  last_index;
  logic                  last_phase;
  logic [Stages-1:0]     valid_q;
  logic [Stages-1:0]     last_q;
  logic [Stages-2:0]     first_q;                // the word is the first of Fold

  assign last_index = index_q == IndexWidth'(Words - 1);
  assign last_phase = Fold == 1 || phase_q == PhaseWidth'(Fold - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin : p_run
    if (!rst_ni) begin
      run_q   <= 1'b0;
      index_q <= '0;
      phase_q <= '0;
      valid_q <= '0;
    end else begin
      valid_q <= {valid_q[Stages-2:0], run_q & last_phase};
      if (start_i) begin
        run_q <= 1'b1;
      end else if (run_q) begin
        phase_q <= last_phase ? '0 : phase_q + PhaseWidth'(1);
        if (last_phase) index_q <= last_index ? '0 : index_q + IndexWidth'(1);
        if (last_phase && last_index) run_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : p_stages
    last_q  <= {last_q[Stages-2:0], last_index};
    first_q <= {first_q[Stages-3:0], phase_q == '0};
    if (wiping_i) entry_q <= '0;
    else if (start_i) entry_q <= entry_i;
  end

  // ---- memories -------------------------------------------------------------------------------------

  logic [AddressWidth-1:0]               read_address;
  logic [AddressWidth-1:0]               write_address;
  logic [NumGroups*Group*WordWidth-1:0]  kept;
  logic [NumGroups*WordWidth-1:0]        group_q;
  logic [WordWidth-1:0]                  any;

  if (Fold == 1) begin : gen_plain_address
    logic unused;

    assign read_address  = index_q;
    assign write_address = wiping_i ? wipe_index_i : write_index_i;
    assign unused        = &{1'b0, wipe_phase_i};
  end else begin : gen_address
    assign read_address  = {index_q, phase_q};
    assign write_address = wiping_i ? {wipe_index_i, wipe_phase_i} :
                           {write_index_i, write_entry_i[FoldWidth-1:0]};
  end

  for (genvar i = 0; i < NumGroups * Group; i++) begin : gen_bank
    if (i < Banks) begin : gen_memory
      logic                 written;
      logic                 asked;
      logic                 asked_q;
      logic                 asked_later_q;
      logic [WordWidth-1:0] word;

      assign written = (write_entry_i >> FoldWidth) == EntryWidth'(i);
      if (Fold == 1) begin : gen_all
        assign asked = entry_q == EntryWidth'(i);
      end else begin : gen_one
        assign asked = entry_q == {(EntryWidth - FoldWidth)'(i), phase_q};
      end

      always_ff @(posedge clk_i) begin
        asked_q       <= asked;
        asked_later_q <= asked_q;
      end

      monpro_cell_registered_ram #(.Width(WordWidth), .Depth(Depth)) u_words (
        .clk_i          (clk_i),
        .write_i        (wiping_i | (write_i & written)),
        .write_address_i(write_address),
        .word_i         (word_i),
        .read_address_i (read_address),
        .word_o         (word)
      );

      assign kept[i*WordWidth+:WordWidth] = word & {WordWidth{asked_later_q}};
    end else begin : gen_none
      assign kept[i*WordWidth+:WordWidth] = '0;
    end
  end

  for (genvar i = 0; i < NumGroups; i++) begin : gen_group
    always_ff @(posedge clk_i) begin
      group_q[i*WordWidth+:WordWidth] <= kept[(4*i)*WordWidth+:WordWidth] |
                                         kept[(4*i+1)*WordWidth+:WordWidth] |
                                         kept[(4*i+2)*WordWidth+:WordWidth] |
                                         kept[(4*i+3)*WordWidth+:WordWidth];
    end
  end

  always_comb begin : p_any
    any = '0;
    for (int i = 0; i < NumGroups; i++) any = any | group_q[i*WordWidth+:WordWidth];
  end

  always_ff @(posedge clk_i) begin : p_word
    word_o <= any | (word_o & {WordWidth{~first_q[Stages-2]}});
  end

  assign valid_o = valid_q[Stages-1];
  assign last_o  = last_q[Stages-1];
endmodule

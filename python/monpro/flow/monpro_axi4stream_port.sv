// The streams of a core with word ports: frames of words into it, and its results out of it. Without pauses a word passes
// in every clock, both ways. Every output of the streams comes from a register, but s_axis_tready, which is the
// complement of one.
//
// A frame is a job: s_axis_tlast comes with the last word that the core asks for, and with no other. A frame is wrong if
//   it ends early   the core is ready for more words after the one with s_axis_tlast, and has not become busy
//   it ends late    the core has become busy after a word without s_axis_tlast
// Then clear_o resets the core, frame_error_o is high until an abort, and there is no result. is_wipe_i says that word_o,
// as the first word of a frame, is a job of its own for which the core does not become busy.
//
// After an abort, and where the frame is wrong or the core refuses it, the rest of the frame is taken and dropped. The next
// frame waits until the abort. An abort in the middle of a result ends its frame with the word 0 and m_axis_tlast: a frame
// that has begun always ends. What waits at m_axis stays there.
//
//   abort_i            high for a clock: the core is reset in the next one
//   core_live_i        the core is not in reset
//   given_o            the core takes word_o in this clock
module monpro_axi4stream_port #(
  parameter int DataWidth = 32,
  parameter int WordWidth = 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [DataWidth-1:0] s_axis_tdata,
  input  logic                 s_axis_tvalid,
  output logic                 s_axis_tready,
  input  logic                 s_axis_tlast,
  output logic [DataWidth-1:0] m_axis_tdata,
  output logic                 m_axis_tvalid,
  input  logic                 m_axis_tready,
  output logic                 m_axis_tlast,
  input  logic                 abort_i,
  output logic                 clear_o,
  output logic                 frame_error_o,
  input  logic                 core_live_i,
  input  logic                 core_busy_i,
  input  logic                 core_error_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output logic [WordWidth-1:0] word_o,
  input  logic                 is_wipe_i,
  output logic                 given_o,
  input  logic                 valid_i,
  output logic                 ready_o,
  input  logic [WordWidth-1:0] word_i,
  input  logic                 last_i
);
  logic                 waits;          // a word is there
  logic                 next_is_last;
  logic [DataWidth-1:0] next_data;
  logic                 stopped;        // the core gets no word
  logic                 taken;
  logic                 partial_q;      // some of a frame has been taken, and not its last word
  logic                 partial;        // the same after this clock
  logic                 ended_q;        // the core has all words of a frame, and is not yet busy
  logic                 drop_q;         // the rest of the frame is dropped
  logic                 early;
  logic                 late;
  logic                 is_whole_wipe;
  logic                 frees;          // the register of the output is free after this clock
  logic                 open_q;         // some of a result is in the output, and not its last word
  logic                 open;           // the same after this clock
  logic                 close_q;        // the frame that goes out is to be ended
  logic                 unused;

  monpro_axi4lite_channel #(
    .Width(DataWidth + 1)
  ) u_input (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .valid_i  (s_axis_tvalid),
    .ready_o  (s_axis_tready),
    .payload_i({s_axis_tlast, s_axis_tdata}),
    .valid_o  (waits),
    .ready_i  (taken),
    .payload_o({next_is_last, next_data})
  );

  assign word_o        = next_data[WordWidth-1:0];
  assign unused        = &{1'b0, next_data};
  assign stopped       = core_busy_i || core_error_i || frame_error_o || ended_q || drop_q;
  assign valid_o       = waits && core_live_i && !stopped;
  assign given_o       = valid_o && ready_i;
  assign taken         = given_o || (waits && drop_q);
  assign partial       = taken ? !next_is_last : partial_q;
  assign is_whole_wipe = given_o && !partial_q && is_wipe_i;
  assign early         = ended_q && core_live_i && ready_i && !core_busy_i;
  assign late          = (partial_q && !drop_q && core_busy_i) || (is_whole_wipe && !next_is_last);
  assign clear_o       = early || late;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      partial_q     <= 1'b0;
      ended_q       <= 1'b0;
      drop_q        <= 1'b0;
      frame_error_o <= 1'b0;
    end else begin
      partial_q <= partial;
      drop_q    <= partial && (drop_q || abort_i || clear_o || frame_error_o || core_error_i);
      if (abort_i || core_busy_i || core_error_i || clear_o) begin
        ended_q <= 1'b0;
      end else if (given_o) begin
        ended_q <= next_is_last && !is_whole_wipe;
      end
      if (abort_i) begin
        frame_error_o <= 1'b0;
      end else if (clear_o) begin
        frame_error_o <= 1'b1;
      end
    end
  end

  assign frees   = !m_axis_tvalid || m_axis_tready;
  assign ready_o = frees && !close_q;
  assign open    = (valid_i && ready_o) ? !last_i : open_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q        <= 1'b0;
      close_q       <= 1'b0;
      m_axis_tvalid <= 1'b0;
    end else begin
      open_q  <= open && !(close_q && frees);
      close_q <= close_q ? !frees : abort_i && open;
      if (frees) m_axis_tvalid <= valid_i || close_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axis_tdata <= '0;
      m_axis_tlast <= 1'b0;
    end else if (frees) begin
      m_axis_tdata <= close_q ? '0 : DataWidth'(word_i);
      m_axis_tlast <= close_q || last_i;
    end
  end
endmodule

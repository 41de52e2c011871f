// The rules of AXI4-Stream at monpro_axi4stream_port, whatever the core behind it does.
//
// Shown of the output: TVALID stays until TREADY, with the same TDATA and TLAST; the words are those that the core has
// given, in their order, each once; a frame that has begun ends after an abort. Of the input: each word is taken once.
module monpro_formal_axi4stream_port (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [7:0] s_tdata,
  input logic       s_tvalid,
  input logic       s_tlast,
  input logic       m_tready,
  input logic       abort,
  input logic       core_live,
  input logic       core_busy,
  input logic       core_error,
  input logic       core_ready,
  input logic       is_wipe,
  input logic       core_valid,
  input logic [7:0] core_word,
  input logic       core_last
);
  logic       s_tready;
  logic [7:0] m_tdata;
  logic       m_tvalid;
  logic       m_tlast;
  logic       clear;
  logic       frame_error;
  logic       to_core;
  logic [7:0] word;
  logic       given;
  logic       ready;

  monpro_axi4stream_port #(
    .DataWidth(8),
    .WordWidth(8)
  ) u_port (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .s_axis_tdata (s_tdata),
    .s_axis_tvalid(s_tvalid),
    .s_axis_tready(s_tready),
    .s_axis_tlast (s_tlast),
    .m_axis_tdata (m_tdata),
    .m_axis_tvalid(m_tvalid),
    .m_axis_tready(m_tready),
    .m_axis_tlast (m_tlast),
    .abort_i      (abort),
    .clear_o      (clear),
    .frame_error_o(frame_error),
    .core_live_i  (core_live),
    .core_busy_i  (core_busy),
    .core_error_i (core_error),
    .valid_o      (to_core),
    .ready_i      (core_ready),
    .word_o       (word),
    .is_wipe_i    (is_wipe),
    .given_o      (given),
    .valid_i      (core_valid),
    .ready_o      (ready),
    .word_i       (core_word),
    .last_i       (core_last)
  );

  (* hierconn *) logic \u_port.open_q ;
  (* hierconn *) logic \u_port.close_q ;
  (* hierconn *) logic \u_port.drop_q ;
  (* hierconn *) logic \u_port.partial_q ;
  (* hierconn *) logic \u_port.taken ;
  (* hierconn *) logic \u_port.ended_q ;

  logic       before_q = 1'b0;
  logic       valid_q = 1'b0;
  logic       ready_q = 1'b0;
  logic [8:0] word_q = '0;
  logic       pushed_q = 1'b0;      // the core has given a word in the clock before
  logic [8:0] pushed_word_q = '0;
  logic       inside_q = 1'b0;      // the last word that has passed m_axis is not the last of its frame
  logic       aborted_q = 1'b0;     // there was an abort, and the core has given no word since
  logic       aborts_q = 1'b0;      // of the clock before: an abort, a wrong frame, the status
  logic       cleared_q = 1'b0;
  logic       error_q = 1'b0;

  logic begun_q = 1'b0;   // the first clock, which is a reset, has passed

  always_ff @(posedge clk_i) begun_q <= 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q  <= 1'b0;
      pushed_q  <= 1'b0;
      inside_q  <= 1'b0;
      aborted_q <= 1'b0;
    end else begin
      before_q  <= 1'b1;
      pushed_q  <= core_valid && ready;
      if (m_tvalid && m_tready) inside_q <= !m_tlast;
      aborted_q <= abort || (aborted_q && !(core_valid && ready));
    end
  end

  always_ff @(posedge clk_i) begin
    valid_q       <= m_tvalid;
    ready_q       <= m_tready;
    word_q        <= {m_tlast, m_tdata};
    aborts_q      <= abort;
    cleared_q     <= clear;
    error_q       <= frame_error;
    pushed_word_q <= {core_last, core_word};
  end

  always_comb begin
    if (!begun_q) assume (!rst_ni);
    if (!rst_ni) begin
      assert (!m_tvalid);
    end else begin
      // Valid stays until ready, and what it offers stays the same.
      if (before_q && valid_q && !ready_q) assert (m_tvalid && {m_tlast, m_tdata} == word_q);
      // A new word at the output is the one that the core gave, or the word 0 that ends a frame after an abort.
      if (before_q && pushed_q) assert (m_tvalid && {m_tlast, m_tdata} == pushed_word_q);
      if (before_q && m_tvalid && !pushed_q && !(valid_q && !ready_q)) assert (m_tlast && m_tdata == '0 && aborted_q);
      // A frame that has begun ends: the port knows it while no word of the core follows an abort.
      if (aborted_q && inside_q && !m_tvalid) assert (\u_port.close_q );
      assert (\u_port.open_q == (m_tvalid ? !m_tlast : inside_q));
      if (\u_port.close_q ) assert (\u_port.open_q && !ready && aborted_q);
      if (aborted_q && !\u_port.close_q ) assert (!\u_port.open_q );
      // The core gets a word only where it may, and none while a frame is refused or dropped.
      if (to_core) assert (core_live && !core_busy && !core_error && !frame_error && !\u_port.drop_q );
      if (\u_port.drop_q ) assert (\u_port.partial_q );
      // What is dropped is taken at once: the stream never hangs within a frame that is refused.
      if (\u_port.drop_q && s_tvalid && s_tready) assert (\u_port.taken );
      // A wrong frame is told from the clock after it on, until an abort; nothing else is.
      if (before_q) assert (frame_error == (!aborts_q && (cleared_q || error_q)));
      // A frame is wrong in one of three ways, and the core has then no word that it could go on with.
      if (clear && !given) assert (core_busy == \u_port.partial_q && core_busy != \u_port.ended_q );
      if (\u_port.ended_q ) assert (!to_core && !\u_port.partial_q );
    end
  end
endmodule

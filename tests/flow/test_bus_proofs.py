"""The ports of the buses keep the rules of their buses, by induction; one that breaks one is not proved."""

import pytest

from monpro.flow import buses, prove_buses
from monpro.flow.prove_buses import CELLS

CHANNEL = "monpro_axi4lite_channel.sv"
AXI4LITE, APB, STREAM = "monpro_axi4lite_port.sv", "monpro_apb_port.sv", "monpro_axi4stream_port.sv"
MUTATIONS: dict[
    str, tuple[str, str, str, str]
] = {  # the rule that breaks: bus, file, a piece, one in its place
    "B stays until it is taken": ("axi4lite", AXI4LITE, "else if (s_axi_bready)", "else if (1'b1)"),
    "R stays until it is taken": ("axi4lite", AXI4LITE, "else if (s_axi_rready)", "else if (1'b1)"),
    "BRESP stays the same": ("axi4lite", AXI4LITE, "(!s_axi_bvalid || s_axi_bready) && write", "write"),
    "RDATA stays the same": ("axi4lite", AXI4LITE, "(!s_axi_rvalid || s_axi_rready) && read", "read"),
    "a write is answered once": ("axi4lite", CHANNEL, "waits_q <= valid_o && !ready_i", "waits_q <= valid_o"),
    "no request is lost": ("axi4lite", CHANNEL, "waits_q <= valid_o && !ready_i", "waits_q <= 1'b0"),
    "an address waits for its data": (
        "axi4lite",
        AXI4LITE,
        "address_valid && data_valid &&",
        "data_valid &&",
    ),
    "what waits stays the same": ("axi4lite", CHANNEL, "if (!waits_q) payload_q", "payload_q"),
    "there is no EXOKAY": ("axi4lite", AXI4LITE, "SlaveError = 2'b10", "SlaveError = 2'b01"),
    "a reset ends the answer to a write": ("axi4lite", AXI4LITE, "s_axi_bvalid <= 1'b0;\n      s", "s"),
    "no write while the registers are not ready": ("axi4lite", AXI4LITE, " && write_ready_i", ""),
    "no read while the registers are not ready": ("axi4lite", AXI4LITE, " && read_ready_i", ""),
    "PREADY comes once": ("apb", APB, "s_apb_psel && !s_apb_pready", "s_apb_psel"),
    "PREADY waits for the registers": ("apb", APB, "pready  <= write_o || read_o", "pready  <= s_apb_psel"),
    "PSLVERR comes with PREADY alone": ("apb", APB, "(write_o && !write_is", "(s_apb_pwrite && !write_is"),
    "PSLVERR tells of a read": ("apb", APB, " || (read_o && !read_is_right_i)", ""),
    "PRDATA is 0 outside of a read": ("apb", APB, "read_o ? read_word_i : '0", "read_word_i"),
    "a read is not a write": ("apb", APB, "waits && s_apb_pwrite &&", "waits &&"),
    "a write reaches its register": (
        "apb",
        APB,
        "assign write_strobe_o  = s_apb_pstrb",
        "assign write_strobe_o  = '1",
    ),
    "an access is taken when it can be": (
        "apb",
        APB,
        "!s_apb_pwrite && read_ready_i",
        "!s_apb_pwrite && read_ready_i && s_apb_penable",
    ),
    "a reset ends an answer": ("apb", APB, "s_apb_pready  <= 1'b0;", "s_apb_pready  <= 1'b1;"),
    "TVALID stays until TREADY": ("axi4stream", STREAM, "if (frees) m_axis_tvalid", "m_axis_tvalid"),
    "TDATA stays the same": ("axi4stream", STREAM, "end else if (frees) begin", "end else begin"),
    "TLAST is the core's": (
        "axi4stream",
        STREAM,
        "m_axis_tlast <= close_q || last_i",
        "m_axis_tlast <= close_q",
    ),
    "an abort ends a frame": ("axi4stream", STREAM, "abort_i && open;", "1'b0;"),
    "nothing follows the end": ("axi4stream", STREAM, "frees && !close_q;", "frees;"),
    "the end is the word 0": (
        "axi4stream",
        STREAM,
        "close_q ? '0 : DataWidth'(word_i)",
        "DataWidth'(word_i)",
    ),
    "the core gets no word while it is busy": (
        "axi4stream",
        STREAM,
        "= core_busy_i || core_error_i",
        "= core_error_i",
    ),
    "what is dropped is taken": (
        "axi4stream",
        STREAM,
        "(waits && drop_q)",
        "(waits && drop_q && core_live_i)",
    ),
    "a wrong frame is told": ("axi4stream", STREAM, "frame_error_o <= 1'b1;", "frame_error_o <= early;"),
    "an abort clears the error": (
        "axi4stream",
        STREAM,
        "if (abort_i) begin\n        frame",
        "if (1'b0) begin\n        frame",
    ),
    "only a frame is wrong": ("axi4stream", STREAM, "early         = ended_q &&", "early         ="),
    "an end is waited for": ("axi4stream", STREAM, "|| ended_q || drop_q", "|| drop_q"),
    "a reset ends what is offered": (
        "axi4stream",
        STREAM,
        "m_axis_tvalid <= 1'b0;",
        "m_axis_tvalid <= 1'b1;",
    ),
}


@pytest.mark.parametrize("bus", CELLS)
def test_the_port_of_a_bus_keeps_its_rules(bus: str) -> None:
    assert prove_buses.keeps_its_rules(bus)


@pytest.mark.parametrize(("bus", "file", "right", "wrong"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_port_that_breaks_a_rule_is_not_proved(bus: str, file: str, right: str, wrong: str) -> None:
    text = buses.cells([file])[file]
    assert text.count(right) == 1
    assert not prove_buses.keeps_its_rules(bus, changed={file: text.replace(right, wrong)})

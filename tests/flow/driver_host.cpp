// The host of a driver's example: its register accesses become transactions of a Verilated slave of AXI4-Lite, or of APB
// with ON_APB; with ON_AXI4STREAM frames go to the streams.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vslave.h"

extern "C" {
int example(void);
uint32_t host_read(uintptr_t address);
void host_write(uintptr_t address, uint32_t word);
void monpro_send(const uint32_t words[], size_t count);
void monpro_receive(uint32_t words[], size_t count);
}

static Vslave top;

static void clock_edge() {
#ifdef RANDOM_WORDS  // the core takes random words; here they are of a counter
    top.random_valid_i = 1;
    top.random_i += 0x9e3779b9;
#endif
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
}

static void check(uint32_t response, const char *what, uintptr_t address) {
    if (response == 0) return;
    std::fprintf(stderr, "a %s of %#lx was refused\n", what, static_cast<unsigned long>(address));
    std::exit(3);
}

#ifdef ON_APB
static uint32_t access(uintptr_t address, bool is_write, uint32_t word) {
    top.s_apb_paddr = address;
    top.s_apb_pwrite = is_write;
    top.s_apb_pwdata = word;
    top.s_apb_pstrb = is_write ? 15 : 0;
    top.s_apb_psel = 1;
    clock_edge();
    top.s_apb_penable = 1;
    top.eval();
    while (!top.s_apb_pready) clock_edge();
    check(top.s_apb_pslverr, is_write ? "write" : "read", address);
    word = top.s_apb_prdata;
    clock_edge();
    top.s_apb_psel = top.s_apb_penable = 0;
    return word;
}

void host_write(uintptr_t address, uint32_t word) { access(address, true, word); }

uint32_t host_read(uintptr_t address) { return access(address, false, 0); }
#else
// Hands over the data of a channel at the first edge at which the slave is ready.
static void give(CData &valid, const CData &ready) {
    valid = 1;
    top.eval();
    for (bool taken = false; !taken; clock_edge()) taken = ready;
    valid = 0;
    top.eval();
}

// The address comes first, and the data some clocks later, as a bus with stages may do it.
void host_write(uintptr_t address, uint32_t word) {
    top.s_axi_bready = 1;
    top.s_axi_awaddr = address;
    give(top.s_axi_awvalid, top.s_axi_awready);
    top.s_axi_wdata = word;
    top.s_axi_wstrb = 15;
    give(top.s_axi_wvalid, top.s_axi_wready);
    while (!top.s_axi_bvalid) clock_edge();
    check(top.s_axi_bresp, "write", address);
    clock_edge();
    top.s_axi_bready = 0;
}

uint32_t host_read(uintptr_t address) {
    top.s_axi_rready = 1;
    top.s_axi_araddr = address;
    give(top.s_axi_arvalid, top.s_axi_arready);
    while (!top.s_axi_rvalid) clock_edge();
    check(top.s_axi_rresp, "read", address);
    uint32_t word = top.s_axi_rdata;
    clock_edge();
    top.s_axi_rready = 0;
    return word;
}
#endif

#ifdef ON_AXI4STREAM
void monpro_send(const uint32_t words[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        top.s_axis_tdata = words[i];
        top.s_axis_tlast = i == count - 1;
        give(top.s_axis_tvalid, top.s_axis_tready);
    }
}

void monpro_receive(uint32_t words[], size_t count) {
    top.m_axis_tready = 1;
    for (size_t i = 0; i < count; i++) {
        while (!top.m_axis_tvalid) clock_edge();
        words[i] = top.m_axis_tdata;
        check(top.m_axis_tlast != (i == count - 1), "last word", i);
        clock_edge();
    }
    top.m_axis_tready = 0;
}
#endif

int main() {
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) clock_edge();
    top.rst_ni = 1;
    clock_edge();
    return example();
}

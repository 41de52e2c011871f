// The host of a driver's example: its register accesses become transactions of a Verilated AXI4-Lite slave.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vslave.h"

extern "C" {
int example(void);
uint32_t host_read(uintptr_t address);
void host_write(uintptr_t address, uint32_t word);
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

int main() {
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) clock_edge();
    top.rst_ni = 1;
    clock_edge();
    return example();
}

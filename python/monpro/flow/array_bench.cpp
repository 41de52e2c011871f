// Drives the systolic array with one command a clock.
//
// Standard input: a 32-bit word for each clock. Bits from 0: first, last, source (2 bits), write_b, write_m.
// Bits from 8: a. Standard output: z_o before the edge of each clock, in a 32-bit word.
#include <cstdint>
#include <cstdio>
#include <memory>

#include "Vmonpro.h"
#include "verilated.h"

int main() {
  Verilated::randReset(2);
  const auto model = std::make_unique<Vmonpro>();
  uint32_t command;
  while (std::fread(&command, sizeof command, 1, stdin) == 1) {
    model->first_i = command & 1;
    model->last_i = command >> 1 & 1;
    model->source_i = command >> 2 & 3;
    model->write_b_i = command >> 4 & 1;
    model->write_m_i = command >> 5 & 1;
    model->a_i = command >> 8;
    model->clk_i = 0;
    model->eval();
    const uint32_t z = model->z_o;
    std::fwrite(&z, sizeof z, 1, stdout);
    model->clk_i = 1;
    model->eval();
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}

// Drives a multiplier with the parallel port contract, product by product.
//
// Standard input: records of a word of links, then x, y, n, all in little-endian 32-bit words. If bit 0 of
// the links is set, x is the z of the product before; if bit 1 is set, y is. Standard output: records of z
// in words, then the cycles of the product in one word. A broken contract ends the run with one line on
// standard error.
//
// Options:  --limit=CYCLES  give up on a product that takes longer
//           --back-to-back  the next operands wait at the ports, with valid_i, while a product runs
//           --stalls=SEED   valid_i and ready_i pause at random
//           --resets=SEED   at random, a reset interrupts a product, which is then started again
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "Vmonpro.h"
#include "verilated.h"

namespace {

constexpr size_t words(size_t bits) { return (bits + 31) / 32; }
constexpr size_t operand_words = words(OPERAND_BITS);
constexpr size_t modulus_words = words(MODULUS_BITS);

template <typename Port>
void write_port(Port& port, const uint32_t* value, size_t count) {
  if constexpr (std::is_integral_v<Port>) {
    uint64_t low = value[0];
    if (count > 1) low |= uint64_t{value[1]} << 32;
    port = static_cast<Port>(low);
  } else {
    for (size_t i = 0; i < count; ++i) port[i] = value[i];
  }
}

template <typename Port>
void read_port(const Port& port, uint32_t* value, size_t count) {
  if constexpr (std::is_integral_v<Port>) {
    value[0] = static_cast<uint32_t>(port);
    if (count > 1) value[1] = static_cast<uint32_t>(uint64_t{port} >> 32);
  } else {
    for (size_t i = 0; i < count; ++i) value[i] = port[i];
  }
}

[[noreturn]] void fail(const char* what, uint64_t product) {
  std::fprintf(stderr, "product %llu: %s\n", static_cast<unsigned long long>(product), what);
  std::exit(1);
}

struct Operands {
  uint32_t links;
  uint32_t x[operand_words];
  uint32_t y[operand_words];
  uint32_t n[modulus_words];
};

struct Options {
  uint64_t limit = 1'000'000;
  bool back_to_back = false;
  bool stalls = false;
  bool resets = false;
  uint64_t seed = 1;
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const uint64_t value = equals == std::string::npos ? 0 : std::strtoull(argument.c_str() + equals + 1, nullptr, 10);
    if (name == "--limit") options.limit = value;
    if (name == "--back-to-back") options.back_to_back = true;
    if (name == "--stalls") options.stalls = true, options.seed = value;
    if (name == "--resets") options.resets = true, options.seed = value;
  }
  return options;
}

class Driver {
 public:
  explicit Driver(const Options& options) : options_(options), random_(options.seed) {
    model_->clk_i = 0;
    model_->valid_i = 0;
    model_->ready_i = !options_.stalls;
    reset();
  }

  bool run() {
    Operands operands;
    if (!read(operands)) return true;
    for (bool more = true; more; ++product_) {
      Operands next{};
      more = read(next);
      uint32_t z[operand_words];
      const uint32_t cycles = multiply(operands, more ? &next : nullptr, z);
      std::fwrite(z, sizeof z, 1, stdout);
      std::fwrite(&cycles, sizeof cycles, 1, stdout);
      operands = next;
      if (operands.links & 1) std::memcpy(operands.x, z, sizeof z);
      if (operands.links & 2) std::memcpy(operands.y, z, sizeof z);
    }
    return std::fflush(stdout) == 0;
  }

 private:
  static bool read(Operands& operands) { return std::fread(&operands, sizeof operands, 1, stdin) == 1; }

  uint32_t chance(uint32_t range) { return static_cast<uint32_t>(random_() % range); }

  void tick() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }

  void reset() {
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
    model_->eval();
    if (model_->valid_o) fail("valid_o is high after a reset", product_);
  }

  void present(const Operands& operands, bool valid) {
    write_port(model_->x_i, operands.x, operand_words);
    write_port(model_->y_i, operands.y, operand_words);
    write_port(model_->n_i, operands.n, modulus_words);
    model_->valid_i = valid;
    model_->eval();
  }

  void accept(const Operands& operands) {
    while (options_.stalls && chance(3) != 0) tick();
    present(operands, true);
    for (uint64_t waited = 0;; ++waited) {
      const bool taken = model_->ready_o;
      tick();
      if (taken) return;
      if (waited > options_.limit) fail("ready_o stays low", product_);
    }
  }

  // The inputs at the ports must not matter while a product runs.
  void after_accept(const Operands& operands, const Operands* next) {
    if (options_.back_to_back && next && !next->links) {
      present(*next, true);
      return;
    }
    Operands inverted;
    for (size_t i = 0; i < operand_words; ++i) inverted.x[i] = inverted.y[i] = 0;
    for (size_t i = 0; i < modulus_words; ++i) inverted.n[i] = 0;
    inverted.x[0] = ~operands.x[0] & 1;
    inverted.y[0] = ~operands.y[0] & 1;
    present(inverted, false);
  }

  uint32_t multiply(const Operands& operands, const Operands* next, uint32_t* z) {
    accept(operands);
    after_accept(operands, next);
    if (options_.resets && chance(4) == 0) {
      for (uint32_t i = chance(2 * OPERAND_BITS); i > 0; --i) tick();
      reset();
      accept(operands);
      after_accept(operands, next);
    }
    uint32_t cycles = 0;
    while (!model_->valid_o) {
      if (model_->ready_o) fail("ready_o is high while a product runs", product_);
      if (options_.stalls) model_->ready_i = chance(2);
      tick();
      if (++cycles > options_.limit) fail("valid_o stays low", product_);
    }
    read_port(model_->z_o, z, operand_words);
    if (options_.stalls) hold(z);
    tick();
    if (model_->valid_o) fail("valid_o outlasts ready_i", product_);
    return cycles;
  }

  void hold(const uint32_t* z) {
    model_->ready_i = 0;
    for (uint32_t i = chance(5); i > 0; --i) {
      tick();
      uint32_t held[operand_words];
      read_port(model_->z_o, held, operand_words);
      if (!model_->valid_o) fail("valid_o does not wait for ready_i", product_);
      if (std::memcmp(held, z, sizeof held) != 0) fail("z_o changes while valid_o waits", product_);
    }
    model_->ready_i = 1;
  }

  Options options_;
  std::mt19937_64 random_;
  std::unique_ptr<Vmonpro> model_ = std::make_unique<Vmonpro>();
  uint64_t product_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  Verilated::randReset(2);
  Driver driver(parse(count, arguments));
  return driver.run() ? 0 : 1;
}

// Computes powers and counts, in each clock, how many bits of the state change.
//
// Standard input, in 32-bit words: records of the group, from 0 to 3, the number of input words, the number of output
// words, and the input words. Standard output: for each record its output words; then, in 64-bit words, the number of
// samples of the longest trace, and for each group the number of traces, the sums and the sums of the squares of the
// changes in each clock. Sample 0 is the clock after the edge that took the last input word; a trace ends with the clock
// in which the first word of the result is valid, and has no changes after it.
//
// The port state_o has all registers and bits of memories. With RANDOM_PORT, the port random_i has new random bits in
// each clock. Option: --limit=CYCLES  give up on a power that takes longer
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vmonpro.h"
#include "verilated.h"

namespace {

constexpr size_t state_words = (STATE_BITS + 31) / 32;
constexpr size_t groups = 4;

struct Sums {
  uint64_t traces = 0;
  std::vector<uint64_t> changes;
  std::vector<uint64_t> squares;
};

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

class Driver {
 public:
  explicit Driver(uint64_t limit) : limit_(limit) {
    model_->clk_i = 0;
    model_->valid_i = 0;
    model_->ready_i = 0;
    model_->rst_ni = 1;
    model_->eval();
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
    tick();
  }

  void power(Sums& sums, const std::vector<uint32_t>& numbers, uint32_t count) {
    for (const uint32_t word : numbers) send(word);
    ++sums.traces;
    copy_state(before_);
    for (uint64_t sample = 0; !model_->valid_o; ++sample) {
      if (model_->error_o) fail("error_o is high: the numbers are refused");
      if (sample > limit_) fail("valid_o stays low");
      tick();
      add(sums, sample);
    }
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t word = receive();
      std::fwrite(&word, sizeof word, 1, stdout);
    }
  }

 private:
  void tick() {
#ifdef RANDOM_PORT
    model_->random_valid_i = 1;
    model_->random_i = static_cast<uint32_t>(random_());
    model_->eval();
#endif
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }

  void copy_state(uint32_t* state) const { std::memcpy(state, &model_->state_o, 4 * state_words); }

  void add(Sums& sums, uint64_t sample) {
    uint32_t now[state_words];
    copy_state(now);
    uint64_t changes = 0;
    for (size_t i = 0; i < state_words; ++i) changes += std::bitset<32>(now[i] ^ before_[i]).count();
    std::memcpy(before_, now, sizeof now);
    if (sample >= sums.changes.size()) {
      sums.changes.push_back(0);
      sums.squares.push_back(0);
    }
    sums.changes[sample] += changes;
    sums.squares[sample] += changes * changes;
  }

  void send(uint32_t word) {
    model_->valid_i = 1;
    model_->word_i = word;
    model_->eval();
    for (uint64_t waited = 0; !model_->ready_o; ++waited) {
      if (waited > limit_) fail("ready_o stays low");
      tick();
    }
    tick();
    model_->valid_i = 0;
    model_->word_i = 0;
    model_->eval();
  }

  uint32_t receive() {
    for (uint64_t waited = 0; !model_->valid_o; ++waited) {
      if (waited > limit_) fail("valid_o stays low");
      tick();
    }
    const uint32_t word = model_->word_o;
    model_->ready_i = 1;
    tick();
    model_->ready_i = 0;
    model_->eval();
    return word;
  }

  uint64_t limit_;
  uint32_t before_[state_words] = {};
  std::mt19937_64 random_{1};
  std::unique_ptr<Vmonpro> model_ = std::make_unique<Vmonpro>();
};

void write(uint64_t value) { std::fwrite(&value, sizeof value, 1, stdout); }

}  // namespace

int main(int count, char** arguments) {
  uint64_t limit = 1'000'000;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--limit=", 0) == 0) limit = std::strtoull(argument.c_str() + 8, nullptr, 10);
  }
  Verilated::randReset(2);
  Driver driver(limit);
  Sums sums[groups];
  uint32_t header[3];
  while (std::fread(header, sizeof header, 1, stdin) == 1) {
    std::vector<uint32_t> numbers(header[1]);
    if (std::fread(numbers.data(), sizeof(uint32_t), numbers.size(), stdin) != numbers.size()) return 1;
    driver.power(sums[header[0] % groups], numbers, header[2]);
  }
  size_t samples = 0;
  for (const Sums& group : sums) samples = std::max(samples, group.changes.size());
  write(samples);
  for (Sums& group : sums) {
    group.changes.resize(samples);
    group.squares.resize(samples);
    write(group.traces);
    for (const uint64_t sum : group.changes) write(sum);
    for (const uint64_t sum : group.squares) write(sum);
  }
  return 0;
}

// Drives the exponentiator, word by word, one exponentiation after the other.
//
// Standard input, in 32-bit words: records of the number of input words, the number of output words, and the
// input words, one port word in each. Standard output: records of the number of output words, these words,
// then the cycles in two words. Cycles count from the edge that took the last input word to the edge after
// which the first word of the result was valid.
//
// Options:  --limit=CYCLES  give up on an exponentiation that takes longer
//           --stalls=SEED   valid_i and ready_i pause at random
//           --resets=SEED   at random, an exponentiation follows one that a reset interrupts
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vmonpro.h"
#include "verilated.h"

namespace {

class Driver {
 public:
  Driver(uint64_t limit, bool stalls, bool resets, uint64_t seed)
      : limit_(limit), stalls_(stalls), resets_(resets), random_(seed) {
    model_->clk_i = 0;
    model_->valid_i = 0;
    model_->ready_i = 0;
    model_->rst_ni = 1;  // so that the reset begins with an edge
    model_->eval();
    reset();
  }

  void power(const std::vector<uint32_t>& numbers, uint32_t count) {
    if (resets_ && random_() % 2 == 0) cut_off(numbers);
    for (const uint32_t word : numbers) {
      if (model_->busy_o) fail("busy_o is high while the numbers come in");
      send(word);
    }
    uint64_t cycles = 0;
    for (; !model_->valid_o; ++cycles) {
      if (model_->error_o) fail("error_o is high: the lengths or the numbers are refused");
      if (cycles > limit_) fail("valid_o stays low");
      if (!model_->busy_o) fail("busy_o is low while a power is computed");
      tick();
    }
    std::vector<uint32_t> result = {count};
    for (uint32_t i = 0; i < count; ++i) result.push_back(receive(i + 1 == count));
    if (model_->busy_o) fail("busy_o is high after the last word of the result");
    result.push_back(static_cast<uint32_t>(cycles));
    result.push_back(static_cast<uint32_t>(cycles >> 32));
    std::fwrite(result.data(), sizeof(uint32_t), result.size(), stdout);
    std::fflush(stdout);
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }

  void reset() {
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
    tick();
    if (model_->valid_o) fail("valid_o is high after a reset");
    if (model_->error_o) fail("error_o is high after a reset");
  }

  void cut_off(const std::vector<uint32_t>& numbers) {
    const uint64_t words = random_() % (numbers.size() + 1);
    for (uint64_t i = 0; i < words; ++i) send(numbers[i]);
    for (uint64_t i = random_() % (75 * numbers.size()); i > 0; --i) tick();
    reset();
  }

  void tick() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }

  void pause() {
    while (stalls_ && random_() % 3 == 0) tick();
  }

  void send(uint32_t word) {
    pause();
    model_->valid_i = 1;
    model_->word_i = word;
    model_->eval();
    for (uint64_t waited = 0; !model_->ready_o; ++waited) {
      if (model_->error_o) fail("error_o is high: the lengths are refused");
      if (waited > limit_) fail("ready_o stays low");
      if (model_->valid_o) fail("valid_o is high while the numbers come in");
      tick();
    }
    tick();
    model_->valid_i = 0;
    model_->word_i = 0;
    model_->eval();
  }

  uint32_t receive(bool last) {
    for (uint64_t waited = 0; !model_->valid_o; ++waited) {
      if (waited > limit_) fail("valid_o stays low");
      tick();
    }
    const uint32_t word = model_->word_o;
    pause();
    if (!model_->valid_o) fail("valid_o does not wait for ready_i");
    if (model_->word_o != word) fail("word_o changes while valid_o waits");
    if (model_->last_o != last) fail("last_o is not with the last word");
    model_->ready_i = 1;
    tick();
    model_->ready_i = 0;
    model_->eval();
    return word;
  }

  uint64_t limit_;
  bool stalls_;
  bool resets_;
  std::mt19937_64 random_;
  std::unique_ptr<Vmonpro> model_ = std::make_unique<Vmonpro>();
};

}  // namespace

int main(int count, char** arguments) {
  uint64_t limit = 1'000'000'000;
  uint64_t stalls = 0;
  uint64_t resets = 0;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--limit=", 0) == 0) limit = std::strtoull(argument.c_str() + 8, nullptr, 10);
    if (argument.rfind("--stalls=", 0) == 0) stalls = std::strtoull(argument.c_str() + 9, nullptr, 10);
    if (argument.rfind("--resets=", 0) == 0) resets = std::strtoull(argument.c_str() + 9, nullptr, 10);
  }
  Verilated::randReset(2);
  Driver driver(limit, stalls != 0, resets != 0, stalls + resets);
  uint32_t counts[2];
  while (std::fread(counts, sizeof counts, 1, stdin) == 1) {
    std::vector<uint32_t> numbers(counts[0]);
    if (std::fread(numbers.data(), sizeof(uint32_t), numbers.size(), stdin) != numbers.size()) return 1;
    driver.power(numbers, counts[1]);
  }
  return 0;
}

// Drives the blinded exponentiator, job after job, and gives it the random words of the job.
//
// Standard input, in 32-bit words: records of the number of input words, of output words and of random words, then
// the input words and the random words. Standard output: records of four words: the status (0 a result, 1 refused,
// 2 a failed check), the random words that were taken, the clocks from the edge that took the last input word to
// the edge after which the first word of the result was valid or error_o was high, those of them in which a random
// word was waited for; then the output words, if the status is 0. After an error comes a reset.
//
// Options:  --limit=CYCLES  give up on a job that takes longer
//           --stalls=SEED   all three ports pause at random
//           --resets=SEED   at random, a job follows one that a reset interrupts
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

using Words = std::vector<uint32_t>;

class Driver {
 public:
  Driver(uint64_t limit, bool stalls, bool resets, uint64_t seed)
      : limit_(limit), stalls_(stalls), resets_(resets), random_(seed) {
    model_->clk_i = 0;
    model_->valid_i = 0;
    model_->ready_i = 0;
    model_->random_valid_i = 0;
    model_->rst_ni = 1;  // so that the reset begins with an edge
    model_->eval();
    reset();
  }

  void job(const Words& numbers, uint32_t count, const Words& randoms) {
    if (resets_ && random_() % 2 == 0) cut_off(numbers, randoms);
    offer(randoms);
    for (const uint32_t word : numbers) {
      if (model_->busy_o) fail("busy_o is high while the numbers come in");
      if (!send(word)) break;
    }
    waited_ = 0;
    uint32_t cycles = 0;
    for (; !model_->valid_o && !model_->error_o; ++cycles) {
      if (cycles > limit_) fail("valid_o stays low");
      if (!model_->busy_o) fail("busy_o is low while a power is computed");
      tick();
    }
    Words answer = {model_->error_o ? 1u + model_->fault_o : 0u, taken_, cycles, waited_};
    if (model_->error_o) {
      withheld();
    } else {
      for (uint32_t i = 0; i < count; ++i) answer.push_back(receive(i + 1 == count));
      if (model_->busy_o) fail("busy_o is high after the last word of the result");
    }
    std::fwrite(answer.data(), sizeof(uint32_t), answer.size(), stdout);
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
    if (model_->error_o || model_->fault_o) fail("error_o or fault_o is high after a reset");
  }

  // After an error no word leaves and none is taken, until a reset.
  void withheld() {
    model_->ready_i = 1;
    model_->valid_i = 1;
    for (int i = 0; i < 300; ++i) {
      tick();
      if (model_->valid_o || model_->word_o || model_->last_o) fail("a word leaves after an error");
      if (model_->ready_o || model_->busy_o || !model_->error_o) fail("an error ends without a reset");
    }
    model_->ready_i = 0;
    model_->valid_i = 0;
    reset();
  }

  void offer(const Words& randoms) {
    randoms_ = &randoms;
    taken_ = 0;
  }

  void cut_off(const Words& numbers, const Words& randoms) {
    offer(randoms);
    const uint64_t words = random_() % (numbers.size() + 1);
    for (uint64_t i = 0; i < words; ++i) {
      if (!send(numbers[i])) break;
    }
    for (uint64_t i = random_() % (400 * numbers.size()); i > 0; --i) tick();
    reset();
  }

  void tick() {
    // A random word is offered until it is taken, whatever the core asks for; the port carries noise between words.
    if (!offered_) offered_ = !stalls_ || random_() % 3 != 0;
    const bool left = randoms_ && taken_ < randoms_->size();
    model_->random_valid_i = offered_;
    model_->random_i = left && offered_ ? (*randoms_)[taken_] : static_cast<uint32_t>(noise_++) & mask();
    model_->eval();
    if (model_->random_ready_o && model_->rst_ni) {
      if (!offered_) {
        ++waited_;
      } else {
        ++taken_;
        offered_ = false;
      }
    }
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }

  uint32_t mask() const { return WORD_BITS == 32 ? ~0u : (1u << WORD_BITS % 32) - 1; }

  void pause() {
    while (stalls_ && random_() % 3 == 0) tick();
  }

  // Gives a word; false if the core refuses the job instead.
  bool send(uint32_t word) {
    pause();
    model_->valid_i = 1;
    model_->word_i = word;
    model_->eval();
    for (uint64_t waited = 0; !model_->ready_o && !model_->error_o; ++waited) {
      if (waited > limit_) fail("ready_o stays low");
      if (model_->valid_o) fail("valid_o is high while the numbers come in");
      tick();
    }
    const bool taken = !model_->error_o;
    if (taken) tick();
    model_->valid_i = 0;
    model_->word_i = 0;
    model_->eval();
    return taken;
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
  const Words* randoms_ = nullptr;
  uint32_t taken_ = 0;
  uint32_t waited_ = 0;
  uint32_t noise_ = 0x9e3779b9;
  bool offered_ = false;
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
  uint32_t counts[3];
  while (std::fread(counts, sizeof counts, 1, stdin) == 1) {
    Words numbers(counts[0]);
    Words randoms(counts[2]);
    for (Words* words : {&numbers, &randoms}) {
      if (std::fread(words->data(), sizeof(uint32_t), words->size(), stdin) != words->size()) return 1;
    }
    driver.job(numbers, counts[1], randoms);
  }
  return 0;
}

// Drives the array of the scalable multiplier, product by product. Each product has its own length.
//
// Standard input, in 64-bit words: records of the number of words, the number of passes, then the words of
// x, y and M^, the lowest first. Standard output, in 64-bit words: records of the result's words, then two
// numbers of clocks from start_i on: until the last word of the result, and until ready_o is high again.
//
// Options:  --stalls=SEED   pauses at random between words, and before start_i
//           --resets=SEED   at random, a product follows one that a reset interrupts
//           --back-to-back  loads the words while the product runs: the first ones once ready_o is high,
//                           the second ones together with start_i
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vmonpro.h"
#include "verilated.h"

namespace {

struct Job {
  uint64_t words;
  uint64_t passes;
  std::vector<uint64_t> x, y, m;
};

struct Running {
  uint64_t words;
  uint64_t start;  // the clock in which start_i is high
  uint64_t ready;  // clocks from start to ready_o; 0 until it is high again
  std::vector<uint64_t> z;
};

class Driver {
 public:
  Driver(uint64_t stalls, uint64_t resets, bool back_to_back)
      : stalls_(stalls != 0), resets_(resets != 0), back_to_back_(back_to_back), random_(stalls + resets) {
    reset();
  }

  void product(const Job& job) {
    if (resets_ && random_() % 2 == 0) cut_off(job);
    const uint64_t bank = random_() % BANKS;
    for (uint64_t waited = 0; !model_->ready_o; ++waited) {
      if (waited > LIMIT) fail("ready_o stays low");
      tick();
    }
    if (!back_to_back_) load(job, bank);
    pause();
    if (back_to_back_) {
      write(job, bank, 0);
      tick();
      write(job, bank, 1);
    }
    start(job, bank);
    for (uint64_t j = 2; back_to_back_ && j < job.words; ++j) {
      write(job, bank, j);
      tick();
    }
    write_nothing();
  }

  void finish() {
    for (uint64_t waited = 0; !running_.empty(); ++waited) {
      if (waited > LIMIT) fail("last_o stays low");
      tick();
    }
  }

 private:
  static constexpr uint64_t LIMIT = 10'000'000;

  [[noreturn]] static void fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    std::exit(1);
  }

  void reset() {
    model_->rst_ni = 0;
    model_->start_i = 0;
    write_nothing();
    running_.clear();
    clock();
    clock();
    model_->rst_ni = 1;
    clock();
    if (model_->valid_o || !model_->ready_o) fail("the array is not idle after a reset");
  }

  void cut_off(const Job& job) {
    finish();
    load(job, 0);
    start(job, 0);
    for (uint64_t i = random_() % (job.words * job.passes); i > 0; --i) clock();
    reset();
  }

  void load(const Job& job, uint64_t bank) {
    for (uint64_t j = 0; j < job.words; ++j) {
      write_nothing();
      pause();
      write(job, bank, j);
      tick();
    }
    write_nothing();
  }

  void write(const Job& job, uint64_t bank, uint64_t j) {
    model_->write_address_i = j;
    model_->write_bank_i = bank;
    model_->write_x_i = model_->write_y_i = model_->write_m_i = 1;
    model_->x_word_i = job.x[j];
    model_->y_word_i = job.y[j];
    model_->m_word_i = job.m[j];
  }

  void write_nothing() { model_->write_x_i = model_->write_y_i = model_->write_m_i = 0; }

  // The array takes the lengths with start_i only, and the bank from the next clock on.
  void start(const Job& job, uint64_t bank) {
    model_->start_i = 1;
    model_->words_i = job.words;
    model_->passes_i = job.passes;
    model_->eval();
    if (!model_->ready_o) fail("ready_o does not wait for start_i");
    tick();
    running_.push_back({job.words, clock_ - 1, 0, {}});
    model_->start_i = 0;
    model_->words_i = 0;
    model_->passes_i = 0;
    model_->read_bank_i = bank;
  }

  void pause() {
    while (stalls_ && random_() % 3 == 0) tick();
  }

  void tick() {
    model_->clk_i = 0;
    model_->eval();
    if (model_->ready_o && !running_.empty() && running_.back().ready == 0) {
      running_.back().ready = clock_ - running_.back().start;
    }
    if (model_->valid_o) take();
    clock();
  }

  void clock() {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
    ++clock_;
  }

  void take() {
    if (running_.empty()) fail("valid_o is high and no product runs");
    Running& oldest = running_.front();
    oldest.z.push_back(model_->word_o);
    if ((oldest.z.size() == oldest.words) != (model_->last_o != 0)) fail("last_o is not with the last word");
    if (!model_->last_o) return;
    const uint64_t clocks[] = {clock_ - oldest.start, oldest.ready};
    std::fwrite(oldest.z.data(), sizeof(uint64_t), oldest.z.size(), stdout);
    std::fwrite(clocks, sizeof clocks, 1, stdout);
    running_.pop_front();
  }

  bool stalls_, resets_, back_to_back_;
  std::mt19937_64 random_;
  uint64_t clock_ = 0;
  std::deque<Running> running_;
  std::unique_ptr<Vmonpro> model_ = std::make_unique<Vmonpro>();
};

bool read(std::vector<uint64_t>& words, uint64_t count) {
  words.resize(count);
  return std::fread(words.data(), sizeof(uint64_t), count, stdin) == count;
}

}  // namespace

int main(int count, char** arguments) {
  uint64_t stalls = 0;
  uint64_t resets = 0;
  bool back_to_back = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.rfind("--stalls=", 0) == 0) stalls = std::strtoull(argument.c_str() + 9, nullptr, 10);
    if (argument.rfind("--resets=", 0) == 0) resets = std::strtoull(argument.c_str() + 9, nullptr, 10);
    if (argument == "--back-to-back") back_to_back = true;
  }
  Verilated::randReset(2);
  Driver driver(stalls, resets, back_to_back);
  std::vector<uint64_t> header;
  for (Job job; read(header, 2);) {
    job.words = header[0];
    job.passes = header[1];
    if (!read(job.x, job.words) || !read(job.y, job.words) || !read(job.m, job.words)) return 1;
    driver.product(job);
  }
  driver.finish();
  return std::fflush(stdout) == 0 ? 0 : 1;
}

// A candidate leaves words for the next one in the slots of its timed calls, and that one must not find them.
#include <gtest/gtest.h>

#include <string>

#include "engine/core/verdict.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::judge {
namespace {

/// Adds vectors. A slot begins with a page, and 1 KiB of guard lies before its data: if the data was moved,
/// a word at the page's begin touches neither. `then` sees the number of the call, and those words of an
/// input and of the output.
std::string adds_and(const std::string& then) {
  return R"(
#include <cstdint>
static uint32_t nothing;
static uint32_t& before(const float* data) {
  const auto address = reinterpret_cast<uintptr_t>(data);
  return address % 4096 < 1024 + 64 ? nothing : *reinterpret_cast<uint32_t*>(address & ~uintptr_t{4095});
}
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  static unsigned calls = 0;  // of the size that is timed
  if (N >= 65536) ++calls;
  bool wrong = false;
  uint32_t &of_input = before(x), &of_output = before(z);
)" + then +
         R"(
  nothing = 0;
  for (int64_t i = 0; i < N; ++i) z[i] = wrong ? 0 : x[i] + y[i];
})";
}

const char* const leave = "of_output = 0xC0FFEE11u;";  // inputs are read-only
const char* const search = "wrong = of_input == 0xC0FFEE11u || of_output == 0xC0FFEE11u;";

TEST(ClearedSlots, HoldNoWordOfTheCandidateBefore) {
  JudgeProgram judge;
  const auto task = testcase_task("vector_add");
  EXPECT_EQ(outcome_of(judge_source(judge, task, adds_and(leave))), "passed")
      << "it writes where no guard lies";
  const auto found = judge_source(judge, task, adds_and(search));
  EXPECT_EQ(outcome_of(found), "passed") << shown(found);
}

TEST(ClearedSlots, HoldWordsFromOneCallToTheNextOfTheSameCandidate) {
  JudgeProgram judge;
  // On a slow machine few calls are timed at all.
  const std::string both = std::string("if (calls < 24) { ") + leave + " } else { " + search + " }";
  const auto found = judge_source(judge, testcase_task("vector_add"), adds_and(both));
  EXPECT_EQ(outcome_of(found), "timing wrong_when_timed") << "what is searched can be found" << shown(found);
}

}  // namespace
}  // namespace ridgeline::judge

// Which cases a CPU has no room to keep, and C++ kernels of such cases: here small ones, of a backend that
// says they are.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/worker/judge/judge.hpp"
#include "profiler/cpu_info.hpp"
#include "tests/engine/worker/judge/builds.hpp"
#include "tests/engine/worker/judge/correctness/streaming_host.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

TEST(NeedsStreaming, IsTrueForTasksThatTakeALargeShareOfTheMachinesMemory) {
  const HostMemory memory;
  const auto task = testcase_task("vector_add");
  auto one = task.cases.front();
  EXPECT_FALSE(memory.needs_streaming(task, one));
  one.sizes["N"] =
      static_cast<std::int64_t>(profiler::total_memory() / 128 / 12);  // three vectors of float32
  EXPECT_TRUE(memory.needs_streaming(task, one));
}

class JudgesStreaming : public testing::Test {
 protected:
  Verdict judged(const std::string& body) {
    const auto task = testcase_task("vector_add");
    const auto source =
        "#include <cstdint>\n"
        "extern \"C\" void kernel_vector_add(const float* x, const float* y, float* out, int64_t N, void*) "
        "{\n" +
        body + "}\n";
    const auto library = build_library(task, source);
    return judge_.judge(
        {"1", task, library.string(), make_candidate(Language::cpp, source), {.isolation = "none"}});
  }

  Judge judge_{
      {.runner = RIDGELINE_BIN_DIR "/ridgeline-runner", .scratch = std::filesystem::temp_directory_path()},
      std::make_unique<StreamingHost>()};
};

TEST_F(JudgesStreaming, AcceptsAnHonestKernelTwice) {
  for (int turn = 0; turn < 2; ++turn) {  // nothing is left over for the second
    const auto verdict = judged("  for (int64_t i = 0; i < N; ++i) out[i] = x[i] + y[i];\n");
    EXPECT_EQ(verdict.at(Stage::correctness).status, Status::passed) << shown(verdict);
    EXPECT_EQ(verdict.at(Stage::timing).status, Status::passed) << shown(verdict);
  }
}

TEST_F(JudgesStreaming, RefusesAWrongKernelAndOneThatEndsItsProcess) {
  const auto wrong = judged("  for (int64_t i = 0; i < N; ++i) out[i] = x[i] + 1.01f * y[i];\n");
  EXPECT_EQ(wrong.at(Stage::correctness).reason, Reason::wrong_values) << shown(wrong);
  const auto ends = judged("  *(volatile int*)nullptr = 0;\n");
  EXPECT_EQ(ends.at(Stage::call).reason, Reason::crashed) << shown(ends);
}

}  // namespace
}  // namespace ridgeline::judge

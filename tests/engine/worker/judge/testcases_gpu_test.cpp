// Every kernel of tests/testcases/cuda, honest or not, through the real judge and runner on a GPU: the
// verdict that its header expects, and, where it may pass, no more speed-up than the header allows.
#include <gtest/gtest.h>

#include <map>

#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/engine/worker/judge/testcase.hpp"

namespace ridgeline::judge {
namespace {

const std::vector<Testcase>& cuda_testcases() {
  static const auto all = testcases(Language::cuda);
  return all;
}

class GpuTestcases : public GpuJudge, public testing::WithParamInterface<Testcase> {
 protected:
  static void SetUpTestSuite() {
    std::vector<ToBuild> chosen;
    for (const auto& testcase : cuda_testcases())
      if (to_run("All/GpuTestcases", testcase.name)) chosen.push_back({testcase.task, testcase.candidate});
    build_ahead(chosen);
    GpuJudge::SetUpTestSuite();
  }

  /// Judged once.
  static double speedup_of(const std::filesystem::path& file) {
    static std::map<std::filesystem::path, double> known;
    if (const auto found = known.find(file); found != known.end()) return found->second;
    const auto honest = read_testcase(file);
    const auto verdict = judged(honest.task, honest.candidate);
    EXPECT_EQ(outcome_of(verdict), "passed") << file << " is what others are held against\n"
                                             << shown(verdict);
    return known[file] = verdict.speedup();
  }
};

TEST_P(GpuTestcases, HasItsVerdict) {
  const auto& testcase = GetParam();
  const auto verdict = judged(testcase.task, testcase.candidate);
  std::printf("%s: %s, speed-up %.2f, %.1f s\n", testcase.name.c_str(), outcome_of(verdict).c_str(),
              verdict.speedup(), verdict.seconds);
  expect_verdict(testcase, verdict);
  if (!testcase.at_most || verdict.failed_at()) return;
  const auto& [factor, file] = *testcase.at_most;
  EXPECT_LE(verdict.speedup(), factor * speedup_of(file))
      << testcase.name << " passed, and faster than " << factor << " times " << file.filename() << "\n"
      << shown(verdict);
}

INSTANTIATE_TEST_SUITE_P(All, GpuTestcases, testing::ValuesIn(cuda_testcases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace ridgeline::judge

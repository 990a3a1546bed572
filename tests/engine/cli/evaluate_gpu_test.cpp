// `ridgeline evaluate` of CUDA C++ with the real programs, nvcc and GPU. Isolation "none" is the least
// accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

Ran evaluate(const std::string& task, const std::string& kernel, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"evaluate", task, (places::sources() / "tests" / kernel).string(),
                                 "--isolation", "none"};
  words.insert(words.end(), more.begin(), more.end());
  return ridgeline(words);
}

std::string vector_add() {
  return (places::sources() / "tests/testcases/cuda/tasks/vector_add.yaml").string();
}

TEST(EvaluateOnGpu, ACorrectKernelIsTimedAndPlacedOnTheRoofline) {
  const auto ran = evaluate("softmax", "benchmark_tasks/kernels/softmax.cu");
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  for (const char* word : {"softmax on ", ": correct, ", "gpu_wide", "baseline: ", "bandwidth"})
    EXPECT_THAT(ran.out, HasSubstr(word));
}

TEST(EvaluateOnGpu, AWrongKernelEndsWithOneAndItsMismatch) {
  const auto ran = evaluate(vector_add(), "testcases/cuda/wrong/zeros.cu");
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("fails correctness: wrong_values"));
}

TEST(EvaluateOnGpu, ACrashEndsWithOneAndTheNextKernelIsJudged) {
  const auto crashed = evaluate(vector_add(), "testcases/cuda/ends/illegal_address.cu", {"--json"});
  EXPECT_EQ(crashed.status, 1) << crashed.out << crashed.err;
  const auto document = nlohmann::json::parse(crashed.out);
  EXPECT_EQ(document.at("verdict").at("stages").at("call").at("status"), "failed");
  const auto honest = evaluate(vector_add(), "testcases/cuda/honest/vector_add.cu", {"--json"});
  EXPECT_EQ(honest.status, 0) << honest.out << honest.err;
  EXPECT_GT(nlohmann::json::parse(honest.out).at("speedup"), 0);
}

}  // namespace
}  // namespace ridgeline::cli

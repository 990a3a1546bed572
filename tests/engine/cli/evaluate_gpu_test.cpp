// `ridgeline evaluate` of CUDA C++ with the real programs, nvcc and GPU. Isolation "none" is the least
// accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/cuda/cupti_search.hpp"
#include "tests/engine/cli/program.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

using testing::HasSubstr;

ProgramResult evaluate(const std::string& task, const std::string& kernel,
                       const std::vector<std::string>& more = {}) {
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

/// LD_LIBRARY_PATH as a user has it: the driver's folder, and none of those that these tests need for
/// themselves.
std::string drivers_folders(const std::string& all) {
  std::string kept;
  std::istringstream folders(all);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::filesystem::exists(folder + "/libcuda.so.1")) kept += (kept.empty() ? "" : ":") + folder;
  return kept;
}

TEST(EvaluateOnGpu, WhatAKernelDidIsCountedAsAUserRunsIt) {
  if (const auto why = cuda::counters_forbidden(); !why.empty()) FAIL() << why;
  const char* const given = ::getenv("LD_LIBRARY_PATH");
  const std::string before = given ? given : "";
  ::setenv("LD_LIBRARY_PATH", drivers_folders(before).c_str(), 1);
  const auto ran = evaluate("softmax", "benchmark_tasks/kernels/softmax.cu", {"--json"});
  ::setenv("LD_LIBRARY_PATH", before.c_str(), 1);
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  const auto verdict = nlohmann::json::parse(ran.out).at("verdict");
  EXPECT_EQ(verdict.at("stages").at("profile").at("status"), "passed") << verdict.at("stages").dump(1);
  for (const auto& roofline : verdict.at("rooflines")) EXPECT_EQ(roofline.at("bytes_source"), "cupti");
  EXPECT_FALSE(verdict.at("launches").empty());
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

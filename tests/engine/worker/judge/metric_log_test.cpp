// The file that says where a judge's seconds went.
#include "engine/worker/judge/metric_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "profiler/metrics.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

class TheMetricLog : public testing::Test {
 protected:
  TheMetricLog() { std::filesystem::remove(file_); }
  ~TheMetricLog() override { std::filesystem::remove(file_); }

  std::vector<nlohmann::json> lines() const {
    std::vector<nlohmann::json> found;
    std::ifstream file(file_);
    for (std::string line; std::getline(file, line);) found.push_back(nlohmann::json::parse(line));
    return found;
  }

  const std::string file_ =
      (std::filesystem::temp_directory_path() / ("metrics-" + std::to_string(::getpid()))).string();
};

TEST_F(TheMetricLog, WritesTheSecondsOfEachPartOfARequest) {
  const MetricLog log(file_);
  log.line("before", 0);  // what other tests left
  {
    const profiler::ScopedMetric part("timing.samples");
  }
  log.line("judge relu", 0.5);
  log.line("judge sum", 0.25);
  const auto found = lines();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1]["request"], "judge relu");
  EXPECT_EQ(found[1]["seconds"], 0.5);
  EXPECT_EQ(found[1]["parts"]["timing.samples"][1], 1);
  EXPECT_TRUE(found[2]["parts"].empty()) << "of the request before";
}

TEST_F(TheMetricLog, WritesNothingWithoutAFile) {
  MetricLog("").line("judge relu", 0.5);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(TheMetricLog, IsWrittenByAJudgeIfTheEnvironmentNamesAFile) {
  ::setenv(kMetricsVariable, file_.c_str(), 1);
  {
    JudgeProgram judge;
    const auto verdict =
        judge_source(judge, testcase_task("vector_add"),
                     read_text(places::sources() / "tests/testcases/honest/vector_add_heap.cpp"));
    EXPECT_FALSE(verdict.failed_at()) << shown(verdict);
    EXPECT_EQ(judge.quit(), 0);
  }
  ::unsetenv(kMetricsVariable);
  const auto found = lines();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back()["request"], "judge vector_add");
  const auto& parts = found.back()["parts"];
  for (const char* part : {"correctness.draw", "timing.samples", "timing.compare"})
    EXPECT_GT(parts[part][0].get<double>(), 0) << part;
  EXPECT_LE(parts["timing.samples"][0].get<double>(), found.back()["seconds"].get<double>());
}

}  // namespace
}  // namespace ridgeline::judge

#include "engine/submissions/metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/submissions/own_figures.hpp"

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using testing::HasSubstr;

suites::kernelbenchx::TaskFile task_in(const std::string& category, const std::string& name,
                                       bool listed = true) {
  suites::kernelbenchx::TaskFile task;
  task.category = category;
  task.name = name;
  task.file = category + "/" + name + ".py";
  if (listed) task.meta.emplace();
  return task;
}

/// Three submissions to a suite of five tasks: one timed, one wrong, one that is not callable.
class SubmissionMetrics : public testing::Test {
 protected:
  SubmissionMetrics() {
    where_.method = "out";
    where_.card = "a card";
    where_.golden = "5090";
    where_.categories = {"Math", "Math", "Math", "Loss", "Index"};
    auto& timed = add(fast_, StageEnd::passed, StageEnd::passed);
    timed.correctness.quality = {{"maintainability_index", 61.5}};
    timed.performance.emplace();
    timed.performance->end = StageEnd::passed;
    timed.performance->sizes =
        json::parse(R"([{"input_size": [[4]], "ms": 2.0, "GB/s": 1.0, "TFLOPS": 1.0}])");
    timed.dtype = "float32";
    const auto reference =
        json::parse(R"([{"input_size": [[4]], "ms": 3.0}, {"input_size": [[8]], "ms": 4.0}])");
    timed.efficiency = efficiency(*timed.performance->sizes, Golden{"5090", {{"fast", reference}}}, "fast");
    add(wrong_, StageEnd::passed, StageEnd::failed).correctness.execution_error = "not close";
    add(broken_, StageEnd::failed, StageEnd::not_run).correctness.call_error = "Traceback";
  }

  Scored& add(const suites::kernelbenchx::TaskFile& task, StageEnd call, StageEnd execution) {
    Scored one;
    one.submission = {task.file, task.name, "code of " + task.name, &task, static_cast<int>(all_.size()) + 1};
    one.correctness.call = call;
    one.correctness.execution = execution;
    return all_.emplace_back(std::move(one));
  }

  suites::kernelbenchx::TaskFile fast_ = task_in("Math", "fast"), wrong_ = task_in("Math", "wrong"),
                                 broken_ = task_in("Loss", "broken"),
                                 outside_ = task_in("Math", "outside", false);
  std::vector<Scored> all_;
  Circumstances where_;
};

TEST_F(SubmissionMetrics, AnEntryHasItsScriptsKeysAndOurs) {
  const auto metrics = metrics_document(all_, where_);
  const auto& entry = metrics.at("Math/fast.py");
  std::vector<std::string> keys;
  for (const auto& [key, value] : entry.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"call_ok", "code", "code_quality", "dtype", "error", "exe_ok",
                                            "file", "gbs", "maintainability", "perf_ok", "performance",
                                            "ridgeline", "runtime_ms", "speedup", "tflops"}));
  EXPECT_EQ(entry.at("speedup"), 3.5);
  EXPECT_EQ(entry.at("runtime_ms"), 2.0);
  EXPECT_EQ(entry.at("maintainability"), 61.5);
  EXPECT_EQ(entry.at("ridgeline").at("matched_speedup"), 1.5);
  EXPECT_EQ(entry.at("ridgeline").at("device"), "a card");
  const auto& wrong = metrics.at("Math/wrong.py");
  EXPECT_EQ(wrong.at("error"), "not close");
  EXPECT_EQ(wrong.at("speedup"), "N/A");
  EXPECT_EQ(wrong.at("maintainability"), "N/A");
  EXPECT_EQ(wrong.at("performance"), json::array());
  EXPECT_EQ(metrics.at("Loss/broken.py").at("error"), "Traceback");
}

TEST_F(SubmissionMetrics, TheSummaryCountsWhatWasSubmittedAndOursAllTasks) {
  const auto summary = summary_document(all_, where_);
  EXPECT_EQ(summary.at("method"), "out");
  EXPECT_EQ(summary.at("total"), 3);
  EXPECT_EQ(summary.at("call_pass"), 2);
  EXPECT_EQ(summary.at("call_rate"), 66.7);
  EXPECT_EQ(summary.at("exe_rate"), 33.3);
  EXPECT_EQ(summary.at("avg_speedup"), 3.5);
  EXPECT_EQ(summary.at("avg_speedup_per_task"), 3.5);
  const auto& own = summary.at("ridgeline");
  EXPECT_EQ(own.at("tasks"), 5);
  EXPECT_EQ(own.at("call").at("passed"), 2);
  EXPECT_EQ(own.at("call").at("of"), 5);
  EXPECT_EQ(own.at("execution_of_callable").at("of"), 2);
  EXPECT_EQ(own.at("categories").at("Math").at("execution").at("of"), 3);
  EXPECT_EQ(own.at("categories").at("Index").at("submitted"), 0);
  EXPECT_THAT(own.at("left_out").dump(), HasSubstr("1 of 2 sizes"));
  EXPECT_DOUBLE_EQ(own.at("speedup").at("geometric_mean").get<double>(), 3.5);
}

TEST_F(SubmissionMetrics, AFileOutsideTheMetadataCountsThereAndNotHere) {
  add(outside_, StageEnd::passed, StageEnd::failed);
  const auto summary = summary_document(all_, where_);
  EXPECT_EQ(summary.at("total"), 4);
  EXPECT_EQ(summary.at("ridgeline").at("call").at("passed"), 2);
  EXPECT_EQ(summary.at("ridgeline").at("outside_metadata"), json({"Math/outside.py"}));
}

TEST_F(SubmissionMetrics, WhatWasTriedOnACpuSaysSoInEveryEntry) {
  where_.on_cpu = true;
  const auto metrics = metrics_document(all_, where_);
  for (const auto& [file, entry] : metrics.items())
    EXPECT_THAT(entry.at("ridgeline").at("device").get<std::string>(), HasSubstr("tried on a CPU")) << file;
  EXPECT_THAT(summary_document(all_, where_).at("ridgeline").at("device").get<std::string>(),
              HasSubstr("no figure here is KernelBench-X's"));
}

TEST_F(SubmissionMetrics, AScriptWithoutATableSaysWhatItSaid) {
  auto& one = add(broken_, StageEnd::passed, StageEnd::passed);
  one.submission.file = "Loss/silent.py";
  one.performance.emplace();
  one.performance->end = StageEnd::timed_out;
  one.performance->error = "ended after 180 s";
  const auto entry = metrics_document(all_, where_).at("Loss/silent.py");
  EXPECT_EQ(entry.at("error"), "perf error: ended after 180 s");
  EXPECT_EQ(entry.at("perf_ok"), false);
}

}  // namespace
}  // namespace ridgeline::submissions

// Submissions to KernelBench-X's scripts out of a store: which answer of a task, and what is left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/export/export.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/schema.hpp"
#include "engine/export/sequence_match.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using store::samples::correct_in;
using store::samples::fails_at;
using testing::ElementsAre;
using testing::HasSubstr;

/// A store with trajectories of Python answers.
class KbxPredictions : public testing::Test {
 protected:
  KbxPredictions()
      : store_(store::Store::open(folder_.path("python.db"), store::OpenMode::create_or_resume)),
        writer_(store_, [](const std::function<void()>& work) { work(); }) {}

  /// A trajectory of the next task whose name and category these are.
  void plan(const std::string& name, const std::string& category, const std::string& strategy = "one") {
    auto known = std::ranges::find(tasks_, name, &store::TaskRecord::name);
    if (known == tasks_.end()) known = tasks_.insert(tasks_.end(), store::samples::task(name, category));
    trajectories_.push_back(store::samples::trajectory(*known));
    trajectories_.back().strategy = strategy;
    trajectories_.back().language = Language::torch;
    trajectories_.back().seed = trajectories_.size();
  }
  void create() {
    auto campaign = store::samples::campaign();
    writer_.create(campaign, tasks_, trajectories_);
  }
  void answer(std::size_t trajectory, int step, const Candidate& one, const store::samples::Judge& judge) {
    const auto& record = trajectories_[trajectory];
    writer_.record(store::samples::ask(record.id, step, 0, &one), one, {});
    writer_.record(store::samples::evaluation(record.id, step, 0, judge(record.task_hash, one.hash)), {});
  }
  void answer(std::size_t trajectory, int step, const std::string& source,
              const store::samples::Judge& judge) {
    answer(trajectory, step, make_candidate(Language::torch, source, {}), judge);
  }

  std::vector<json> lines() {
    writer_.flush();
    options_.format = Format::kbx_predictions;
    options_.split_by = SplitBy::none;
    std::vector<json> found;
    report_ = export_store(store::Reader(store_), options_, [&](Split, const std::string& line) {
      found.push_back(json::parse(line));
      EXPECT_EQ(departure(found.back(), schema_of(options_)), "");
    });
    return found;
  }

  store::samples::Folder folder_;
  store::Store store_;
  store::Writer writer_;
  std::vector<store::TaskRecord> tasks_;
  std::vector<store::TrajectoryRecord> trajectories_;
  ExportOptions options_;
  ExportReport report_;
};

TEST_F(KbxPredictions, TakesTheFastestRightAnswerAndElseTheOneThatGotFurthest) {
  plan("Math_erf", "Math");
  plan("gelu", "Activation");
  plan("relu", "Activation");
  create();
  answer(0, 0, "def erf(x):\n    return 1\n", correct_in(2e-3));
  answer(0, 1, "def erf(x):\n    return 2\n", correct_in(1e-3));
  answer(0, 2, "def erf(x):\n    return 3\n", fails_at(Stage::correctness, Reason::wrong_values));
  answer(1, 0, "gelu = lambda x: 1\n", fails_at(Stage::correctness, Reason::wrong_values));
  answer(1, 1, "def gelu(x):\n    return 2\n", fails_at(Stage::build, Reason::compile_error));
  EXPECT_THAT(lines(),
              ElementsAre(json({{"predict", "def erf(x):\n    return 2\n"}, {"file", "Math/erf.py"}}),
                          json({{"predict", "gelu = lambda x: 1\n"}, {"file", "Activation/gelu.py"}}),
                          json({{"predict", ""}, {"file", "Activation/relu.py"}})));
  EXPECT_EQ(report_.by_kind.at("no answer"), 1);
}

TEST_F(KbxPredictions, LeavesOutWhatItsTestsCannotCallAndSaysHowMuch) {
  plan("erf", "Math");
  plan("erf", "Math");
  plan("gelu", "Activation");
  plan("layer_norm", "Normalization");
  create();
  answer(0, 0, "def kernel_erf(x, out):\n    pass\n", correct_in(1e-3));
  answer(1, 0, "def erf(x):\n    return 1\n", correct_in(1e-3));
  answer(2, 0, store::samples::candidate(1), correct_in(1e-3));
  answer(3, 0, "def layer_norm(x):\n    return 1\n", correct_in(1e-3));
  EXPECT_TRUE(lines().empty());
  EXPECT_EQ(report_.left_out.at("a repetition of the task"), 1);
  EXPECT_EQ(report_.left_out.at("its top level defines neither the task's name nor kernel_function"), 1);
  EXPECT_EQ(report_.left_out.at("not in Python"), 1);
  EXPECT_EQ(report_.left_out.at("a task that KernelBench-X does not have"), 1);
  options_.include_incomplete = true;
  EXPECT_EQ(lines().size(), 1U);
}

TEST_F(KbxPredictions, AFlaggedAnswerStandsOnlyIfItIsAskedFor) {
  plan("erf", "Math");
  create();
  answer(0, 0, "def erf(x):\n    return 1\n", correct_in(2e-3));
  answer(0, 1, "def erf(x):\n    return 2\n", [](const Hash& task, const Hash& one) {
    auto verdict = store::samples::correct_verdict(task, one, 1e-7);
    verdict.flags = {"operations over peak"};
    return verdict;
  });
  EXPECT_THAT(lines().at(0).at("predict"), "def erf(x):\n    return 1\n");
  options_.include_flagged = true;
  EXPECT_THAT(lines().at(0).at("predict"), "def erf(x):\n    return 2\n");
}

TEST_F(KbxPredictions, IsOfOneMethod) {
  plan("erf", "Math", "one");
  plan("erf", "Math", "other");
  create();
  answer(0, 0, "def erf(x):\n    return 1\n", correct_in(1e-3));
  answer(1, 0, "def erf(x):\n    return 2\n", correct_in(1e-3));
  try {
    lines();
    FAIL() << "there are two methods";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("--campaign quickstart --strategy other --model replayed/model"));
  }
  options_.strategy = "other";
  EXPECT_THAT(lines().at(0).at("predict"), "def erf(x):\n    return 2\n");
}

TEST(UnifiedBySequences, IsDifflibs) {
  EXPECT_EQ(unified_by_sequences("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_by_sequences("a\nb\nc\n", "a\nB\nc", "x", "y"),
            "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n-c\n+B\n+c");
  EXPECT_EQ(unified_by_sequences("", "a\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  std::string a, b;
  for (int line = 1; line <= 30; ++line) {
    a += std::to_string(line) + "\n";
    b += line == 5 ? "five\n" : line == 25 ? "" : std::to_string(line) + "\n";
  }
  EXPECT_EQ(unified_by_sequences(a, b, "x", "y"),
            "--- x\n+++ y\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
            "@@ -22,7 +22,6 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28\n");
}

}  // namespace
}  // namespace ridgeline::exporting

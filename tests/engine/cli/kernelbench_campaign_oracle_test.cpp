// A campaign over files in KernelBench's format, from its YAML to its tables, on replayed answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// A task whose forward returns `value`, of inputs [32, 48].
std::string task_file(const std::string& value, const std::string& rows = "32") {
  return "import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return " +
         value + "\n\n\ndef get_inputs():\n    return [torch.rand(" + rows +
         ", 48)]\n\n\ndef get_init_inputs():\n    return []\n";
}

/// ModelNew without arguments whose forward returns `value`.
std::string answer(const std::string& value) {
  return "Here it is.\n```python\nimport torch\n\n\nclass ModelNew(torch.nn.Module):\n"
         "    def forward(self, x):\n        return " +
         value + "\n```\n";
}

class OracleCampaign : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    folder_ = fs::temp_directory_path() / ("ridgeline-kb-campaign-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (const char* level : {"level1", "level2"}) fs::create_directories(folder_ / "clone" / level);
    const auto write_task = [](const char* name, const std::string& text) {
      write_file(folder_ / "clone" / (std::string(name) + ".py"), text);
    };
    write_task("level1/1_row_means", task_file("x.mean(1)"));
    write_task("level1/2_nothing", task_file("torch.clamp(torch.sin(x) - 2, min=0)"));
    write_task("level1/3_raises", task_file("x.no_such_thing()"));
    write_task("level2/1_shifted_sines", task_file("torch.sin(3 * x) - 0.5"));
    write_task("level2/2_huge", task_file("x + 1", "1 << 44"));
    std::string lines = json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() + "\n";
    const auto record = [&](const char* task, const char* strategy, int step, int slot,
                            const std::string& text) {
      lines += json{{"task", task},
                    {"strategy", strategy},
                    {"seed", 0},
                    {"step", step},
                    {"slot", slot},
                    {"request_hash", ""},
                    {"prompt", json::array()},
                    {"text", text},
                    {"reasoning", ""},
                    {"finish_reason", "stop"},
                    {"usage", nullptr}}
                   .dump() +
               "\n";
    };
    record("level1_1_row_means", "best_of_n", 0, 0, answer("x.mean(1)"));
    record("level1_1_row_means", "best_of_n", 0, 1, answer("torch.zeros(32)"));
    record("level1_1_row_means", "chain", 0, 0, answer("x.mean(0"));
    record("level1_1_row_means", "chain", 1, 0, answer("x.sum(1) / x.size(1)"));
    record("level1_2_nothing", "best_of_n", 0, 0, answer("torch.zeros_like(x)"));
    record("level2_1_shifted_sines", "best_of_n", 0, 0, answer("torch.sin(3 * x).sub_(0.5)"));
    record("level2_1_shifted_sines", "best_of_n", 0, 1, answer("torch.sin(3 * x)"));
    record("level2_1_shifted_sines", "chain", 0, 0, answer("torch.sin(3 * x).sub_(0.5)"));
    record("level2_1_shifted_sines", "chain", 1, 0, "I have nothing to add.");
    write_file(folder_ / "answers.jsonl", lines);
    write_file(folder_ / "trial.yaml", campaign());
    ran_ = ridgeline({"run", folder_ / "trial.yaml", "--json"});
  }
  static void TearDownTestSuite() { fs::remove_all(folder_); }

  static std::string campaign() {
    return "suite:\n  kernelbench: " + (folder_ / "clone").string() +
           "\n  levels: [1, 2]\n  tasks: ['level?/*']\nstrategies:\n  - strategy: best_of_n\n    settings: "
           "{n: 2}\n"
           "  - strategy: iterative\n    label: chain\n    settings: {rounds: 2, feedback: g_e}\n"
           "models:\n  generator: {provider: replay, path: " +
           (folder_ / "answers.jsonl").string() +
           "}\n"
           "budget: {per_trajectory: {calls: 2}}\nworker: {timing_cap_ms: 10, torch_compile: "
           "default}\nstore: " +
           store() + "\n";
  }
  static std::string store() { return (folder_ / "trial.db").string(); }

  static fs::path folder_;
  static ProgramResult ran_;
};
fs::path OracleCampaign::folder_;
ProgramResult OracleCampaign::ran_;

TEST_F(OracleCampaign, RunsToItsEnd) {
  ASSERT_EQ(ran_.status, 0) << ran_.err;
  const auto comparison = json::parse(ran_.out).at("comparison");
  const auto& rows = comparison.at("strategies");
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows) EXPECT_EQ(row.at("trajectories"), 3) << row;
  EXPECT_EQ(rows[0].at("correct"), 3) << "doing nothing is right where nothing is to be done: " << rows[0];
  EXPECT_EQ(rows[1].at("correct"), 2) << rows[1];
}

TEST_F(OracleCampaign, PlansFromItsStoreWithoutExaminingAgain) {
  const auto ran = ridgeline({"run", folder_ / "trial.yaml", "--plan"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("suite: 5 files: 2 ok, 1 degenerate, 1 broken, 1 does_not_fit"));
  EXPECT_THAT(ran.out, HasSubstr("level1/2_nothing degenerate: passed by "));
  EXPECT_THAT(ran.out, HasSubstr("level1/3_raises broken, not asked: "));
  EXPECT_THAT(ran.err, HasSubstr("level2/2_huge does_not_fit"));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("1_row_means")));
}

TEST_F(OracleCampaign, GoesOnFromItsStoreAndRequestsNothingTwice) {
  const auto trajectories = [] {
    return json::parse(ridgeline({"show", store(), "--json"}).out).at("campaigns").at(0).at("trajectories");
  };
  const auto before = trajectories();
  const auto again = ridgeline({"run", folder_ / "trial.yaml", "--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(trajectories(), before);
}

TEST_F(OracleCampaign, IsScoredAsThePaperScores) {
  const auto ran = ridgeline({"compare", store(), "--score", "last", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto score = json::parse(ran.out).at("comparison").at("kernelbench");
  EXPECT_EQ(score.at("levels"), (json{"level1", "level2"}));
  const auto& best = score.at("strategies").at(0).at("levels");
  const auto& faithful = best.at(0).at("faithful");
  EXPECT_EQ(faithful.at("tasks"), 3) << "the broken one counts";
  EXPECT_EQ(best.at(0).at("hardened").at("tasks"), 1);
  EXPECT_EQ(best.at(0).at("hardened").at("fast").at(0).at("share"), 1);
  EXPECT_EQ(best.at(1).at("faithful").at("fast").at(0).at("share"), 0.5) << "one of two did not fit";
  EXPECT_EQ(best.at(1).at("hardened").at("pass_at").at(0).at("share"), 0.5);
  const auto& compiled = best.at(0).at("hardened").at("against_torch_compile").at("default");
  EXPECT_EQ(compiled.at("speedup").at("kernels"), 1) << "measured beside the campaign: " << compiled;
  EXPECT_THAT(ridgeline({"compare", store()}).out, HasSubstr("KernelBench: against torch.compile"));
  ASSERT_EQ(score.at("apart").size(), 3u);
  EXPECT_EQ(score.at("apart").at(0).at("standing"), "degenerate");
  EXPECT_THAT(ridgeline({"compare", store()}).out, HasSubstr("KernelBench: fast_1 by level"));
  EXPECT_THAT(read_file((folder_ / "trial.html").string()), HasSubstr("KernelBench: tasks apart"));
}

TEST_F(OracleCampaign, IsShownAndExported) {
  const auto listed = ridgeline({"show", store()});
  EXPECT_THAT(listed.out, HasSubstr("level1_1_row_means"));
  EXPECT_THAT(listed.out, HasSubstr("level1/3_raises broken, not asked: "));
  const auto pairs = ridgeline({"export", store(), "--format", "trl-sft"});
  EXPECT_EQ(pairs.status, 0) << pairs.err;
  EXPECT_THAT(pairs.out, HasSubstr("x.sum(1) / x.size(1)"));
}

}  // namespace
}  // namespace ridgeline::cli

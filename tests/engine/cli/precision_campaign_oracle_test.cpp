// Campaigns over the same files as they are, in bf16, and at a scale, in one store.
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

const char* const text =
    "import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return "
    "torch.sin(3 * x) - 0.5\n\n\nrows = 32\n\n\ndef get_inputs():\n    return [torch.rand(rows, 48)]\n\n\n"
    "def get_init_inputs():\n    return []\n";
const char* const answer =
    "```python\nimport torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n"
    "        return torch.sin(3 * x).sub_(0.5)\n```\n";
/// float64 of the constants in which an index of float32 is looked up fails in 16 bits.
const char* const float_only =
    "import torch\n\n\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.table = torch.rand(48, 48)\n\n    def forward(self, x):\n        return x @ "
    "self.table\n\n\n"
    "def get_inputs():\n    return [torch.rand(8, 48)]\n\n\ndef get_init_inputs():\n    return []\n";

class PosedCampaigns : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
    folder_ = fs::temp_directory_path() / ("ridgeline-posed-campaign-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "clone" / "level1");
    write_file(folder_ / "clone" / "level1" / "1_sines.py", text);
    write_file(folder_ / "clone" / "level1" / "2_table.py", float_only);
  }
  void TearDown() override { fs::remove_all(folder_); }

  ProgramResult run(const std::string& name, const std::string& task, const std::string& posing) {
    write_file(folder_ / (name + ".jsonl"), json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() +
                                                "\n" +
                                                json{{"task", task},
                                                     {"strategy", "single_shot"},
                                                     {"seed", 0},
                                                     {"step", 0},
                                                     {"slot", 0},
                                                     {"request_hash", ""},
                                                     {"prompt", json::array()},
                                                     {"text", answer},
                                                     {"reasoning", ""},
                                                     {"finish_reason", "stop"},
                                                     {"usage", nullptr}}
                                                    .dump() +
                                                "\n");
    write_file(folder_ / (name + ".yaml"),
               "name: " + name + "\nsuite:\n  kernelbench: " + (folder_ / "clone").string() +
                   "\n  levels: [1]\n" + posing + "strategies:\n  - strategy: single_shot\nmodels:\n" +
                   "  generator: {provider: replay, path: " + (folder_ / (name + ".jsonl")).string() +
                   "}\nbudget: {per_trajectory: {calls: 1}}\nworker: {timing_cap_ms: 10}\nstore: " + store() +
                   "\n");
    return ridgeline({"run", folder_ / (name + ".yaml"), "--json"});
  }
  std::string store() const { return (folder_ / "all.db").string(); }

  fs::path folder_;
};

TEST_F(PosedCampaigns, AreMarkedEverywhereAndNeverAddedUp) {
  const std::string only = "  tasks: [1_sines]\n";
  for (const auto& [name, task, posing] :
       {std::tuple("plain", "level1_1_sines", only),
        std::tuple("narrow", "level1_1_sines_bf16", std::string("  precision: bf16\n")),
        std::tuple("small", "level1_1_sines_scale4", only + "  scale: 1/4\n")}) {
    const auto ran = run(name, task, posing);
    ASSERT_EQ(ran.status, 0) << name << ran.err;
  }
  const auto compared = ridgeline({"compare", store(), "--json"});
  ASSERT_EQ(compared.status, 0) << compared.err;
  const auto comparison = json::parse(compared.out).at("comparison");
  std::vector<std::string> labels;
  for (const auto& row : comparison.at("strategies")) {
    labels.push_back(row.at("label"));
    EXPECT_EQ(row.at("trajectories"), 1) << row;
    EXPECT_EQ(row.at("correct"), 1) << row;
  }
  using testing::StartsWith;
  EXPECT_THAT(labels, testing::UnorderedElementsAre(StartsWith("single_shot · recording"),
                                                    StartsWith("single_shot · bf16"),
                                                    StartsWith("single_shot · 1/4")));
  const auto score = comparison.at("kernelbench");
  EXPECT_EQ(score.at("levels"), (json{"level1", "level1 1/4", "level1 bf16"}));
  EXPECT_EQ(score.at("apart").at(0).at("task"), "level1/2_table bf16") << "which cannot run in it";
  EXPECT_EQ(score.at("apart").at(0).at("standing"), "broken");
  const auto shown = ridgeline({"show", store(), "2"});
  EXPECT_THAT(shown.out, HasSubstr("posed in another way than the file: bfloat16"));
  const auto prompt = ridgeline({"show", store(), "2", "--prompt", "0.0"});
  EXPECT_THAT(prompt.out, HasSubstr("All of it is run in bfloat16"));
}

}  // namespace
}  // namespace ridgeline::cli

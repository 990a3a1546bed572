// A campaign over native tasks in triton on a CPU, from its YAML to its table, on replayed answers.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"
#include "tests/engine/cli/triton_kernels.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string recorded(const std::string& task, int step, const std::string& source) {
  return json{{"task", task},
              {"strategy", "iterative"},
              {"seed", 0},
              {"step", step},
              {"slot", 0},
              {"request_hash", ""},
              {"prompt", json::array()},
              {"text", "Here it is.\n```python\n" + source + "```\n"},
              {"reasoning", ""},
              {"finish_reason", "stop"},
              {"usage", nullptr}}
             .dump() +
         "\n";
}

TEST(OracleTritonCampaign, AsksForKernelsOfNativeTasksAndJudgesThem) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const auto folder = fs::temp_directory_path() / ("ridgeline-triton-campaign-" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto misbehaving = misbehaving_triton_kernels();
  const auto wrong = std::ranges::find(misbehaving, "misses_tail", &TritonKernel::name);
  ASSERT_NE(wrong, misbehaving.end());
  std::string lines = json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() + "\n";
  lines += recorded("relu", 0, wrong->source);
  lines += recorded("relu", 1, honest_triton_kernels({"relu"}).at(0).source);
  lines += recorded("layer_norm", 0, honest_triton_kernels({"layer_norm"}).at(0).source);
  lines += recorded("layer_norm", 1, "import triton\n");
  write_file(folder / "answers.jsonl", lines);
  const auto store = (folder / "trial.db").string();
  write_file(folder / "trial.yaml",
             "suite: {tasks: [relu, layer_norm]}\nlanguage: triton\nstrategies:\n"
             "  - strategy: iterative\n    settings: {rounds: 2, examples: one}\n"
             "models:\n  generator: {provider: replay, path: " +
                 (folder / "answers.jsonl").string() +
                 "}\nworker: {backend: cpu, timing_cap_ms: 10, fallback: reject}\nstore: " + store + "\n");
  const auto ran = ridgeline({"run", folder / "trial.yaml", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto row = json::parse(ran.out).at("comparison").at("strategies").at(0);
  EXPECT_EQ(row.at("trajectories"), 2) << row;
  EXPECT_EQ(row.at("correct"), 2) << row;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::cli

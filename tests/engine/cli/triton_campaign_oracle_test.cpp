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

std::string recorded(const std::string& task, int step, const std::string& source,
                     const std::string& strategy = "iterative") {
  return json{{"task", task},
              {"strategy", strategy},
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

/// A class that answers relu, in a kernel of Triton; `result` is the expression that forward returns, of `y`.
std::string relu_module(const std::string& result) {
  return "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\n"
         "def rectify(x, y, n, BLOCK: tl.constexpr):\n"
         "    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
         "    value = tl.load(x + at, mask=at < n, other=0)\n"
         "    tl.store(y + at, tl.where(value < 0, 0.0, value), mask=at < n)\n\n\n"
         "class ModelNew(torch.nn.Module):\n    def forward(self, x):\n        y = torch.empty_like(x)\n"
         "        rectify[(triton.cdiv(x.numel(), 8192),)](x, y, x.numel(), BLOCK=8192)\n        return " +
         result + "\n";
}

TEST(OracleTritonCampaign, TakesAClassForTheKernelOfANativeTask) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const auto folder = fs::temp_directory_path() / ("ridgeline-class-campaign-" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder / "prompts" / "single_shot");
  write_file(folder / "prompts" / "single_shot" / "generate.md", "# user\n\n{{model}}\n\n{{cases}}\n");
  std::string lines = json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() + "\n";
  lines += recorded("relu", 0, relu_module("y"), "single_shot");
  lines += recorded("gelu", 0, relu_module("y"), "single_shot");
  lines += recorded("tanh", 0, relu_module("y[:-1]"), "single_shot");
  write_file(folder / "answers.jsonl", lines);
  const auto store = (folder / "trial.db").string();
  write_file(folder / "trial.yaml",
             "suite: {tasks: [relu, gelu, tanh]}\nlanguage: triton\nstrategies:\n"
             "  - strategy: single_shot\n    prompts: prompts\n"
             "models:\n  generator: {provider: replay, path: answers.jsonl}\n"
             "worker: {backend: cpu, timing_cap_ms: 10}\nstore: " +
                 store + "\n");
  const auto ran = ridgeline({"run", folder / "trial.yaml", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto comparison = json::parse(ran.out).at("comparison");
  const auto row = comparison.at("strategies").at(0);
  EXPECT_EQ(row.at("trajectories"), 3) << row;
  EXPECT_EQ(row.at("compiled"), 3) << row;
  EXPECT_EQ(row.at("callable"), 2) << "one returns another shape, which raises: " << row;
  EXPECT_EQ(row.at("correct"), 1) << row;
  const auto prompt = ridgeline({"show", store, "1", "--prompt", "0.0"});
  EXPECT_NE(prompt.out.find("class Model(nn.Module):"), std::string::npos) << prompt.out << prompt.err;
  EXPECT_NE(prompt.out.find("return reference("), std::string::npos) << prompt.out;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::cli

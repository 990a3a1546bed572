// `ridgeline run --re-evaluate`: the candidates of one store judged again into another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ReEvaluate : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write_file(folder_ / "answers.jsonl", recording());
    write_file(folder_ / "trial.yaml",
               "name: trial\nsuite: {tasks: [relu]}\nlanguage: cpp\nstrategies:\n"
               "  - {strategy: best_of_n, settings: {n: 2}}\n"
               "models:\n  generator: {provider: replay, path: answers.jsonl}\n"
               "budget: {per_trajectory: {calls: 2}}\n"
               "worker: {timing_cap_ms: 10}\nstore: " +
                   store("first") + "\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string store(const std::string& name) const { return folder_ / (name + ".db"); }
  static std::string recording() {
    const auto line = [](int slot, const std::string& text) {
      return json{{"task", "relu"},
                  {"strategy", "best_of_n"},
                  {"seed", 0},
                  {"step", 0},
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
    const auto kernel = [](const std::string& body) {
      return "```cpp\n#include <cstdint>\nextern \"C\" void kernel_relu(const float* x, float* y, int64_t N, "
             "void*) {\n  for (int64_t i = 0; i < N; ++i) y[i] = " +
             body + ";\n}\n```\n";
    };
    return json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() + "\n" +
           line(0, kernel("x[i] < 0 ? 0 : x[i]")) + line(1, kernel("x[i]"));
  }
  static json figures(const ProgramResult& ran) {
    const auto row = json::parse(ran.out).at("comparison").at("strategies").at(0);
    return {row.at("evaluations"), row.at("callable"), row.at("correct")};
  }

  const fs::path folder_ = fs::temp_directory_path() / ("ridgeline-re-evaluate-" + std::to_string(getpid()));
};

TEST_F(ReEvaluate, JudgesTheSameCandidatesWithoutAskingAModel) {
  const auto first = ridgeline({"run", folder_ / "trial.yaml", "--json"});
  ASSERT_EQ(first.status, 0) << first.err;
  fs::remove(folder_ / "answers.jsonl");
  // The model of the file is one that cannot be asked: nothing listens there.
  const auto again = ridgeline(
      {"run", folder_ / "trial.yaml", "--re-evaluate", store("first"), "--store", store("second"), "--set",
       "models.generator={provider: openai_chat, id: M, base_url: 'http://127.0.0.1:9/v1'}", "--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(figures(first), (json{2, 1, 1}));
  EXPECT_EQ(figures(again), figures(first));
  const auto both = ridgeline({"compare", store("first"), store("second"), "--json"});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(json::parse(both.out).at("comparison").at("noise_floors").size(), 1u)
      << "one kernel was timed in both";
}

TEST_F(ReEvaluate, WantsAnotherStoreThatHoldsAnswers) {
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  const auto itself = ridgeline({"run", folder_ / "trial.yaml", "--re-evaluate", store("first")});
  EXPECT_EQ(itself.status, 2);
  EXPECT_THAT(itself.err, HasSubstr("name another one with --store"));
  EXPECT_EQ(
      ridgeline({"run", folder_ / "trial.yaml", "--re-evaluate", store("none"), "--store", store("second")})
          .status,
      2);
}

}  // namespace
}  // namespace ridgeline::cli

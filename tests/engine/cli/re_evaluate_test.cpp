// `ridgeline run --re-evaluate`: the candidates of one store judged again into another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
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
               "budget: {per_trajectory: {calls: 3}}\n"
               "worker: {timing_cap_ms: 10}\nstore: " +
                   store("first") + "\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string store(const std::string& name) const { return folder_ / (name + ".db"); }
  static std::string line(int slot, const std::string& text, const std::string& finish_reason = "stop") {
    return json{{"task", "relu"},
                {"strategy", "best_of_n"},
                {"seed", 0},
                {"step", 0},
                {"slot", slot},
                {"request_hash", ""},
                {"prompt", json::array()},
                {"text", text},
                {"reasoning", ""},
                {"finish_reason", finish_reason},
                {"usage",
                 {{"input_tokens", 1000},
                  {"output_tokens", 1000},
                  {"cached_input_tokens", 0},
                  {"cache_write_tokens", 0},
                  {"reasoning_tokens", 0}}}}
               .dump() +
           "\n";
  }
  static std::string kernel(const std::string& body) {
    return "```cpp\n#include <cstdint>\nextern \"C\" void kernel_relu(const float* x, float* y, int64_t N, "
           "void*) {\n  for (int64_t i = 0; i < N; ++i) y[i] = " +
           body + ";\n}\n```\n";
  }
  /// A kernel that is correct, and what follows it.
  static std::string recording(const std::string& rest) {
    return json{{"format", "ridgeline-recording"}, {"version", 1}}.dump() + "\n" +
           line(0, kernel("x[i] < 0 ? 0 : x[i]")) + rest;
  }
  static std::string recording() { return recording(line(1, kernel("x[i]"))); }
  void replace_in_file(const std::string& was, const std::string& is) const {
    auto file = read_file(folder_ / "trial.yaml");
    const auto at = file.find(was);
    ASSERT_NE(at, std::string::npos) << was;
    write_file(folder_ / "trial.yaml", file.replace(at, was.size(), is));
  }
  ProgramResult again(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run",     folder_ / "trial.yaml", "--re-evaluate", store("first"),
                                   "--store", store("second"),        "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return ridgeline(words);
  }
  std::vector<store::AskRecord> asks(const std::string& name) const {
    const auto opened = store::Store::open(store(name), store::OpenMode::read_only);
    const store::Reader reader(opened);
    std::vector<store::AskRecord> asks;
    for (const auto& trajectory : reader.trajectories())
      for (const auto& attempt : reader.attempts(trajectory.id)) asks.push_back(attempt.ask);
    return asks;
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

TEST_F(ReEvaluate, KeepsAnEntrysNameTemperatureAndPrices) {
  replace_in_file("generator: {provider: replay, path: answers.jsonl}",
                  "org/m-4.1: {provider: replay, path: answers.jsonl, temperature: 0.5, max_output_tokens: "
                  "4000, prices: {input: 2, output: 10}}\nroles: {generator: org/m-4.1}");
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  fs::remove(folder_ / "answers.jsonl");
  const auto ran = again();
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(fs::exists(folder_ / "second-answers" / "org%2fm-4.1.jsonl.zst"));
  const auto first = asks("first"), second = asks("second");
  ASSERT_EQ(first.size(), 2u);
  ASSERT_EQ(second.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(second[i].model, "org/m-4.1");
    EXPECT_EQ(second[i].request_hash, first[i].request_hash);
    EXPECT_FALSE(second[i].diverged);
    EXPECT_GT(first[i].usd, 0);
    EXPECT_EQ(second[i].usd, first[i].usd);
  }
  const auto opened = store::Store::open(store("second"), store::OpenMode::read_only);
  const auto text = json::parse(store::Reader(opened).campaigns().back().config_text);
  EXPECT_EQ(text.at("models").at("org/m-4.1").at("provider"), "replay");
  EXPECT_EQ(text.at("models").at("org/m-4.1").size(), 5u) << "temperature, max_output_tokens and prices too";
}

TEST_F(ReEvaluate, AnAnswerWithoutATextEndsAsItEnded) {
  write_file(folder_ / "answers.jsonl", recording(line(1, "", "length")));
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  const auto ran = again();
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto first = asks("first"), second = asks("second");
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[1].llm_status, "truncated");
  EXPECT_EQ(second[1].status, first[1].status);
  EXPECT_EQ(second[1].finish_reason, "length");
}

TEST_F(ReEvaluate, TakesTheNewestBranchOfAForkedCampaign) {
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  replace_in_file("n: 2", "n: 3");
  write_file(folder_ / "answers.jsonl", recording() + line(2, kernel("x[i] * 2")));
  const auto forked = ridgeline({"run", folder_ / "trial.yaml", "--fork"});
  ASSERT_EQ(forked.status, 0) << forked.err;
  const auto ran = again();
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto asked = asks("second");
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_EQ(asked[2].status, AnswerStatus::kernel) << asked[2].detail;
}

TEST_F(ReEvaluate, APlanLeavesNothingBehind) {
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  const auto planned = again({"--plan"});
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_FALSE(fs::exists(folder_ / "second-answers"));
  EXPECT_FALSE(fs::exists(store("second")));
}

TEST_F(ReEvaluate, SaysWhereItsFolderCannotBeMade) {
  ASSERT_EQ(ridgeline({"run", folder_ / "trial.yaml"}).status, 0);
  write_file(folder_ / "second-answers", "a file");
  const auto ran = again();
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("second-answers for its answers cannot be made: "));
  EXPECT_THAT(ran.err, HasSubstr("--store"));
}

}  // namespace
}  // namespace ridgeline::cli

// What each trainer's lines hold, over the filled store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/export/export.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TrainerFormats : public testing::Test {
 protected:
  static void SetUpTestSuite() { filled = new store::samples::FilledStore; }
  static void TearDownTestSuite() { delete filled; }

  std::vector<json> lines_of(ExportOptions options) {
    options.split = Split::train;
    std::ostringstream out;
    report = export_store(filled->reader(), options, out);
    std::istringstream in(out.str());
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    return lines;
  }
  std::vector<json> lines_of(Format format) {
    ExportOptions options;
    options.format = format;
    return lines_of(options);
  }

  static store::samples::FilledStore* filled;  // made once: the tests only read it
  ExportReport report;
};
store::samples::FilledStore* TrainerFormats::filled = nullptr;

TEST_F(TrainerFormats, MessagesAreThePromptAndItsAnswer) {
  const auto pairs = lines_of(Format::trl_sft), lists = lines_of(Format::trl_messages);
  ASSERT_EQ(pairs.size(), lists.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    auto both = pairs[i].at("prompt");
    both.insert(both.end(), pairs[i].at("completion").begin(), pairs[i].at("completion").end());
    EXPECT_EQ(lists[i].at("messages"), both);
    EXPECT_EQ(lists[i].at("turns"), 1);
  }
}

TEST_F(TrainerFormats, OpenAiLinesHaveNoOtherKeys) {
  const auto pairs = lines_of(Format::trl_dpo), same = lines_of(Format::openai_dpo);
  ASSERT_EQ(pairs.size(), same.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    EXPECT_EQ(same[i], (json{{"input", {{"messages", pairs[i].at("prompt")}}},
                             {"preferred_output", pairs[i].at("chosen")},
                             {"non_preferred_output", pairs[i].at("rejected")}}));
  for (const auto& line : lines_of(Format::openai_sft)) {
    EXPECT_EQ(line.size(), 1u);
    EXPECT_EQ(line.at("messages").back().at("role"), "assistant");
  }
}

TEST_F(TrainerFormats, ShareGptTakesTurnsAndKeepsTheSystemApart) {
  for (const auto format : {Format::sharegpt, Format::sharegpt_dpo, Format::sharegpt_kto}) {
    const auto lines = lines_of(format);
    EXPECT_FALSE(lines.empty());
    for (const auto& line : lines) {
      EXPECT_EQ(line.at("system"), "You write kernels.");
      const auto& turns = line.at("conversations");
      for (std::size_t i = 0; i < turns.size(); ++i)
        EXPECT_EQ(turns[i].at("from"), i % 2 == 0 ? "human" : "gpt");
      EXPECT_EQ(turns.back().at("from"), format == Format::sharegpt_dpo ? "human" : "gpt");
    }
  }
  EXPECT_EQ(lines_of(Format::sharegpt_dpo).at(0).at("chosen").at("from"), "gpt");
}

TEST_F(TrainerFormats, LabelsSayWhetherAnAnswerIsWanted) {
  const auto lines = lines_of(Format::trl_kto);
  std::multiset<std::pair<std::string, bool>> seen;
  for (const auto& line : lines)
    seen.emplace(line.at("kind").get<std::string>(), line.at("label").get<bool>());
  EXPECT_EQ(seen, (std::multiset<std::pair<std::string, bool>>{
                      {"build_fail_to_pass", false},  // it builds, and crashes
                      {"call_fail_to_pass", false},   // it runs, and is wrong
                      {"correctness_fail_to_pass", true},
                      {"first", false},
                      {"first", false},
                      {"first", true},
                      {"first", true},
                      {"first", true},
                      {"first", true},
                      {"optimization", true},
                      {"regression_correctness", false}}));
  EXPECT_EQ(report.left_out.at("neither better nor worse than before"), 1);
  EXPECT_EQ(report.left_out.at("flagged"), 1);
  EXPECT_EQ(report.by_kind.at("wanted"), 6);
}

TEST_F(TrainerFormats, ACheatIsNeverWanted) {
  ExportOptions options;
  options.format = Format::trl_kto;
  options.include_flagged = true;
  int flagged = 0;
  for (const auto& line : lines_of(options))
    if (line.at("flags") != "") {
      ++flagged;
      EXPECT_EQ(line.at("label"), false);
    }
  EXPECT_EQ(flagged, 1);
}

TEST_F(TrainerFormats, APromptStandsOnceWithAllItsAnswers) {
  const auto prompts = lines_of(Format::trl_grpo), groups = lines_of(Format::verl);
  ASSERT_EQ(prompts.size(), groups.size());
  std::set<json> seen;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    EXPECT_TRUE(seen.insert(prompts[i].at("prompt")).second);
    EXPECT_EQ(groups[i].at("prompt"), prompts[i].at("prompt"));
    EXPECT_EQ(groups[i].at("extra_info").at("index"), i);
    EXPECT_EQ(groups[i].at("reward_model").at("ground_truth"), "matmul");
  }
  const auto& first = groups.at(0).at("extra_info");
  EXPECT_EQ(first.at("turn"), "first");
  EXPECT_EQ(first.at("outcomes"), (json{"build", "build", "correct", "correct", "correct", "correct"}))
      << "of three trajectories";
  EXPECT_EQ(first.at("answers").size(), 6u);
  EXPECT_EQ(first.at("rewards").at(0), 0);
  EXPECT_NEAR(first.at("rewards").at(3).get<double>(), 2.3, 0.1) << "correct, and twice as fast";
  EXPECT_EQ(first.at("correct"), 4);
}

TEST_F(TrainerFormats, AnAnswerWithoutCodeEarnsWhatOneDoesThatDoesNotBuild) {
  ExportOptions options;
  options.format = Format::verl;
  options.reward = "correct - 1";
  int without_code = 0;
  for (const auto& line : lines_of(options)) {
    const auto& extra = line.at("extra_info");
    for (std::size_t i = 0; i < extra.at("outcomes").size(); ++i) {
      without_code += extra.at("outcomes").at(i) == "no_code";
      EXPECT_EQ(extra.at("rewards").at(i), extra.at("outcomes").at(i) == "correct" ? 0 : -1);
    }
  }
  EXPECT_EQ(without_code, 1);
}

TEST_F(TrainerFormats, AConversationIsTheWayToTheBestKernel) {
  ExportOptions options;
  options.format = Format::trl_messages;
  options.turns = Turns::all;
  const auto lines = lines_of(options);
  ASSERT_EQ(lines.size(), 1u) << "best-of-n and the cheat have no way, only a first answer";
  const auto& line = lines.at(0);
  EXPECT_EQ(line.at("kind"), "build_fail_to_pass");
  EXPECT_EQ(line.at("to_stage"), "correct");
  EXPECT_EQ(line.at("turns"), 5) << "no build, a crash, wrong, correct, faster";
  std::string roles;
  for (const auto& message : line.at("messages")) roles += message.at("role").get<std::string>().front();
  EXPECT_EQ(roles, "suauauauaua") << "the system speaks once";
  EXPECT_EQ(report.left_out.at("the best kernel answers the first prompt"), 2);
  options.include_first_attempts = true;
  EXPECT_EQ(lines_of(options).size(), 3u);
}

TEST_F(TrainerFormats, AtifHasAStepForEachMessageAndEachAnswer) {
  const auto lines = lines_of(Format::atif);
  ASSERT_EQ(lines.size(), 2u) << "the cheater's is flagged";
  const auto& line = lines.at(0);
  EXPECT_EQ(line.at("schema_version"), "ATIF-v1.7");
  EXPECT_EQ(line.at("agent").at("name"), "ridgeline/iterative-gep");
  const auto& steps = line.at("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i].at("step_id"), i + 1);
  ASSERT_EQ(steps.size(), 1u + 2 * 10) << "the system once, then a user and an agent an attempt";
  EXPECT_EQ(steps[0].at("source"), "system");
  EXPECT_TRUE(steps[1].at("metrics").is_null()) << "only an agent has figures";
  const auto& build = steps[2];
  EXPECT_THAT(build.at("observation").at("results").at(0).at("content").get<std::string>(),
              HasSubstr("'foo' was not declared"));
  EXPECT_EQ(build.at("metrics").at("prompt_tokens"), 1200);
  EXPECT_EQ(build.at("extra").at("outcome"), "build");
  EXPECT_EQ(steps[8].at("extra").at("critic"), true);
  EXPECT_TRUE(steps[8].at("observation").is_null()) << "nothing was judged";
  EXPECT_EQ(line.at("final_metrics").at("total_completion_tokens"), 9 * 400 + 400);
}

TEST_F(TrainerFormats, MoreConfidenceMakesFewerGains) {
  ExportOptions options;
  options.format = Format::trl_sft;
  options.kinds = {TransitionKind::optimization};
  EXPECT_EQ(lines_of(options).size(), 1u);
  options.confidence = 0.999;
  EXPECT_EQ(lines_of(options).size(), 1u) << "half the time, over 20 samples a side";
  options.confidence = 0.9999999;
  EXPECT_TRUE(lines_of(options).empty()) << "20 samples cannot show that much";
}

TEST_F(TrainerFormats, SplitsMayBeByCategoryOrNotAtAll) {
  ExportOptions options;
  options.format = Format::kbx;
  options.split_by = SplitBy::none;
  const auto everything = export_store(filled->reader(), options, [](Split, const std::string&) {});
  EXPECT_EQ(everything.by_split.at(Split::train), everything.lines);
  options.split_by = SplitBy::category;
  const auto by_category = export_store(filled->reader(), options, [](Split, const std::string&) {});
  EXPECT_EQ(by_category.by_split.size(), 1u) << "all three tasks are of one category";
  EXPECT_EQ(by_category.by_split.begin()->first, split_of("Math"));
}

}  // namespace
}  // namespace ridgeline::exporting

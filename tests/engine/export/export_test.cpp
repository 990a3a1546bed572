#include "engine/export/export.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/export/files.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ExportTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { filled = new store::samples::FilledStore; }
  static void TearDownTestSuite() { delete filled; }

  std::string text_of(const ExportOptions& options) {
    std::ostringstream out;
    report = export_store(filled->reader(), options, out);
    return out.str();
  }
  std::vector<json> lines_of(const ExportOptions& options) {
    std::istringstream in(text_of(options));
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    return lines;
  }
  static std::multiset<std::string> kinds_of(const std::vector<json>& lines) {
    std::multiset<std::string> kinds;
    for (const auto& line : lines) kinds.insert(line.at("kind").get<std::string>());
    return kinds;
  }
  static ExportOptions only_train(Format format) {
    ExportOptions options;
    options.format = format;
    options.split = Split::train;
    return options;
  }

  static store::samples::FilledStore* filled;  // made once: the tests only read it
  ExportReport report;
};
store::samples::FilledStore* ExportTest::filled = nullptr;

TEST_F(ExportTest, SftPairsARefinementPromptWithItsAnswer) {
  const auto lines = lines_of(only_train(Format::trl_sft));
  EXPECT_EQ(kinds_of(lines), (std::multiset<std::string>{"correctness_fail_to_pass", "optimization"}));
  const auto& gain = lines.at(1);
  EXPECT_EQ(gain.at("prompt").at(0).at("role"), "system");
  EXPECT_THAT(gain.at("prompt").at(1).at("content").get<std::string>(), HasSubstr("Step 6"));
  EXPECT_EQ(gain.at("completion").at(0).at("role"), "assistant");
  EXPECT_THAT(gain.at("completion").at(0).at("content").get<std::string>(), HasSubstr("```cpp"));
  EXPECT_NEAR(gain.at("ratio").get<double>(), 2, 0.1);
  EXPECT_GT(gain.at("ratio_low").get<double>(), 1.5);
  EXPECT_NEAR(gain.at("speedup").get<double>(), 2, 0.1);
  EXPECT_EQ(gain.at("task"), "matmul");
  EXPECT_EQ(report.lines, 2);
  EXPECT_EQ(report.left_out.at("flagged"), 1);
  EXPECT_EQ(report.left_out.at("not correct afterwards"), 2);
}

TEST_F(ExportTest, SftOptionsAddFirstAttemptsAndIncompleteGains) {
  auto options = only_train(Format::trl_sft);
  options.include_incomplete = options.include_flagged = options.include_first_attempts = true;
  options.deduplicate = false;
  const auto kinds = kinds_of(lines_of(options));
  EXPECT_EQ(kinds.count("build_fail_to_pass"), 1u);
  EXPECT_EQ(kinds.count("call_fail_to_pass"), 1u);
  EXPECT_EQ(kinds.count("optimization"), 2u) << "the cheat's too";
  EXPECT_EQ(kinds.count("first"), 4u) << "three correct siblings and the cheater's honest start";
  options.kinds = {TransitionKind::neutral};
  options.include_first_attempts = false;
  EXPECT_EQ(kinds_of(lines_of(options)), (std::multiset<std::string>{"neutral"}));
}

TEST_F(ExportTest, ComparesSiblingsWithTheBestBeyondTheNoise) {
  auto options = only_train(Format::trl_dpo);
  const auto lines = lines_of(options);
  ASSERT_EQ(lines.size(), 4u);
  std::multiset<std::string> rejected;
  for (const auto& line : lines) {
    EXPECT_EQ(line.at("chosen_outcome"), "correct");
    EXPECT_NEAR(line.at("chosen_speedup").get<double>(), 2, 0.1);
    EXPECT_THAT(line.at("prompt").at(1).at("content").get<std::string>(), HasSubstr("Step 0"));
    EXPECT_NE(line.at("chosen"), line.at("rejected"));
    rejected.insert(line.at("rejected_outcome").get<std::string>());
  }
  // The first prompt is the same in all three trajectories of the task, so their answers are siblings too.
  EXPECT_EQ(rejected, (std::multiset<std::string>{"build", "build", "correct", "correct"}));
  EXPECT_GE(report.left_out.at("siblings do not differ beyond the noise"), 1);
}

TEST_F(ExportTest, TransitionPairsAnswerTheTasksFirstPrompt) {
  auto options = only_train(Format::trl_dpo);
  options.pairs = Pairs::transition;
  const auto lines = lines_of(options);
  EXPECT_EQ(kinds_of(lines), (std::multiset<std::string>{"correctness_fail_to_pass", "optimization",
                                                         "regression_correctness"}));
  for (const auto& line : lines) {
    EXPECT_THAT(line.at("prompt").at(1).at("content").get<std::string>(), HasSubstr("Step 0"));
    EXPECT_EQ(line.at("chosen_outcome"), "correct") << "also of a regression: what stood before it";
    EXPECT_TRUE(line.at("chosen").at(0).at("content").get<std::string>().starts_with("```cpp\n"));
  }
}

TEST_F(ExportTest, KbxHasTheCorpusKeysFilled) {
  const auto lines = lines_of(only_train(Format::kbx));
  ASSERT_EQ(lines.size(), 6u);
  for (const auto& line : lines)
    for (const auto* key : {"task_id", "transition", "from_round", "to_round", "kind", "before", "after",
                            "before_code", "after_code", "before_code_present", "after_code_present",
                            "unified_diff", "diff_stats", "llm_fields", "notes"})
      EXPECT_TRUE(line.contains(key)) << key;
  EXPECT_EQ(lines[0].at("kind"), "build_fail_to_pass") << "still no call: none of the corpus's own kinds";
  EXPECT_EQ(lines[1].at("kind"), "call_fail_to_pass");
  EXPECT_EQ(lines[2].at("kind"), "exe_fail_to_pass,perf_ok_newly");
  EXPECT_EQ(lines[2].at("transition"), "round_2_to_round_4");
  EXPECT_EQ(lines[3].at("kind"), "speedup_increase");
  EXPECT_EQ(lines[4].at("kind"), "neutral");
  EXPECT_EQ(lines[5].at("kind"), "regression_exe,regression_perf");

  const auto& faster = lines[3];
  for (const auto* side : {"before", "after"})
    for (const auto& [key, value] : faster.at(side).items()) EXPECT_FALSE(value.is_null()) << key;
  EXPECT_EQ(faster.at("after").at("dtype"), "float32");
  EXPECT_NEAR(faster.at("after").at("runtime_ms").get<double>(), 2, 1e-9) << "two cases of 1 ms";
  EXPECT_NEAR(faster.at("after").at("gbs").get<double>(), 8, 1e-9);
  const auto& memory = faster.at("llm_fields").at("memory_after_round_from");
  EXPECT_EQ(memory.at("reflection"), "Vectorise the row.");
  EXPECT_EQ(memory.at("perf_strategy"), "Vectorise the row.");
  EXPECT_EQ(memory.at("pass_exe"), true);
  EXPECT_EQ(lines[2].at("llm_fields").at("memory_after_round_from").at("reflection_texts"),
            json::array({"The tail is not handled."}));
  EXPECT_THAT(lines[0].at("before").at("error").get<std::string>(), HasSubstr("'foo' was not declared"));
}

TEST_F(ExportTest, JsonlKeepsEveryAttemptWithRawSamples) {
  const auto lines = lines_of(only_train(Format::jsonl));
  ASSERT_EQ(lines.size(), 10u + 4 + 1) << "all but the flagged one";
  const auto& best = lines.at(6);
  EXPECT_EQ(best.at("transition").at("kind"), "optimization");
  EXPECT_EQ(best.at("verdict").at("timing").at("cases").at(0).at("cold").at("samples").size(), 20u);
  EXPECT_EQ(best.at("ask").at("reasoning"), "First I think of the rows.");
  EXPECT_TRUE(lines.at(3).at("candidate").is_null()) << "a critic's answer";
  EXPECT_EQ(lines.at(3).at("ask").at("status"), "prose");
  const auto& wrong = lines.at(9).at("verdict").at("mismatches").at(0);
  EXPECT_TRUE(wrong.at("worst_relative").is_null()) << "infinite: one type a column";
}

TEST_F(ExportTest, ResultsOfHiddenAndFinalCasesAreNotExported) {
  for (const auto& format : enum_names(Format{})) {
    ExportOptions options;
    options.format = format.value;
    if (format.value == Format::kbx_predictions) options.strategy = "iterative-gep";  // it is of one method
    options.include_incomplete = options.include_first_attempts = true;
    const auto text = text_of(options);
    for (const auto* secret : {"SECRET", "unseen_tail", "last_resort"})
      EXPECT_FALSE(text.find(secret) != std::string::npos) << format.name << " tells of " << secret;
  }
  ExportOptions everything;
  everything.format = Format::jsonl;
  EXPECT_TRUE(text_of(everything).find("on an unseen case") != std::string::npos);
  everything.include_hidden = true;
  EXPECT_TRUE(text_of(everything).find("SECRET columns") != std::string::npos);
}

TEST_F(ExportTest, NoTaskIsInTwoSplits) {
  EXPECT_EQ(split_of(store::samples::task_names[0]), Split::train);
  EXPECT_EQ(split_of(store::samples::task_names[1]), Split::validation);
  EXPECT_EQ(split_of(store::samples::task_names[2]), Split::test);
  store::samples::Folder folder;
  ExportOptions options;
  options.format = Format::kbx;
  const auto written = export_to_folder(filled->reader(), options, folder.path("data"));
  EXPECT_EQ(written.by_split.at(Split::test), 6);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto name = all_names<Split>()[i];
    std::ifstream file(folder.path("data/" + name + ".jsonl"));
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
      EXPECT_EQ(json::parse(line).at("task_id"), store::samples::task_names[i]);
      EXPECT_EQ(json::parse(line).at("split"), name);
    }
    EXPECT_EQ(count, 6);
  }
  EXPECT_THROW(export_to_folder(filled->reader(), options, "/proc/no/such"), MachineCannot);
}

TEST_F(ExportTest, SameResultsGiveTheSameBytes) {
  const store::samples::FilledStore again;
  for (const auto& format : enum_names(Format{})) {
    ExportOptions options;
    options.format = format.value;
    if (format.value == Format::kbx_predictions) options.strategy = "iterative-gep";  // it is of one method
    std::ostringstream out;
    export_store(again.reader(), options, out);
    EXPECT_EQ(out.str(), text_of(options));
  }
}

TEST(Export, ABranchAddsOnlyItsOwnSteps) {
  for (const auto format : {Format::trl_sft, Format::trl_dpo, Format::jsonl}) {
    ExportOptions options;
    options.format = format;
    options.deduplicate = false;
    options.include_first_attempts = true;
    store::samples::FilledStore filled;
    const auto before = export_store(filled.reader(), options, [](Split, const std::string&) {});
    auto branch = store::samples::campaign("branch");
    branch.origin = 1;
    auto copy = filled.reader().trajectories().front();
    copy.origin = copy.id;
    copy.kept_steps = static_cast<int>(filled.reader().attempts(copy.id).size());
    std::vector trajectories{copy};
    filled.writer().create(branch, {}, trajectories);
    const auto after = export_store(filled.reader(), options, [](Split, const std::string&) {});
    EXPECT_EQ(after.lines, before.lines) << to_string(format);
    if (format == Format::trl_dpo) continue;  // its one trajectory has no siblings
    options.campaign = "branch";
    EXPECT_GT(export_store(filled.reader(), options, [](Split, const std::string&) {}).lines, 0);
  }
}

TEST_F(ExportTest, AnUnknownCampaignIsRefused) {
  ExportOptions options;
  options.campaign = "quickstrat";
  EXPECT_THROW(text_of(options), BadInput);
  options.campaign = "quickstart";
  EXPECT_FALSE(lines_of(options).empty());
}

}  // namespace
}  // namespace ridgeline::exporting

// show, export and compare over a store as a campaign leaves it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/cli/answers_of_store.hpp"
#include "llm_clients/recording.hpp"
#include "tests/engine/cli/program.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class StoreCommands : public testing::Test {
 protected:
  StoreCommands() {
    for (const auto& one : filled.reader().trajectories())
      filled.writer().set_state(one.id, store::TrajectoryState::finished, "", 1, {});
    filled.writer().flush();
  }

  store::samples::FilledStore filled;
  const std::string path = filled.store().path();
  const store::samples::Folder folder;
};

TEST_F(StoreCommands, ShowListsTrajectoriesWithTheirBest) {
  const auto ran = ridgeline({"show", path});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const auto& one : filled.reader().trajectories()) EXPECT_THAT(ran.out, HasSubstr(one.strategy));
  const auto document = json::parse(ridgeline({"show", path, "--json"}).out);
  const auto& first = document.at("campaigns").at(0).at("trajectories").at(0);
  EXPECT_EQ(first.at("evaluations"), 7);
  EXPECT_EQ(first.at("correct"), 3);
  EXPECT_GT(first.at("speedup"), 0);
}

TEST_F(StoreCommands, ShowGoesThroughATrajectoryWithDiffs) {
  const auto ran = ridgeline({"show", path, "1"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* word : {"round 0", "answer: kernel", "fails build: compile_error", "fails call: crashed",
                           "correct, ", "| @@ ", "| +", "The tail is not handled.", "answer: no_code"})
    EXPECT_THAT(ran.out, HasSubstr(word));
}

TEST_F(StoreCommands, ShowPrintsAPromptExactlyAsItWasSent) {
  const auto sent = json::parse(filled.reader().attempts(1).front().ask.prompt);
  const auto ran = ridgeline({"show", path, "1", "--prompt", "0.0", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("prompt"), sent);
  const auto text = ridgeline({"show", path, "1", "--prompt", "0.0"}).out;
  for (const auto& message : sent) EXPECT_THAT(text, HasSubstr(message.at("content").get<std::string>()));
  EXPECT_EQ(ridgeline({"show", path, "1", "--prompt", "99.0"}).status, 2);
  EXPECT_EQ(ridgeline({"show", path, "99"}).status, 2);
}

TEST_F(StoreCommands, RecordTakesEachAnswerWithItsAddressAndPrompt) {
  const std::filesystem::path file = folder.path("answers.jsonl.zst");
  const auto ran = ridgeline({"record", path, "--out", file.string(), "--note", "a note"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto recording = llm::read_recording(file);
  EXPECT_EQ(recording.note, "a note");
  std::size_t answers = 0;
  std::set<std::string> models;
  for (const auto& trajectory : filled.reader().trajectories())
    for (const auto& attempt : filled.reader().attempts(trajectory.id)) {
      const auto& ask = attempt.ask;
      if (!can_be_replayed(ask)) continue;
      ++answers;
      if (!ask.provider_model.empty() || !ask.response_text.empty())
        models.insert(ask.provider_model.empty() ? ask.model : ask.provider_model);
      const llm::CallAddress address{trajectory.task_name, trajectory.strategy, trajectory.seed, ask.step,
                                     ask.slot};
      const auto found = std::ranges::find(recording.answers, address, &llm::RecordedAnswer::address);
      ASSERT_NE(found, recording.answers.end()) << to_string(address);
      EXPECT_EQ(found->text, ask.response_text);
      EXPECT_EQ(found->request_hash, ask.request_hash);
      EXPECT_EQ(found->usage.output_tokens, ask.tokens.output);
      EXPECT_EQ(found->prompt.size(), json::parse(ask.prompt).size());
    }
  EXPECT_GT(answers, 0u);
  EXPECT_EQ(recording.answers.size(), answers);
  for (const auto& model : models) EXPECT_THAT(recording.model, HasSubstr(model));
}

TEST_F(StoreCommands, RecordNamesWhatTheStoreHolds) {
  const auto out = folder.path("answers.jsonl");
  const auto no_campaign = ridgeline({"record", path, "--out", out, "--campaign", "other"});
  EXPECT_EQ(no_campaign.status, 2);
  EXPECT_THAT(no_campaign.err, HasSubstr("no campaign 'other' in this store; it holds: "));
  const auto no_entry = ridgeline({"record", path, "--out", out, "--entry", "nobody"});
  EXPECT_EQ(no_entry.status, 2);
  EXPECT_THAT(no_entry.err, HasSubstr("no answer of an entry 'nobody' in campaign"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(StoreCommands, ShowKeepsStoredTextsOffTheTerminal) {
  filled.writer().set_state(1, store::TrajectoryState::failed, "gone\x1b[2J\x1b[Hall is well", 1, {});
  filled.writer().flush();
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"1"}}) {
    auto arguments = std::vector<std::string>{"show", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(ridgeline(arguments).out.find('\x1b'), std::string::npos);
  }
  EXPECT_THAT(ridgeline({"show", path, "1"}).out, HasSubstr("goneall is well"));
}

TEST_F(StoreCommands, ExportWritesTheSameLinesToStdoutAndToAFile) {
  const auto out = folder.path("pairs.jsonl");
  const auto printed = ridgeline({"export", path, "--format", "trl-sft"});
  const auto written = ridgeline({"export", path, "--format", "trl-sft", "--out", out, "--json"});
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_EQ(written.status, 0) << written.err;
  EXPECT_EQ(read_file(out), printed.out);
  EXPECT_EQ(std::count(printed.out.begin(), printed.out.end(), '\n'),
            json::parse(written.out).at("lines").get<int>());
  EXPECT_GT(json::parse(written.out).at("lines"), 0);
  EXPECT_EQ(ridgeline({"export", path, "--format", "trl-sft", "--json"}).status, 2);
}

TEST_F(StoreCommands, ExportToAFolderMakesAFileASplit) {
  const auto ran = ridgeline(
      {"export", path, "--format", "trl-dpo", "--pairs", "transition", "--out", folder.path("pairs")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_FALSE(read_file(folder.path("pairs") + "/train.jsonl").empty());
  EXPECT_THAT(read_file(folder.path("pairs") + "/README.md"), HasSubstr("path: train.jsonl"));
  EXPECT_THAT(ran.err, HasSubstr("load it: datasets.load_dataset(\"" + folder.path("pairs") + "\")"));
}

TEST_F(StoreCommands, ExportRefusesWhatItCannotMean) {
  const std::vector<std::string> command{"export", path, "--format", "trl-sft"};
  const std::vector<std::vector<std::string>> wrong{{"--out", folder.path("pairs.csv")},
                                                    {"--out", folder.path("pairs"), "--files", "csv"},
                                                    {"--min-confidence", "95"},
                                                    {"--splits", "tasks"},
                                                    {"--turns", "two"}};
  for (const auto& more : wrong) {
    auto arguments = command;
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(ridgeline(arguments).status, 2) << more.back();
  }
}

TEST_F(StoreCommands, CompareTabulatesStrategiesAndWritesTheReport) {
  const auto html = folder.path("report.html");
  const auto ran = ridgeline({"compare", path, "--calls", "4", "--html", html});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* strategy : {"iterative-gep", "best-of-4"}) {
    EXPECT_THAT(ran.out, HasSubstr(strategy));
    EXPECT_THAT(read_file(html), HasSubstr(strategy));
  }
  const auto document = json::parse(ridgeline({"compare", path, "--json"}).out);
  EXPECT_EQ(document.at("schema"), 1);
  EXPECT_EQ(document.at("comparison").at("strategies").size(), 3u);
}

TEST_F(StoreCommands, CompareWritesAFileForEachTable) {
  const auto tables = folder.path("tables");
  const auto ran = ridgeline({"compare", path, "--csv", tables, "--code", "--json"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const auto comparison = json::parse(ran.out).at("comparison");
  for (const char* name : {"strategies", "rounds", "tasks.results", "summary"})
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(tables) / (std::string(name) + ".csv")))
        << name;
  const auto text = read_file(tables + "/strategies.csv");
  EXPECT_EQ(std::ranges::count(text, '\n'), 4) << text;
  for (const char* column : {"callable", "speedup.geometric_mean", "rescued_over_persistent.ratio"})
    EXPECT_THAT(text, HasSubstr(column));
  ASSERT_FALSE(comparison.at("code").empty());
  EXPECT_EQ(comparison.at("code").at(0).at("by"), "tokens");
  EXPECT_GT(comparison.at("code").at(0).at("maintainability_index").at("median"), 0);
  EXPECT_EQ(ridgeline({"compare", path, "--csv", path}).status, 3) << "a file stands where the folder would";
}

TEST_F(StoreCommands, AFolderThatCannotBeWrittenIsTheMachinesFault) {
  const auto ran = ridgeline({"compare", path, "--html", "/no/such/folder/report.html"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_THAT(ran.err, HasSubstr("/no/such/folder/report.html"));
}

}  // namespace
}  // namespace ridgeline::cli

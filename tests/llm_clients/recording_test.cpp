#include "llm_clients/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "engine/core/error.hpp"
#include "llm_clients/recorded_json.hpp"
#include "llm_clients/replay_client.hpp"
#include "tests/llm_clients/fakes.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kHeader =
    R"({"format":"ridgeline-recording","version":1,"model":"m-1","recorded_at":"2026"})";

Recording small_recording() {
  Recording recording{
      .model = "m-1", .recorded_at = "2026-01-02T03:04:05Z", .note = "a \"note\"", .answers = {}};
  recording.answers.push_back({.address = {"level1/add", "geak", 18446744073709551615ull, 2, 1},
                               .request_hash = "abc",
                               .prompt = {{"system", "s"}, {"user", "u\n\xE2\x82\xAC"}},
                               .text = "answer",
                               .reasoning = "why",
                               .finish_reason = "length",
                               .usage = {10, 20, 3, 0, 4, true}});
  recording.answers.push_back({.address = {"add", "best_of_n", 0, 0, 0},
                               .request_hash = "",
                               .prompt = {{"user", "u"}},
                               .text = "",
                               .reasoning = "",
                               .finish_reason = "",
                               .usage = {}});
  return recording;
}

Recording read(const std::string& lines) {
  std::istringstream stream(lines);
  return read_recording(stream, "file");
}

void expect_rejected(const std::string& lines, const std::string& why) {
  EXPECT_THAT([&] { read(lines); }, ThrowsMessage<BadInput>(HasSubstr(why))) << lines;
}

TEST(Recording, ReadsBackWhatItWrote) {
  const ScratchFolder folder;
  const auto recording = small_recording();
  write_recording(recording, folder / "r.jsonl");
  const auto back = read_recording(folder / "r.jsonl");
  EXPECT_EQ(back.model, recording.model);
  EXPECT_EQ(back.recorded_at, recording.recorded_at);
  EXPECT_EQ(back.note, recording.note);
  EXPECT_EQ(back.answers, recording.answers);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"r.jsonl"}) << "no file is left beside it";
}

TEST(Recording, IsCompressedWhereTheNameSaysSo) {
  const ScratchFolder folder;
  auto recording = small_recording();
  recording.answers[0].text = std::string(100000, 'a');
  write_recording(recording, folder / "r.jsonl.zst");
  EXPECT_LT(std::filesystem::file_size(folder / "r.jsonl.zst"), 2000u);
  EXPECT_EQ(read_recording(folder / "r.jsonl.zst").answers, recording.answers);
}

TEST(Recording, ADamagedCompressedFileIsNamed) {
  const ScratchFolder folder;
  write_recording(small_recording(), folder / "r.jsonl.zst");
  std::filesystem::resize_file(folder / "r.jsonl.zst", 100);
  EXPECT_THAT([&] { read_recording(folder / "r.jsonl.zst"); },
              ThrowsMessage<BadInput>(
                  AllOf(HasSubstr("r.jsonl.zst"), HasSubstr("incomplete"), HasSubstr("copy it again"))));
}

TEST(Recording, AUsageWithoutAnyCountIsNotReported) {
  const auto usage = [](const char* text, std::string* problem = nullptr) {
    return usage_of(nlohmann::json::parse(text), problem);
  };
  for (const char* text : {"null", "7", "[]", "{}", R"({"prompt_tokens":3,"completion_tokens":4})",
                           R"({"input_tokens":null,"output_tokens":null})"})
    EXPECT_EQ(usage(text), Usage{}) << text;
  EXPECT_EQ(usage(R"({"output_tokens":0})"), (Usage{0, 0, 0, 0, 0, true}));
  EXPECT_EQ(usage(R"({"reasoning_tokens":5})"), (Usage{0, 0, 0, 0, 5, true}));
  std::string problem;
  EXPECT_EQ(usage(R"({"input_tokens":1.5,"output_tokens":4})", &problem), Usage{});
  EXPECT_THAT(problem, HasSubstr("input_tokens: 1.5"));
  EXPECT_EQ(usage("{}", &problem), Usage{});
  EXPECT_EQ(problem, "");
}

TEST(Recording, AFailedWriteLeavesTheOldFile) {
  const ScratchFolder folder;
  write_recording(small_recording(), folder / "r.jsonl");
  auto twice = small_recording();
  twice.answers.push_back(twice.answers[0]);
  EXPECT_THROW(write_recording(twice, folder / "r.jsonl"), BadInput);
  EXPECT_EQ(read_recording(folder / "r.jsonl").answers.size(), 2u);
  EXPECT_THROW(write_recording(small_recording(), folder / "none" / "r.jsonl"), MachineCannot);
}

TEST(Recording, WritesInvalidUtf8WithReplacements) {
  const ScratchFolder folder;
  auto recording = small_recording();
  recording.answers[0].text =
      "a\xFF"
      "b";
  write_recording(recording, folder / "r.jsonl");
  EXPECT_EQ(read_recording(folder / "r.jsonl").answers[0].text,
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Recording, NamesTheLineOfEveryMistake) {
  const auto line = recorded_line(small_recording().answers[0]);
  EXPECT_EQ(read(kHeader + '\n' + line + "\n\n").answers.size(), 1u);
  expect_rejected("", "empty");
  expect_rejected("{}", "file:1: no recording begins here");
  expect_rejected(R"({"format":"ridgeline-recording"})", "\"version\"");
  expect_rejected(R"({"format":"ridgeline-recording","version":2})", "newer");
  expect_rejected(kHeader + "\nnonsense\n", "file:2: the line is no JSON object");
  expect_rejected(kHeader + '\n' + line + '\n' + line, "file:3: a second answer for level1/add/geak/");
  for (const char* key : {"task", "strategy", "seed", "step", "slot", "prompt", "text"}) {
    auto broken = line;
    broken.replace(broken.find('"' + std::string(key) + '"'), 2, "\"_");
    expect_rejected(kHeader + '\n' + broken, '"' + std::string(key) + '"');
  }
  EXPECT_THROW(read_recording("/nonexistent/r.jsonl"), BadInput);
}

TEST(Recording, NamesTheLineOfATruncatedFileAndTheFix) {
  const auto line = recorded_line(small_recording().answers[0]);
  for (std::size_t size = 1; size < line.size(); ++size) {
    const auto torn = kHeader + '\n' + line + '\n' + line.substr(0, size);
    EXPECT_THAT([&] { read(torn); }, ThrowsMessage<BadInput>(HasSubstr("file:3: the recording is cut off")))
        << size;
  }
  expect_rejected(kHeader.substr(0, 20), "file:1: the recording is cut off");
  EXPECT_EQ(read(kHeader + '\n' + line).answers.size(), 1u) << "only the line end is missing";
  const ScratchFolder folder;
  EXPECT_THAT([&] { read_recording(folder.path()); }, ThrowsMessage<BadInput>(HasSubstr("is a folder")));
}

TEST(CallAddress, ConvertsToTextAndBack) {
  const CallAddress address{"level1/add", "iterative", 7, 3, 1};
  EXPECT_EQ(to_string(address), "level1/add/iterative/7/3/1");
  EXPECT_EQ(parse_call_address("level1/add/iterative/7/3/1"), address);
  for (const char* bad :
       {"", "a/b/1/2", "/b/1/2/3", "a//1/2/3", "a/b/x/2/3", "a/b/1/2/", "a/b/-1/2/3", "a/b/1/2/3x"})
    EXPECT_EQ(parse_call_address(bad), std::nullopt) << bad;
}

struct ReplayRig {
  test::Clock clock;
  test::Results results;
  std::unique_ptr<LlmClient> client;

  ReplayRig() {
    Model model;
    model.prices = {.input = 1, .cached_input = {}, .output = 1};
    client =
        make_replay_client(model, small_recording(), "r.jsonl", std::make_unique<test::ManualTimers>(clock));
  }
  LlmResult ask(LlmRequest request) {
    client->complete(std::move(request), results.keep());
    EXPECT_TRUE(clock.posted.size() == 1) << "a callback comes later, never from inside";
    clock.run();
    return results.all.back();
  }
};

TEST(Replay, AnswersByAddressAndSaysWhereThePromptDiverged) {
  ReplayRig rig;
  const std::string address = "level1/add/geak/18446744073709551615/2/1";
  const auto same = rig.ask({.messages = {{"user", "whatever"}}, .address = address, .request_hash = "abc"});
  EXPECT_EQ(same.status, LlmStatus::truncated);
  EXPECT_EQ(same.text, "answer");
  EXPECT_EQ(same.reasoning, "why");
  EXPECT_EQ(same.provider_model, "m-1");
  EXPECT_EQ(same.usage, (Usage{10, 20, 3, 0, 4, true}));
  EXPECT_DOUBLE_EQ(same.usd, 30 / 1e6);
  EXPECT_FALSE(same.diverged);
  EXPECT_TRUE(rig.ask({.messages = {}, .address = address, .request_hash = "other"}).diverged);
  // Without a hash on either side the messages decide.
  EXPECT_FALSE(
      rig.ask({.messages = {{"user", "u"}}, .address = "add/best_of_n/0/0/0", .request_hash = "x"}).diverged);
  EXPECT_TRUE(
      rig.ask({.messages = {{"user", "v"}}, .address = "add/best_of_n/0/0/0", .request_hash = "x"}).diverged);
}

TEST(Replay, ReportsAMissingRecord) {
  ReplayRig rig;
  const auto result = rig.ask({.messages = {}, .address = "add/best_of_n/0/0/1"});
  EXPECT_EQ(result.status, LlmStatus::missing_recording);
  EXPECT_THAT(result.detail, HasSubstr("r.jsonl holds no answer for add/best_of_n/0/0/1"));
  EXPECT_FALSE(result.ok());
}

TEST(Replay, ACallbackOutlivesItsClient) {
  ReplayRig rig;
  rig.client->complete({.address = "add/best_of_n/0/0/0"}, rig.results.keep());
  rig.client.reset();
  rig.clock.run();
  EXPECT_EQ(rig.results.all.size(), 1u);
}

}  // namespace
}  // namespace ridgeline::llm

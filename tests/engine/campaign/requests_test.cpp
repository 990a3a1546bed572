#include "engine/campaign/requests.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/codec.hpp"

namespace ridgeline::campaign {
namespace {

/// Request hashes in stored journals are made from this text, so its bytes must never change.
void expect_as_ever(const std::vector<llm::Message>& messages) {
  auto document = nlohmann::json::array();
  for (const auto& message : messages)
    document.push_back({{"role", message.role}, {"content", message.content}});
  EXPECT_EQ(prompt_json(messages), dump_json(document));
}

/// A prompt that is marked for a provider's cache is the same prompt: resumes and recordings find it.
TEST(PromptJson, IsTheSameWithAndWithoutACacheMark) {
  const auto messages = messages_of({"be brief", "the task, round 2", 8});
  ASSERT_EQ(messages.back().stable_bytes, 8u);
  const std::vector<llm::Message> unmarked{{"system", "be brief"}, {"user", "the task, round 2"}};
  EXPECT_EQ(prompt_json(messages), prompt_json(unmarked));
  EXPECT_EQ(messages, unmarked);
}

TEST(PromptJson, IsTheDocumentThatAJsonLibraryWrites) {
  std::string ascii;
  for (int c = 0; c < 0x80; ++c) ascii += std::string(1, static_cast<char>(c)) + "x";
  expect_as_ever({});
  expect_as_ever({{"user", ""}});
  expect_as_ever({{"system", ascii}, {"user", "\n\n\"\\"}});
  expect_as_ever({{"user", "3 × 4 µs"}, {"assistant", "cut in a character \xe2\x82"}});
}

/// A setting that could change the verdict must change the hash, or a resume would reuse a verdict made under
/// another setting.
TEST(EvaluationHash, DependsOnEverySettingOfACampaignsWorker) {
  const auto candidate = make_candidate(Language::cuda, "void run() {}");
  std::vector<protocol::EvaluateSettings> settings(10);
  settings[1].isolation = "strict";
  settings[2].profile = false;
  settings[3].timing_cap_seconds = 0.1;
  settings[4].build_flags = {"-O1"};
  settings[5].torch_headers = false;
  settings[6].energy = true;
  settings[7].final_cases = true;
  settings[8].fallback = FallbackPolicy::reject;
  settings[9].precision_goal = 0.05;
  std::set<Hash> hashes;
  for (const auto& variant : settings) hashes.insert(evaluation_hash(Task{}, candidate, variant));
  EXPECT_EQ(hashes.size(), settings.size());
}

TEST(SlotSeed, DiffersBetweenSlotsAndStaysTheSameForOne) {
  std::set<std::uint64_t> seeds;
  for (int step = 0; step < 50; ++step)
    for (int slot = 0; slot < 20; ++slot) seeds.insert(slot_seed(7, step, slot));
  EXPECT_EQ(seeds.size(), 1000u);
  EXPECT_LT(*seeds.rbegin(), 1ull << 31);
  EXPECT_EQ(slot_seed(7, 3, 4), slot_seed(7, 3, 4));
  EXPECT_NE(slot_seed(7, 3, 4), slot_seed(8, 3, 4));
}

TEST(Answers, SayThatTheyWereCutOff) {
  llm::LlmResult result;
  result.status = llm::LlmStatus::truncated;
  Answer answer;
  answer.detail = "no code";
  note_truncation(answer, result);
  EXPECT_EQ(answer.detail, "no code (the answer was cut off by its length limit)");
}

}  // namespace
}  // namespace ridgeline::campaign

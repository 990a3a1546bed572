#include "engine/campaign/requests.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/codec.hpp"

namespace ridgeline::campaign {
namespace {

/// Request hashes in journals are of this text: it must stay what it always was.
void expect_as_ever(const std::vector<llm::Message>& messages) {
  auto document = nlohmann::json::array();
  for (const auto& message : messages)
    document.push_back({{"role", message.role}, {"content", message.content}});
  EXPECT_EQ(prompt_json(messages), dump_json(document));
}

TEST(PromptJson, IsTheDocumentThatAJsonLibraryWrites) {
  std::string ascii;
  for (int c = 0; c < 0x80; ++c) ascii += std::string(1, static_cast<char>(c)) + "x";
  expect_as_ever({});
  expect_as_ever({{"user", ""}});
  expect_as_ever({{"system", ascii}, {"user", "\n\n\"\\"}});
  expect_as_ever({{"user", "3 × 4 µs"}, {"assistant", "cut in a character \xe2\x82"}});
}

/// What a campaign's file says under `worker`, and would find another verdict by, makes another request.
TEST(EvaluationHash, KnowsEverySettingOfACampaignsWorker) {
  const auto candidate = make_candidate(Language::cuda, "void run() {}");
  std::vector<protocol::EvaluateSettings> settings(9);
  settings[1].isolation = "strict";
  settings[2].profile = false;
  settings[3].timing_cap_seconds = 0.1;
  settings[4].build_flags = {"-O1"};
  settings[5].torch_headers = false;
  settings[6].energy = true;
  settings[7].final_cases = true;
  settings[8].fallback = Fallback::reject;
  std::set<Hash> hashes;
  for (const auto& one : settings) hashes.insert(evaluation_hash(Task{}, candidate, one));
  EXPECT_EQ(hashes.size(), settings.size());
}

}  // namespace
}  // namespace ridgeline::campaign

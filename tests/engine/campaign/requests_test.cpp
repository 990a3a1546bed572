#include "engine/campaign/requests.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline::campaign {
namespace {

/// Request hashes in journals are of this text: it must stay what it always was.
void expect_as_ever(const std::vector<Message>& messages) {
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

}  // namespace
}  // namespace ridgeline::campaign

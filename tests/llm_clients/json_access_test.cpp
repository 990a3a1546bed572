// JSON from outside that would end a program which trusts it.
#include "llm_clients/json_access.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ridgeline::llm {
namespace {

std::string nested(const std::string& open, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += "1";
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(ForeignJson, RefusesAMillionBrackets) {
  EXPECT_FALSE(parse_foreign_json(nested("[", "]", 1'000'000)));
  EXPECT_FALSE(parse_foreign_json(nested("{\"error\":", "}", 1'000'000)));
}

TEST(ForeignJson, BracketsInsideAStringAreText) {
  const auto json = parse_foreign_json("{\"text\":\"\\\"" + std::string(10'000, '[') + "\"}");
  ASSERT_TRUE(json);
  EXPECT_EQ(text_at(*json, "text").size(), 10'001u);
}

TEST(ForeignJson, WritesWhatItRead) {
  const auto text = nested("[", "]", 500);
  const auto json = parse_foreign_json(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(dump_json(*json), text);
}

}  // namespace
}  // namespace ridgeline::llm

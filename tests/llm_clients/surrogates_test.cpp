#include "llm_clients/surrogates.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {
namespace {

const std::string kSmile = "\xF0\x9F\x98\x80";  // U+1F600, "\ud83d\ude00"
const std::string kUnknown = "\xEF\xBF\xBD";

std::string text_of(std::string_view json) {
  return parse_foreign_json(json).value().get<std::string>();
}

TEST(Surrogates, JoinsHalvesFromTwoEvents) {
  EXPECT_EQ(join_surrogates(text_of(R"("a\ud83d")") + text_of(R"("\ude00b")")), "a" + kSmile + "b");
  EXPECT_EQ(join_surrogates(text_of(R"("\ud83d")") + text_of(R"("\uDE00\ud83d")") + text_of(R"("\ude00")")),
            kSmile + kSmile);
}

TEST(Surrogates, PassesEveryCharacterBeyondTheFirstPlane) {
  for (std::uint32_t code = 0x10000; code <= 0x10FFFF; code += 0x111) {
    char high[16], low[16];
    std::snprintf(high, sizeof high, "\"\\u%04x\"", 0xD800 + ((code - 0x10000) >> 10));
    std::snprintf(low, sizeof low, "\"\\u%04x\"", 0xDC00 + ((code - 0x10000) & 0x3FF));
    const std::string whole = std::string(high, 7) + std::string(low + 1);
    if (code >= 0x10F000 && code < 0x10F800) continue;  // stand for halves themselves
    EXPECT_EQ(join_surrogates(text_of(high) + text_of(low)), text_of(whole)) << std::hex << code;
  }
}

TEST(Surrogates, ReplacesHalvesThatStayAlone) {
  EXPECT_EQ(join_surrogates(text_of(R"("a\ud83d b")")), "a" + kUnknown + " b");
  EXPECT_EQ(join_surrogates(text_of(R"("\ude00\ud83d")")), kUnknown + kUnknown);
}

TEST(Surrogates, ChangesNothingElse) {
  EXPECT_EQ(encode_lone_surrogates(R"({"a":"\ud83d\ude00 \\ud83d \u0041 \n"})"),
            R"({"a":"\ud83d\ude00 \\ud83d \u0041 \n"})");
  EXPECT_EQ(encode_lone_surrogates("\\"), "\\");
  EXPECT_EQ(encode_lone_surrogates("\\u12"), "\\u12");
  EXPECT_EQ(join_surrogates("plain " + kSmile), "plain " + kSmile);
  EXPECT_EQ(join_surrogates("\xF4\x8F\xBF\xBD"), "\xF4\x8F\xBF\xBD");  // another private character
}

}  // namespace
}  // namespace ridgeline::llm

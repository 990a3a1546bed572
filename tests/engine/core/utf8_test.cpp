#include "engine/core/utf8.hpp"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

TEST(Utf8, CharactersHaveOneToFourBytes) {
  EXPECT_EQ(utf8_length("a\xC3"), 1u);
  EXPECT_EQ(utf8_length("\xC3\xA9z"), 2u);
  EXPECT_EQ(utf8_length("\xE2\x82\xAC"), 3u);
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80"), 4u);
  EXPECT_EQ(utf8_length(std::string_view("\0", 1)), 1u);
}

TEST(Utf8, InvalidBytesHaveLengthZero) {
  for (const char* bytes : {"", "\xE9", "\xE9t", "\x80", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                            "\xF4\x90\x80\x80", "\xF0\x9F\x98", "\xFF\xFE"})
    EXPECT_EQ(utf8_length(bytes), 0u) << bytes;
}

}  // namespace
}  // namespace ridgeline

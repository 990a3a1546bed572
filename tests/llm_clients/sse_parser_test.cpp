#include "llm_clients/sse_parser.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ridgeline::llm {
namespace {

using Events = std::vector<SseEvent>;

/// Feeds `pieces` one after the other and returns the events. `ended`: the body ended properly.
Events events_of(const std::vector<std::string_view>& pieces, bool ended = true) {
  Events events;
  SseParser parser([&](const SseEvent& event) { events.push_back(event); });
  for (const auto piece : pieces) parser.feed(piece);
  if (ended) parser.finish();
  return events;
}

TEST(SseParser, EverySplitInTwoAndInBytesGivesTheSameEvents) {
  const std::string stream =
      "\xEF\xBB\xBF: a comment\r\nevent: first\r\ndata: "
      "{\"a\":\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"}\r\n\r\n"
      "data: one\ndata:two\n\n:\n\ndata\n\rid: 7\rretry: 10\rdata:  x\r\rdata: [DONE]\n\n";
  const Events expected = {{"first", "{\"a\":\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"}"},
                           {"", "one\ntwo"},
                           {"", ""},
                           {"", " x"},
                           {"", "[DONE]"}};
  EXPECT_EQ(events_of({stream}, false), expected);
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    const std::string_view all = stream;
    EXPECT_EQ(events_of({all.substr(0, i), all.substr(i)}, false), expected) << "split at " << i;
  }
  std::vector<std::string_view> bytes;
  for (std::size_t i = 0; i < stream.size(); ++i) bytes.push_back(std::string_view(stream).substr(i, 1));
  EXPECT_EQ(events_of(bytes, false), expected);
}

TEST(SseParser, EverySplitInThreeOfACrlfStream) {
  const std::string stream = "data: a\r\n\r\n:c\r\ndata: b\r\ndata: c\r\n\r\n";
  const Events expected = {{"", "a"}, {"", "b\nc"}};
  const std::string_view all = stream;
  for (std::size_t i = 0; i <= all.size(); ++i)
    for (std::size_t j = i; j <= all.size(); ++j)
      EXPECT_EQ(events_of({all.substr(0, i), all.substr(i, j - i), all.substr(j)}, false), expected)
          << i << ' ' << j;
}

TEST(SseParser, AcceptsALastEventWithoutItsBlankLine) {
  for (const std::string_view stream : {"data: last", "data: last\n", "data: last\r\n", "data: last\r"}) {
    EXPECT_EQ(events_of({stream}), (Events{{"", "last"}})) << stream;
    EXPECT_TRUE(events_of({stream}, false).empty()) << stream;
  }
}

TEST(SseParser, DropsAnEventWithoutData) {
  EXPECT_TRUE(events_of({"event: ping\n\n: keep-alive\n\nid: 1\n\n\n\n"}).empty());
  // Its name does not stick to the next one.
  EXPECT_EQ(events_of({"event: ping\n\ndata: x\n\n"}), (Events{{"", "x"}}));
}

TEST(SseParser, AByteOrderMarkCountsOnlyAtTheStart) {
  EXPECT_TRUE(events_of({"data: a\n\n\xEF\xBB\xBF"
                         "data: b\n\n"})
                  .size() == 1);
}

}  // namespace
}  // namespace ridgeline::llm

#include "engine/worker/protocol/frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

namespace ridgeline::protocol {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A pipe whose ends close with the test.
struct Pipe {
  Pipe() {
    if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  }
  ~Pipe() {
    ::close(ends[0]);
    close_writer();
  }
  void close_writer() {
    if (ends[1] >= 0) ::close(ends[1]);
    ends[1] = -1;
  }
  void write(std::string_view bytes) {
    ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  int ends[2] = {-1, -1};
};

std::vector<json> all_of(FrameReader& reader) {
  std::vector<json> documents;
  while (auto document = reader.next()) documents.push_back(*document);
  return documents;
}

TEST(Frame, LengthComesFirstInLittleEndian) {
  const std::string frame = encode_frame(json{{"a", 1}});
  EXPECT_EQ(frame, std::string("\x07\0\0\0{\"a\":1}", 11));
}

TEST(Frame, SurvivesEverySplitIntoTwo) {
  const std::vector<json> documents = {{{"text", "ünï\n\"x\""}}, json::object(), {{"n", {1, 2.5, nullptr}}}};
  std::string stream;
  for (const auto& document : documents) stream += encode_frame(document);
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    FrameReader reader;
    reader.feed(stream.substr(0, cut));
    auto got = all_of(reader);
    reader.feed(stream.substr(cut));
    for (auto& document : all_of(reader)) got.push_back(document);
    EXPECT_EQ(got, documents) << "cut at " << cut;
    EXPECT_TRUE(reader.at_boundary());
  }
}

TEST(Frame, SurvivesSingleBytes) {
  FrameReader reader;
  std::vector<json> got;
  for (const char byte : encode_frame({{"id", "a"}}) + encode_frame({{"id", "b"}})) {
    reader.feed({&byte, 1});
    for (auto& document : all_of(reader)) got.push_back(document);
  }
  EXPECT_EQ(got, (std::vector<json>{{{"id", "a"}}, {{"id", "b"}}}));
}

TEST(Frame, SaysHowManyBytesAreCertainlyMissing) {
  FrameReader reader;
  const std::string frame = encode_frame({{"a", 1}});
  EXPECT_EQ(reader.lacking(), 5u);
  reader.feed(frame.substr(0, 5));
  EXPECT_EQ(reader.lacking(), frame.size() - 5);
  reader.feed(frame.substr(5));
  EXPECT_EQ(reader.lacking(), 0u);
}

TEST(Frame, ShowsAGreetingInTheError) {
  FrameReader reader;
  reader.feed("Welcome to node17\nLast login: today\n");
  EXPECT_THAT([&] { reader.next(); },
              ThrowsMessage<ProtocolError>(
                  AllOf(HasSubstr("Welcome to node17\\\\nLast login"), HasSubstr("greeting"))));
}

TEST(Frame, RefusesAGreetingWhoseFirstBytesLookLikeALength) {
  FrameReader reader;
  reader.feed(std::string("hi\n\n and so on"));  // "hi\n\n" as a number is under the limit
  EXPECT_THROW(reader.next(), ProtocolError);
}

TEST(Frame, RefusesALengthOverTheLimitBeforeItsBytesCome) {
  FrameReader reader;
  reader.feed(std::string("\0\0\0\x11{", 5));
  EXPECT_THROW(reader.next(), ProtocolError);
}

TEST(Frame, RefusesADocumentThatIsNoObject) {
  FrameReader reader;
  reader.feed(std::string("\x03\0\0\0{x}", 7));
  EXPECT_THROW(reader.next(), ProtocolError);
}

TEST(Frame, EncodesInvalidUtf8WithoutThrowing) {
  FrameReader reader;
  reader.feed(encode_frame({{"log", "bad \xff byte"}}));
  EXPECT_EQ(reader.next()->at("log"), "bad \xEF\xBF\xBD byte");
}

TEST(Frame, EncodesALineWithoutLineBreaks) {
  EXPECT_EQ(encode_line({{"a", "x\ny"}}), "{\"a\":\"x\\ny\"}\n");
}

TEST(FrameIo, ReadsExactlyOneFrameFromTheDescriptor) {
  Pipe pipe;
  pipe.write(encode_frame({{"id", "a"}}) + encode_frame({{"id", "b"}}));
  pipe.close_writer();
  EXPECT_EQ(read_frame(pipe.ends[0])->at("id"), "a");
  EXPECT_EQ(read_frame(pipe.ends[0])->at("id"), "b");
  EXPECT_FALSE(read_frame(pipe.ends[0]).has_value());
}

TEST(FrameIo, PassesAFrameLargerThanAPipesBuffer) {
  Pipe pipe;
  const json large = {{"text", std::string(3 << 20, 'x')}};
  std::thread writer([&] { write_frame(pipe.ends[1], large); });
  const auto got = read_frame(pipe.ends[0]);
  writer.join();
  EXPECT_EQ(*got, large);
}

TEST(FrameIo, ThrowsOnAnEndWithinAFrame) {
  Pipe pipe;
  pipe.write(encode_frame({{"id", "a"}}).substr(0, 8));
  pipe.close_writer();
  EXPECT_THAT([&] { read_frame(pipe.ends[0]); },
              ThrowsMessage<ProtocolError>(HasSubstr("middle of a message")));
}

TEST(FrameIo, ThrowsIfTheReaderIsGone) {
  ::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  EXPECT_THROW(write_frame(ends[1], {{"id", "a"}}), ProtocolError);
  ::close(ends[1]);
}

}  // namespace
}  // namespace ridgeline::protocol

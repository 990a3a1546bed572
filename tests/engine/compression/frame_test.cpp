#include "engine/compression/frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::compression {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kPlenty = std::size_t{1} << 24;

/// Returns text that does not shrink to nothing.
std::string text_of(std::size_t bytes) {
  std::string text;
  for (unsigned state = 1; text.size() < bytes; state = state * 1664525u + 1013904223u)
    text += std::to_string(state);
  text.resize(bytes);
  return text;
}

TEST(Frame, GivesBackWhatWasCompressed) {
  for (const std::size_t bytes : {0, 1, 1000, 131072, 131073, 3000000}) {
    const auto text = text_of(bytes);
    const auto frame = compressed(text, 1);
    EXPECT_TRUE(is_frame(frame));
    EXPECT_EQ(decompressed(frame, kPlenty), text) << bytes;
  }
}

TEST(Frame, JoinsFramesThatFollowEachOther) {
  EXPECT_EQ(decompressed(compressed("one ", 1) + compressed("two", 19), kPlenty), "one two");
}

TEST(Frame, ReadsAFrameThatDoesNotStateItsSize) {
  // What `printf 'a line\n' | zstd` printed: a frame without a content size, with a checksum.
  const std::string frame("\x28\xb5\x2f\xfd\x04\x58\x39\x00\x00\x61\x20\x6c\x69\x6e\x65\x0a\x29\x79\xad\xa0",
                          20);
  EXPECT_EQ(decompressed(frame, kPlenty), "a line\n");
}

TEST(Frame, RefusesEveryFrameThatWasCutOff) {
  const auto frame = compressed(text_of(5000), 1);
  for (std::size_t kept = 0; kept < frame.size(); ++kept)
    EXPECT_THAT([&] { decompressed(frame.substr(0, kept), kPlenty); },
                ThrowsMessage<BadInput>(HasSubstr(kept == 0 ? "incomplete" : "the zstd frame is")))
        << kept;
  EXPECT_EQ(decompressed(frame, kPlenty).size(), 5000u) << "a refusal leaves nothing behind";
}

TEST(Frame, RefusesWhatIsNoFrame) {
  EXPECT_FALSE(is_frame("{}"));
  EXPECT_THAT([] { decompressed("plain text", kPlenty); }, ThrowsMessage<BadInput>(HasSubstr("damaged")));
}

TEST(Frame, RefusesToFillTheMemory) {
  const auto bomb = compressed(std::string(1000000, ' '), 19);
  EXPECT_LT(bomb.size(), 1000u);
  EXPECT_THAT([&] { decompressed(bomb, 999999); }, ThrowsMessage<BadInput>(HasSubstr("more than 999999")));
  EXPECT_EQ(decompressed(bomb, 1000000).size(), 1000000u);
}

TEST(Frame, NamesTheFileThatCannotBeDecompressed) {
  const std::filesystem::path file = testing::TempDir() + "ridgeline-frame-" + std::to_string(::getpid());
  EXPECT_THAT([&] { decompressed_file(file); },
              ThrowsMessage<BadInput>(HasSubstr(file.string() + " cannot be read")));
  const auto frame = compressed("a line", 1);
  std::ofstream(file, std::ios::binary) << frame.substr(0, frame.size() - 1);
  EXPECT_THAT(
      [&] { decompressed_file(file); },
      ThrowsMessage<BadInput>(HasSubstr(file.string() + ": the zstd frame is incomplete; copy it again")));
  std::ofstream(file, std::ios::binary) << frame;
  EXPECT_EQ(decompressed_file(file), "a line");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace ridgeline::compression

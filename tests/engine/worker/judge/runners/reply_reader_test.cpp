// Whatever bytes a candidate writes to the channel, the judge reads a reply within bounds or none.
#include "engine/worker/judge/runners/reply_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

std::optional<Reply> read(const Reply& reply) {
  return read_reply(std::as_bytes(std::span(&reply, 1)));
}

TEST(ReplyReader, ReadsAnHonestReplyAsItIs) {
  Reply reply;
  reply.sequence = 7;
  reply.ticks = 123;
  reply.device_seconds = 0.25;
  reply.text_bytes = static_cast<std::uint32_t>(reply.text.size());
  const auto seen = read(reply);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->sequence, 7u);
  EXPECT_EQ(seen->device_seconds, 0.25);
}

TEST(ReplyReader, SecondsThatAreNoNumberOrNoTimeAreNoReply) {
  for (const double seconds : {std::nan(""), std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(), -1e-9, 1e300}) {
    Reply reply;
    reply.device_seconds = seconds;
    EXPECT_FALSE(read(reply)) << seconds;
  }
}

TEST(ReplyReader, TextsBeyondTheMessageAreNoReply) {
  for (const std::uint32_t bytes : {std::uint32_t{1025}, std::uint32_t{1} << 31, ~std::uint32_t{0}}) {
    Reply reply;
    reply.text_bytes = bytes;
    EXPECT_FALSE(read(reply)) << bytes;
  }
}

TEST(ReplyReader, UnknownAnswersAndOtherSizesAreNoReply) {
  for (const std::uint32_t answer : {0u, 11u, ~0u}) {
    Reply reply;
    reply.answer = static_cast<Answer>(answer);
    EXPECT_FALSE(read(reply)) << answer;
  }
  const std::vector<std::byte> packet(sizeof(Reply) + 1);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, sizeof(Reply) - 1, sizeof(Reply) + 1})
    EXPECT_FALSE(read_reply(std::span(packet).first(bytes))) << bytes;
}

/// Replies with bytes changed at random: what is read goes through all that makes words of it.
TEST(ReplyReader, AnyBytesGiveWordsWithinBounds) {
  Random random(28);
  for (int turn = 0; turn < 20'000; ++turn) {
    Reply reply;
    reply.answer = static_cast<Answer>(1 + random.below(9));
    reply.text_bytes = static_cast<std::uint32_t>(random.below(1100));
    std::array<std::byte, sizeof(Reply)> packet;
    std::memcpy(packet.data(), &reply, sizeof reply);
    const auto text = offsetof(Reply, text);
    for (std::size_t i = 0; i < 64; ++i)
      packet[text + random.below(sizeof reply.text)] = static_cast<std::byte>(random.below(256));
    if (random.below(2) == 0) packet[random.below(packet.size())] = static_cast<std::byte>(random.below(256));
    const auto seen = read_reply(packet);
    if (!seen) continue;
    EXPECT_TRUE(std::isfinite(seen->device_seconds));
    EXPECT_LE(explain_refusal(*seen, true).detail.size(), 2 * reply.text.size());
    EXPECT_LE(operators_in_words({seen->text.data(), seen->text_bytes}).size(), 2 * reply.text.size());
  }
}

}  // namespace
}  // namespace ridgeline::judge

#include "engine/worker/runner/channel.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/posix/pipe.hpp"

namespace ridgeline::runner {
namespace {

TEST(Channel, DescriptorsBeyondTheRoomAreClosed) {
  constexpr int untouched = -7;
  for (const std::size_t room : {0U, 1U, 2U, 3U}) {
    auto channel = make_channel();
    auto pipe = posix::make_pipe();
    const std::vector<int> sent(4, pipe.write.get());
    ASSERT_TRUE(send_packet(channel.judge.get(), "x", 1, sent));
    std::array<int, 5> descriptors;
    descriptors.fill(untouched);
    char byte = 0;
    const auto received =
        receive_packet(channel.runner.get(), &byte, 1, std::span<int>(descriptors).first(room));
    EXPECT_EQ(received.bytes, 1U);
    EXPECT_EQ(byte, 'x');
    EXPECT_EQ(received.descriptors, room);
    for (std::size_t i = room; i < descriptors.size(); ++i) EXPECT_EQ(descriptors[i], untouched) << room;
    for (std::size_t i = 0; i < room; ++i) {
      EXPECT_NE(::fcntl(descriptors[i], F_GETFD) & FD_CLOEXEC, 0);
      ::close(descriptors[i]);
    }
    // A pipe ends when nobody holds its other end, so a descriptor left open would show here.
    pipe.write.reset();
    ASSERT_EQ(::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK), 0);
    EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 0) << room;
  }
}

TEST(Channel, DescriptorsBesideAnEmptyPacketAreClosed) {
  const auto channel = make_channel();
  auto pipe = posix::make_pipe();
  const std::vector<int> sent(2, pipe.write.get());
  ASSERT_TRUE(send_packet(channel.judge.get(), "", 0, sent));
  ASSERT_TRUE(send_packet(channel.judge.get(), "x", 1));
  std::array<int, 2> descriptors{-7, -7};
  char byte = 0;
  const auto received = receive_packet(channel.runner.get(), &byte, 1, descriptors);
  EXPECT_EQ(received.bytes, 0U);
  EXPECT_EQ(received.descriptors, 0U);
  EXPECT_EQ(descriptors, (std::array<int, 2>{-7, -7}));
  pipe.write.reset();
  ASSERT_EQ(::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK), 0);
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), 0) << "somebody still holds the other end";
  EXPECT_EQ(receive_packet(channel.runner.get(), &byte, 1, descriptors).bytes, 1U);
}

TEST(Channel, ALongPacketIsCut) {
  const auto channel = make_channel();
  ASSERT_TRUE(send_packet(channel.judge.get(), "abcd", 4));
  ASSERT_TRUE(send_packet(channel.judge.get(), "e", 1));
  std::array<char, 3> data{};
  EXPECT_EQ(receive_packet(channel.runner.get(), data.data(), data.size()).bytes, 3U);
  EXPECT_EQ(std::string_view(data.data(), 3), "abc");
  EXPECT_EQ(receive_packet(channel.runner.get(), data.data(), data.size()).bytes, 1U);
  EXPECT_EQ(data[0], 'e');
}

TEST(Channel, BothCallsReturnWhenTheOtherEndIsGone) {
  auto channel = make_channel();
  channel.judge.reset();
  char byte = 0;
  EXPECT_EQ(receive_packet(channel.runner.get(), &byte, 1).bytes, 0U);
  EXPECT_FALSE(send_packet(channel.runner.get(), "x", 1));
}

}  // namespace
}  // namespace ridgeline::runner

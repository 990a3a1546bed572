// The judge's own kernels against what the host does with the same bytes, at offsets and sizes that no vector
// load likes, in one launch as the judge asks for them.
#include "engine/cuda/jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "device_bytes.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/shared_memory.hpp"

namespace ridgeline::cuda {
namespace {

constexpr std::size_t kRoom = std::size_t{16} << 20;
constexpr std::uint64_t kPattern = 0x0807060504030201;
constexpr std::uint64_t kOffsets[] = {0, 1, 2, 4, 7, 8, 15, 16};
// Around 16 bytes, which a thread takes at once, and 64 KiB, which a block does.
constexpr std::uint64_t kSizes[] = {0, 1, 3, 15, 16, 17, 255, 4099, 65535, 65536, 65537, 131075};

class JobsOnGpu : public testing::Test {
 protected:
  JobsOnGpu() : a_(make_shared_memory(kRoom, 0)), b_(make_shared_memory(kRoom, 0)) {}
  CUdeviceptr a() const { return a_.mapping.address(); }
  CUdeviceptr b() const { return b_.mapping.address(); }

  PrimaryContext context_{0};
  Jobs jobs_{0};
  SharedMemory a_, b_;
};

TEST_F(JobsOnGpu, MovesTheBytesOfEachJobAndNoOthers) {
  const auto source = random_bytes(1 << 18, 1);
  auto expected = random_bytes(kRoom, 2);
  put(b(), source);
  put(a(), expected);
  std::vector<Move> moves;
  std::size_t place = 0;
  for (const auto to : kOffsets)
    for (const auto from : {std::uint64_t{0}, to, std::uint64_t{4}, std::uint64_t{9}})
      for (const auto size : kSizes) {
        place = (place + 63) / 64 * 64 + 32;
        if (place + to + size > kRoom) break;
        moves.push_back({a() + place + to, b() + from, size, 0});
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), size,
                    expected.begin() + static_cast<std::ptrdiff_t>(place + to));
        place += to + size;
      }
  ASSERT_GT(moves.size(), 300u);
  jobs_.run(moves);
  EXPECT_TRUE(get(a(), kRoom) == expected);
}

TEST_F(JobsOnGpu, FillsRepeatThePatternFromTheFirstByteOn) {
  auto expected = random_bytes(kRoom, 3);
  put(a(), expected);
  std::vector<Move> fills;
  std::size_t place = 0;
  for (const auto to : kOffsets)
    for (const auto size : kSizes) {
      place = (place + 63) / 64 * 64 + 32;
      fills.push_back({a() + place + to, 0, size, kPattern});
      for (std::uint64_t i = 0; i < size; ++i)
        expected[place + to + i] = static_cast<std::uint8_t>(kPattern >> (8 * (i % 8)));
      place += to + size;
    }
  ASSERT_LT(place, kRoom);
  jobs_.run(fills);
  EXPECT_TRUE(get(a(), kRoom) == expected);
}

TEST_F(JobsOnGpu, FindsTheFirstByteThatDiffers) {
  const auto source = random_bytes(1 << 20, 4);
  std::vector<std::vector<std::uint64_t>> changes = {
      {}, {0}, {1}, {14}, {15}, {16}, {17}, {4098}, {65535}, {65536}, {200000}, {7, 200000}, {131073, 70001}};
  for (const auto shift_a : kOffsets)
    for (const auto shift_b : {std::uint64_t{0}, shift_a, std::uint64_t{5}}) {
      put(a() + shift_a, source);
      put(b() + shift_b, source);
      for (const auto& changed : changes) {
        for (const auto at : changed) flip(a() + shift_a + at);
        const auto found = jobs_.run({Compare{a() + shift_a, b() + shift_b, 200001, 0}}).front();
        if (changed.empty()) {
          EXPECT_FALSE(found) << shift_a << " " << shift_b << " at " << *found;
        } else {
          EXPECT_EQ(found, std::ranges::min(changed)) << shift_a << " " << shift_b;
        }
        for (const auto at : changed) flip(a() + shift_a + at);
      }
    }
}

TEST_F(JobsOnGpu, ComparesWithAPatternAndReportsEachJobApart) {
  jobs_.run({Move{a() + 3, 0, 70000, kPattern}, Move{a() + 100000, 0, 1024, kPattern}});
  flip(a() + 3 + 69999);
  flip(a() + 3 + 70000);  // behind the first job
  const auto found =
      jobs_.run({Compare{a() + 3, 0, 70000, kPattern}, Compare{a() + 100000, 0, 1024, kPattern},
                 Compare{a() + 3, 0, 69999, kPattern}, Compare{a() + 100000, 0, 1024, 0}});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0], 69999u);
  EXPECT_FALSE(found[1]);
  EXPECT_FALSE(found[2]);
  EXPECT_EQ(found[3], 0u);
}

TEST_F(JobsOnGpu, EmptyJobsDoNotDisturbOthers) {
  put(a(), Bytes(256, 0));
  jobs_.run(std::vector<Move>{});
  EXPECT_TRUE(jobs_.run(std::vector<Compare>{}).empty());
  jobs_.run({Move{a(), 0, 0, kPattern}, Move{a() + 16, 0, 8, kPattern}, Move{a() + 32, 0, 0, kPattern},
             Move{a() + 48, 0, 8, kPattern}, Move{a() + 64, 0, 0, kPattern}});
  Bytes expected(256, 0);
  for (const std::size_t at : {16, 48})
    for (std::size_t i = 0; i < 8; ++i) expected[at + i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_EQ(get(a(), 256), expected);
}

TEST_F(JobsOnGpu, EvictingTheL2ChangesNoByte) {
  const auto bytes = random_bytes(kRoom, 5);
  put(a(), bytes);
  for (const std::size_t part : {kRoom, std::size_t{16}})
    EXPECT_TRUE(jobs_.run(JobList{.evict = {a(), part}}).empty());
  EXPECT_TRUE(get(a(), kRoom) == bytes);
}

TEST_F(JobsOnGpu, EvictsBetweenWritingAndComparing) {
  const auto differences =
      jobs_.run(JobList{.moves = {Move{a(), 0, 64, kPattern}},
                        .evict = {b(), kRoom},
                        .compares = {Compare{a(), 0, 64, kPattern}, Compare{a(), 0, 64, ~kPattern}}});
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_FALSE(differences[0]);
  EXPECT_EQ(differences[1], 0u);
}

TEST_F(JobsOnGpu, MeasuresAClockWithinTheDevicesRange) {
  const auto most = device_facts(0).clock;
  for (int i = 0; i < 20; ++i) {
    const auto clock = jobs_.clock();
    EXPECT_GT(clock, 0.3e9);
    EXPECT_LT(clock, 3e9);
    EXPECT_LT(clock, 1.05 * most) << "and no more than it says of itself";
  }
}

}  // namespace
}  // namespace ridgeline::cuda

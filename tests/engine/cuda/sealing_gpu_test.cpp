// Sealed memory is no longer what it was, opens again under its key alone, and has a digest that any changed
// bit changes. A key that does not come is an error.
#include "engine/cuda/sealing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "device_bytes.hpp"
#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/shared_memory.hpp"

namespace ridgeline::cuda {
namespace {

constexpr std::uint64_t kKey = 0x1234567890abcdef;

class SealingOnGpu : public testing::Test {
 protected:
  SealingOnGpu() {
    std::iota(bytes_.begin(), bytes_.end(), 0);
    write();
    pieces_ = {{memory_.mapping.address(), 1000}, {memory_.mapping.address() + 1024, 4}};
    const auto facts = device_facts(0);
    sealing_.emplace(compile_sealing(facts.major, facts.minor), 0, nullptr);
    sealing_->upload(pieces_);
  }
  void write() { put(memory_.mapping.address(), bytes_); }
  Bytes read() const { return get(memory_.mapping.address(), bytes_.size()); }
  void toggle(std::uint64_t key) {
    sealing_->set_key(key);
    sealing_->toggle(0, pieces_.size());
    sealing_->wait();
  }

  PrimaryContext context_{0};
  Bytes bytes_ = Bytes(2048);
  SharedMemory memory_ = make_shared_memory(2048, 0);
  std::vector<DeviceRange> pieces_;
  std::optional<Sealing> sealing_;
};

TEST_F(SealingOnGpu, SealsPiecesToTheirLastByteAndNothingElse) {
  toggle(kKey);
  const auto sealed = read();
  std::size_t same = 0;
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    const bool in_a_piece = i < 1000 || (i >= 1024 && i < 1028);
    if (in_a_piece)
      same += sealed[i] == bytes_[i];
    else
      EXPECT_EQ(sealed[i], bytes_[i]) << i;
  }
  EXPECT_LT(same, 20u) << "of 1,004 bytes one in 256 stays the same by chance";
  toggle(kKey + 1);
  EXPECT_NE(read(), bytes_) << "another key does not open";
  toggle(kKey + 1);
  toggle(kKey);
  EXPECT_EQ(read(), bytes_);
}

TEST_F(SealingOnGpu, WritesSealedWhatLiesElsewhereInTheOpen) {
  const DeviceRange second{memory_.mapping.address() + 1024, 4}, to{memory_.mapping.address() + 512, 4};
  toggle(kKey);
  const auto sealed = read();
  write();
  sealing_->upload(std::array{second, to});
  sealing_->set_key(kKey);
  sealing_->seal_piece(0, 1, 1);
  sealing_->wait();
  const auto seen = read();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen[1024 + i], bytes_[1024 + i]) << "what is read stays";
    EXPECT_EQ(seen[512 + i], sealed[1024 + i]) << "as the second of two pieces that are sealed together";
  }
}

TEST_F(SealingOnGpu, ADigestFollowsFromEachBitAndFromTheKey) {
  const auto whole = sealing_->digest_now(0, 2, kKey);
  EXPECT_EQ(sealing_->digest_now(0, 2, kKey), whole);
  EXPECT_NE(sealing_->digest_now(0, 2, kKey + 1), whole);
  EXPECT_NE(sealing_->digest_now(0, 1, kKey), whole);
  for (const std::size_t changed : {0, 7, 8, 999, 1024, 1027}) {
    bytes_[changed] ^= 1;
    write();
    const auto other = sealing_->digest_now(0, 2, kKey);
    EXPECT_NE(other.output[0], whole.output[0]) << changed;
    EXPECT_NE(other.output[1], whole.output[1]) << changed;
    bytes_[changed] ^= 1;
  }
  bytes_[1000] ^= 1;  // outside
  write();
  EXPECT_EQ(sealing_->digest_now(0, 2, kKey), whole);
}

TEST_F(SealingOnGpu, ADigestHoldsWhatWasReadToEmptyTheCache) {
  const DeviceRange evicted{memory_.mapping.address() + 1040, 1008};
  const auto with = sealing_->digest_now(0, 2, kKey, evicted), without = sealing_->digest_now(0, 2, kKey);
  EXPECT_EQ(with.output, without.output);
  EXPECT_NE(with.evicted, 0u);
  EXPECT_EQ(without.evicted, 0u) << "of the digest before nothing is left";
  bytes_[2047] ^= 1;
  write();
  EXPECT_NE(sealing_->digest_now(0, 2, kKey, evicted).evicted, with.evicted);
}

/// Large enough for every thread and block to have a part, and a second process has the same digest.
TEST_F(SealingOnGpu, ADigestOfMuchMemoryFollowsFromWhatLiesWhere) {
  constexpr std::size_t kLength = (std::size_t{16} << 20) + 24;
  const auto memory = make_shared_memory(kLength, 0);
  put(memory.mapping.address(), random_bytes(kLength, 3));
  const DeviceRange all{memory.mapping.address(), kLength};
  sealing_->upload({&all, 1});
  const auto digest = [&] { return sealing_->digest_now(0, 1, kKey).output; };
  const auto whole = digest();
  const auto facts = device_facts(0);
  Sealing another(compile_sealing(facts.major, facts.minor), 0, nullptr);
  another.upload({&all, 1});
  EXPECT_EQ(another.digest_now(0, 1, kKey).output, whole);
  for (const std::size_t at : {std::size_t{0}, kLength / 3, kLength - 1}) {
    flip(memory.mapping.address() + at);
    EXPECT_NE(digest(), whole) << at;
    flip(memory.mapping.address() + at);
  }
  // Words that change places, within a thread's part and between threads and blocks.
  const std::size_t stride = std::size_t{2} * facts.multiprocessors * 256 * 16;
  for (const std::size_t other : {std::size_t{16}, std::size_t{16 * 32}, std::size_t{16 * 256}, stride}) {
    const auto first = get(memory.mapping.address(), 16), second = get(memory.mapping.address() + other, 16);
    put(memory.mapping.address(), second);
    put(memory.mapping.address() + other, first);
    EXPECT_NE(digest(), whole) << other;
    put(memory.mapping.address(), first);
    put(memory.mapping.address() + other, second);
  }
  EXPECT_EQ(digest(), whole);
}

/// Sums of keyed words could be bent by free bits: what one word adds did not depend on the others.
TEST_F(SealingOnGpu, WhatAWordDoesToADigestDependsOnAllOthers) {
  constexpr std::size_t kLength = std::size_t{8} << 20;
  const auto memory = make_shared_memory(kLength, 0);
  put(memory.mapping.address(), random_bytes(kLength, 4));
  const DeviceRange all{memory.mapping.address(), kLength};
  sealing_->upload({&all, 1});
  for (const std::size_t other : {std::size_t{16}, std::size_t{16 * 256}, kLength - 16}) {
    std::array<std::array<std::uint64_t, 2>, 4> found;  // neither word changed, the first, the second, both
    for (const std::size_t changed : {0, 1, 3, 2}) {
      if (changed == 1 || changed == 2) flip(memory.mapping.address());
      if (changed == 3) flip(memory.mapping.address() + other);
      found[changed] = sealing_->digest_now(0, 1, kKey).output;
    }
    flip(memory.mapping.address() + other);
    for (const std::size_t half : {0, 1}) {
      EXPECT_NE(found[1][half] - found[0][half], found[3][half] - found[2][half]) << other;
      EXPECT_NE(found[1][half] ^ found[0][half], found[3][half] ^ found[2][half]) << other;
    }
  }
}

/// In a process of its own, since its context ends.
TEST(AKeyOnGpu, ThatDoesNotComeIsAnErrorAndSaysWhichOne) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const PrimaryContext context(0);
        const auto facts = device_facts(0);
        Sealing sealing(compile_sealing(facts.major, facts.minor), 0, nullptr);
        void* words = nullptr;
        check(driver().cuMemHostAlloc(&words, 4 * sizeof(std::uint64_t), CU_MEMHOSTALLOC_DEVICEMAP),
              "allocating a test's words");
        auto* const host = static_cast<volatile std::uint64_t*>(words);
        for (int i = 0; i < 4; ++i) host[i] = 0;
        CUdeviceptr there = 0;
        check(driver().cuMemHostGetDevicePointer(&there, words, 0), "asking where a test's words lie");
        host[0] = 4;  // of five keys
        sealing.await_key({.published = there, .keys = there + 8, .missing = there + 24}, 4, 1'000'000);
        bool failed = false;
        try {
          sealing.wait();
        } catch (const MachineCannot&) {
          failed = true;
        }
        std::_Exit(failed && host[3] == 5 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ridgeline::cuda

// Sealed memory is no longer what it was, opens again under its key alone, and has a digest that any changed
// bit changes.
#include "engine/cuda/sealing.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <vector>

#include "device_bytes.hpp"
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

}  // namespace
}  // namespace ridgeline::cuda

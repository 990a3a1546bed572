// No key is given before the digest of the call ahead, and no digest counts that comes or changes after it.
#include "engine/worker/judge/runners/key_server.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace ridgeline::judge {
namespace {

constexpr std::array<std::uint64_t, 3> kKeys{11, 22, 33};
constexpr std::array<std::uint64_t, 1> kOneKey{7};

class KeyServers : public testing::Test {
 protected:
  void commit(std::size_t call, std::uint64_t digest) {
    exchange_->digests[call] = {.output = {digest, digest + 1}, .evicted = digest + 2};
    exchange_->committed = call + 1;
  }

  std::unique_ptr<runner::SealedExchange> exchange_ = std::make_unique<runner::SealedExchange>();
  std::array<runner::SealedArgument, 2> arguments_{{{64, 1, 0}, {32, 0, 1}}};
};

TEST_F(KeyServers, GivesOneKeyForEachDigest) {
  exchange_->committed = 3;  // left by the batch before
  KeyServer window(*exchange_, {arguments_, kKeys});
  EXPECT_EQ(exchange_->arguments, 2u);
  EXPECT_EQ(exchange_->argument[1].bytes, 32u);
  EXPECT_EQ(exchange_->published, 0u) << "nothing is given before the window is open";
  EXPECT_EQ(exchange_->keys[0], 0u);
  window.serve(0);
  window.serve(0);
  EXPECT_EQ(exchange_->published, 1u);
  EXPECT_EQ(exchange_->keys[0], 11u);
  EXPECT_EQ(exchange_->keys[1], 0u);
  commit(0, 100);
  window.serve(0);
  EXPECT_EQ(exchange_->published, 2u);
  EXPECT_EQ(exchange_->keys[1], 22u);
}

TEST_F(KeyServers, SaysWhatTheRunnerDoesBetweenCalls) {
  exchange_->missing_key = 2;
  const KeyServer cold(*exchange_, {arguments_, kKeys});
  EXPECT_EQ(exchange_->empties_cache, 1u);
  EXPECT_EQ(exchange_->missing_key, 0u);
  const KeyServer other(*exchange_, {arguments_, kKeys, false});
  EXPECT_EQ(exchange_->empties_cache, 0u);
}

/// A runner that waited in vain meanwhile is not to blame.
TEST_F(KeyServers, KnowsHowLongItWasKeptFromServing) {
  KeyServer window(*exchange_, {arguments_, kKeys});
  EXPECT_EQ(window.longest_absence(), 0);
  for (const double now : {10.0, 10.5, 13.0, 13.1}) window.serve(now);
  EXPECT_EQ(window.longest_absence(), 2.5);
  window.finish(17.1);  // the runner gave up meanwhile, and replied
  EXPECT_NEAR(window.longest_absence(), 4, 1e-9);
}

TEST_F(KeyServers, ADigestThatChangesLaterDoesNotCount) {
  KeyServer window(*exchange_, {arguments_, kKeys});
  window.serve(0);
  commit(0, 100);
  window.serve(0);
  exchange_->digests[0].output[0] = 999;
  window.finish(0);
  EXPECT_EQ(window.digests()[0], (cuda::OutputDigest{{100, 101}, 102}));
}

/// Whoever claims all digests at once has committed to what lies there then.
TEST_F(KeyServers, DigestsThatAreClaimedAheadCountAsTheyWereThen) {
  KeyServer window(*exchange_, {arguments_, kKeys});
  window.serve(0);
  exchange_->committed = ~std::uint64_t{0};
  for (int i = 0; i < 5; ++i) window.serve(0);
  EXPECT_EQ(exchange_->published, 3u);
  for (auto& digest : exchange_->digests) digest = {.output = {1, 2}, .evicted = 3};
  window.finish(0);
  const auto& found = window.digests();
  EXPECT_EQ(found[0], cuda::OutputDigest{});
  EXPECT_EQ(found[1], cuda::OutputDigest{});
}

TEST_F(KeyServers, ADigestThatComesAfterTheReplyIsNone) {
  KeyServer window(*exchange_, {arguments_, kKeys});
  window.serve(0);
  window.finish(0);  // the reply was seen
  commit(0, 100);
  window.serve(0);
  EXPECT_EQ(exchange_->published, 1u) << "no further key";
  EXPECT_EQ(window.digests()[0], cuda::OutputDigest{});
}

TEST_F(KeyServers, TheLastDigestIsTakenAtTheEndAndKeysAreTakenBack) {
  {
    KeyServer window(*exchange_, {arguments_, kOneKey});
    window.serve(0);
    commit(0, 100);
    window.finish(0);
    EXPECT_EQ(window.digests()[0].evicted, 102u);
  }
  EXPECT_EQ(exchange_->published, 0u);
  EXPECT_EQ(exchange_->keys[0], 0u);
}

}  // namespace
}  // namespace ridgeline::judge

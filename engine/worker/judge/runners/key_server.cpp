#include "engine/worker/judge/runners/key_server.hpp"

#include <algorithm>
#include <atomic>

#include "engine/core/error.hpp"

namespace ridgeline::judge {
namespace {

/// The other process, and its device, read and write these words at the same time.
std::uint64_t load(std::uint64_t& word) {
  return std::atomic_ref(word).load(std::memory_order_acquire);
}
void store(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref(word).store(value, std::memory_order_release);
}

}  // namespace

KeyServer::KeyServer(runner::SealedExchange& exchange, const SealedBatch& batch)
    : exchange_(exchange), keys_(batch.keys.begin(), batch.keys.end()), digests_(batch.keys.size()) {
  if (batch.keys.size() > runner::kMostSealedCalls || batch.arguments.size() > runner::kMaxArguments)
    throw Error("more sealed calls or arguments than an exchange can hold");
  store(exchange_.published, 0);
  store(exchange_.committed, 0);
  store(exchange_.missing_key, 0);
  exchange_.digests = {};
  std::ranges::copy(batch.arguments, exchange_.argument.begin());
  exchange_.arguments = batch.arguments.size();
  exchange_.empties_cache = batch.empties_cache ? 1 : 0;
}

KeyServer::~KeyServer() {
  store(exchange_.published, 0);
  for (auto& key : exchange_.keys) store(key, 0);
}

/// A digest counts as it is when its count is seen: the next key comes after it.
void KeyServer::copy_digests() {
  const std::uint64_t committed = load(exchange_.committed);
  for (; copied_ < published_ && copied_ < committed; ++copied_)
    digests_[copied_] = {
        .output = {load(exchange_.digests[copied_].output[0]), load(exchange_.digests[copied_].output[1])},
        .evicted = load(exchange_.digests[copied_].evicted)};
}

void KeyServer::note_absence(double now) {
  if (served_) longest_absence_ = std::max(longest_absence_, now - *served_);
  served_ = now;
}

void KeyServer::serve(double now) {
  if (finished_) return;
  note_absence(now);
  copy_digests();
  if (published_ == keys_.size() || copied_ < published_) return;
  store(exchange_.keys[published_], keys_[published_]);
  store(exchange_.published, ++published_);
}

void KeyServer::finish(double now) {
  if (finished_) return;
  finished_ = true;
  note_absence(now);
  copy_digests();
}

}  // namespace ridgeline::judge

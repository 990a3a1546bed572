#include "llm_clients/rate_limiter.hpp"

#include <algorithm>

namespace ridgeline::llm {
namespace {

using Seconds = std::chrono::duration<double>;

}  // namespace

void RateLimiter::Bucket::fill(Time now) {
  if (now <= filled) return;
  level = std::min(capacity, level + capacity / 60 * Seconds(now - filled).count());
  filled = now;
}

RateLimiter::Time RateLimiter::Bucket::when(double wanted, Time now) const {
  // A hair of slack: the level after exactly the computed wait is equal only up to rounding.
  const double missing = std::min(wanted, capacity) - level;
  if (capacity <= 0 || missing <= 1e-6 * capacity) return now;
  return now + std::chrono::ceil<std::chrono::steady_clock::duration>(Seconds(missing / capacity * 60));
}

RateLimiter::RateLimiter(const Limits& limits, Time now) : concurrency_(limits.concurrency) {
  requests_ = {double(limits.requests_per_minute), double(limits.requests_per_minute), now};
  tokens_ = {double(limits.tokens_per_minute), double(limits.tokens_per_minute), now};
}

RateLimiter::Decision RateLimiter::start(Time now, std::int64_t tokens) {
  if (concurrency_ > 0 && under_way_ >= concurrency_) return WaitForFinish{};
  requests_.fill(now);
  tokens_.fill(now);
  const auto time = std::max({paused_until_, requests_.when(1, now), tokens_.when(double(tokens), now)});
  if (time > now) return WaitUntil{time};
  requests_.level -= 1;
  tokens_.level -= double(tokens);
  ++under_way_;
  return Go{};
}

void RateLimiter::finish(Time now, std::int64_t reserved, std::optional<std::int64_t> used) {
  --under_way_;
  tokens_.fill(now);
  if (used) tokens_.level = std::min(tokens_.capacity, tokens_.level + double(reserved - *used));
}

void RateLimiter::pause_until(Time time) {
  paused_until_ = std::max(paused_until_, time);
}

}  // namespace ridgeline::llm

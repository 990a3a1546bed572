#include "llm_clients/rate_limiter.hpp"

#include <algorithm>
#include <cmath>

namespace ridgeline::llm {
namespace {

constexpr std::chrono::seconds kWindow{60};
// Amounts are counts of up to 1e12 that are added and subtracted. The rounding error that remains is far
// smaller.
constexpr double kRounding = 1e-3;
constexpr double kLongestDebt = 1e6;  // minutes; keeps the time below within the clock's range

}  // namespace

void RateLimiter::Window::forget(Time now) {
  while (!entries_.empty() && entries_.front().until <= now) {
    sum_ -= entries_.front().amount;
    entries_.pop_front();
  }
  // Drops the rounding errors of the sum.
  if (entries_.empty()) sum_ = 0;
}

RateLimiter::Time RateLimiter::Window::when(double wanted, Time now) const {
  if (limit_ <= 0) return now;
  // More than the limit never fits; it then waits until nothing else counts.
  const double room = limit_ - std::min(wanted, limit_);  // what other entries may use at that time
  double left = sum_;
  auto time = now;
  // Entries are sorted by their end, so this finds the first time at which enough of them have ended.
  for (auto entry = entries_.begin(); entry != entries_.end() && left > room + kRounding; ++entry) {
    left -= entry->amount;
    time = entry->until;
  }
  return time;
}

void RateLimiter::Window::add(std::uint64_t ticket, double amount, Time since, Time now) {
  if (limit_ <= 0 || amount <= 0) return;
  // An amount over the limit fills whole minutes first, and its rest counts in the minute after them.
  const double minutes = std::min(std::floor(amount / limit_), kLongestDebt);
  if (minutes > 0) put({ticket, since + kWindow * static_cast<int>(minutes), limit_}, now);
  put({ticket, since + kWindow * (static_cast<int>(minutes) + 1), amount - minutes * limit_}, now);
}

void RateLimiter::Window::put(const Entry& entry, Time now) {
  if (entry.until <= now || entry.amount <= 0) return;
  entries_.insert(std::ranges::upper_bound(entries_, entry.until, {}, &Entry::until), entry);
  sum_ += entry.amount;
}

void RateLimiter::Window::take_back(std::uint64_t ticket) {
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.ticket == ticket) sum_ -= entry.amount;
    return entry.ticket == ticket;
  });
}

RateLimiter::RateLimiter(const Limits& limits)
    : requests_(limits.requests_per_minute),
      tokens_(limits.tokens_per_minute),
      concurrency_(limits.concurrency) {}

RateLimiter::Decision RateLimiter::start(Time now, std::int64_t tokens) {
  // Checked first: nothing may be reserved for a request that does not start.
  if (concurrency_ > 0 && under_way_.size() >= static_cast<std::size_t>(concurrency_)) return WaitForFinish{};
  requests_.forget(now);
  tokens_.forget(now);
  const auto time = std::max({paused_until_, requests_.when(1, now), tokens_.when(double(tokens), now)});
  if (time > now) return WaitUntil{time};
  const auto ticket = next_ticket_++;
  requests_.add(ticket, 1, now, now);
  tokens_.add(ticket, double(tokens), now, now);
  under_way_[ticket] = {now, tokens};
  return Go{ticket};
}

void RateLimiter::finish(Time now, std::uint64_t ticket, std::optional<std::int64_t> used) {
  // The request entry stays in its window: a failed request counts against requests per minute too.
  const auto reserved = under_way_.extract(ticket).mapped();
  if (!used) return;
  if (*used <= reserved.tokens) {
    // Counted from the start of the request, as the reservation was, so that early returns free tokens
    // early.
    tokens_.take_back(ticket);
    tokens_.add(ticket, double(*used), reserved.started, now);
  } else {
    // The excess was unknown before, so it counts from now on.
    tokens_.add(ticket, double(*used - reserved.tokens), now, now);
  }
}

void RateLimiter::pause_until(Time time) {
  paused_until_ = std::max(paused_until_, time);
}

}  // namespace ridgeline::llm

// Limits of one model entry: requests a minute, tokens a minute, requests at once. Pure: fed with time
// points.
//
// Two token buckets that hold one minute's worth, start full and fill evenly. Tokens are reserved by an
// estimate before a request and settled by the reported usage after it, so a bucket may go below zero: a
// request larger than the bucket is let through when it is full, and paid for afterwards.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

#include "llm_clients/model.hpp"

namespace ridgeline::llm {

class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Go {};
  struct WaitUntil {
    Time time;
  };
  struct WaitForFinish {};  ///< as many as allowed are under way
  using Decision = std::variant<Go, WaitUntil, WaitForFinish>;

  RateLimiter(const Limits& limits, Time now);

  /// `Go` has taken one request, `tokens` tokens and one place; give the place back with `finish`.
  Decision start(Time now, std::int64_t tokens);

  /// `used` is what it came to, or nothing where that is not known (what was reserved stands).
  void finish(Time now, std::int64_t reserved, std::optional<std::int64_t> used);

  /// The server turned one away: nothing starts before `time`.
  void pause_until(Time time);

  int under_way() const { return under_way_; }

 private:
  struct Bucket {
    double capacity = 0;  ///< 0: no limit
    double level = 0;
    Time filled;

    void fill(Time now);
    /// When `wanted` (at most a full bucket) will be there; `now` if it is.
    Time when(double wanted, Time now) const;
  };

  Bucket requests_;
  Bucket tokens_;
  int concurrency_;
  int under_way_ = 0;
  Time paused_until_{};
};

}  // namespace ridgeline::llm

// Enforces the limits of one model entry: requests a minute, tokens a minute, concurrent requests. Does no
// I/O; the caller passes the time.
//
// It remembers the starts of the last 60 seconds, so that no window of 60 seconds, wherever it begins,
// exceeds the limit. (A token bucket that starts full lets twice the limit through in its first minute.) It
// reserves estimated tokens before a request and replaces them by the reported usage after it. A request
// larger than the limit goes when nothing else is remembered, and then counts for as many minutes as its size
// requires.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <variant>

#include "llm_clients/model.hpp"

namespace ridgeline::llm {

class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Go {
    std::uint64_t ticket;  ///< pass it to `finish`
  };
  struct WaitUntil {
    Time time;
  };
  struct WaitForFinish {};  ///< `concurrency` requests are under way
  using Decision = std::variant<Go, WaitUntil, WaitForFinish>;

  explicit RateLimiter(const Limits& limits);

  /// Decides whether a request may start. `Go` has reserved one request, `tokens` tokens and one concurrent
  /// request.
  Decision start(Time now, std::int64_t tokens);

  /// Ends a request. `used` is the reported usage in tokens; if nothing, the reservation stands.
  void finish(Time now, std::uint64_t ticket, std::optional<std::int64_t> used);

  /// Starts nothing before `time`, because the server asks for a wait.
  void pause_until(Time time);

  std::size_t under_way() const { return under_way_.size(); }

 private:
  /// The amounts that count against one limit, and until when each does.
  class Window {
   public:
    explicit Window(double limit) : limit_(limit) {}

    void forget(Time now);
    /// Returns the earliest time at which `wanted` more fit; `now` if they do already.
    Time when(double wanted, Time now) const;
    void add(std::uint64_t ticket, double amount, Time since, Time now);
    void take_back(std::uint64_t ticket);

   private:
    struct Entry {
      std::uint64_t ticket;
      Time until;
      double amount;
    };
    void put(const Entry& entry, Time now);

    double limit_;  ///< 0: none
    double sum_ = 0;
    std::deque<Entry> entries_;  ///< in the order of `until`
  };

  Window requests_;
  Window tokens_;
  struct Reserved {
    Time started;
    std::int64_t tokens;
  };

  int concurrency_;
  std::unordered_map<std::uint64_t, Reserved> under_way_;  ///< by ticket
  std::uint64_t next_ticket_ = 0;
  Time paused_until_{};
};

}  // namespace ridgeline::llm

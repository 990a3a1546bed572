// Enforces the limits of one model entry: requests per minute, tokens per minute, concurrent requests. Does
// no I/O; the caller passes the time. One thread.
//
// The limiter remembers what started in the last 60 seconds, so that no window of 60 seconds, wherever it
// begins, exceeds a limit. (A token bucket that starts full lets twice the limit through in its first
// minute.) It reserves estimated tokens before a request, and replaces them by the reported usage after it.
//
// A request with more tokens than `tokens_per_minute` starts once no other tokens are remembered. It then
// counts for several minutes: with 2.5 times the limit it fills two minutes, and half of the third.
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

  /// The request may start now.
  struct Go {
    std::uint64_t ticket;  ///< names the request; pass it to `finish`
  };
  /// The request may not start before `time`. Call `start` again then; it may say to wait again.
  struct WaitUntil {
    Time time;
  };
  /// `concurrency` requests are under way. Call `start` again after the next `finish`.
  struct WaitForFinish {};
  using Decision = std::variant<Go, WaitUntil, WaitForFinish>;

  /// A limit of 0 is no limit.
  explicit RateLimiter(const Limits& limits);

  /// Decides whether a request may start. `tokens`: an estimate of its input and output together. With
  /// `Go`, one request and `tokens` tokens are reserved, and the request counts as under way until `finish`.
  Decision start(Time now, std::int64_t tokens);

  /// Ends the request with this `ticket`, which `start` returned; each ticket is finished exactly once.
  /// `used`: the reported usage in tokens, which replaces the reservation; nothing: the reservation stands. A
  /// failed request still counts against requests per minute.
  void finish(Time now, std::uint64_t ticket, std::optional<std::int64_t> used);

  /// Starts nothing before `time`, because the server asks for a wait. Does not shorten an earlier, longer
  /// pause.
  void pause_until(Time time);

  /// Returns how many requests have started and not finished.
  std::size_t under_way() const { return under_way_.size(); }

 private:
  /// The amounts that count against one limit, and until when each does.
  class Window {
   public:
    explicit Window(double limit) : limit_(limit) {}

    /// Removes what no longer counts at `now`.
    void forget(Time now);
    /// Returns the earliest time at which `wanted` more fit; `now` if they do already.
    Time when(double wanted, Time now) const;
    /// Counts `amount` from `since` on. Nothing is remembered of what no longer counts at `now`.
    void add(std::uint64_t ticket, double amount, Time since, Time now);
    /// Removes all amounts of a ticket.
    void take_back(std::uint64_t ticket);

   private:
    struct Entry {
      std::uint64_t ticket;
      Time until;
      double amount;
    };
    void put(const Entry& entry, Time now);

    double limit_;  ///< 0: no limit
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

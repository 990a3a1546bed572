// Limits of one model entry: requests a minute, tokens a minute, requests at once. Pure: fed with time
// points.
//
// What was started within the last 60 seconds is remembered, so no window of 60 seconds, wherever it begins,
// holds more than the limit. (A bucket that starts full lets twice the limit through in its first minute.)
// Tokens are reserved by an estimate before a request and settled by the reported usage after it. A request
// larger than the limit goes when nothing else is remembered, and is remembered for as many minutes as it
// takes to make up for it.
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
    std::uint64_t ticket;  ///< to be given back with `finish`
  };
  struct WaitUntil {
    Time time;
  };
  struct WaitForFinish {};  ///< as many as allowed are under way
  using Decision = std::variant<Go, WaitUntil, WaitForFinish>;

  explicit RateLimiter(const Limits& limits);

  /// `Go` has taken one request, `tokens` tokens and one place.
  Decision start(Time now, std::int64_t tokens);

  /// `used` is what it came to, or nothing where that is not known (what was reserved stands).
  void finish(Time now, std::uint64_t ticket, std::optional<std::int64_t> used);

  /// The server turned one away: nothing starts before `time`.
  void pause_until(Time time);

  std::size_t under_way() const { return under_way_.size(); }

 private:
  /// What counts against one limit, and until when.
  class Window {
   public:
    explicit Window(double limit) : limit_(limit) {}

    void forget(Time now);
    /// When `wanted` more may come; `now` if they may.
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

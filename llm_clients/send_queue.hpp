// The queue of requests that wait to be sent, in order, and of requests that are delayed until a time before
// they join it. Does no I/O; the caller passes the time.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

template <class Call>
class SendQueue {
 public:
  bool empty() const { return ready_.empty(); }
  const Call& front() const { return ready_.front(); }
  void push(Call call) { ready_.push_back(call); }
  void pop() { ready_.pop_front(); }

  /// Delays a request until a time. It then joins the queue at its front, or at its end if `behind`.
  void delay(TimePoint until, Call call, bool behind) { delayed_.emplace(until, Delayed{call, behind}); }
  /// Removes a request, delayed or not.
  void remove(const Call& call) {
    std::erase(ready_, call);
    std::erase_if(delayed_, [&](const auto& entry) { return entry.second.call == call; });
  }

  /// Returns when the next delay ends; nothing if no request is delayed.
  std::optional<TimePoint> next_wake() const {
    return delayed_.empty() ? std::nullopt : std::optional(delayed_.begin()->first);
  }
  /// Moves the requests whose delay is over into the queue.
  void wake(TimePoint now) {
    const auto due = delayed_.upper_bound(now);
    std::deque<Call> first;
    for (auto entry = delayed_.begin(); entry != due; ++entry)
      (entry->second.behind ? ready_ : first).push_back(entry->second.call);
    delayed_.erase(delayed_.begin(), due);
    ready_.insert(ready_.begin(), first.begin(), first.end());
  }

  /// Removes and returns all requests, delayed or not.
  std::vector<Call> take_all() {
    std::vector<Call> all(ready_.begin(), ready_.end());
    for (const auto& [until, delayed] : delayed_) all.push_back(delayed.call);
    ready_.clear();
    delayed_.clear();
    return all;
  }

 private:
  struct Delayed {
    Call call;
    bool behind;
  };

  std::deque<Call> ready_;
  std::multimap<TimePoint, Delayed> delayed_;
};

}  // namespace ridgeline::llm

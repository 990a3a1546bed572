// Requests that wait to be sent, in their order, and those that rest until a time before they wait again.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "llm_clients/timers.hpp"

namespace ridgeline::llm {

template <class Call>
class WaitingLine {
 public:
  bool empty() const { return line_.empty(); }
  const Call& front() const { return line_.front(); }
  void push(Call call) { line_.push_back(call); }
  void pop() { line_.pop_front(); }

  /// When it wakes it goes before those in the line, or, with `behind`, after them.
  void rest(TimePoint until, Call call, bool behind) { resting_.emplace(until, Resting{call, behind}); }
  /// It waits no longer, asleep or not.
  void remove(const Call& call) {
    std::erase(line_, call);
    std::erase_if(resting_, [&](const auto& entry) { return entry.second.call == call; });
  }

  /// When the next one wakes.
  std::optional<TimePoint> wakes_at() const {
    return resting_.empty() ? std::nullopt : std::optional(resting_.begin()->first);
  }
  void wake(TimePoint now) {
    const auto due = resting_.upper_bound(now);
    std::deque<Call> first;
    for (auto one = resting_.begin(); one != due; ++one)
      (one->second.behind ? line_ : first).push_back(one->second.call);
    resting_.erase(resting_.begin(), due);
    line_.insert(line_.begin(), first.begin(), first.end());
  }

  /// All of them, asleep or not; none is left.
  std::vector<Call> take_all() {
    std::vector<Call> taken(line_.begin(), line_.end());
    for (const auto& [until, resting] : resting_) taken.push_back(resting.call);
    line_.clear();
    resting_.clear();
    return taken;
  }

 private:
  struct Resting {
    Call call;
    bool behind;
  };

  std::deque<Call> line_;
  std::multimap<TimePoint, Resting> resting_;
};

}  // namespace ridgeline::llm

// The port through which a trajectory talks to the campaign that runs it beside others. Through it a
// trajectory learns whether it may start something new, reports that the campaign cannot go on, and waits for
// budget.
#pragma once

#include <functional>
#include <string>

namespace ridgeline::campaign {

/// Says why a campaign cannot go on now. Nothing is lost: running it again goes on.
struct Pause {
  std::string reason;  ///< for people: what happened, since when, how to repair it
  std::string capped;  ///< key of `budget.total` to raise, such as "usd"; "" if no cap is the cause
};

/// One thread: the campaign's.
class Coordinator {
 public:
  virtual ~Coordinator() = default;

  /// Returns whether the campaign pauses. A trajectory then starts nothing new; what is under way goes on to
  /// its end and is recorded.
  virtual bool pausing() const = 0;
  /// Reports that the campaign cannot go on. The first cause wins.
  virtual void pause(Pause why) = 0;
  /// Calls `retry` once, later, after a call that was under way has been settled.
  virtual void when_budget_settles(std::function<void()> retry) = 0;
  /// Reports that a call, an evaluation or a commit of the caller has ended.
  virtual void settled() = 0;
};

}  // namespace ridgeline::campaign

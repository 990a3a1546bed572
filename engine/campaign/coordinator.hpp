// The port between a trajectory and the campaign that runs it beside others. A trajectory asks whether it may
// start something new, reports that the campaign cannot go on, and waits for budget.
#pragma once

#include <functional>
#include <string>

namespace ridgeline::campaign {

/// Why a campaign cannot go on now. Nothing is lost: it goes on when it is run again.
struct Pause {
  std::string reason;  ///< for people: what, since when, the fix
  std::string
      capped;  ///< key of `budget.total` that must be raised ("usd"); "" where something else is the cause
};

/// One thread: the campaign's.
class Coordinator {
 public:
  virtual ~Coordinator() = default;

  /// Nothing new may be started; what is under way goes on to its end and is recorded.
  virtual bool pausing() const = 0;
  /// The campaign cannot go on. The first cause wins.
  virtual void pause(Pause why) = 0;
  /// Calls `retry` once, later, when a call that was under way has been settled.
  virtual void when_budget_settles(std::function<void()> retry) = 0;
  /// A call, an evaluation or a commit of the caller has ended.
  virtual void settled() = 0;
};

}  // namespace ridgeline::campaign

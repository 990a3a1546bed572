// Calls a kernel that was wrong when timed again and again, alone and each call checked, as the correctness
// stage does once or twice.
//
// A kernel with a race is wrong in a few calls of a hundred, wherever they are made: it may pass the
// correctness stage by luck. It is to be called wrong, not dishonest. One that is right in all these calls
// knows whether it is timed. One that is wrong in many of them has changed since it was checked, or leaves
// work out of every third call: that pays, and a race that frequent is seldom right when it is checked.
#pragma once

#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// How many checked calls were made, and how many of them were wrong.
struct RepeatedChecks {
  int calls = 0, wrong = 0;
  std::optional<RunnerExit> ended;  ///< the runner ended meanwhile; the calls before it count

  /// Whether errors come and go as a race's do: in some calls, and in at most one of eight.
  bool now_and_then() const { return wrong > 0 && 8 * wrong <= calls; }
};

/// Makes up to 64 calls on the case's last secret inputs of the standard set, for up to two seconds. Makes
/// none where the set is forgotten, the case is streamed, or the task is random. `call_limit` are the most
/// seconds of one call. Maps an arena of its own: the case's timing arena must be mapped again afterwards.
/// One thread.
RepeatedChecks repeat_checks(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& runner,
                             double call_limit);

}  // namespace ridgeline::judge

// Checks a kernel again that gave a wrong result while it was timed: calls it many times, alone, and compares
// each result as the correctness stage does.
//
// A kernel with a race gives a wrong result in a few calls of a hundred, whether they are timed or not, so it
// may pass the correctness stage by luck. It is to be called wrong, not dishonest. A kernel that is right in
// all these calls most likely does other work when it is timed: a race of 4 % is right in 64 calls 7 times of
// 100. One that is wrong in many of them has changed since it was checked, or leaves work out of every third
// call, which makes it faster; a race that frequent would seldom have passed the correctness stage.
#pragma once

#include <optional>

#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// The outcome of the repeated calls.
struct RepeatedChecks {
  int calls = 0, wrong = 0;
  std::optional<RunnerExit> ended;  ///< set if the runner ended; the call that it ended in is not counted

  /// Whether some calls were wrong, and at most one of twelve. Fewer than 32 calls decide nothing, and a
  /// runner that ended may have chosen when to: both give false.
  bool looks_like_race() const { return calls >= 32 && wrong > 0 && 12 * wrong <= calls && !ended; }
};

/// Makes up to 64 calls, for up to two seconds, on the secret inputs of the standard set that were drawn last
/// for the case. Makes none if these are no longer kept, if the case's memory is streamed (DeviceMemory), or
/// if the task's results are random. A call may take `call_limit` seconds; then the runner is ended. Unmaps
/// the case's timing arena: who goes on timing maps it again. One thread.
RepeatedChecks repeat_checks(PreparedTask& prepared, PreparedCase& prepared_case, RunnerProcess& runner,
                             double call_limit);

}  // namespace ridgeline::judge

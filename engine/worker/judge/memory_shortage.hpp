// Writes verdicts of candidates that could not be judged, and decides whose fault a shortage of memory is.
// One thread.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Makes the verdict say that nobody judged the candidate. Results of the stages after `call` are dropped.
void not_judged(Reason reason, const std::string& why, Verdict& verdict);

/// Makes the verdict say that the judge needs more memory beside a candidate than the machine has, and offers
/// a module's task with smaller shapes.
void does_not_fit(const std::string& why, const Task& task, Verdict& verdict);

/// Returns words that offer smaller shapes for a module that takes `needed` bytes of a device with
/// `available`: " or give smaller shapes: scale 1/4"; without `needed`, half of what it was posed with. ""
/// for tasks that have no module.
std::string offered_scale(const Task& task, std::optional<double> needed, double available);

/// Throws OutOfMemory if judging a native task on this machine's CPU takes more memory than it has, counted
/// as each input and output beside its copy in float64. Beyond that the kernel would kill an arbitrary
/// process.
void must_fit(const Task& task, bool final_cases);

/// Which of a task's cases are judged, and whether they are timed.
struct JudgedCases {
  bool hidden = true, final = false, timed = true;
};

/// Throws OutOfMemory, saying what is needed, if a case takes more than `device_bytes` of a device, counted
/// as what lies there at once whatever is done: buffers of a call beside its inputs and a copy of its
/// outputs, or three timing slots beside such a copy.
void must_fit_device(const Task& task, const JudgedCases& cases, double device_bytes);

/// Returns a short message if `error` says that LibTorch was refused an allocation; else empty.
std::optional<std::string> shortage_in(const std::exception& error);

/// Returns whether the candidate holds the memory that the judge lacks; the verdict then says so. Ends the
/// runner to find out, unless memory is free.
bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict);

}  // namespace ridgeline::judge

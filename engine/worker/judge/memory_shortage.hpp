// Verdicts where the judge could not go on, and whose fault it is where memory did not suffice.
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

/// Makes the verdict say that the judge needs more memory beside a candidate than the machine has.
void does_not_fit(const std::string& why, Verdict& verdict);

/// Throws OutOfMemory where judging on this machine's own processor takes more memory than it has: at least
/// each input and output beside its copy in float64. Filling more would have the kernel kill some process or
/// other.
void must_fit(const Task& task, bool final_cases);

/// A short message if `error` says that LibTorch was refused an allocation; else nothing.
std::optional<std::string> shortage_in(const std::exception& error);

/// Whether the candidate left the judge no memory, which the verdict then says. Ends the runner to find out.
bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict);

}  // namespace ridgeline::judge

// What a verdict says where the judge could not go on, and whose fault it is where memory did not do.
#pragma once

#include <exception>
#include <optional>
#include <string>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

/// Nobody judged the candidate: what stages after `call` had found is forgotten, and it is right by no rule.
void not_judged(Reason reason, const std::string& why, Verdict& verdict);

/// Nobody's fault: what the judge needs beside a candidate is more than the machine has.
void does_not_fit(const std::string& why, Verdict& verdict);

/// Throws OutOfMemory where the least that judging on this machine's own processor takes, each input and
/// output beside its copy in float64, is more than it has: filling it would have the kernel kill some process
/// or other.
void must_fit(const Task& task, bool final_cases);

/// The message of an allocation that LibTorch was refused, in short; nothing where `error` is of another
/// kind.
std::optional<std::string> shortage_in(const std::exception& error);

/// Whether the candidate left the judge no room, which the verdict then says; ends the runner to see.
bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict);

}  // namespace ridgeline::judge

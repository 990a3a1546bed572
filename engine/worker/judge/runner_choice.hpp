// Which runners a judge starts on this machine, and with what limits.
#pragma once

#include <memory>

#include "engine/worker/judge/judge_options.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Those of every kind that `options` and the backend have the means for.
RunnerPool pool_for(const JudgeOptions& options, sandbox::Isolation level, Backend& backend);

/// One for the request: of the pool, or for a task's own module one that may compile, which nobody keeps.
/// Throws as RunnerPool::take.
std::unique_ptr<RunnerProcess> runner_for(const protocol::JudgeRequest& request, RunnerPool& pool);

}  // namespace ridgeline::judge

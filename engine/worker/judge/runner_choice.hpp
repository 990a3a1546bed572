// Which runners a judge starts on this machine, and with what limits.
#pragma once

#include <memory>

#include "engine/worker/judge/judge_options.hpp"
#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/runners/runner_pool.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Makes runners of every kind that `options` and the backend have the means for.
RunnerProcessFactory runner_factory_for(const JudgeOptions& options, sandbox::Isolation level,
                                        Backend& backend);

/// Returns a runner for the request: from the pool; or, where the task's own module is compiled by
/// torch.compile, a runner that may start compilers, which is kept nowhere. Throws as RunnerPool::take.
std::unique_ptr<RunnerProcess> runner_for(const protocol::JudgeRequest& request, RunnerPool& pool,
                                          const RunnerProcessFactory& factory);

}  // namespace ridgeline::judge

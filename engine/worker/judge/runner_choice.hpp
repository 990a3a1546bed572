// Which runners a judge starts on this machine, and with what limits.
#pragma once

#include <memory>

#include "engine/worker/judge/judge_options.hpp"
#include "engine/worker/judge/runners/runner_stock.hpp"
#include "engine/worker/judge/tasks/backend.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Those of every kind that `options` and the backend have the means for.
RunnerStock stock_for(const JudgeOptions& options, sandbox::Isolation level, Backend& backend);

/// One for the request: of the stock, or for a task's own module one that may compile, which nobody keeps.
/// Throws as RunnerStock::take.
std::unique_ptr<RunnerProcess> runner_for(const protocol::Judge& request, RunnerStock& stock);

}  // namespace ridgeline::judge

// Checks whatever can be known to fail before the first call to a model, so that no money goes into a
// campaign that cannot work. `run` checks before it begins, and `run --plan` in place of running.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "engine/campaign/config.hpp"
#include "engine/core/task.hpp"
#include "engine/evaluation/worker_pool.hpp"

namespace ridgeline::campaign {

/// Throws BadInput naming the first compiler flag that the worker would refuse in every build.
void check_flags(const CampaignConfig& config);

/// Reads prompts, knowledge, keys and recordings, resolves endpoints, starts a worker, hears what it
/// offers and has it prove the user's own tasks; sends nothing to a model and writes nothing. Throws BadInput
/// or MachineCannot with the fix. `log` receives the worker's lines. A worker behind a mailbox cannot be
/// asked and is not.
void check_before_spending(const CampaignConfig& config, const std::vector<Task>& tasks,
                           const std::function<void(const std::string&)>& log);

/// Has the worker prove each task that the user wrote (suites::Proof::worker); does nothing for other suites,
/// which are proven elsewhere. Calls `done` once on the pool's thread, possibly from inside: with null, or
/// with BadInput that names the first task that cannot be judged and why. `tasks` must live until then.
void prove_own_tasks(const CampaignConfig& config, const std::vector<Task>& tasks,
                     evaluation::WorkerPool& pool, std::function<void(std::exception_ptr)> done);

}  // namespace ridgeline::campaign

// Runs a campaign once, from its file to its end: opens the store, starts workers and models, runs, and stops
// cleanly.
#pragma once

#include <functional>
#include <string>

#include "engine/campaign/config.hpp"
#include "engine/campaign/coordinator.hpp"
#include "engine/campaign/plan.hpp"
#include "engine/campaign/progress.hpp"
#include "engine/core/names.hpp"

namespace ridgeline::campaign {

/// Says how a run ended. After every end but `finished`, running the campaign again goes on.
enum class RunEnd {
  finished,
  interrupted,  ///< by SIGINT or SIGTERM
  waiting,      ///< with `until_waiting`: every trajectory waits for answers in mailboxes
  paused        ///< an endpoint or the worker is out, a key is refused, or a cap of `budget.total` is reached
};
constexpr auto enum_names(RunEnd) {
  return std::to_array<Name<RunEnd>>({{RunEnd::finished, "finished"},
                                      {RunEnd::interrupted, "interrupted"},
                                      {RunEnd::waiting, "waiting"},
                                      {RunEnd::paused, "paused"}});
}

struct RunResult {
  RunEnd end = RunEnd::finished;
  Pause pause;  ///< its cause, if `end` is `paused`
};

struct RunOptions {
  bool until_waiting = false;  ///< stop once only answers in mailboxes can bring the campaign further
  bool fork = false;           ///< start a branch (branch.hpp) if recorded requests no longer match
  /// Receives lines of workers and of the engine.
  std::function<void(const std::string&)> log = [](const std::string&) {};
};

/// Runs or resumes the campaign and returns when it ends. Blocks the calling thread, which becomes the
/// campaign's, and handles SIGINT and SIGTERM meanwhile. Throws BadInput and MachineCannot; before the first
/// call to a model for everything that can be known by then.
RunResult run_campaign(const CampaignConfig& config, const Plan& plan, Progress& progress,
                       const RunOptions& options);

}  // namespace ridgeline::campaign
